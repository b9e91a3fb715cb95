// Package effect has what a part of the page can ask the page to do: what concerns other parts as well. A part queues
// effects on the desk, and Controller applies them in order when the part's handler has returned, so a handler never sees
// one applied. What an effect asks for in turn comes before the effects behind it.
//
// It must not know the parts, or how an effect is applied.
package effect

import (
	"logzlab/core/spec"
	"logzlab/estimators/engine"
	"logzlab/wasm/page/deck"
	"logzlab/wasm/page/state"
)

// Effect is something that the page is to do.
type Effect interface{ effect() }

// The experiment and its run.
type (
	// OpenLink opens a link and shows what it leads to.
	OpenLink struct{ Link string }

	// Run runs the experiment from its beginning.
	Run struct{}

	// RunSpec ends what runs, and runs this experiment.
	RunSpec struct{ Spec *spec.Spec }

	// RunInClass runs the experiment on the devices of the page's room if it is the host of one, or else here.
	RunInClass struct{}

	// ShowSpec makes this the experiment, which waits until somebody runs it.
	ShowSpec struct{ Spec *spec.Spec }

	// NextSpec ends what runs and makes this the experiment of another step of a lecture, which runs soon.
	NextSpec struct{ Spec *spec.Spec }

	// Stop ends what runs and drops its results.
	Stop struct{}

	// EndRun drops the run, or stops loading what it needs. Unlike Stop it leaves everything else as it is.
	EndRun struct{}

	// ReplaceJob has the run go on with another job, from its beginning.
	ReplaceJob struct{ Job *engine.Job }

	// Load marks the run as loading: it is about to begin.
	Load struct{}

	// Idle marks the run as idle: nothing is about to begin.
	Idle struct{}

	// Fail marks the run as failed, and shows the error with a button, or without one where Action is nil.
	Fail struct {
		Err    error
		Action *state.Action
	}

	// Assign gives units to idle lanes, and sees when the run is over.
	Assign struct{}

	// Pace tells the lanes how slowly to go.
	Pace struct{}

	// Forget drops what the result is compared with, and the answers of a quiz.
	Forget struct{}
)

// Files that came.
type (
	// TakeFile takes any file, as if the user had dropped it on the page.
	TakeFile struct{ File state.File }

	// ReadModel takes a file that is a model.
	ReadModel struct{ File state.File }
)

// What is on show.
type (
	// ShowSheet shows a sheet over the page, "" for none.
	ShowSheet struct{ Name string }

	// ShowScene shows a scene, or says why it cannot be shown.
	ShowScene struct{ Name string }

	// Notice shows a message over the page.
	Notice struct{ Message *state.Message }

	// Say gives a text to people who hear the page.
	Say struct{ Text string }

	// Draw sends the curves of the run to the picture.
	Draw struct{}
)

// Lectures and rooms.
type (
	// Turn turns to another step of the lecture: next, back, first or last.
	Turn struct{ To string }

	// Ask puts the question of a step of a lecture to the class in the page's room, or shows what the class said.
	Ask struct {
		Number   int
		Step     deck.Step
		Revealed bool
	}

	// Lend has the computer of a room's host take part in its runs, or not.
	Lend struct{ On bool }
)

func (OpenLink) effect()   {}
func (Run) effect()        {}
func (RunSpec) effect()    {}
func (RunInClass) effect() {}
func (ShowSpec) effect()   {}
func (NextSpec) effect()   {}
func (Stop) effect()       {}
func (EndRun) effect()     {}
func (ReplaceJob) effect() {}
func (Load) effect()       {}
func (Idle) effect()       {}
func (Fail) effect()       {}
func (Assign) effect()     {}
func (Pace) effect()       {}
func (Forget) effect()     {}
func (TakeFile) effect()   {}
func (ReadModel) effect()  {}
func (ShowSheet) effect()  {}
func (ShowScene) effect()  {}
func (Notice) effect()     {}
func (Say) effect()        {}
func (Draw) effect()       {}
func (Turn) effect()       {}
func (Ask) effect()        {}
func (Lend) effect()       {}
