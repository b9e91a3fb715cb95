package rbm

import (
	"math"

	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/core/problem"
)

// quantiseOps is the number of operations for a weight in each of four passes over all weights.
const quantiseOps = 4

// chooseShift returns the s of New, or an error that names a unit whose absolute weights and bias sum to 2^20 or more.
func (p *Params) chooseShift(w *meter.Meter) (int, error) {
	row, col := make([]float64, p.M), make([]float64, p.J)
	for i := range row {
		if err := w.Did(quantiseOps * float64(p.J)); err != nil {
			return 0, err
		}
		row[i] = addSizes(col, p.W[i*p.J:(i+1)*p.J], math.Abs(p.C[i]))
	}
	top := 0.0
	for j := range col {
		col[j] += math.Abs(p.B[j])
	}
	for i, x := range append(row, col...) {
		if top = max(top, x); x < 1<<20 { // false for NaN and Inf
			continue
		}
		unit := problem.New("visible unit %d", i)
		if i >= p.M {
			unit = problem.New("hidden unit %d", i-p.M)
		}
		return 0, problem.New("rbm: the absolute weights and bias of %w (the first is 0) sum to %.3g, and at most "+
			"2^20 can be used: check the file", unit, x)
	}
	s := maxShift
	rounding := float64(float64(max(p.M, p.J)+1) / 2) // at most half a unit for each parameter
	for num.Mul(top, math.Ldexp(1, s))+rounding >= 1<<30 {
		s--
	}
	return s, nil
}

// addSizes adds |w_j| to col[j], and returns sum plus the sum of all |w_j|. addSizes and quantise are not inlined,
// because browsers switch to optimised WebAssembly code only between calls, and compiling all of New for one loop would
// take longer than the loop.
//
//go:noinline
func addSizes(col, w []float64, sum float64) float64 {
	for j, x := range w {
		a := math.Abs(x)
		sum += a
		col[j] += a
	}
	return sum
}

// quantise sets weights and biases to the parameters p rounded to multiples of 2^-s. bound is the largest change of any
// log f(v, h), and so of log Z.
func (m *Model) quantise(p Params, s int, w *meter.Meter) (bound float64, err error) {
	m.w, m.c, m.b = make([]int32, p.M*p.J), make([]int32, p.M), make([]int32, p.J)
	for i := range p.M {
		if err := w.Did(quantiseOps * float64(p.J)); err != nil {
			return 0, err
		}
		bound = quantise(m.w[i*p.J:(i+1)*p.J], p.W[i*p.J:(i+1)*p.J], s, bound)
	}
	return quantise(m.b, p.B, s, quantise(m.c, p.C, s, bound)), nil
}

// quantise rounds x to integers times 2^-s, and returns shift plus the sum of the changes.
//
//go:noinline
func quantise(out []int32, x []float64, s int, shift float64) float64 {
	units, unit := math.Ldexp(1, s), math.Ldexp(1, -s)
	for i, v := range x {
		q := math.RoundToEven(num.Mul(v, units))
		shift += math.Abs(v - num.Mul(q, unit))
		out[i] = int32(q)
	}
	return shift
}
