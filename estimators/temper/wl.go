package temper

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/spec"
	"logzlab/estimators"
	"logzlab/estimators/anneal"
)

// WL is the Wang-Landau algorithm on the rungs of a ladder ([Wang2001], [Atchade2010]). Islands of tempering chains
// adapt log Zhat with every sweep (adapted.update), with the gain of wangLandau. log Z is the mean over islands of the
// last log Zhat, its error bar from their spread. The step of a rung is the mean of q(k|x) over the chains of an island
// (Rao-Blackwellized), or, with increments = visits, the share of chains that chose it, as in the original. The bias
// has no fixed sign; the contribution of the start to the bias falls as 1/sweeps^2.
var WL = estimators.Info{
	Name: "wl", Label: "WL", Short: "flat visits", Path: estimators.Tempered, Provenance: estimators.OnRungs, Adapts: true,
	Stretch: 1.7,
	About: "Wang-Landau: rungs are made less likely by their exact chance after each sweep, or by visits, and by ever " +
		"less, until all are visited alike; what that took is log Z.",
	Params: estimators.With(adaptParams, paramIncrements), Checks: adaptChecks,
	New: anneal.Scheduled(func(c estimators.Config) (estimators.Method, error) { return newAdapt(c, wangLandau(4, 2)) }),
}

var paramIncrements = spec.Param{Name: "increments", Type: "choice", Default: "conditional",
	Choices: []string{"conditional", "visits"},
	Help: "What makes a rung less likely: its exact chance given the states of the chains (conditional), or that chains " +
		"chose it (visits), which is noisier."}

// wangLandau is the gain log(1 + g) of [Wang2001]: g = 1, halved when the rungs have been visited evenly, 20 times each
// on average, and what filling has left has fallen by e^mended. Below 0.004, or K/sweeps, from where on halving is too
// quick for what is still wrong to be mended ([Belardinelli2007]), and from half of the sweeps on in any case, since a
// high gain is a bias, it falls as
//
//	g_t = g t0/(t0 + t), t0 = rate K/g
//
// ([Atchade2010]). With rate 1 log Zhat moves by c_k/r_k over t0 + t, as an average does, which has the least variance
// V. With 2 that is 4/3 V, but what was wrong at t = 0 falls as 1/t^2, not 1/t, and the bias is 4/3 V in place of V/2
// times log(t/t0): the noise of early sweeps counts less. First guesses have few sweeps, and initial iterations mend
// them.
func wangLandau(mended, rate float64) func(rungs, sweeps int) gainRule {
	return func(_, sweeps int) gainRule { return halvedGain(sweeps, mended, rate) }
}

// halvedGain is wangLandau for a number of sweeps.
func halvedGain(sweeps int, mended, rate float64) gainRule {
	const visits, least = 20, .004
	return gainRule{math.Ln2, func(l *adapted, chains int) {
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
