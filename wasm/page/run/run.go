package run

import (
	"maps"
	"slices"

	"logzlab/core/runstate"
	"logzlab/estimators/engine"
	"logzlab/estimators/report"
	"logzlab/wasm/page/state"
)

// Current is the run of an experiment: its job, its state, and its time. It must not depend on lanes or views.
type Current struct {
	Job           *engine.Job
	Reports       *report.Reports
	Found         []*report.Report   // Results at the last update of the page
	Number        int                // counts runs, so that late fetches are ignored
	Paused        bool               // by the user
	Stepped       bool               // a step was requested while paused
	Stepping      bool               // the next run is started by a step
	Hidden        bool               // the page is hidden
	MethodSeconds map[string]float64 // seconds of each finished method
	Quick         bool               // the last finished run took less than quickRun
	Auxiliary     AuxiliaryRuns      // auxiliary runs after this one

	state         runstate.Run
	now           func() float64 // seconds
	Started       float64
	PausedSeconds float64 // time spent paused
	stoppedAt     float64 // time of the last pause or of the end
}

// quickRun is the longest time, in seconds, of a run that starts again by itself when a slider is released.
const quickRun = 3

// NewCurrent returns a Current without a run.
func NewCurrent(now func() float64) Current {
	return Current{state: runstate.Loading, MethodSeconds: map[string]float64{},
		Auxiliary: AuxiliaryRuns{Results: map[string]*report.Report{}}, now: now}
}

// State returns the state of the run.
func (r *Current) State() runstate.Run { return r.state }

// Load marks the run as loading.
func (r *Current) Load() { r.state = runstate.Loading }

// Idle marks the run as idle.
func (r *Current) Idle() { r.state = runstate.Idle }

// Fail marks the run as failed.
func (r *Current) Fail() { r.state = runstate.Failed }

// End discards the run.
func (r *Current) End() {
	r.Number++
	r.Job, r.Found, r.Paused, r.state = nil, nil, false, runstate.Idle
	r.Auxiliary.Job, r.Auxiliary.Missing = nil, nil
	clear(r.MethodSeconds)
}

// Begin starts the clock of a job.
func (r *Current) Begin(job *engine.Job) {
	r.Job, r.Reports, r.state = job, report.New(job), runstate.Running
	r.Started, r.PausedSeconds = r.now(), 0
}

// Replace replaces the job, which starts from the beginning; the clock continues.
func (r *Current) Replace(job *engine.Job) {
	r.Job, r.Reports, r.Found = job, report.New(job), nil
	clear(r.MethodSeconds)
}

// Active reports whether units can be given to workers, now or step by step.
func (r *Current) Active() bool {
	return r.Job != nil && r.state.Active()
}

// Pause pauses the run; it returns false if nothing runs.
func (r *Current) Pause() bool {
	if r.state != runstate.Running {
		return false
	}
	r.state, r.Paused, r.Stepped, r.stoppedAt = runstate.Paused, true, false, r.now()
	return true
}

// Resume continues after a pause.
func (r *Current) Resume() {
	r.state, r.Paused = runstate.Running, false
	r.PausedSeconds += r.now() - r.stoppedAt
}

// Finish ends the run.
func (r *Current) Finish() {
	if r.state == runstate.Running { // otherwise the clock stopped at the pause
		r.stoppedAt = r.now()
	}
	r.state, r.Quick = runstate.Done, r.Elapsed() < quickRun
	if r.Job.Failed() || r.Job.Stopped() || r.JobAtWork().Stopped() {
		r.state = runstate.Failed
	}
}

// Continue continues a finished run.
func (r *Current) Continue() {
	r.Auxiliary.Job, r.Auxiliary.Missing = nil, nil
	r.Resume()
}

// Elapsed returns the running time in seconds, without pauses.
func (r *Current) Elapsed() float64 {
	t := r.now() - r.Started - r.PausedSeconds
	if r.state != runstate.Running { // paused or over
		t -= r.now() - r.stoppedAt
	}
	return max(t, 0)
}

// Results returns the reports so far, nil before the job begins.
func (r *Current) Results() []*report.Report {
	if r.Job == nil {
		return nil
	}
	all := r.Reports.All(r.Elapsed())
	for _, x := range all {
		if _, ok := r.MethodSeconds[x.Method]; x.State == runstate.MethodDone && !ok {
			r.MethodSeconds[x.Method] = r.Elapsed()
			if x.LogP == nil {
				r.Auxiliary.Keep(x)
			}
		}
	}
	return all
}

// Share returns the share of the work that is done, 0 to 1.
func (r *Current) Share() float64 {
	if r.Job == nil {
		return 0
	}
	if r.Auxiliary.Pending() {
		return (r.Job.Progress() + r.Auxiliary.progress()) / 2
	}
	return r.Job.Progress()
}

// left returns the estimated remaining seconds.
func (r *Current) left() float64 {
	switch {
	case r.Auxiliary.Job != nil:
		return r.Auxiliary.Job.SecondsLeft(r.Elapsed() - r.Auxiliary.StartTime)
	case r.Auxiliary.Pending(): // the auxiliary run takes as long as this one
		return r.Elapsed() + 2*r.Job.SecondsLeft(r.Elapsed())
	}
	return r.Job.SecondsLeft(r.Elapsed())
}

// JobAtWork returns the job whose units are computed.
func (r *Current) JobAtWork() *engine.Job {
	if r.Auxiliary.Job != nil {
		return r.Auxiliary.Job
	}
	return r.Job
}

// OnShow returns the method whose particles the picture shows: the selected one, else the current one, and at the end
// the first; "" if unknown.
func (r *Current) OnShow(focus string) string {
	switch {
	case r.Job == nil:
		return focus
	case focus != "":
		return r.Job.PictureMethodOf(focus)
	case r.state == runstate.Done:
		return r.Job.PictureMethodOf(r.Job.Spec.Methods[0])
	}
	return r.Job.PictureMethod()
}

// FillIn fills in the state of the run.
func (r *Current) FillIn(f *state.Run) {
	f.Active, f.AuxiliaryPending = r.Active(), r.Auxiliary.Pending()
	if r.Job == nil {
		return
	}
	f.Share, f.Elapsed, f.Left, f.MethodSeconds = r.Share(), r.Elapsed(), r.left(), maps.Clone(r.MethodSeconds)
	f.Preparing, f.Summing, f.Narrowing = r.Job.Preparing(), r.Job.Summing(), r.Job.Narrowing()
	f.Planned, f.Runs = map[string]float64{}, map[string]int{}
	methods := r.Job.Spec.Methods
	for _, m := range methods {
		f.Planned[m] = r.Job.PlannedSweeps(m)
		f.Runs[m] = slices.IndexFunc(methods, func(o string) bool { return r.Job.SameRun(o, m) })
	}
}

// Cost returns the final cost of a method, as planned until it is done: sweeps, or independent draws.
func (r *Current) Cost(of *report.Report) float64 {
	return state.Cost(of, r.Job.PlannedSweeps(of.Method))
}
