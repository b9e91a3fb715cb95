package report

import (
	"slices"

	"logzlab/core/diag"
	"logzlab/core/num"
	"logzlab/estimators"
	"logzlab/estimators/engine"
)

// floorStop is how many error bars below the floor an estimate must not be used.
const floorStop = 4

// floor states the floor in every report of a method that is done, and adds a check against it.
func (j *Reports) floor(reports []*Report) {
	if f := j.job.Floor(); f != nil {
		for _, r := range reports {
			if r.State == "done" {
				r.besideFloor(f)
			}
		}
	}
}

// besideFloor states the floor and judges a result by it. Annealed chains and another road that the floor refutes say
// nothing of the result.
func (r *Report) besideFloor(f *engine.Floor) {
	r.Floor = &Floor{Number(f.LogZ), f.Kind}
	if !IsNumber(r.LogZ) {
		return
	}
	for name, o := range map[string][2]diag.Number{
		estimators.CheckAnnealed: {estimators.DiagLogZAnnealed, estimators.DiagLogZAnnealedSE},
		estimators.CheckOther:    {estimators.DiagLogZOther, estimators.DiagLogZOtherSE}} {
		if estimators.BelowFloor(r.number(o[0]), max(r.number(o[1]), 0), f.LogZ) {
			r.Verdict = r.Verdict.without(name)
		}
	}
	bar := 0.0
	if IsNumber(r.SE) {
		bar = float64(r.SE)
	}
	off := f.LogZ - float64(r.LogZ)
	c := VerdictCheck{Name: "Floor of log Z", Value: r.Floor.LogZ, Needs: "≤ log Z",
		Text: estimators.Beside(f.LogZ, float64(r.LogZ), 2), OK: !estimators.BelowFloor(float64(r.LogZ), bar, f.LogZ),
		bad:   off > max(num.Mul(floorStop, bar), estimators.FloorSlack),
		Means: "Log Z is certainly not less: places found by climbing prove it, and this run has missed them.",
		Do:    "Do not use this estimate. Try another method, or much more work."}
	if c.Near = c.OK && off > 0; c.Near {
		c.Needs = "below, within the bar"
	}
	r.judge(c)
}

// belowFloor reports whether the floor refutes the result.
func (r *Report) belowFloor() bool {
	return r.Floor != nil &&
		estimators.BelowFloor(float64(r.LogZ), max(float64(r.SE), 0), float64(r.Floor.LogZ))
}

// judge adds a check to the report's own copy of its verdict: a report is made once.
func (r *Report) judge(c VerdictCheck) {
	r.Verdict = &Verdict{Level: r.Verdict.Level, Checks: slices.Clone(r.Verdict.Checks)}
	r.Verdict.add(c)
}
