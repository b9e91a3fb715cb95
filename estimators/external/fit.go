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
// with slope 1. It returns a one-step estimate of a slope common to all pairs, from the score at slope 1 and with c
// from BAR. A slope other than 1 shows that chains have not converged to their rungs, or that energies and temperature
// have inconsistent units. far is the distance from 1 in standard errors, NaN if it cannot be computed.
func (l *ladder) fitSlope(bar *estimate) (slope, far float64) {
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
	for _, u := range scores {
		sum += sumOf(u)
		_, ofMean := Variances(u, l.independent)
		variance += num.Mul(float64(len(u)*len(u)), ofMean)
	}
	return 1 + sum/information, sum / math.Sqrt(variance)
}

// addScores adds the scores of the samples of two rungs to scores and returns their information.
func (l *ladder) addScores(a, b int, shift float64, scores [][]float64) (information float64) {
	weight, mean := 0.0, 0.0
	each := func(visit func(chain, i int, u, p, isB float64)) {
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
	each(func(_, _ int, u, p, _ float64) {
		w := num.Mul(p, 1-p)
		weight, mean = weight+w, mean+num.Mul(w, u)
	})
	if mean /= weight; !(weight > 0) {
		return 0
	}
	each(func(j, i int, u, p, isB float64) {
		scores[j][i] += num.Mul(isB-p, u-mean)
		information += num.Mul(num.Mul(p, 1-p), num.Mul(u-mean, u-mean))
	})
	return information
}
