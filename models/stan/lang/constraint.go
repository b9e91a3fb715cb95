package lang

import (
	"math"

	"logzlab/core/problem"
)

// Nearly is how far sums and symmetric elements may be off, as in Stan.
const Tolerance = 1e-8

// What is wrong with a value of a declared type.
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

// BrokenSimplex is what is wrong with a simplex; nil: nothing.
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

// Total is a sum.
func Sum(x []float64) float64 {
	sum := 0.
	for _, v := range x {
		sum += v
	}
	return sum
}

// Squares is the sum of squares.
func SumSquares(x []float64) float64 {
	sum := 0.
	for _, v := range x {
		sum += float64(v * v)
	}
	return sum
}

// BrokenFactor is what is wrong with a Cholesky factor, of a correlation matrix where rows have length 1.
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
