package shared

import (
	"logzlab/core/words"
	"logzlab/render/html"
	"logzlab/wasm/page/effect"
	"logzlab/wasm/page/state"
	"logzlab/wasm/page/workerpool"
)

// Context is what all parts of the page use: the browser, words, workers, open panels, and when to repaint.
type Context struct {
	Host      Host
	Snapshots SnapshotSource // builds snapshots of the whole page
	state.Appearance
	Works
	Workers workerpool.Pool
	Panels  state.Panels
	Known   state.Known // names and ranges of view settings
	Repaint Repaint
	Problem *state.Message // the message over the page, nil for none
	Address Address
	Models  map[string][]byte // loaded files of bundled models, by name
	effects []effect.Effect   // requested by parts, not applied yet

	Translations []byte // the source of the words; nil if they are compiled in

	LastFileEvent, LastFileAnswered int        // the last event with a file, and the last one that was answered
	LastFile                        state.File // the last file that was answered
}

// New returns the context of a page with a number of lane workers.
func New(h Host, snapshots SnapshotSource, workers int, known state.Known) Context {
	return Context{Host: h, Snapshots: snapshots, Known: known, Models: map[string][]byte{},
		Workers:    workerpool.New(h, workers),
		Appearance: state.Appearance{Words: words.New("")}, Repaint: Repaint{sent: map[string]html.HTML{}}}
}

// SnapshotSource builds snapshots of the whole page for its parts.
type SnapshotSource interface {
	Outline() *state.Snapshot  // without reports
	Snapshot() *state.Snapshot // with reports
}

// Queue queues effects. They are applied in order when the current handler has returned.
func (d *Context) Queue(effects ...effect.Effect) { d.effects = append(d.effects, effects...) }

// TakeEffects returns the queued effects and clears the queue.
func (d *Context) TakeEffects() []effect.Effect {
	queued := d.effects
	d.effects = nil
	return queued
}

// Address is the link in the browser's address bar.
type Address struct {
	Entry    int  // number of the history entry
	HasRun   bool // the experiment of this entry has been run
	Rejected bool // the link was rejected
}

// StartEntry makes the next link a new history entry if the current experiment has been run, so that Back returns to
// it. Edits before the next run share one entry.
func (a *Address) StartEntry() {
	if a.HasRun {
		a.Entry, a.HasRun = a.Entry+1, false
	}
}

// ChooseTheme sets the theme from the switch in the page header.
func (d *Context) ChooseTheme(name string) {
	d.SetTheme(name)
	if name == "projector" {
		d.Panels.Sheet = ""
	}
}

// Notice shows a message of the script, whose words have the key "notice." + e.Key.
func (d *Context) Notice(e state.Event) {
	if d.Words.Has("notice." + e.Key) {
		d.Problem = &state.Message{Level: "warn", Text: d.Words.T("notice."+e.Key, e.Value)}
		if e.Key == "update" {
			d.Problem = &state.Message{Level: "info", Text: d.Words.T("notice.update"),
				Action: &state.Action{Label: d.Words.T("page.reload"), Event: "update", Value: ""}}
		}
	}
}

// NoteFileAnswered records that the file of event n was accepted or rejected.
func (d *Context) NoteFileAnswered(n int) {
	d.LastFileEvent, d.LastFileAnswered = max(d.LastFileEvent, n), max(d.LastFileAnswered, n)
}
