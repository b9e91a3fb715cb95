package auto

import (
	"math"

	"logzlab/core/format"
	"logzlab/core/num"
	"logzlab/estimators"
)

// otherBars is how many joint error bars a second opinion may lie off.
const otherBars = 4

// checkOther compares annealing with tempering.
var checkOther = estimators.Check{Name: estimators.CheckOther,
	Means: "Annealing and tempering find different log Z, so at least one of them misses part of the target.",
	Do:    "Want a smaller error bar: both then work longer. Do not use the number until they agree.",
	Judge: func(f estimators.Facts) (estimators.Finding, bool) {
		z, se := f.Number(estimators.DiagLogZOther), f.Number(estimators.DiagLogZOtherSE)
		limit := max(otherBars*math.Sqrt(num.Mul(se, se)+num.Mul(f.SE, f.SE)), estimators.NearEnough)
		gap := f.LogZ - z
		return estimators.Finding{Value: gap, Text: estimators.Beside(gap, math.Copysign(limit, gap), 2) + " nats",
			Needs: "± " + format.Fixed(limit, 2), OK: math.Abs(gap) <= limit,
			Bad: math.Abs(gap) > 3*limit}, num.Known(z) && se >= 0
	}}

// fewSE is the error bar of log Z by a few weights that may lack the heavy ones, which makes their own too short: that
// of weights whose logs are normal with the same variance, if it is longer.
func fewSE(r *estimators.Result) float64 {
	v, n := r.Number(estimators.DiagVarLogWeight), r.Number(estimators.DiagChains)
	if !(v > 0 && n > 0) {
		return r.SE
	}
	return max(r.SE, math.Sqrt(float64((num.Exp(v)-1)/n)))
}
