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
		means[i] = estimators.Mean(x)
		batches += stats.OBM(x)
	}
	if len(means) < fewChains {
		return math.Sqrt(batches) / float64(len(means))
	}
	return meanOf(means).se
}

// estimate makes the result of the draws so far.
func (b *run) estimate() *estimators.Result {
	res := &estimators.Result{LogZ: math.NaN(), SE: math.NaN(), SEMethod: estimators.SEChains, Bias: "either",
		Lower: math.NaN(), Upper: math.NaN(), Doing: names[bridging], Sweeps: float64(b.N * (b.spent + b.done))}
	if b.final == nil && b.phase == bridging && b.done == 0 { // over, and counted
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
	s := estimators.SolveBridge(draws, drawn, seOfMean)
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
	if num.Known(s.ParetoK) {
		res.Diagnose(estimators.DiagParetoK, s.ParetoK)
	}
	res.Diagnose(estimators.DiagInefficiency, num.Mul(s.Inefficiency, float64(b.every)))
	res.Diagnose(estimators.DiagBurnIn, float64(b.spent-b.sweeps))
	res.Diagnose(estimators.DiagDrift, b.drift.mean)
	res.Diagnose(estimators.DiagDriftSE, b.drift.se)
	b.addHalves(res, draws)
	b.addPosterior(res)

	// Log Z at the ends, and for the check against exact samples at a rung between.
	between, betweenSE, _ := estimators.ChainMean(draws, func(w float64) float64 {
		return num.Exp(num.Mul(estimators.EvenBeta-1, w-res.LogZ))
	}, seOfMean)
	res.Ladder = []estimators.Rung{{}, {Beta: 1, LogZ: res.LogZ, SE: res.SE}}
	res.Compared = []estimators.Rung{{}, {Beta: estimators.EvenBeta, LogZ: num.Log(between) +
		num.Mul(estimators.EvenBeta, res.LogZ)}, res.Ladder[1]}
	res.RiseSE = []float64{res.SE, betweenSE / between, 0}
	return res
}

// leastHalf is the number of draws of a chain from which its two halves are compared.
const leastHalf = 20

// addHalves compares log Z by the first and by the second half of the draws of each chain, and of those from q beside.
func (b *run) addHalves(res *estimators.Result, draws [][]float64) {
	if len(draws[0]) < leastHalf {
		return
	}
	var of [2]estimators.BridgeSolution
	for half := range of {
		var chains [][]float64
		var drawn []float64
		for i, c := range b.chains {
			part := func(x []float64) []float64 {
				if half == 0 {
					return x[:len(x)/2]
				}
				return x[len(x)/2:]
			}
			chains, drawn = append(chains, part(draws[i])), append(drawn, part(c.drawn)...)
		}
		of[half] = estimators.SolveBridge(chains, drawn, seOfMean)
	}
	res.DiagnoseHalves(of[0].LogZ, of[0].SE, of[1].LogZ, of[1].SE)
}

// addPosterior adds means of what is told of the posterior, and how far chains differ in their coordinates and in log
// f/q: the largest rhat, the root of the variance of all draws over that within chains ([Gelman1992]).
func (b *run) addPosterior(res *estimators.Result) {
	d, n := b.Model.Info().Dim, float64(b.done)
	if b.done == 0 { // the phase is over
		n = float64(b.length(bridging))
	}

	// How far chains differ: the largest rhat of all numbers.
	worst := 0.0
	differ := func(means, within stats.Welford, n float64) {
		if within.Mean > 0 {
			worst = max(worst, math.Sqrt((n-1)/n+means.Var()/within.Mean))
		} else if means.Var() > 0 {
			worst = math.Inf(1)
		}
	}

	// Moments within and between chains: of the coordinates, and of what is told.
	moments := func(sum, square int) (means, within stats.Welford) {
		for _, c := range b.chains {
			mean := c.sums[sum] / n
			means.Add(mean)
			within.Add(max(c.sums[square]/n-num.Mul(mean, mean), 0) * n / (n - 1))
		}
		return means, within
	}
	for i := range d {
		means, within := moments(i, d+i)
		differ(means, within, n)
	}
	told := b.tells()
	for i := range told {
		means, within := moments(2*d+i, 2*d+told+i)
		res.Posterior = append(res.Posterior, estimators.Moment{Mean: means.Mean, SD: math.Sqrt(within.Mean + means.Var()),
			SE: math.Sqrt(means.Var() / float64(len(b.chains)))})
	}

	// Log f/q, by the draws of each chain.
	var means, within stats.Welford
	for _, c := range b.chains {
		mean, v := stats.MeanVar(c.draws)
		means.Add(mean)
		within.Add(v)
	}
	differ(means, within, float64(len(b.chains[0].draws)))
	res.Diagnose(estimators.DiagRHat, min(worst, 1000))
}
