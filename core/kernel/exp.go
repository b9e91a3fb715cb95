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

// vectorMachine does Conditionals and AbsorbRows with the bits of the Go code.
type vectorMachine interface {
	conditionals(x, y, q, top []float64)
	absorb(m, s [][]float64, x, shift []float64)
}

// vectors gives the machine; nil or giving nil where there is none. A platform that
// has one sets it.
var vectors func() vectorMachine

func fastVectors() vectorMachine {
	if vectors == nil || PureGo {
		return nil
	}
	return vectors()
}

// Conditionals takes y from each of the len(top) rows of x, writes the largest of
// what is left to top, and the running sums of e^(x-top) to the rows of q.
func Conditionals(x, y, q, top []float64) {
	n := len(y)
	if v := fastVectors(); v != nil && n*len(top) > 0 {
		v.conditionals(x[:n*len(top)], y, q[:n*len(top)], top)
		return
	}
	for r := range top {
		x, q := x[r*n:(r+1)*n], q[r*n:(r+1)*n]
		top[r] = Subtract(x, y)
		Exps(q, x, top[r])
		sum := 0.0
		for k, p := range q {
			sum += p
			q[k] = sum
		}
	}
}

// AbsorbRows is Absorb of each row of x, with its own shift, into its own sums.
func AbsorbRows(m, s [][]float64, x, shift []float64) {
	if v := fastVectors(); v != nil && len(x) > 0 {
		v.absorb(m, s, x, shift)
		return
	}
	n := len(x) / len(shift)
	for r := range shift {
		Absorb(m[r], s[r], x[r*n:(r+1)*n], shift[r])
	}
}
