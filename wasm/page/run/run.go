package run

import (
	"maps"
	"slices"

	"logzlab/core/runstate"
	"logzlab/estimators/engine"
	"logzlab/estimators/report"
	"logzlab/wasm/page/state"
)

// Current is one run of an experiment: its job, how it stands, and the time it took. It must not know of lanes or
// views.
type Current struct {
	Job      *engine.Job
	Reports  *report.Reports
	Found    []*report.Report   // Results, as the page has last taken them in
	Number   int                // counts runs, so that late fetches are dropped
	Paused   bool               // by the user
	Stepped  bool               // a frame was asked for while paused
	Stepping bool               // the run that is about to begin was asked for by a step
	Hidden   bool               // the page is
	Took     map[string]float64 // seconds of each finished method
	Quick    bool               // the last run that was done took less than quickRun
	Beside   SideRuns           // runs beside this one, after it

	state   runstate.Run
	now     func() float64 // seconds
	Started float64
	Resting float64 // time spent paused
	restAt  float64 // when it was paused, or over
}

// quickRun is how long, in seconds, a run takes that begins again by itself when a slider is let go.
const quickRun = 3

// NewCurrent has no run yet.
func NewCurrent(now func() float64) Current {
	return Current{state: runstate.Loading, Took: map[string]float64{},
		Beside: SideRuns{Known: map[string]*report.Report{}}, now: now}
}

// State is how the run stands.
func (r *Current) State() runstate.Run { return r.state }

// Load notes that a run is about to begin: what it needs is on its way.
func (r *Current) Load() { r.state = runstate.Loading }

// Idle notes that the run waits until somebody asks for it.
func (r *Current) Idle() { r.state = runstate.Idle }

// Fail notes that the run cannot begin.
func (r *Current) Fail() { r.state = runstate.Failed }

// End makes the run one that has not begun.
func (r *Current) End() {
	r.Number++
	r.Job, r.Found, r.Paused, r.state = nil, nil, false, runstate.Idle
	r.Beside.Job, r.Beside.Lacking = nil, nil
	clear(r.Took)
}

// Begin starts the clock of a job.
func (r *Current) Begin(job *engine.Job) {
	r.Job, r.Reports, r.state = job, report.New(job), runstate.Running
	r.Started, r.Resting = r.now(), 0
}

// Replace begins the job anew; the clock goes on.
func (r *Current) Replace(job *engine.Job) {
	r.Job, r.Reports, r.Found = job, report.New(job), nil
	clear(r.Took)
}

// Active reports whether units can be handed out, now or step by step.
func (r *Current) Active() bool {
	return r.Job != nil && r.state.Active()
}

// Pause stands still from now; false if nothing runs.
func (r *Current) Pause() bool {
	if r.state != runstate.Running {
		return false
	}
	r.state, r.Paused, r.Stepped, r.restAt = runstate.Paused, true, false, r.now()
	return true
}

// Resume goes on after a pause.
func (r *Current) Resume() {
	r.state, r.Paused = runstate.Running, false
	r.Resting += r.now() - r.restAt
}

// Finish notes the end of the job.
func (r *Current) Finish() {
	if r.state == runstate.Running { // else it rests since the pause
		r.restAt = r.now()
	}
	r.state, r.Quick = runstate.Done, r.Elapsed() < quickRun
	if r.Job.Failed() || r.Job.Stopped() || r.AtWork().Stopped() {
		r.state = runstate.Failed
	}
}

// Again goes on with a run that was over.
func (r *Current) Again() {
	r.Beside.Job, r.Beside.Lacking = nil, nil
	r.Resume()
}

// Elapsed is the time spent running.
func (r *Current) Elapsed() float64 {
	t := r.now() - r.Started - r.Resting
	if r.state != runstate.Running { // paused or over
		t -= r.now() - r.restAt
	}
	return max(t, 0)
}

// Results are the reports so far, nil before the job begins.
func (r *Current) Results() []*report.Report {
	if r.Job == nil {
		return nil
	}
	all := r.Reports.All(r.Elapsed())
	for _, x := range all {
		if _, ok := r.Took[x.Method]; x.State == runstate.MethodDone && !ok {
			r.Took[x.Method] = r.Elapsed()
			if x.LogP == nil {
				r.Beside.Keep(x)
			}
		}
	}
	return all
}

// Share is how much of the job is done, 0 to 1.
func (r *Current) Share() float64 {
	if r.Job == nil {
		return 0
	}
	if r.Beside.Awaited() {
		return (r.Job.Progress() + r.Beside.progress()) / 2
	}
	return r.Job.Progress()
}

// left is about how many seconds of work are left.
func (r *Current) left() float64 {
	switch {
	case r.Beside.Job != nil:
		return r.Beside.Job.Left(r.Elapsed() - r.Beside.Since)
	case r.Beside.Awaited(): // the run that follows takes as long as this one
		return r.Elapsed() + 2*r.Job.Left(r.Elapsed())
	}
	return r.Job.Left(r.Elapsed())
}

// AtWork is the job whose units are handed out.
func (r *Current) AtWork() *engine.Job {
	if r.Beside.Job != nil {
		return r.Beside.Job
	}
	return r.Job
}

// OnShow is the method whose particles the picture shows: the chosen one, else the one under way, and in the end the
// one whose number is shown; "" is unknown.
func (r *Current) OnShow(focus string) string {
	switch {
	case r.Job == nil:
		return focus
	case focus != "":
		return r.Job.PicturesOf(focus)
	case r.state == runstate.Done:
		return r.Job.PicturesOf(r.Job.Spec.Methods[0])
	}
	return r.Job.Shown()
}

// Tell fills in how the run stands.
func (r *Current) Tell(f *state.Run) {
	f.Active, f.AuxiliaryPending = r.Active(), r.Beside.Awaited()
	if r.Job == nil {
		return
	}
	f.Share, f.Elapsed, f.Left, f.MethodSeconds = r.Share(), r.Elapsed(), r.left(), maps.Clone(r.Took)
	f.Preparing, f.Summing, f.Narrowing = r.Job.Preparing(), r.Job.Summing(), r.Job.Narrowing()
	f.Planned, f.Runs = map[string]float64{}, map[string]int{}
	methods := r.Job.Spec.Methods
	for _, m := range methods {
		f.Planned[m] = r.Job.Planned(m)
		f.Runs[m] = slices.IndexFunc(methods, func(o string) bool { return r.Job.SameRun(o, m) })
	}
}

// Cost is what a method will have cost, as planned until it is done: sweeps, or plain draws.
func (r *Current) Cost(of *report.Report) float64 {
	return state.Cost(of, r.Job.Planned(of.Method))
}
