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

// Facts are what the parts of the page may know of the experiment and its run. Only the page changes these.
type Facts struct {
	loader  *Loader
	current *Current
}

// NewFacts are facts of what a loader has loaded, and of its run.
func NewFacts(x *Loader, r *Current) Facts { return Facts{loader: x, current: r} }

// Experiment is a copy of the experiment.
func (f Facts) Experiment() *state.Experiment {
	x := f.loader.Experiment
	return &x
}

// Spec is that of the experiment, nil while there is none.
func (f Facts) Spec() *spec.Spec { return f.loader.Spec }

// ModelFiles are the files that a lane needs to make the model.
func (f Facts) ModelFiles() []workerpool.File { return f.loader.ModelFiles() }

// Made is the model that was made last.
func (f Facts) Made() models.Model { return f.loader.Made }

// Options are those of a job on the lane workers.
func (f Facts) Options(c *workerpool.Pool) engine.Options { return f.loader.Options(c) }

// State is how the run stands.
func (f Facts) State() runstate.Run { return f.current.State() }

// Active reports whether units can be handed out, now or step by step.
func (f Facts) Active() bool { return f.current.Active() }

// Number counts runs.
func (f Facts) Number() int { return f.current.Number }

// Job is that of the run, nil before it has begun.
func (f Facts) Job() *engine.Job { return f.current.Job }

// Share is how much of the job is done, 0 to 1.
func (f Facts) Share() float64 { return f.current.Share() }

// Results are the reports so far, nil before the job begins.
func (f Facts) Results() []*report.Report { return f.current.Results() }

// Kept are the reports of a run that has begun, to be kept: a method that is not done is over.
func (f Facts) Kept() []*report.Report { return f.current.Reports.Kept(f.current.Elapsed()) }
