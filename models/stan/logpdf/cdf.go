package logpdf

import (
	"math"

	"logzlab/models/stan/tape"
)

// ranged is a formula for constants 0 <= y < parameter top, with the results of y < 0 and y >= top.
func ranged(f formula, top int, low, high float64) formula {
	if f == nil {
		return nil
	}
	return func(c calc, y vec, p []vec) vec {
		n := len(y)
		for _, x := range p {
			n = max(n, len(x))
		}
		out := make(vec, n)

		// Values out of range have constant results.
		var inside []int
		args := make([]vec, 1+len(p))
		for i := range out {
			v := value(at(y, i))
			switch {
			case v < 0:
				out[i] = tape.Const(low)
				continue
			case top >= 0 && v >= value(at(p[top], i)):
				out[i] = tape.Const(high)
				continue
			}
			inside = append(inside, i)
			args[0] = append(args[0], at(y, i))
			for j, x := range p {
				args[j+1] = append(args[j+1], at(x, i))
			}
		}

		// The formula, for all values in range at once.
		if len(inside) > 0 {
			for j, x := range f(c, args[0], args[1:]) {
				out[inside[j]] = x
			}
		}
		return out
	}
}

// fromZero and toTop are the counts that a probability of a range sums: of 0 to y, and of what lies above y up to n,
// the first parameter.
func fromZero(p []float64) (lo, hi float64) { return 0, p[0] }
func toTop(p []float64) (lo, hi float64)    { return p[0] + 1, p[1] }

// summed sums a mass over a range of counts, which between finds from y and the parameters.
func summed(mass formula, between func(yp []float64) (lo, hi float64)) formula {
	return func(c calc, y vec, p []vec) vec {
		out := make(vec, len(y))
		for i := range y {
			known, one := []float64{value(y[i])}, make([]vec, len(p))
			for j, x := range p {
				one[j] = vec{x[i]}
				known = append(known, value(x[i]))
			}
			lo, hi := between(known)
			var at []float64
			for v := lo; v <= hi; v++ {
				at = append(at, v)
			}
			out[i] = tape.Const(math.Inf(-1))
			if len(at) > 0 {
				out[i] = c.LogSumExp(mass(c, tape.Consts(at...), one))
			}
		}
		return out
	}
}
