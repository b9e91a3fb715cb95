package bridge

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/stats"
	"logzlab/estimators"
)

// fewChains is the number of chains below which errors are those of batches within chains.
const fewChains = 10

// meanOf is the mean of independent numbers.
func meanOf(x []float64) ends {
	mean, v := stats.MeanVar(x)
	return ends{mean, math.Sqrt(v / float64(len(x)))}
}

// ofChains is the mean over all draws of g of log f/q, as an error the spread between chains or that of batches, and
// how many dependent draws tell as much as an independent one.
func (b *run) ofChains(g func(w float64) float64) (e ends, inefficiency float64) {
	var all stats.Welford
	means, batches := make([]float64, len(b.chains)), 0.0
	for i, c := range b.chains {
		series := make([]float64, len(c.draws))
		for t, w := range c.draws {
			series[t] = g(w)
			all.Add(series[t])
			means[i] += series[t] / float64(len(series))
		}
		batches += stats.OBM(series)
	}
	n := float64(len(means))
	if e = meanOf(means); n < fewChains {
		e.se = math.Sqrt(batches) / n
	}
	inefficiency = num.Mul(e.se, e.se) * float64(all.N) / all.Var()
	return e, max(1, min(inefficiency, float64(all.N)/n))
}

// accepted is 1/(1 + e^-x).
func accepted(x float64) float64 { return 1 / (1 + num.Exp(-x)) }

// estimate solves for log Z. Bennett's equation at c has as many draws of each side as there are; the root moves when
// dependent draws of the target count less: with n_1 draws that tell as much as n_1/tau,
//
//	log sum_q 1/(1 + e^(c-w)) - log sum_target 1/(1 + e^(w-c)) + log tau = 0,  log Z = c + log(n_1/(tau n_2)).
func (b *run) estimate() *estimators.Result {
	res := &estimators.Result{LogZ: math.NaN(), SE: math.NaN(), SEMethod: estimators.SEChains, Bias: "either",
		Lower: math.NaN(), Upper: math.NaN(), Doing: names[bridging], Sweeps: float64(b.N * (b.spent + b.done))}
	if b.final == nil && b.stage == bridging && b.done == 0 { // over, and counted
		res.Sweeps = float64(b.N * b.spent)
	}
	res.Flag(estimators.FlagNoSandwich)
	var forward, reverse []float64
	for _, c := range b.chains {
		forward = append(forward, c.drawn...)
		for _, w := range c.draws {
			reverse = append(reverse, -w)
		}
	}
	if res.Evaluations = float64(2 * len(forward)); b.mirror {
		res.Evaluations *= 2
	}
	c := estimators.Bennett(forward, reverse)
	if !num.Finite(c) {
		res.Flag(estimators.FlagZeroWeights)
		return res
	}
	_, tau := b.ofChains(func(w float64) float64 { return accepted(c - w) })
	for range 50 {
		p, slopeP := estimators.Accepted(forward, -c, 0, 0)
		q, slopeQ := estimators.Accepted(reverse, c, 0, 0)
		step := (p - q + num.Log(tau)) / (slopeP + slopeQ)
		if c += step; math.Abs(step) < 1e-11 {
			break
		}
	}
	n := float64(len(forward))
	effective := n / tau
	res.LogZ = c + num.Log(1/tau)

	// The error: of each chain, what its draws of both sides move log Z by.
	var one, both stats.Welford // over draws from q: what they are accepted with, and its square
	for _, w := range forward {
		a := accepted(w - c)
		one.Add(a)
		both.Add(num.Mul(a, a))
	}
	target, _ := b.ofChains(func(w float64) float64 { return accepted(c - w) })
	squares, _ := b.ofChains(func(w float64) float64 { return num.Mul(accepted(c-w), accepted(c-w)) })
	a, t := math.Sqrt(one.Var()/n)/one.Mean, target.se/target.mean
	res.SE = math.Sqrt(num.Mul(a, a) + num.Mul(t, t))
	if len(b.chains) < fewChains {
		res.SEMethod = estimators.SEBatches
	}
	if !num.Known(res.SE) {
		res.Flag(estimators.FlagNoErrorBar)
	}

	// What the checks look at.
	res.Diagnose(estimators.DiagOverlap, one.Mean*(effective+n)/effective)
	res.Diagnose(estimators.DiagESS, min(effective*num.Mul(target.mean, target.mean)/squares.mean,
		n*num.Mul(one.Mean, one.Mean)/both.Mean))
	res.Diagnose(estimators.DiagInefficiency, num.Mul(tau, float64(b.every)))
	res.Diagnose(estimators.DiagBurnIn, float64(b.spent-b.sweeps))
	res.Diagnose(estimators.DiagDrift, b.drift.mean)
	res.Diagnose(estimators.DiagDriftSE, b.drift.se)
	b.addPosterior(res)

	// Log Z at the ends, and for the check against exact samples at a rung between.
	between, _ := b.ofChains(func(w float64) float64 { return num.Exp(num.Mul(estimators.EvenBeta-1, w-res.LogZ)) })
	res.Ladder = []estimators.Rung{{}, {Beta: 1, LogZ: res.LogZ, SE: res.SE}}
	res.Compared = []estimators.Rung{{}, {Beta: estimators.EvenBeta, LogZ: num.Log(between.mean) +
		num.Mul(estimators.EvenBeta, res.LogZ)}, res.Ladder[1]}
	res.RiseSE = []float64{res.SE, between.se / between.mean, 0}
	return res
}

// addPosterior adds means of the coordinates, and how far chains differ in them and in log f/q: the largest rhat,
// the root of the variance of all draws over that within chains ([Gelman1992]).
func (b *run) addPosterior(res *estimators.Result) {
	d, n := b.Model.Info().Dim, float64(b.done)
	if b.done == 0 { // the stage is over
		n = float64(b.length(bridging))
	}
	worst := 0.0
	differ := func(means, within stats.Welford, n float64) {
		if within.Mean > 0 {
			worst = max(worst, math.Sqrt((n-1)/n+means.Var()/within.Mean))
		} else if means.Var() > 0 {
			worst = math.Inf(1)
		}
	}
	for i := range d {
		var means, within stats.Welford
		for _, c := range b.chains {
			mean := c.sums[i] / n
			means.Add(mean)
			within.Add(max(c.sums[d+i]/n-num.Mul(mean, mean), 0) * n / (n - 1))
		}
		differ(means, within, n)
		res.Posterior = append(res.Posterior, estimators.Moment{Mean: means.Mean, SD: math.Sqrt(within.Mean + means.Var()),
			SE: math.Sqrt(means.Var() / float64(len(b.chains)))})
	}
	var means, within stats.Welford
	for _, c := range b.chains {
		mean, v := stats.MeanVar(c.draws)
		means.Add(mean)
		within.Add(v)
	}
	differ(means, within, float64(len(b.chains[0].draws)))
	res.Diagnose(estimators.DiagRHat, min(worst, 1000))
}
