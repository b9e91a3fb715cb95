package stats

import (
	"math"
	"slices"

	"logzlab/core/num"
)

// minTail is the smallest number of tail weights to which a Pareto distribution is fitted.
const minTail = 5

// ParetoK estimates the shape k of the generalised Pareto distribution of the largest importance weights
// ([Vehtari2024]); lw are log weights. The tail is the largest min(n/5, 3 sqrt n) of n weights; the estimate is the
// posterior mean of [Zhang2009], shrunk towards 1/2 as in [Vehtari2024]. Weights with k > 1/2 have infinite variance
// and with k > 1 no mean; up to 0.7 the mean of a practical number of weights is reliable. It returns NaN for fewer
// than 25 weights, and if many of the largest weights are equal, as for a target with few states.
func ParetoK(lw []float64) float64 {
	n := len(lw)
	m := int(math.Ceil(min(float64(n)/5, 3*math.Sqrt(float64(n)))))
	if m < minTail {
		return math.NaN()
	}
	sorted := slices.Clone(lw)
	for i, l := range sorted {
		if !num.NotNaN(l) {
			sorted[i] = math.Inf(-1)
		}
	}
	slices.Sort(sorted)
	top := sorted[n-1]
	if !num.Finite(top) {
		return math.NaN()
	}
	cutoff := num.Exp(sorted[n-m-1] - top)
	x := make([]float64, m)
	for i, l := range sorted[n-m:] {
		x[i] = num.Exp(l-top) - cutoff
	}
	return fitPareto(x)
}

// fitPareto returns the shape k of the generalised Pareto distribution of the sorted, nonnegative values x, shrunk
// towards 1/2 ([Zhang2009]). The parameter theta = -k/sigma, with scale sigma, has a prior that depends on the data;
// its posterior mean is computed on a grid. The result is NaN if many values are nearly equal.
func fitPareto(x []float64) float64 {
	n := len(x)
	quartile, largest := x[max((n+2)/4-1, 0)], x[n-1]
	if !(quartile > 1e-10*largest) || largest-x[0] < 1e-12*largest {
		return math.NaN()
	}

	shape := func(theta float64) (k float64) {
		for _, v := range x {
			k += num.Log1p(-num.Mul(theta, v))
		}
		return k / float64(n)
	}
	grid := 30 + int(math.Sqrt(float64(n)))
	thetas, logPosterior := make([]float64, grid), make([]float64, grid)
	for j := range thetas {
		theta := 1/largest + (1-math.Sqrt(float64(grid)/(float64(j)+.5)))/num.Mul(3, quartile)
		k := shape(theta)
		thetas[j] = theta
		logPosterior[j] = num.Mul(float64(n), num.Log(-theta/k)-k-1)
		if !num.NotNaN(logPosterior[j]) {
			logPosterior[j] = math.Inf(-1)
		}
	}
	total, theta := num.LogSumExp(logPosterior), 0.
	for j, l := range logPosterior {
		theta += num.Mul(thetas[j], num.Exp(l-total))
	}
	k := shape(theta)
	return (num.Mul(k, float64(n)) + 5) / float64(n+10)
}
