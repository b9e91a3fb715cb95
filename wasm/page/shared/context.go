package shared

import (
	"logzlab/core/words"
	"logzlab/render/html"
	"logzlab/wasm/page/effect"
	"logzlab/wasm/page/state"
	"logzlab/wasm/page/workerpool"
)

// Context is what the owners of parts of the page use together: the browser, words, workers, what is open and when to
// paint.
type Context struct {
	Host      Host
	Snapshots SnapshotSource // what is asked about all of it
	state.Appearance
	Works
	Workers workerpool.Pool
	Panels  state.Panels
	Known   state.Known // what view settings may name
	Repaint Repaint
	Problem *state.Message // over the page, nil for none
	Address Address
	Models  map[string][]byte // bundled files of models that have come, by name
	effects []effect.Effect   // that parts have asked for

	Translations []byte // that the words were read from; nil: the program has them

	LastFileEvent, LastFileAnswered int        // the last event that brought a file, and the last one that was answered
	LastFile                        state.File // the last file that was answered
}

// New is the desk of a page with a number of lane workers.
func New(h Host, snapshots SnapshotSource, workers int, known state.Known) Context {
	return Context{Host: h, Snapshots: snapshots, Known: known, Models: map[string][]byte{},
		Workers:    workerpool.New(h, workers),
		Appearance: state.Appearance{Words: words.New("")}, Repaint: Repaint{sent: map[string]html.HTML{}}}
}

// SnapshotSource builds snapshots of the whole page for its parts.
type SnapshotSource interface {
	Outline() *state.Snapshot  // what is known without reports
	Snapshot() *state.Snapshot // all that is shown
}

// Do has the page do something, in this order, when the handler that asks for it has returned.
func (d *Context) Do(all ...effect.Effect) { d.effects = append(d.effects, all...) }

// Asked gives what parts have asked for since the last time.
func (d *Context) Asked() []effect.Effect {
	all := d.effects
	d.effects = nil
	return all
}

// Address is the link in the browser's address bar.
type Address struct {
	Entry int  // counts the entries of the history
	Ran   bool // the experiment of this entry was run
	Bad   bool // the link could not be taken
}

// Leave makes the next link a new entry of the history if this one's experiment was
// run: Back then leads to it. Edits before the next Run share one entry.
func (a *Address) Leave() {
	if a.Ran {
		a.Entry, a.Ran = a.Entry+1, false
	}
}

// ChooseTheme follows the switch in the head.
func (d *Context) ChooseTheme(name string) {
	d.Choose(name)
	if name == "projector" {
		d.Panels.Sheet = ""
	}
}

// Notice is a message of the page itself, with words of the string table.
func (d *Context) Notice(e state.Event) {
	if d.Words.Has("notice." + e.Key) {
		d.Problem = &state.Message{Level: "warn", Text: d.Words.T("notice."+e.Key, e.Value)}
		if e.Key == "update" {
			d.Problem = &state.Message{Level: "info", Text: d.Words.T("notice.update"),
				Action: &state.Action{Label: d.Words.T("page.reload"), Event: "update", Value: ""}}
		}
	}
}

// AnsweredFile notes that the file of event n was taken or refused.
func (d *Context) AnsweredFile(n int) {
	d.LastFileEvent, d.LastFileAnswered = max(d.LastFileEvent, n), max(d.LastFileAnswered, n)
}
