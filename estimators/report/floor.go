package report

import (
	"fmt"
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
		above := r.LogZ - r.Floor.LogZ
		bar := Number(0)
		if IsNumber(r.SE) {
			bar = r.SE
		}
		ok := above >= -max(floorBars*bar, floorSlack)
		r.judge(VerdictCheck{Name: "Above the floor", Value: above, Text: estimators.Beside(float64(above), 0, 2) + " nats",
			Needs: fmt.Sprintf("≥ 0, or −%d bars", floorBars), OK: ok, bad: true,
			Means: "Log Z is certainly above the floor, which one place found by climbing proves: this run has missed " +
				"that part of the target.",
			Do: "Do not use this estimate; log Z is at least the floor. Start elsewhere (base rates), or use another " +
				"method with much more work."})
	}
}

// judge adds a check to the report's own copy of its verdict: a report is made once.
func (r *Report) judge(c VerdictCheck) {
	r.Verdict = &Verdict{Level: r.Verdict.Level, Checks: slices.Clone(r.Verdict.Checks)}
	r.Verdict.add(c)
}
