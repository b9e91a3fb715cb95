package report

import (
	"slices"

	"logzlab/core/diag"
	"logzlab/core/num"
	"logzlab/core/runstate"
	"logzlab/estimators"
	"logzlab/models"
)

// floorStop is the number of standard errors below the floor (the certain lower bound) at which an estimate must not be
// used.
const floorStop = 4

// floor adds the certain bounds of log Z, and checks against them, to the report of every finished method.
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

// dropRefutedChecks drops the checks that compare the result with annealed chains or with the other strategy, if the bound
// refutes the estimate of these.
func (r *Report) dropRefutedChecks(refutes func(logZ, se, bound float64) bool, bound float64) {
	for name, o := range map[string][2]diag.Number{
		estimators.CheckAnnealed: {estimators.DiagLogZAnnealed, estimators.DiagLogZAnnealedSE},
		estimators.CheckOther:    {estimators.DiagLogZOther, estimators.DiagLogZOtherSE}} {
		if refutes(r.diagnostic(o[0]), max(r.diagnostic(o[1]), 0), bound) {
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
		OK:      !estimators.BelowFloor(float64(r.LogZ), r.errorBar(), f.Floor),
		Meaning: "Log Z is certainly not less: places found by climbing prove it, and this run has missed them.",
		Advice:  "Do not use this estimate. Try another method, or much more work."})
}

// addCeiling adds the ceiling and its check.
func (r *Report) addCeiling(ceiling float64) {
	r.Ceiling = &Bound{Number(ceiling), models.CeilingBuckets}
	if !IsNumber(r.LogZ) {
		return
	}
	r.dropRefutedChecks(estimators.AboveCeiling, ceiling)
	r.addBoundCheck(ceiling, float64(r.LogZ)-ceiling, VerdictCheck{Name: "Ceiling of log Z", Needs: "≥ log Z",
		OK:      !estimators.AboveCeiling(float64(r.LogZ), r.errorBar(), ceiling),
		Meaning: "Log Z is certainly not more: sums of a few tables at a time prove it.",
		Advice:  "Do not use this estimate. Try another method, or much more work."})
}

// addBoundCheck completes and adds the check of a bound (nats). excess is the number of nats by which the result is on the
// wrong side of the bound, negative if it is on the right side.
func (r *Report) addBoundCheck(bound, excess float64, c VerdictCheck) {
	c.Value, c.Text = Number(bound), estimators.FormatAgainst(bound, float64(r.LogZ), 2)
	c.Bad = excess > max(num.Mul(floorStop, r.errorBar()), estimators.FloorSlack)
	if c.Near = c.OK && excess > 0; c.Near {
		c.Needs = "below, within the bar"
		if bound < float64(r.LogZ) {
			c.Needs = "above, within the bar"
		}
	}
	r.addCheck(c)
}

// errorBar returns the standard error, 0 if there is none.
func (r *Report) errorBar() float64 {
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

// addCheck adds a check to a copy of the verdict, as other reports may share the verdict.
func (r *Report) addCheck(c VerdictCheck) {
	r.Verdict = &Verdict{Level: r.Verdict.Level, Checks: slices.Clone(r.Verdict.Checks)}
	r.Verdict.Add(c)
}
