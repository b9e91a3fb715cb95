package auto

import (
	"math"

	"logzlab/core/diag"
	"logzlab/core/format"
	"logzlab/core/num"
	"logzlab/core/stats"
	"logzlab/estimators"
)

// otherBars is how many joint error bars a second opinion may lie off.
const otherBars = 4

// checkOther compares annealing with tempering. It does not apply where both bounds come from exact samples and refute
// tempering: on machines of few hidden units tempering may find 7 nats too much where annealing both ways is right.
var checkOther = estimators.Check{Name: estimators.CheckOther,
	Means: "Two methods of this run find different log Z, so at least one of them misses part of the target.",
	Do:    "Want a smaller error bar: both then work longer. Do not use the number until they agree.",
	Judge: func(f estimators.Facts) (estimators.Finding, bool) {
		found, applies := besideOther(f)
		return found, applies && !refuted(f)
	}}

var besideOther = beside(estimators.DiagLogZOther, estimators.DiagLogZOtherSE, otherLimit)

// otherLimit is how far apart annealing and tempering may lie, in nats.
func otherLimit(se, other float64) float64 {
	return min(max(otherBars*stats.JointSE(se, other), estimators.NearEnough), otherFar)
}

// otherFar is a distance of two roads, in nats, that no error bar excuses: a road whose bar is longer confirms nothing.
const otherFar = 2

// farOff is how many limits the number of another road may lie off before the estimate must not be used: ten joint error
// bars.
const farOff = 2.5

// refuted reports whether the bounds of annealing both ways from exact samples refute the other road.
func refuted(f estimators.Facts) bool {
	z, se := f.Number(estimators.DiagLogZOther), f.Number(estimators.DiagLogZOtherSE)
	both := num.Known(f.Number(estimators.DiagESSBennett))
	return both && max(z-f.Upper, f.Lower-z) > otherLimit(f.SE, se)
}

// beside judges log Z beside that of another road, whose diagnostics are called other and otherSE. The limit is how far
// apart both may lie, in nats, by their error bars.
func beside(other, otherSE diag.Number,
	limit func(se, other float64) float64) func(estimators.Facts) (estimators.Finding, bool) {
	return func(f estimators.Facts) (estimators.Finding, bool) {
		z, se := f.Number(other), f.Number(otherSE)
		gap, most := f.LogZ-z, limit(f.SE, se)
		return estimators.Finding{Value: gap, Text: estimators.Against(gap, math.Copysign(most, gap), 2) + " nats",
			Needs: "± " + format.Fixed(most, 2), OK: math.Abs(gap) <= most,
			Bad: math.Abs(gap) > farOff*most}, num.Known(z) && se >= 0
	}
}

// fewSE is the error bar of log Z by a few weights that may lack the heavy ones, which makes their own too short: that
// of weights whose logs are normal with the same variance, if it is longer.
func fewSE(r *estimators.Result) float64 {
	v, n := r.Number(estimators.DiagVarLogWeight), r.Number(estimators.DiagChains)
	if !(v > 0 && n > 0) {
		return r.SE
	}
	return max(r.SE, math.Sqrt(float64((num.Exp(v)-1)/n)))
}

// checkFormed compares annealing and tempering with forming.
var checkFormed = estimators.Check{Name: estimators.CheckFormed,
	Means: "The model formed unit by unit has another log Z than annealing and tempering find, so one of them misses " +
		"part of the target.",
	Do:    "Want a smaller error bar: all roads then work longer. Do not use the number until they agree.",
	Judge: beside(estimators.DiagLogZFormed, estimators.DiagLogZFormedSE, formedLimit)}

// formedLimit is how far forming may lie off, in nats.
func formedLimit(se, formed float64) float64 {
	return min(max(otherBars*stats.JointSE(se, formed), formedNear), formedFar)
}

// Distances of two roads in nats: a near one misleads nobody, a far one misleads readers however long the bars are.
const (
	formedNear = .1
	formedFar  = 1
)
