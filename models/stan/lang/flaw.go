package lang

import (
	"math"

	"logzlab/core/problem"
)

// Nearly is how far sums and symmetric elements may be off, as in Stan.
const Nearly = 1e-8

// What is wrong with a value of a declared type.
var (
	ErrSum       = problem.New("its elements are not all at least 0 with sum 1")
	ErrZero      = problem.New("its sum is not 0")
	ErrZeros     = problem.New("the sum of a row or column is not 0")
	ErrLength    = problem.New("its length is not 1")
	ErrOrder     = problem.New("its elements are not increasing")
	ErrPositive  = problem.New("its first element is negative")
	ErrSymmetric = problem.New("it is not symmetric")
	ErrDefinite  = problem.New("it is not positive definite")
	ErrDiagonal  = problem.New("its diagonal is not 1")
	ErrLower     = problem.New("it is not lower triangular with a positive diagonal")
)

// BrokenSimplex is what is wrong with a simplex; nil: nothing.
func BrokenSimplex(x []float64) error {
	for _, v := range x {
		if !(v >= 0) {
			return ErrSum
		}
	}
	if !(math.Abs(Total(x)-1) <= Nearly) {
		return ErrSum
	}
	return nil
}

// Total is a sum.
func Total(x []float64) float64 {
	sum := 0.
	for _, v := range x {
		sum += v
	}
	return sum
}

// Squares is the sum of squares.
func Squares(x []float64) float64 {
	sum := 0.
	for _, v := range x {
		sum += float64(v * v)
	}
	return sum
}

// BrokenFactor is what is wrong with a Cholesky factor, of a correlation matrix where rows have length 1.
func BrokenFactor(unit bool, x []float64, dims []int) error {
	n := dims[1]
	for i := range dims[0] {
		row := x[i*n : (i+1)*n]
		for j, v := range row {
			if j > i && v != 0 || j == i && !(v > 0) {
				return ErrLower
			}
		}
		if unit && !(math.Abs(Squares(row)-1) <= Nearly) {
			return ErrLength
		}
	}
	return nil
}
