package estimators

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/num/stats"
)

// ChainMean returns the mean of g(w) over the draws of all chains, where chains[i] holds w = log f/q of the draws of
// chain i; the standard error of the mean by seOf; and the statistical inefficiency, the number of dependent draws that
// are worth one independent draw.
func ChainMean(chains [][]float64, g func(w float64) float64, seOf func(series [][]float64) float64) (mean, se,
	inefficiency float64) {
	var all stats.Welford
	means, series := make([]float64, len(chains)), make([][]float64, len(chains))
	for i, c := range chains {
		series[i] = make([]float64, len(c))
		for t, w := range c {
			series[i][t] = g(w)
			all.Add(series[i][t])
		}
		means[i] = Mean(series[i])
	}
	mean, _ = stats.MeanVar(means)
	se = seOf(series)
	inefficiency = num.Mul(se, se) * float64(all.N) / all.Var()
	return mean, se, max(1, min(inefficiency, float64(all.N)/float64(len(means))))
}

// accepted is 1/(1 + e^-x).
func accepted(x float64) float64 { return 1 / (1 + num.Exp(-x)) }

// BridgeSolution is the estimate of log Z by bridge sampling between the target f/Z and a normalised density q, with its
// standard error (nats) and diagnostics.
type BridgeSolution struct {
	LogZ, SE     float64
	Inefficiency float64 // dependent draws of the target that are worth one independent draw
	Overlap      float64 // overlap of target and q, 1 if they are equal
	ESS          float64 // the smaller of the effective sample sizes of the draws of the target and of q
	// ParetoK is the larger of the Pareto shapes of the terms of the two sums ([Micaletto2025]); NaN if unknown.
	ParetoK float64
}

// SolveBridge estimates log Z from w = log f/q of the n_1 draws of the target in chains, and of n_2 = n_1 independent
// draws of q in proposalLogW. seOf returns the standard error of the mean of several series, one for each chain.
// Bennett's equation weighs the two sums by the numbers of draws. The n_1 dependent draws of the target are worth only
// n_1/tau independent draws, so the equation for c becomes
//
//	log sum_q 1/(1 + e^(c-w)) - log sum_target 1/(1 + e^(w-c)) + log tau = 0,  log Z = c + log(n_1/(tau n_2)).
//
// tau is the statistical inefficiency (ChainMean) at the root for tau = 1. LogZ and SE are NaN if all weights are 0.
func SolveBridge(chains [][]float64, proposalLogW []float64, seOf func(series [][]float64) float64) BridgeSolution {
	var reverse []float64
	for _, c := range chains {
		for _, w := range c {
			reverse = append(reverse, -w)
		}
	}
	c := Bennett(proposalLogW, reverse)
	if !num.Finite(c) {
		return BridgeSolution{LogZ: math.NaN(), SE: math.NaN()}
	}
	_, _, tau := ChainMean(chains, func(w float64) float64 { return accepted(c - w) }, seOf)
	c = newton(c, num.Log(tau), proposalLogW, reverse, 0, 0)
	s := BridgeSolution{LogZ: c + num.Log(1/tau), Inefficiency: tau, ParetoK: bridgeShape(c, proposalLogW, reverse)}
	s.setErrors(c, chains, proposalLogW, seOf)
	return s
}

// setErrors sets the standard error of log Z, the overlap and the ESS at the root c of Bennett's equation. To first
// order the squared error is the sum of the squared relative errors of the two mean acceptances ([Fruehwirth2004]).
func (s *BridgeSolution) setErrors(c float64, chains [][]float64, proposalLogW []float64, seOf func([][]float64) float64) {
	n := float64(len(proposalLogW))
	effective := n / s.Inefficiency
	var acceptance, squaredAcceptance stats.Welford // over the draws of q
	for _, w := range proposalLogW {
		a := accepted(w - c)
		acceptance.Add(a)
		squaredAcceptance.Add(num.Mul(a, a))
	}
	mean, se, _ := ChainMean(chains, func(w float64) float64 { return accepted(c - w) }, seOf)
	squares, _, _ := ChainMean(chains, func(w float64) float64 { return num.Mul(accepted(c-w), accepted(c-w)) }, seOf)
	s.SE = stats.JointSE(math.Sqrt(acceptance.Var()/n)/acceptance.Mean, se/mean)
	s.Overlap = acceptance.Mean * (effective + n) / effective
	s.ESS = min(effective*num.Mul(mean, mean)/squares, n*num.Mul(acceptance.Mean, acceptance.Mean)/squaredAcceptance.Mean)
}

// bridgeShape returns the larger of the Pareto shapes of the terms 1/(1 + e^(c-w)) of draws of q and 1/(1 + e^(w-c)) of
// draws of the target, for which reverse holds -w. It returns NaN if neither shape is known.
func bridgeShape(c float64, proposalLogW, reverse []float64) float64 {
	logs := make([]float64, len(proposalLogW))
	for i, w := range proposalLogW {
		logs[i] = -num.Softplus(c - w)
	}
	k := stats.ParetoK(logs)
	logs = make([]float64, len(reverse))
	for i, minusW := range reverse {
		logs[i] = -num.Softplus(-minusW - c)
	}
	if other := stats.ParetoK(logs); !(k > other) && num.NotNaN(other) {
		k = other
	}
	return k
}

// Mean returns the arithmetic mean of x.
func Mean(x []float64) (mean float64) {
	for _, v := range x {
		mean += v / float64(len(x))
	}
	return mean
}
