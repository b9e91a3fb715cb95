package report

import (
	"slices"

	"logzlab/core/diag"
	"logzlab/core/num"
	"logzlab/estimators"
	"logzlab/estimators/engine"
)

// An estimate is not to be trusted if it lies below the floor by more than floorBars of its error bars and floorSlack
// nats, which is more than rounding and the interpolation of densities move it. From floorStop bars on it must not be
// used. Less is the noise of an honest estimate where the floor is close to log Z.
const (
	floorBars  = 2
	floorStop  = 4
	floorSlack = .02
)

// below reports whether an estimate is refuted by a floor.
func below(logZ, se, floor float64) bool { return floor-logZ > max(num.Mul(floorBars, se), floorSlack) }

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
		if below(r.number(o[0]), max(r.number(o[1]), 0), f.LogZ) {
			r.Verdict = r.Verdict.without(name)
		}
	}
	bar := 0.0
	if IsNumber(r.SE) {
		bar = float64(r.SE)
	}
	off := f.LogZ - float64(r.LogZ)
	c := VerdictCheck{Name: "Floor of log Z", Value: r.Floor.LogZ, Needs: "≤ log Z",
		Text: estimators.Beside(f.LogZ, float64(r.LogZ), 2), OK: !below(float64(r.LogZ), bar, f.LogZ),
		bad:   off > max(num.Mul(floorStop, bar), floorSlack),
		Means: "Log Z is certainly not less: places found by climbing prove it, and this run has missed them.",
		Do:    "Do not use this estimate. Try another method, or much more work."}
	if c.Near = c.OK && off > 0; c.Near {
		c.Needs = "below, within the bar"
	}
	r.judge(c)
}

// belowFloor reports whether the floor refutes the result.
func (r *Report) belowFloor() bool {
	return r.Floor != nil && below(float64(r.LogZ), max(float64(r.SE), 0), float64(r.Floor.LogZ))
}

// judge adds a check to the report's own copy of its verdict: a report is made once.
func (r *Report) judge(c VerdictCheck) {
	r.Verdict = &Verdict{Level: r.Verdict.Level, Checks: slices.Clone(r.Verdict.Checks)}
	r.Verdict.add(c)
}
