package priors

import (
	"math"

	"logzlab/core/num"
	"logzlab/models/stan/tape"
)

// TailsDecay reports whether a density decays faster than 1/|u| at both ends of coordinate k. It compares the density
// at u and 2u for a distant u: 1e100, or 350 for a parameter with a bound, whose distance from the bound is e^u.
func TailsDecay(t *tape.Tape, k int, bounded bool) bool {
	far := 1e100
	if bounded {
		far = 350
	}
	x, points := make([]float64, t.Dim()), t.EvaluatorPool()
	for _, x[k] = range [2]float64{far, -far} {
		near := points.LogF(x)
		x[k] *= 2
		if double := points.LogF(x); math.IsInf(near, 1) || num.Finite(near) && double > near-.7 { // log 2 = .693
			return false
		}
	}
	return true
}

// IsShiftInvariant reports whether a log density does not change if the n coordinates from first on are shifted by the
// same number.
func IsShiftInvariant(t *tape.Tape, first, n int) bool {
	x, points := make([]float64, t.Dim()), t.EvaluatorPool()
	for i := range x {
		x[i] = num.Exp(-float64(i%7)) - float64(i%3) // not alike
	}
	logF := points.LogF(x)
	for _, by := range [2]float64{1, -300} {
		for i := first; i < first+n; i++ {
			x[i] += by
		}
		if f := points.LogF(x); !num.Finite(f) || math.Abs(f-logF) > num.Mul(1e-9, 1+math.Abs(logF)) {
			return false
		}
	}
	return true
}
