package bridge

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/num/stats"
	"logzlab/estimators"
)

// fewChains is the number of chains below which standard errors come from batches within chains.
const fewChains = 10

// meanOfIndependent returns the mean of independent numbers with its standard error.
func meanOfIndependent(x []float64) meanSE {
	mean, v := stats.MeanVar(x)
	return meanSE{mean, math.Sqrt(v / float64(len(x)))}
}

// seOfMean returns the standard error of the mean over all chains: from the means of the chains or, for fewer than
// fewChains chains, from overlapping batches within them.
func seOfMean(series [][]float64) float64 {
	means, batches := make([]float64, len(series)), 0.
	for i, x := range series {
		means[i] = estimators.Mean(x)
		batches += stats.OBMVar(x)
	}
	if len(means) < fewChains {
		return math.Sqrt(batches) / float64(len(means))
	}
	return meanOfIndependent(means).se
}

// estimate returns the result of the draws so far.
func (b *run) estimate() *estimators.Result {
	res := &estimators.Result{LogZ: math.NaN(), SE: math.NaN(), SEMethod: estimators.SEChains, Bias: "either",
		Lower: math.NaN(), Upper: math.NaN(), Doing: phaseNames[bridging], Sweeps: float64(b.N * (b.sweepsBefore + b.done))}
	if b.final == nil && b.phase == bridging && b.done == 0 { // advance has added the sweeps of the phase
		res.Sweeps = float64(b.N * b.sweepsBefore)
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
	if !num.NotNaN(res.SE) {
		res.Flag(estimators.FlagNoErrorBar)
	}

	// Diagnostics for the checks.
	res.Diagnose(estimators.DiagOverlap, s.Overlap)
	res.Diagnose(estimators.DiagESS, s.ESS)
	if num.NotNaN(s.ParetoK) {
		res.Diagnose(estimators.DiagParetoK, s.ParetoK)
	}
	res.Diagnose(estimators.DiagInefficiency, num.Mul(s.Inefficiency, float64(b.thinning)))
	res.Diagnose(estimators.DiagBurnIn, float64(b.sweepsBefore-b.sweeps))
	res.Diagnose(estimators.DiagDrift, b.trend.mean)
	res.Diagnose(estimators.DiagDriftSE, b.trend.se)
	b.addHalves(res, draws)
	b.addPosterior(res)

	// log Z at both ends of the ladder and, for the target check, at MinComparedBeta between them.
	between, betweenSE, _ := estimators.ChainMean(draws, func(w float64) float64 {
		return num.Exp(num.Mul(estimators.MinComparedBeta-1, w-res.LogZ))
	}, seOfMean)
	res.Ladder = []estimators.Rung{{}, {Beta: 1, LogZ: res.LogZ, SE: res.SE}}
	res.Compared = []estimators.Rung{{}, {Beta: estimators.MinComparedBeta, LogZ: num.Log(between) +
		num.Mul(estimators.MinComparedBeta, res.LogZ)}, res.Ladder[1]}
	res.RiseSE = []float64{res.SE, betweenSE / between, 0}
	return res
}

// minHalves is the number of draws of a chain from which the two halves are compared.
const minHalves = 20

// addHalves compares log Z by the first and by the second half of the draws of each chain and from q.
func (b *run) addHalves(res *estimators.Result, draws [][]float64) {
	if len(draws[0]) < minHalves {
		return
	}
	var solutions [2]estimators.BridgeSolution
	for half := range solutions {
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
		solutions[half] = estimators.SolveBridge(chains, drawn, seOfMean)
	}
	res.DiagnoseHalves(solutions[0].LogZ, solutions[0].SE, solutions[1].LogZ, solutions[1].SE)
}

// addPosterior adds posterior means, and the largest R-hat ([Gelman1992]) of the coordinates, the reported quantities
// and log f/q: the root of the estimated variance of all draws over the variance within chains.
func (b *run) addPosterior(res *estimators.Result) {
	d, n := b.Model.Info().Dim, float64(b.done)
	if b.done == 0 { // advance has ended the phase
		n = float64(b.length(bridging))
	}

	rhat := 0.
	compare := func(means, within stats.Welford, n float64) { // chains of n draws
		if within.Mean > 0 {
			rhat = max(rhat, math.Sqrt((n-1)/n+means.Var()/within.Mean))
		} else if means.Var() > 0 {
			rhat = math.Inf(1)
		}
	}

	// moments returns the means of the chains and the variances within them, of the quantity with sums at these
	// indices.
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
		compare(means, within, n)
	}
	averages := b.averages()
	for i := range averages {
		means, within := moments(2*d+i, 2*d+averages+i)
		res.Posterior = append(res.Posterior, estimators.Moment{Mean: means.Mean, SD: math.Sqrt(within.Mean + means.Var()),
			SE: math.Sqrt(means.Var() / float64(len(b.chains)))})
	}

	var means, within stats.Welford
	for _, c := range b.chains {
		mean, v := stats.MeanVar(c.draws)
		means.Add(mean)
		within.Add(v)
	}
	compare(means, within, float64(len(b.chains[0].draws)))
	res.Diagnose(estimators.DiagRHat, min(rhat, 1000))
}
