package estimators

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/num/stats"
)

// ChainMean returns the mean of g(w) over the draws of all chains, w = log f/q; its standard error by seOf; and the
// statistical inefficiency, the number of dependent draws that are worth one independent draw.
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

// BridgeSolution is log Z by bridge sampling between the target and q, its standard error (nats), and its diagnostics.
type BridgeSolution struct {
	LogZ, SE     float64
	Inefficiency float64 // dependent draws of the target that are worth one independent draw
	Overlap      float64
	ESS          float64 // the smaller of the effective sample sizes of the two sides
	// ParetoK is the larger of the Pareto shapes of the terms of the two sides ([Micaletto2025]); NaN if there is none.
	ParetoK float64
}

// SolveBridge estimates log Z from w = log f/q of draws of the target, by chain, and of as many independent draws of q.
// seOf returns the standard error of the mean of several series, one for each chain. Bennett's equation at c weighs the
// two sides by their numbers of draws. n_1 dependent draws of the target are worth only n_1/tau, which moves the root:
//
//	log sum_q 1/(1 + e^(c-w)) - log sum_target 1/(1 + e^(w-c)) + log tau = 0,  log Z = c + log(n_1/(tau n_2)).
//
// LogZ is NaN if no draw has a weight.
func SolveBridge(chains [][]float64, drawn []float64, seOf func(series [][]float64) float64) BridgeSolution {
	var reverse []float64
	for _, c := range chains {
		for _, w := range c {
			reverse = append(reverse, -w)
		}
	}
	c := Bennett(drawn, reverse)
	if !num.Finite(c) {
		return BridgeSolution{LogZ: math.NaN(), SE: math.NaN()}
	}
	_, _, tau := ChainMean(chains, func(w float64) float64 { return accepted(c - w) }, seOf)
	c = newton(c, num.Log(tau), drawn, reverse, 0, 0)
	s := BridgeSolution{LogZ: c + num.Log(1/tau), Inefficiency: tau, ParetoK: bridgeShape(c, drawn, reverse)}
	s.measure(c, chains, drawn, seOf)
	return s
}

// measure sets the standard error of log Z, the overlap and the ESS at the root c of Bennett's equation. To first order
// the error combines the relative errors of the mean acceptances of both sides ([Fruehwirth2004]).
func (s *BridgeSolution) measure(c float64, chains [][]float64, drawn []float64, seOf func([][]float64) float64) {
	n := float64(len(drawn))
	effective := n / s.Inefficiency
	var one, both stats.Welford // over draws from q: acceptance, and its square
	for _, w := range drawn {
		a := accepted(w - c)
		one.Add(a)
		both.Add(num.Mul(a, a))
	}
	mean, se, _ := ChainMean(chains, func(w float64) float64 { return accepted(c - w) }, seOf)
	squares, _, _ := ChainMean(chains, func(w float64) float64 { return num.Mul(accepted(c-w), accepted(c-w)) }, seOf)
	s.SE = stats.JointSE(math.Sqrt(one.Var()/n)/one.Mean, se/mean)
	s.Overlap = one.Mean * (effective + n) / effective
	s.ESS = min(effective*num.Mul(mean, mean)/squares, n*num.Mul(one.Mean, one.Mean)/both.Mean)
}

// bridgeShape returns the larger of the Pareto shapes of the terms 1/(1 + e^(c-w)) of draws of q and 1/(1 + e^(w-c)) of
// draws of the target, for which reverse holds -w. It returns NaN if neither side has one.
func bridgeShape(c float64, drawn, reverse []float64) float64 {
	logs := make([]float64, len(drawn))
	for i, w := range drawn {
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
