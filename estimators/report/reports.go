package report

import (
	"logzlab/core/runstate"
	"logzlab/estimators"
)

// All returns a report for each method, final or preliminary, in the order of the spec. seconds is the wall time so far.
func (j *Reports) All(seconds float64) []*Report { return j.list(seconds, false) }

// AllInterrupted returns the same reports as All for a job that is given up: unfinished methods are marked as
// interrupted.
func (j *Reports) AllInterrupted(seconds float64) []*Report { return j.list(seconds, true) }

func (j *Reports) list(seconds float64, abandoned bool) []*Report {
	var out []*Report
	for _, name := range j.job.Spec.Methods {
		r := *j.report(name, seconds)
		if r.unfinished() && (abandoned || r.State == runstate.MethodStopped) {
			r.markInterrupted()
		}
		out = append(out, &r)
	}
	j.floor(out)
	j.Opinions(out)
	return out
}

// PerReplicate returns a report for each replicate of a method as if it had been the only run, without the exact value
// and other methods.
func (j *Reports) PerReplicate(name string) (out []*Report) {
	info, _ := j.job.Names().Method(name)
	for _, res := range j.job.Status(name).Results {
		r := j.newReport(info)
		j.addModel(r)
		r.State, r.Truth, r.Spec.Replicates = runstate.MethodDone, nil, 1
		r.addResults(j.names, res, []*estimators.Result{res})
		r.Verdict = r.Judge()
		out = append(out, r)
	}
	return out
}
