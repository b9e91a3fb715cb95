package report

import (
	"slices"

	"logzlab/core/diag"
	"logzlab/core/num"
	"logzlab/core/runstate"
	"logzlab/estimators"
	"logzlab/models"
)

// floorStop is the number of error bars below the floor from which an estimate must not be used.
const floorStop = 4

// floor adds certain bounds, and checks against them, to the report of every finished method.
func (j *Reports) floor(reports []*Report) {
	b := j.job.Bounds()
	if b == nil {
		return
	}
	for _, r := range reports {
		if r.State != runstate.MethodDone {
			continue
		}
		if num.NotNaN(b.Floor) {
			r.addFloor(b)
		}
		if num.NotNaN(b.Ceiling) {
			r.addCeiling(b.Ceiling)
		}
	}
}

// dropRefutedChecks drops the checks against annealed chains and the other strategy if a bound refutes the estimate
// that they compare with.
func (r *Report) dropRefutedChecks(refutes func(logZ, se, bound float64) bool, bound float64) {
	for name, o := range map[string][2]diag.Number{
		estimators.CheckAnnealed: {estimators.DiagLogZAnnealed, estimators.DiagLogZAnnealedSE},
		estimators.CheckOther:    {estimators.DiagLogZOther, estimators.DiagLogZOtherSE}} {
		if refutes(r.number(o[0]), max(r.number(o[1]), 0), bound) {
			r.Verdict = r.Verdict.Without(name)
		}
	}
}

// addFloor adds the floor and its check.
func (r *Report) addFloor(f *estimators.Bounds) {
	r.Floor = &Bound{Number(f.Floor), f.Kind}
	if !IsNumber(r.LogZ) {
		return
	}
	r.dropRefutedChecks(estimators.BelowFloor, f.Floor)
	r.addBoundCheck(f.Floor, f.Floor-float64(r.LogZ), VerdictCheck{Name: "Floor of log Z", Needs: "≤ log Z",
		OK:    !estimators.BelowFloor(float64(r.LogZ), r.bar(), f.Floor),
		Means: "Log Z is certainly not less: places found by climbing prove it, and this run has missed them.",
		Do:    "Do not use this estimate. Try another method, or much more work."})
}

// addCeiling adds the ceiling and its check.
func (r *Report) addCeiling(ceiling float64) {
	r.Ceiling = &Bound{Number(ceiling), models.CeilingBuckets}
	if !IsNumber(r.LogZ) {
		return
	}
	r.dropRefutedChecks(estimators.AboveCeiling, ceiling)
	r.addBoundCheck(ceiling, float64(r.LogZ)-ceiling, VerdictCheck{Name: "Ceiling of log Z", Needs: "≥ log Z",
		OK:    !estimators.AboveCeiling(float64(r.LogZ), r.bar(), ceiling),
		Means: "Log Z is certainly not more: sums of a few tables at a time prove it.",
		Do:    "Do not use this estimate. Try another method, or much more work."})
}

// addBoundCheck completes and adds the check of a bound that the result exceeds by off nats.
func (r *Report) addBoundCheck(bound, off float64, c VerdictCheck) {
	c.Value, c.Text = Number(bound), estimators.FormatAgainst(bound, float64(r.LogZ), 2)
	c.Bad = off > max(num.Mul(floorStop, r.bar()), estimators.FloorSlack)
	if c.Near = c.OK && off > 0; c.Near {
		c.Needs = "below, within the bar"
		if bound < float64(r.LogZ) {
			c.Needs = "above, within the bar"
		}
	}
	r.addCheck(c)
}

// bar returns the error bar, 0 without one.
func (r *Report) bar() float64 {
	if !IsNumber(r.SE) {
		return 0
	}
	return float64(r.SE)
}

// belowFloor reports whether the floor refutes the result.
func (r *Report) belowFloor() bool {
	return r.Floor != nil &&
		estimators.BelowFloor(float64(r.LogZ), max(float64(r.SE), 0), float64(r.Floor.LogZ))
}

// addCheck adds a check to the report's own copy of its verdict, as the original is shared.
func (r *Report) addCheck(c VerdictCheck) {
	r.Verdict = &Verdict{Level: r.Verdict.Level, Checks: slices.Clone(r.Verdict.Checks)}
	r.Verdict.Add(c)
}
