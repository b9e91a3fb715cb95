package page

import (
	"logzlab/wasm/page/crew"
	"logzlab/wasm/page/state"
)

// desk is what the owners of parts of the page use together: the browser, words, workers, what is open and when to
// paint.
type desk struct {
	host Host
	state.Appearance
	works
	crew    crew.Crew
	panels  state.Panels
	repaint repaint
	problem *state.Message // over the page, nil for none
	address address

	catalogue []byte // that the words were read from; nil: the program has them

	lastFileEvent, lastFileAnswered int     // the last event that brought a file, and the last one that was answered
	lastFile                        arrival // the last file that was answered
}

// arrival is a file that came.
type arrival struct {
	name string
	data []byte
	n    int
}

// address is the link in the browser's address bar.
type address struct {
	entry int  // counts the entries of the history
	ran   bool // the experiment of this entry was run
	bad   bool // the link could not be taken
}

// leave makes the next link a new entry of the history if this one's experiment was
// run: Back then leads to it. Edits before the next Run share one entry.
func (a *address) leave() {
	if a.ran {
		a.entry, a.ran = a.entry+1, false
	}
}

// chooseTheme follows the switch in the head.
func (d *desk) chooseTheme(name string) {
	d.Choose(name)
	if name == "projector" {
		d.panels.Sheet = ""
	}
}

// notice is a message of the page itself, with words of the string table.
func (d *desk) notice(e state.Event) {
	if d.Words.Has("notice." + e.Key) {
		d.problem = &state.Message{Level: "warn", Text: d.Words.T("notice."+e.Key, e.Value)}
		if e.Key == "update" {
			d.problem = &state.Message{Level: "info", Text: d.Words.T("notice.update"),
				Action: &state.Action{Label: d.Words.T("page.reload"), Event: "update", Value: ""}}
		}
	}
}
