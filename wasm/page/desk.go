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

	catalogue []byte // that the words were read from; nil: the program has them

	lastFileEvent, lastFileAnswered int     // the last event that brought a file, and the last one that was answered
	lastFile                        arrival // the last file that was answered
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
