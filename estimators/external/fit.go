package external

import (
	"math"

	"logzlab/core/num"
)

// fitSlope tests whether the samples of neighbouring rungs differ as their densities imply, after [Shirts2013]. For two
// rungs a and b, the odds that a sample x of either belongs to b are
//
//	n_b f_b(x) Z_a / (n_a f_a(x) Z_b) = exp(slope u - c),  u = log f_b(x) - log f_a(x),
//
// with slope 1. fitSlope returns a one-step estimate of a slope common to all pairs, from the score at slope 1 and with
// c from the estimate bar by BAR. A slope other than 1 shows that chains have not converged to the distributions of
// their rungs, or that energies and temperature have inconsistent units. deviation is slope - 1 in standard errors, NaN
// if it cannot be computed.
func (l *ladder) fitSlope(bar *estimate) (slope, deviation float64) {
	rungs := l.sampled()
	scores := make([][]float64, len(l.chains))
	for i, c := range l.chains {
		scores[i] = make([]float64, c.n)
	}
	information := 0.0
	counts := l.counts()
	for i := 0; i+1 < len(rungs); i++ {
		a, b := rungs[i], rungs[i+1]
		shift := num.Log(counts[b]/counts[a]) - (bar.z[b] - bar.z[a])
		if num.Finite(shift) {
			information += l.addScores(a, b, shift, scores)
		}
	}
	sum, variance := 0.0, 0.0
	for _, chainScores := range scores {
		sum += sumOf(chainScores)
		_, ofMean := Variances(chainScores, l.independent)
		variance += num.Mul(float64(len(chainScores)*len(chainScores)), ofMean)
	}
	return 1 + sum/information, sum / math.Sqrt(variance)
}

// addScores adds the score of each sample of rungs a and b to scores (chains x samples) and returns the information of
// these samples about the slope. shift is -c in the formula of fitSlope, at slope 1. The mean of u, weighted by p(1-p),
// is subtracted, which accounts for the estimation of c.
func (l *ladder) addScores(a, b int, shift float64, scores [][]float64) (information float64) {
	weightSum, mean := 0.0, 0.0
	forEachSample := func(visit func(chain, i int, u, p, isB float64)) {
		for j, c := range l.chains {
			isB := 0.0
			if c.rung == b {
				isB = 1
			}
			for i := 0; (c.rung == a || c.rung == b) && i < c.n; i++ {
				u := l.logRatio(c, i, b, a)
				if !num.Finite(u) { // impossible at the other rung: no information
					continue
				}
				visit(j, i, u, 1/(1+num.Exp(-u-shift)), isB)
			}
		}
	}
	forEachSample(func(_, _ int, u, p, _ float64) {
		w := num.Mul(p, 1-p)
		weightSum, mean = weightSum+w, mean+num.Mul(w, u)
	})
	if mean /= weightSum; !(weightSum > 0) {
		return 0
	}
	forEachSample(func(j, i int, u, p, isB float64) {
		scores[j][i] += num.Mul(isB-p, u-mean)
		information += num.Mul(num.Mul(p, 1-p), num.Mul(u-mean, u-mean))
	})
	return information
}
