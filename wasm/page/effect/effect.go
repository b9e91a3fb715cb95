// Package effect defines requests of a part of the page that concern other parts as well. A part queues effects
// (shared.Context.Queue), and Controller applies them in order when the part's handler has returned. Effects that are
// queued while an effect is applied come before the remaining ones.
//
// This package must not depend on the parts, or how an effect is applied.
package effect

import (
	"logzlab/core/spec"
	"logzlab/estimators/engine"
	"logzlab/wasm/page/deck"
	"logzlab/wasm/page/state"
)

// Effect is a request to the page.
type Effect interface{ effect() }

// The experiment and its run.
type (
	// OpenLink opens a link.
	OpenLink struct{ Link string }

	// Run runs the experiment from its beginning.
	Run struct{}

	// RunSpec ends the current run, and runs this experiment.
	RunSpec struct{ Spec *spec.Spec }

	// RunInClass runs the experiment on the devices of the room if the page is its host, otherwise here.
	RunInClass struct{}

	// ShowSpec sets the experiment without running it.
	ShowSpec struct{ Spec *spec.Spec }

	// NextSpec ends the current run and sets the experiment of another lecture step, which runs soon.
	NextSpec struct{ Spec *spec.Spec }

	// Stop ends the current run and discards its results.
	Stop struct{}

	// EndRun discards the run, or stops loading its model. Unlike Stop it changes nothing else.
	EndRun struct{}

	// ReplaceJob restarts the run with another job.
	ReplaceJob struct{ Job *engine.Job }

	// Load marks the run as loading.
	Load struct{}

	// Idle marks the run as idle.
	Idle struct{}

	// Fail marks the run as failed, and shows the error with a button if Action is not nil.
	Fail struct {
		Err    error
		Action *state.Action
	}

	// Assign gives units to idle lanes, and ends the run if it is finished.
	Assign struct{}

	// SendPace sends the speed setting to the lanes.
	SendPace struct{}

	// ClearComparisons discards the previous result and the answers of a quiz.
	ClearComparisons struct{}
)

// Files.
type (
	// TakeFile handles a file as if the user had dropped it on the page.
	TakeFile struct{ File state.File }

	// ReadModel reads a model file.
	ReadModel struct{ File state.File }
)

// The display.
type (
	// ShowSheet shows a sheet over the page, "" for none.
	ShowSheet struct{ Name string }

	// ShowScene shows a scene, or a message if it cannot be shown.
	ShowScene struct{ Name string }

	// ShowMessage shows a message over the page.
	ShowMessage struct{ Message *state.Message }

	// SetSummary sets the summary for screen readers.
	SetSummary struct{ Text string }

	// DrawCurves sends the curves of the run to the picture.
	DrawCurves struct{}
)

// Lectures and rooms.
type (
	// TurnStep goes to another step of the lecture: next, back, first or last.
	TurnStep struct{ Target string }

	// AskQuestion puts the question of a lecture step to the class in the room, or shows the votes.
	AskQuestion struct {
		Number   int
		Step     deck.Step
		Revealed bool
	}

	// LendComputer sets whether the computer of a room's host takes part in its runs.
	LendComputer struct{ On bool }
)

func (OpenLink) effect()         {}
func (Run) effect()              {}
func (RunSpec) effect()          {}
func (RunInClass) effect()       {}
func (ShowSpec) effect()         {}
func (NextSpec) effect()         {}
func (Stop) effect()             {}
func (EndRun) effect()           {}
func (ReplaceJob) effect()       {}
func (Load) effect()             {}
func (Idle) effect()             {}
func (Fail) effect()             {}
func (Assign) effect()           {}
func (SendPace) effect()         {}
func (ClearComparisons) effect() {}
func (TakeFile) effect()         {}
func (ReadModel) effect()        {}
func (ShowSheet) effect()        {}
func (ShowScene) effect()        {}
func (ShowMessage) effect()      {}
func (SetSummary) effect()       {}
func (DrawCurves) effect()       {}
func (TurnStep) effect()         {}
func (AskQuestion) effect()      {}
func (LendComputer) effect()     {}
