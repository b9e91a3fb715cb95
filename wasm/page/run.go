package page

import (
	"maps"
	"slices"

	"logzlab/estimators/engine"
	"logzlab/estimators/report"
	"logzlab/wasm/page/state"
)

// runState is one run of an experiment: its job, how it stands, and the time it took. It must not know of lanes or
// views.
type runState struct {
	job      *engine.Job
	reports  *report.Reports
	number   int                // counts runs, so that late fetches are dropped
	state    string             // loading, idle, running, paused, done or failed
	paused   bool               // by the user
	stepped  bool               // a frame was asked for while paused
	stepping bool               // the run that is about to begin was asked for by a step
	hidden   bool               // the page is
	took     map[string]float64 // seconds of each finished method
	quick    bool               // the last run that was done took less than quickRun
	beside   sideRuns           // runs beside this one, after it

	now     func() float64 // seconds
	started float64
	resting float64 // time spent paused
	restAt  float64 // when it was paused, or over
}

// quickRun is how long, in seconds, a run takes that begins again by itself when a slider is let go.
const quickRun = 3

// end makes the run one that has not begun.
func (r *runState) end() {
	r.number++
	r.job, r.paused, r.state = nil, false, "idle"
	r.beside.job, r.beside.lacking = nil, nil
	clear(r.took)
}

// begin starts the clock of a job.
func (r *runState) begin(job *engine.Job) {
	r.job, r.reports, r.state = job, report.New(job), "running"
	r.started, r.resting = r.now(), 0
}

// active reports whether units can be handed out, now or step by step.
func (r *runState) active() bool {
	return r.job != nil && (r.state == "running" || r.state == "paused")
}

// pause stands still from now; false if nothing runs.
func (r *runState) pause() bool {
	if r.state != "running" {
		return false
	}
	r.state, r.paused, r.stepped, r.restAt = "paused", true, false, r.now()
	return true
}

func (r *runState) resume() {
	r.state, r.paused = "running", false
	r.resting += r.now() - r.restAt
}

// finish notes the end of the job.
func (r *runState) finish() {
	if r.state == "running" { // else it rests since the pause
		r.restAt = r.now()
	}
	r.state, r.quick = "done", r.elapsed() < quickRun
	if r.job.Failed() || r.job.Stopped() || r.working().Stopped() {
		r.state = "failed"
	}
}

// again goes on with a run that was over.
func (r *runState) again() {
	r.beside.job, r.beside.lacking = nil, nil
	r.resume()
}

// elapsed is the time spent running.
func (r *runState) elapsed() float64 {
	t := r.now() - r.started - r.resting
	if r.state != "running" { // paused or over
		t -= r.now() - r.restAt
	}
	return max(t, 0)
}

// results are the reports so far, nil before the job begins.
func (r *runState) results() []*report.Report {
	if r.job == nil {
		return nil
	}
	all := r.reports.All(r.elapsed())
	for _, x := range all {
		if _, ok := r.took[x.Method]; x.State == "done" && !ok {
			r.took[x.Method] = r.elapsed()
			if x.LogP == nil {
				r.beside.keep(x)
			}
		}
	}
	return all
}

// share is how much of the job is done, 0 to 1.
func (r *runState) share() float64 {
	if r.job == nil {
		return 0
	}
	if r.beside.awaited() {
		return (r.job.Progress() + r.beside.progress()) / 2
	}
	return r.job.Progress()
}

// left is about how many seconds of work are left.
func (r *runState) left() float64 {
	switch {
	case r.beside.job != nil:
		return r.beside.job.Left(r.elapsed() - r.beside.since)
	case r.beside.awaited(): // the run that follows takes as long as this one
		return r.elapsed() + 2*r.job.Left(r.elapsed())
	}
	return r.job.Left(r.elapsed())
}

// working is the job whose units are handed out.
func (r *runState) working() *engine.Job {
	if r.beside.job != nil {
		return r.beside.job
	}
	return r.job
}

// onShow is the method whose particles the picture shows: the chosen one, else the one under way, and in the end the
// one whose number is shown; "" is unknown.
func (r *runState) onShow(focus string) string {
	switch {
	case r.job == nil:
		return focus
	case focus != "":
		return r.job.PicturesOf(focus)
	case r.state == "done":
		return r.job.PicturesOf(r.job.Spec.Methods[0])
	}
	return r.job.Shown()
}

// tell fills in how the run stands.
func (r *runState) tell(f *state.Run) {
	f.Active, f.Awaited = r.active(), r.beside.awaited()
	if r.job == nil {
		return
	}
	f.Share, f.Elapsed, f.Left, f.Took = r.share(), r.elapsed(), r.left(), maps.Clone(r.took)
	f.Preparing, f.Summing = r.job.Preparing(), r.job.Summing()
	f.Planned, f.Runs = map[string]float64{}, map[string]int{}
	methods := r.job.Spec.Methods
	for _, m := range methods {
		f.Planned[m] = r.job.Planned(m)
		f.Runs[m] = slices.IndexFunc(methods, func(o string) bool { return r.job.SameRun(o, m) })
	}
}

// cost is what a method will have cost, as planned until it is done: sweeps, or plain draws.
func (r *runState) cost(of *report.Report) float64 {
	return state.Cost(of, r.job.Planned(of.Method))
}
