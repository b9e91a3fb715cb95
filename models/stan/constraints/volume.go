package constraints

import (
	"math"

	"logzlab/core/num"
	"logzlab/models/stan/syntax"
)

// LogVolume returns the log of the integral of the density 1 over a constrained type, with respect to the measure that
// the Jacobian of Stan's transform defines. ok is false if the integral is infinite. The coordinates of the measure
// are: for a simplex, all elements but the last; for a stochastic matrix, the same for each simplex; for a correlation
// matrix, the correlations; for its Cholesky factor, the elements below the diagonal. A unit vector of n elements is
// the direction of n coordinates with density exp(-x'x/2), so its integral is (2 pi)^(n/2), not the area of the sphere.
func LogVolume(s syntax.Constraint, dims []int) (log float64, ok bool) {
	k := float64(dims[0])
	switch s {
	case syntax.Simplex:
		return -num.LogGamma(k), true
	case syntax.RowStochastic:
		return num.Mul(-k, num.LogGamma(float64(dims[1]))), true
	case syntax.ColumnStochastic:
		return num.Mul(-float64(dims[1]), num.LogGamma(k)), true
	case syntax.UnitVector:
		return num.Mul(k/2, num.Log2Pi), true

	// The n partial correlations z in a column have the density (1 - z^2)^((n-1)/2).
	case syntax.CorrMatrix:
		for n := 1.; n < k; n++ {
			log += num.Mul(n, num.Mul(.5, num.Log(math.Pi))+num.LogGamma((n+1)/2)-num.LogGamma((n+2)/2))
		}
		return log, true

	// The n elements of a row of the factor are in the unit ball.
	case syntax.CholeskyCorr:
		for n := 1.; n < k; n++ {
			log += num.Mul(n/2, num.Log(math.Pi)) - num.LogGamma((n+2)/2)
		}
		return log, true
	}
	return 0, false
}
