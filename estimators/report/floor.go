package report

import (
	"slices"

	"logzlab/estimators"
)

// An estimate lies below the floor if it does so by more than floorBars of its error bars and floorSlack nats, which is
// more than rounding and the interpolation of densities move it.
const (
	floorBars  = 4
	floorSlack = .02
)

// floor states the floor in every report of a method that is done, and adds a check against it.
func (j *Reports) floor(reports []*Report) {
	f := j.job.Floor()
	if f == nil {
		return
	}
	for _, r := range reports {
		if r.State != "done" {
			continue
		}
		r.Floor = &Floor{Number(f.LogZ), f.Kind}
		if !IsNumber(r.LogZ) {
			continue
		}
		bar := Number(0)
		if IsNumber(r.SE) {
			bar = r.SE
		}
		r.judge(VerdictCheck{Name: "Floor of log Z", Value: r.Floor.LogZ,
			Text: estimators.Beside(f.LogZ, float64(r.LogZ), 2), Needs: "≤ log Z",
			OK: r.Floor.LogZ-r.LogZ <= max(floorBars*bar, floorSlack), bad: true,
			Means: "Log Z is certainly not less: one place found by climbing proves it, and this run has missed it.",
			Do:    "Do not use this estimate. Try another method, or much more work."})
	}
}

// judge adds a check to the report's own copy of its verdict: a report is made once.
func (r *Report) judge(c VerdictCheck) {
	r.Verdict = &Verdict{Level: r.Verdict.Level, Checks: slices.Clone(r.Verdict.Checks)}
	r.Verdict.add(c)
}
