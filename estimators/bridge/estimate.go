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

// seOfMean is the standard error of the mean of series of chains: the spread between them, or of few chains that of
// batches.
func seOfMean(series [][]float64) float64 {
	means, batches := make([]float64, len(series)), 0.
	for i, x := range series {
		means[i] = mean(x)
		batches += stats.OBM(x)
	}
	if len(means) < fewChains {
		return math.Sqrt(batches) / float64(len(means))
	}
	return meanOf(means).se
}

func mean(x []float64) (mean float64) {
	for _, v := range x {
		mean += v / float64(len(x))
	}
	return mean
}

// ofChains is the mean over all draws of g of log f/q, its error by seOf, and how many dependent draws tell as much as
// an independent one.
func ofChains(chains [][]float64, g func(w float64) float64, seOf func(series [][]float64) float64) (e ends,
	inefficiency float64) {
	var all stats.Welford
	means, series := make([]float64, len(chains)), make([][]float64, len(chains))
	for i, c := range chains {
		series[i] = make([]float64, len(c))
		for t, w := range c {
			series[i][t] = g(w)
			all.Add(series[i][t])
		}
		means[i] = mean(series[i])
	}
	e = ends{meanOf(means).mean, seOf(series)}
	inefficiency = num.Mul(e.se, e.se) * float64(all.N) / all.Var()
	return e, max(1, min(inefficiency, float64(all.N)/float64(len(means))))
}

// accepted is 1/(1 + e^-x).
func accepted(x float64) float64 { return 1 / (1 + num.Exp(-x)) }

// Solution is what draws of the target and of q tell of log Z.
type Solution struct {
	LogZ, SE     float64
	Inefficiency float64 // dependent draws of the target that tell as much as an independent one
	Overlap      float64
	ESS          float64 // of the weights of either side
}

// Solve solves for log Z by log f/q of draws of the target, of chains of one length, and of as many independent draws
// of q. seOf is the standard error of the mean of such chains. Bennett's equation at c has as many draws of each side
// as there are; the root moves when dependent draws of the target count less: with n_1 draws that tell as much as
// n_1/tau,
//
//	log sum_q 1/(1 + e^(c-w)) - log sum_target 1/(1 + e^(w-c)) + log tau = 0,  log Z = c + log(n_1/(tau n_2)).
//
// log Z is no number where no draw has a weight.
func Solve(chains [][]float64, drawn []float64, seOf func(series [][]float64) float64) Solution {
	var reverse []float64
	for _, c := range chains {
		for _, w := range c {
			reverse = append(reverse, -w)
		}
	}
	c := estimators.Bennett(drawn, reverse)
	if !num.Finite(c) {
		return Solution{LogZ: math.NaN(), SE: math.NaN()}
	}
	_, tau := ofChains(chains, func(w float64) float64 { return accepted(c - w) }, seOf)
	for range 50 {
		p, slopeP := estimators.Accepted(drawn, -c, 0, 0)
		q, slopeQ := estimators.Accepted(reverse, c, 0, 0)
		step := (p - q + num.Log(tau)) / (slopeP + slopeQ)
		if c += step; math.Abs(step) < 1e-11 {
			break
		}
	}
	n := float64(len(drawn))
	effective := n / tau

	// The error: of each chain, what its draws of both sides move log Z by.
	var one, both stats.Welford // over draws from q: what they are accepted with, and its square
	for _, w := range drawn {
		a := accepted(w - c)
		one.Add(a)
		both.Add(num.Mul(a, a))
	}
	target, _ := ofChains(chains, func(w float64) float64 { return accepted(c - w) }, seOf)
	squares, _ := ofChains(chains, func(w float64) float64 { return num.Mul(accepted(c-w), accepted(c-w)) }, seOf)
	a, t := math.Sqrt(one.Var()/n)/one.Mean, target.se/target.mean
	return Solution{LogZ: c + num.Log(1/tau), SE: math.Sqrt(num.Mul(a, a) + num.Mul(t, t)), Inefficiency: tau,
		Overlap: one.Mean * (effective + n) / effective,
		ESS: min(effective*num.Mul(target.mean, target.mean)/squares.mean,
			n*num.Mul(one.Mean, one.Mean)/both.Mean)}
}

// estimate makes the result of the draws so far.
func (b *run) estimate() *estimators.Result {
	res := &estimators.Result{LogZ: math.NaN(), SE: math.NaN(), SEMethod: estimators.SEChains, Bias: "either",
		Lower: math.NaN(), Upper: math.NaN(), Doing: names[bridging], Sweeps: float64(b.N * (b.spent + b.done))}
	if b.final == nil && b.stage == bridging && b.done == 0 { // over, and counted
		res.Sweeps = float64(b.N * b.spent)
	}
	res.Flag(estimators.FlagNoSandwich)
	var draws [][]float64
	var drawn []float64
	for _, c := range b.chains {
		draws, drawn = append(draws, c.draws), append(drawn, c.drawn...)
	}
	if res.Evaluations = float64(2 * len(drawn)); b.mirror {
		res.Evaluations *= 2
	}
	s := Solve(draws, drawn, seOfMean)
	if !num.Finite(s.LogZ) {
		res.Flag(estimators.FlagZeroWeights)
		return res
	}
	res.LogZ, res.SE = s.LogZ, s.SE
	if len(b.chains) < fewChains {
		res.SEMethod = estimators.SEBatches
	}
	if !num.Known(res.SE) {
		res.Flag(estimators.FlagNoErrorBar)
	}

	// What the checks look at.
	res.Diagnose(estimators.DiagOverlap, s.Overlap)
	res.Diagnose(estimators.DiagESS, s.ESS)
	res.Diagnose(estimators.DiagInefficiency, num.Mul(s.Inefficiency, float64(b.every)))
	res.Diagnose(estimators.DiagBurnIn, float64(b.spent-b.sweeps))
	res.Diagnose(estimators.DiagDrift, b.drift.mean)
	res.Diagnose(estimators.DiagDriftSE, b.drift.se)
	b.addPosterior(res)

	// Log Z at the ends, and for the check against exact samples at a rung between.
	between, _ := ofChains(draws, func(w float64) float64 {
		return num.Exp(num.Mul(estimators.EvenBeta-1, w-res.LogZ))
	}, seOfMean)
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
