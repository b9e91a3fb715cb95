package logpdf

import (
	"math"

	"logzlab/models/stan/tape"
)

// withRange returns a formula that is f for constants y with 0 <= y < p[top], low for y < 0, and high for y >= p[top].
// If top is negative there is no upper limit.
func withRange(f formula, top int, low, high float64) formula {
	if f == nil {
		return nil
	}
	return func(c calc, y vec, p []vec) vec {
		n := len(y)
		for _, x := range p {
			n = max(n, len(x))
		}
		out := make(vec, n)

		var inside []int
		args := make([]vec, 1+len(p))
		for i := range out {
			v := constOrNaN(elem(y, i))
			switch {
			case v < 0:
				out[i] = tape.Const(low)
				continue
			case top >= 0 && v >= constOrNaN(elem(p[top], i)):
				out[i] = tape.Const(high)
				continue
			}
			inside = append(inside, i)
			args[0] = append(args[0], elem(y, i))
			for j, x := range p {
				args[j+1] = append(args[j+1], elem(x, i))
			}
		}

		// Apply the formula to all values in range at once.
		if len(inside) > 0 {
			for j, x := range f(c, args[0], args[1:]) {
				out[inside[j]] = x
			}
		}
		return out
	}
}

// fromZero and toTop are ranges of counts for sumMass: 0 to y, and y+1 to n, the first parameter.
func fromZero(p []float64) (lo, hi float64) { return 0, p[0] }
func toTop(p []float64) (lo, hi float64)    { return p[0] + 1, p[1] }

// sumMass returns the log of the sum of a mass over a range of counts; between returns the range for yp, which holds y
// and the parameters.
func sumMass(mass formula, between func(yp []float64) (lo, hi float64)) formula {
	return func(c calc, y vec, p []vec) vec {
		out := make(vec, len(y))
		for i := range y {
			values, elementParams := []float64{constOrNaN(y[i])}, make([]vec, len(p))
			for j, x := range p {
				elementParams[j] = vec{x[i]}
				values = append(values, constOrNaN(x[i]))
			}
			lo, hi := between(values)
			var counts []float64
			for v := lo; v <= hi; v++ {
				counts = append(counts, v)
			}
			out[i] = tape.Const(math.Inf(-1))
			if len(counts) > 0 {
				out[i] = c.LogSumExp(mass(c, tape.Consts(counts...), elementParams))
			}
		}
		return out
	}
}
