package record

import (
	"math"

	"logzlab/core/format"
	"logzlab/core/num"
)

// Halves widens a range to whole halves of a tick step, which stand still while the numbers move.
func Halves(lo, hi float64) (float64, float64) {
	if span := max(1e-6*math.Abs(lo), 1e-9); hi-lo < span {
		lo, hi = lo-span, hi+span
	}
	step := format.Step(hi-lo, 7) / 2
	return (math.Ceil(lo/step-0.1) - 1) * step, (math.Floor(hi/step+0.1) + 1) * step
}

// Largest is the largest log Z that is drawn; beyond it floats have no nats left.
const Largest = 1e15

// Barred is an estimate with its error bar, where it has one.
func Barred(x, se float64) string {
	s := format.Value(x, se)
	if se > 0 && num.Finite(se) {
		s += " \u00b1 " + format.Value(se, se)
	}
	return s
}

// Slide moves an interval into [lo, hi] if it fits.
func Slide(x, length, lo, hi float64) float64 {
	if length > hi-lo {
		return x
	}
	return min(max(x, lo), hi-length)
}
