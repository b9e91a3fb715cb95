package auto

import (
	"math"

	"logzlab/core/diag"
	"logzlab/core/format"
	"logzlab/core/num"
	"logzlab/core/num/stats"
	"logzlab/estimators"
)

// maxBars is the number of joint error bars by which the estimates of two methods may differ.
const maxBars = 4

// checkOther compares annealing with tempering. It does not apply if the bounds of annealing both ways from exact
// samples exclude the estimate of tempering, which for RBMs with few hidden units may be 7 nats too high.
var checkOther = estimators.Check{Name: estimators.CheckOther,
	Meaning: "Two methods of this run find different log Z, so at least one of them misses part of the target.",
	Advice:  "Want a smaller error bar: both then work longer. Do not use the number until they agree.",
	Judge: func(f estimators.Facts) (estimators.Finding, bool) {
		found, applies := compareOther(f)
		return found, applies && !otherRefuted(f)
	}}

// compareOther compares log Z with the estimate of the other method.
var compareOther = compareWith(estimators.DiagLogZOther, estimators.DiagLogZOtherSE, otherLimit)

// otherLimit returns by how many nats annealing and tempering may differ, given their error bars.
func otherLimit(se, other float64) float64 {
	return min(max(maxBars*stats.JointSE(se, other), estimators.HarmlessGap), maxOtherGap)
}

// maxOtherGap is the largest value of otherLimit, in nats: a longer error bar confirms nothing.
const maxOtherGap = 2

// An estimate that differs by more than unusableFactor times the limit, ten joint error bars, must not be used.
const unusableFactor = 2.5

// otherRefuted reports whether the bounds of annealing both ways from exact samples exclude the other estimate.
func otherRefuted(f estimators.Facts) bool {
	z, se := f.Number(estimators.DiagLogZOther), f.Number(estimators.DiagLogZOtherSE)
	both := num.NotNaN(f.Number(estimators.DiagESSBennett))
	return both && max(z-f.Upper, f.Lower-z) > otherLimit(f.SE, se)
}

// compareWith returns the judge of a check that compares log Z with another estimate, whose diagnostics are other and
// otherSE. limit returns by how many nats they may differ, given their error bars.
func compareWith(other, otherSE diag.Number,
	limit func(se, other float64) float64) func(estimators.Facts) (estimators.Finding, bool) {
	return func(f estimators.Facts) (estimators.Finding, bool) {
		z, se := f.Number(other), f.Number(otherSE)
		gap, allowed := f.LogZ-z, limit(f.SE, se)
		return estimators.Finding{Value: gap, Text: estimators.FormatAgainst(gap, math.Copysign(allowed, gap), 2) + " nats",
			Needs: "± " + format.Fixed(allowed, 2), OK: math.Abs(gap) <= allowed,
			Bad: math.Abs(gap) > unusableFactor*allowed}, num.NotNaN(z) && se >= 0
	}
}

// lognormalSE returns the error bar of log Z for few weights. If none of them is heavy, their own error bar is too
// short, so it is at least the error bar of n lognormal weights with the same variance v of the logs, sqrt((e^v -
// 1)/n).
func lognormalSE(r *estimators.Result) float64 {
	v, n := r.Number(estimators.DiagVarLogWeight), r.Number(estimators.DiagChains)
	if !(v > 0 && n > 0) {
		return r.SE
	}
	return max(r.SE, math.Sqrt(float64((num.Exp(v)-1)/n)))
}

// checkSequential compares annealing and tempering with resample-move.
var checkSequential = estimators.Check{Name: estimators.CheckSequential,
	Meaning: "Resample-move, which grows the model unit by unit, finds another log Z than annealing and tempering, so one " +
		"of them misses part of the target.",
	Advice: "Want a smaller error bar: all strategies then work longer. Do not use the number until they agree.",
	Judge:  compareWith(estimators.DiagLogZGrown, estimators.DiagLogZGrownSE, sequentialLimit)}

// sequentialLimit returns by how many nats resample-move may differ from annealing and tempering, given the error bars.
func sequentialLimit(se, grown float64) float64 {
	return min(max(maxBars*stats.JointSE(se, grown), minSequentialLimit), maxSequentialLimit)
}

// Bounds of sequentialLimit in nats: a smaller difference is harmless, a larger one is not, however long the error
// bars.
const (
	minSequentialLimit = .1
	maxSequentialLimit = 1
)
