package kernel

import (
	"math"

	"logzlab/core/num"
)

// Subtract takes y from x and returns the largest of what is left, -Inf for nothing.
func Subtract(x, y []float64) (top float64) { return subtract(x, y[:len(x)]) }

func subtractGo(x, y []float64) (top float64) {
	top = math.Inf(-1)
	for k, z := range y[:len(x)] {
		x[k] -= z
		if x[k] > top {
			top = x[k]
		}
	}
	return top
}

// Exps sets out[k] to num.Exp(x[k] - shift).
func Exps(out, x []float64, shift float64) {
	for k := 0; k < len(x); k++ {
		if k += exps(out[k:], x[k:], shift); k < len(x) {
			out[k] = num.Exp(x[k] - shift)
		}
	}
}

// Absorb adds e^(x[k]-shift) to the sum that m[k], s[k] hold as num.LSE holds it in
// M and S.
func Absorb(m, s, x []float64, shift float64) {
	for k := 0; k < len(x); k++ {
		if k += absorb(m[k:], s[k:], x[k:], shift); k < len(x) {
			l := num.LSE{M: m[k], S: s[k]}
			l.Add(x[k] - shift)
			m[k], s[k] = l.M, l.S
		}
	}
}
