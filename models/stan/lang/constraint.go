package lang

import (
	"math"

	"logzlab/core/problem"
)

// Tolerance is the tolerance for sums and symmetric elements, as in Stan.
const Tolerance = 1e-8

// Violations of constrained types.
var (
	ErrSimplex          = problem.New("its elements are not all at least 0 with sum 1")
	ErrSumToZero        = problem.New("its sum is not 0")
	ErrSumToZeroMatrix  = problem.New("the sum of a row or column is not 0")
	ErrUnitLength       = problem.New("its length is not 1")
	ErrOrdered          = problem.New("its elements are not increasing")
	ErrPositiveOrdered  = problem.New("its first element is negative")
	ErrSymmetric        = problem.New("it is not symmetric")
	ErrPositiveDefinite = problem.New("it is not positive definite")
	ErrUnitDiagonal     = problem.New("its diagonal is not 1")
	ErrCholesky         = problem.New("it is not lower triangular with a positive diagonal")
)

// CheckSimplex returns ErrSimplex if x is not a simplex.
func CheckSimplex(x []float64) error {
	for _, v := range x {
		if !(v >= 0) {
			return ErrSimplex
		}
	}
	if !(math.Abs(Sum(x)-1) <= Tolerance) {
		return ErrSimplex
	}
	return nil
}

// Sum returns the sum of x.
func Sum(x []float64) float64 {
	sum := 0.
	for _, v := range x {
		sum += v
	}
	return sum
}

// SumSquares returns the sum of squares.
func SumSquares(x []float64) float64 {
	sum := 0.
	for _, v := range x {
		sum += float64(v * v)
	}
	return sum
}

// CheckCholeskyFactor returns an error if x, of sizes dims, is not a Cholesky factor; if unit is set, of a correlation
// matrix: its rows have length 1.
func CheckCholeskyFactor(unit bool, x []float64, dims []int) error {
	n := dims[1]
	for i := range dims[0] {
		row := x[i*n : (i+1)*n]
		for j, v := range row {
			if j > i && v != 0 || j == i && !(v > 0) {
				return ErrCholesky
			}
		}
		if unit && !(math.Abs(SumSquares(row)-1) <= Tolerance) {
			return ErrUnitLength
		}
	}
	return nil
}
