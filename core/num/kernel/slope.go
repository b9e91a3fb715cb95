package kernel

import "logzlab/core/num"

// newSlopeGrid fits the weights of slopes.
func newSlopeGrid(beta []float64, pairs int) *ladderGrid {
	return fitLadder(beta, pairs, func(float64) (float64, float64) { return -1, 1 },
		func(t, x float64) float64 { e := num.Exp(-float64(t * x)); return -float64(x*e) / (1 + e) })
}

// Slope returns the first and second derivative with respect to beta of sum_j log(1 + exp(beta x_j)), over n packed
// sums x_j in multiples of unit.
func Slope(acc []int64, n int, beta, unit float64) (first, second float64) {
	for j := range n {
		x := float64(float64(Get(acc, j)) * unit)
		e := num.Exp(-float64(beta * max(x, -x)))
		p := 1 / (1 + e) // probability that the unit is on, if x > 0
		q := float64(e * p)
		if x > 0 {
			first += float64(x * p)
		} else {
			first += float64(x * q)
		}
		second += float64(float64(x*x) * float64(p*q))
	}
	return first, second
}
