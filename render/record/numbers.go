package record

import (
	"math"

	"logzlab/core/format"
	"logzlab/core/num"
)

// RoundToHalfSteps widens a range to multiples of half a tick step, so that an axis changes rarely while data arrive.
func RoundToHalfSteps(lo, hi float64) (float64, float64) {
	if span := max(1e-6*math.Abs(lo), 1e-9); hi-lo < span {
		lo, hi = lo-span, hi+span
	}
	step := format.Step(hi-lo, 7) / 2
	return (math.Ceil(lo/step-0.1) - 1) * step, (math.Floor(hi/step+0.1) + 1) * step
}

// MaxLogZ is the largest absolute log Z that is drawn. The spacing of float64 beyond it is about a nat.
const MaxLogZ = 1e15

// WithError formats an estimate with its error bar, if it has one.
func WithError(x, se float64) string {
	s := format.Value(x, se)
	if se > 0 && num.Finite(se) {
		s += " \u00b1 " + format.Value(se, se)
	}
	return s
}

// MoveInto returns x, the start of an interval, moved such that the interval is in [lo, hi] if it fits.
func MoveInto(x, length, lo, hi float64) float64 {
	if length > hi-lo {
		return x
	}
	return min(max(x, lo), hi-length)
}
