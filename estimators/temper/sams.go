package temper

import (
	"math"

	"logzlab/core/num"
	"logzlab/estimators"
	"logzlab/estimators/anneal"
)

// SAMS is self-adjusted mixture sampling ([Tan2017]): WL with the gain of selfAdjusted. The bias from the start falls
// as 1/sweeps.
var SAMS = estimators.Info{
	Name: "sams", Label: "SAMS", Short: "self-adjusted", Path: estimators.Tempered, Provenance: estimators.OnRungs,
	SEStretch: 1.4,
	Adapts:    true,
	About: "Self-adjusted mixture sampling: as Wang-Landau, with steps that fall as 1/sweeps, the best rate, once all " +
		"rungs have been visited alike.",
	Params: adaptParams, Checks: adaptChecks,
	New: anneal.Scheduled(func(c estimators.Config) (estimators.Method, error) { return newAdapt(c, selfAdjusted) }),
}

// selfAdjusted is the gain of self-adjusted mixture sampling in two stages ([Tan2017] eq. 15), in nats, which is K
// times the paper's:
//
//	min(1/K, t^-b) up to sweep t0, then min(1/K, 1/(t - t0 + t0^b)),  b = 0.6,
//
// where t0 is the first sweep after the tenth at which the rungs have been visited evenly so far.
func selfAdjusted(rungs, _ int) gainRule {
	k := float64(rungs)
	return gainRule{1, func(l *adaptedWeights, _ int) {
		if l.period == searching && l.since > 10 && l.isFlat() {
			l.fall(0)
		}
		t0 := math.MaxInt
		if l.period == falling {
			t0 = l.fallsFrom
		}
		l.gain = num.Mul(k, twoStage(l.since+1, t0, 1/k, .6))
	}}
}

// twoStage returns the gain of sweep t >= 1.
func twoStage(t, t0 int, most, b float64) float64 {
	if t <= t0 {
		return min(most, num.Pow(float64(t), -b))
	}
	return min(most, 1/(float64(t-t0)+num.Pow(float64(t0), b)))
}
