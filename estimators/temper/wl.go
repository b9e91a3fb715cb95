package temper

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/spec"
	"logzlab/estimators"
	"logzlab/estimators/anneal"
)

// WL is the Wang-Landau algorithm on the rungs of a ladder ([Wang2001], [Atchade2010]). Islands of tempering chains
// adapt log Zhat with every sweep (adaptedWeights.update), with the gain of wangLandau. log Z is the mean over islands
// of the last log Zhat, with an error bar from their spread. A sweep raises a rung by the mean of q(k|x) over the
// chains of the island (Rao-Blackwellized) or, with increments = visits, by the share of chains that chose it, as in
// the original. The bias has no fixed sign; the contribution of the start falls as 1/sweeps^2.
var WL = estimators.Info{
	Name: "wl", Label: "WL", Short: "flat visits", Path: estimators.Tempered, Provenance: estimators.OnRungs, Adapts: true,
	SEStretch: 1.7,
	About: "Wang-Landau: each sweep makes rungs less likely by their exact chance, or by visits, in ever smaller steps, until " +
		"all are visited alike; the sum of the steps gives log Z.",
	Params: estimators.Appended(adaptParams, paramIncrements), Checks: adaptChecks,
	New: anneal.Scheduled(func(c estimators.Config) (estimators.Method, error) { return newAdapt(c, wangLandau(4, 2)) }),
}

var paramIncrements = spec.Param{Name: "increments", Type: "choice", Default: "conditional",
	Choices: []string{"conditional", "visits"},
	Help: "What makes a rung less likely: its exact chance given the states of the chains (conditional), or that chains " +
		"chose it (visits), which is noisier."}

// wangLandau is the gain log(1 + g) of [Wang2001]: g = 1, halved when the rungs have been visited evenly, 20 times each
// on average, and the error from filling has fallen by a factor e^mended. Halving becomes too quick for remaining
// errors to decay ([Belardinelli2007]) below 0.004 or K/sweeps. From then on, and from half of the sweeps in any case,
// since a high gain is a bias, the gain falls as
//
//	g_t = g t0/(t0 + t), t0 = rate K/g
//
// ([Atchade2010]). With rate 1, log Zhat moves by c_k/r_k over t0 + t, as an average does, which has the least variance
// V. With rate 2 the variance is 4/3 V, but an error at t = 0 falls as 1/t^2 instead of 1/t, and the bias is 4/3 V
// instead of V/2 times log(t/t0): the noise of early sweeps counts less. First guesses have few sweeps, and initial
// iterations correct them.
func wangLandau(mended, rate float64) func(rungs, sweeps int) gainRule {
	return func(_, sweeps int) gainRule { return halvedGain(sweeps, mended, rate) }
}

// halvedGain is wangLandau for a given number of sweeps.
func halvedGain(sweeps int, mended, rate float64) gainRule {
	const visits, least = 20, .004
	return gainRule{math.Ln2, func(l *adaptedWeights, chains int) {
		k := float64(len(l.zhat))
		switch {
		case l.period == falling:
			l.gain = num.Log1p(num.Mul(rate, k) / (l.t0 + float64(l.since-l.fallsFrom)))
		case float64(l.counted*chains) >= visits*k && l.relaxed >= mended && l.isFlat():
			l.empty()
			l.gain = num.Log1p(num.Expm1(l.gain) / 2)
			if g := num.Expm1(l.gain); g < max(least, k/float64(l.sweeps)) {
				l.fall(num.Mul(rate, k) / g)
			}
		case l.sweeps >= sweeps/2:
			l.fall(num.Mul(rate, k) / num.Expm1(l.gain))
		}
	}}
}
