package run

import (
	"logzlab/core/runstate"
	"logzlab/core/spec"
	"logzlab/estimators/engine"
	"logzlab/estimators/report"
	"logzlab/models"
	"logzlab/wasm/page/state"
	"logzlab/wasm/page/workerpool"
)

// Facts is a read-only view of the experiment and its run for the parts of the page. Only Controller changes these.
type Facts struct {
	loader  *Loader
	current *Current
}

// NewFacts returns the facts of a loader and its run.
func NewFacts(x *Loader, r *Current) Facts { return Facts{loader: x, current: r} }

// Experiment returns a copy of the experiment.
func (f Facts) Experiment() *state.Experiment {
	x := f.loader.Experiment
	return &x
}

// Spec returns the spec of the experiment, nil if there is none.
func (f Facts) Spec() *spec.Spec { return f.loader.Spec }

// ModelFiles returns the files that a lane needs to make the model.
func (f Facts) ModelFiles() []workerpool.File { return f.loader.ModelFiles() }

// LastModel returns the last model that was made.
func (f Facts) LastModel() models.Model { return f.loader.LastModel }

// Options returns the options of a job on the lane workers.
func (f Facts) Options(c *workerpool.Pool) engine.Options { return f.loader.Options(c) }

// State returns the state of the run.
func (f Facts) State() runstate.Run { return f.current.State() }

// Active reports whether units can be given to workers, now or step by step.
func (f Facts) Active() bool { return f.current.Active() }

// Number returns the number of the run.
func (f Facts) Number() int { return f.current.Number }

// Job returns the job of the run, nil before it has begun.
func (f Facts) Job() *engine.Job { return f.current.Job }

// Share returns the share of the job that is done, 0 to 1.
func (f Facts) Share() float64 { return f.current.Share() }

// Results returns the reports so far, nil before the job begins.
func (f Facts) Results() []*report.Report { return f.current.Results() }

// FinalReports returns the reports of a run for saving; unfinished methods are marked as stopped.
func (f Facts) FinalReports() []*report.Report {
	return f.current.Reports.AllInterrupted(f.current.Elapsed())
}
