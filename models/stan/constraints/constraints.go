// Package constraints implements the constrained types of Stan, such as simplex and cov_matrix: it checks constants,
// adds run-time checks of numbers that depend on parameters, and gives the range analysis the properties of parameters.
package constraints

import (
	"math"

	"logzlab/models/stan/lang"
	"logzlab/models/stan/ranges"
	"logzlab/models/stan/syntax"
	"logzlab/models/stan/tape"
)

// Violation returns the constraint that the constants x violate, or nil. dims are the sizes of one vector or matrix.
func Violation(s syntax.Constraint, x []float64, dims []int) error {
	switch s {
	case syntax.Simplex:
		return lang.CheckSimplex(x)
	case syntax.RowStochastic, syntax.ColumnStochastic:
		m := lang.Matrix(tape.Consts(x...), dims[0], dims[1])
		if s == syntax.ColumnStochastic {
			m = m.Transpose()
		}
		for i := range m.Rows() {
			if err := lang.CheckSimplex(constants(m.Row(i))); err != nil {
				return err
			}
		}

	// Vectors with a sum, a length or an order.
	case syntax.SumToZeroVector:
		if sum := lang.Sum(x); !(math.Abs(sum) <= lang.Tolerance) {
			return lang.ErrSumToZero
		}
	case syntax.SumToZeroMatrix:
		m := lang.Matrix(tape.Consts(x...), dims[0], dims[1])
		for _, m := range []lang.Value{m, m.Transpose()} {
			for i := range m.Rows() {
				if sum := lang.Sum(constants(m.Row(i))); !(math.Abs(sum) <= lang.Tolerance) {
					return lang.ErrSumToZeroMatrix
				}
			}
		}
	case syntax.UnitVector:
		if !(math.Abs(lang.SumSquares(x)-1) <= lang.Tolerance) {
			return lang.ErrUnitLength
		}
	case syntax.Ordered, syntax.PositiveOrdered:
		for i := 1; i < len(x); i++ {
			if !(x[i] > x[i-1]) {
				return lang.ErrOrdered
			}
		}
		if s == syntax.PositiveOrdered && len(x) > 0 && !(x[0] >= 0) {
			return lang.ErrPositiveOrdered
		}

	// Matrices and Cholesky factors.
	case syntax.CorrMatrix, syntax.CovMatrix:
		return matrixViolation(s == syntax.CorrMatrix, x, dims[0])
	default:
		return lang.CheckCholeskyFactor(s == syntax.CholeskyCorr, x, dims)
	}
	return nil
}

// matrixViolation checks a covariance matrix of n x n, or a correlation matrix if unit is set.
func matrixViolation(unit bool, x []float64, n int) error {
	for i := range n {
		for j := range i {
			if !(math.Abs(x[i*n+j]-x[j*n+i]) <= lang.Tolerance) {
				return lang.ErrSymmetric
			}
		}
		if unit && !(math.Abs(x[i*n+i]-1) <= lang.Tolerance) {
			return lang.ErrUnitDiagonal
		}
	}
	if n == 0 {
		return nil
	}
	for _, d := range constants(lang.Diagonal(lang.Matrix(tape.NewBuilder(0).Cholesky(tape.Consts(x...), n), n, n))) {
		if !(d > 0) {
			return lang.ErrPositiveDefinite
		}
	}
	return nil
}

// constants returns the values of numbers that are constant.
func constants(x lang.Scalars) []float64 {
	out := make([]float64, len(x))
	for i, s := range x {
		out[i], _ = s.Const()
	}
	return out
}

// Assume records in the range analysis what the constraint c guarantees for a parameter x.
func Assume(f *ranges.Analysis, s syntax.Constraint, x lang.Scalars, dims []int) {
	switch s {
	case syntax.Simplex:
		f.AssumeSimplex(x)
	case syntax.RowStochastic, syntax.ColumnStochastic:
		for m, i := simplexRows(s, x, dims), 0; i < m.Rows(); i++ {
			f.AssumeSimplex(m.Row(i))
		}
	case syntax.UnitVector, syntax.CorrMatrix:
		f.Assume(x, -1, 1)
	case syntax.CholeskyCorr:
		f.Assume(x, -1, 1)
		f.Assume(lang.Diagonal(lang.Matrix(x, dims[0], dims[0])), 0, 1)
	}
}

// simplexRows returns a stochastic matrix with its simplexes as rows.
func simplexRows(s syntax.Constraint, x lang.Scalars, dims []int) lang.Value {
	m := lang.Matrix(x, dims[0], dims[1])
	if s == syntax.ColumnStochastic {
		return m.Transpose()
	}
	return m
}

// Require adds the checks that x, which depends on parameters, satisfies the constraint.
func Require(d *lang.Checks, b *tape.Builder, s syntax.Constraint, x lang.Scalars, dims []int) {
	switch s {
	case syntax.Simplex:
		d.Simplex(x)
	case syntax.RowStochastic, syntax.ColumnStochastic:
		for m, i := simplexRows(s, x, dims), 0; i < m.Rows(); i++ {
			d.Simplex(m.Row(i))
		}
	case syntax.SumToZeroVector:
		d.SumsTo(x, 0)
	case syntax.SumToZeroMatrix:
		m := lang.Matrix(x, dims[0], dims[1])
		for _, m := range []lang.Value{m, m.Transpose()} {
			for i := range m.Rows() {
				d.SumsTo(m.Row(i), 0)
			}
		}
	case syntax.UnitVector:
		d.NearlyEqual(b.Dot(x, x), 1)
	case syntax.PositiveOrdered:
		d.AtLeast(x[0], tape.Const(0))
		d.Increasing(x)
	case syntax.Ordered:
		d.Increasing(x)
	case syntax.CorrMatrix, syntax.CovMatrix:
		requireMatrix(d, b, s == syntax.CorrMatrix, lang.Matrix(x, dims[0], dims[0]))
	default:
		requireFactor(d, b, s == syntax.CholeskyCorr, lang.Matrix(x, dims[0], dims[1]))
	}
}

// requireMatrix adds the checks of a positive definite matrix, with unit diagonal if unit is set.
func requireMatrix(d *lang.Checks, b *tape.Builder, unit bool, m lang.Value) {
	n := m.Rows()
	for i := range n {
		for j := range i {
			if x, y := m.Row(i)[j], m.Row(j)[i]; x != y {
				d.NearlyEqual(b.Do(tape.Sub, x, y), 0)
			}
		}
		if unit {
			d.NearlyEqual(m.Row(i)[i], 1)
		}
	}
	for _, x := range lang.Diagonal(lang.Matrix(b.Cholesky(m.X, n), n, n)) { // NaN where there is no factor
		d.AtLeast(x, tape.Const(0))
	}
}

// requireFactor adds the checks of a Cholesky factor: lower triangular with a positive diagonal, and rows of length 1
// if unit is set.
func requireFactor(d *lang.Checks, b *tape.Builder, unit bool, m lang.Value) {
	for i := range m.Rows() {
		row := m.Row(i)
		for j, x := range row {
			if j > i && x != tape.Const(0) {
				d.AtLeast(tape.Const(0), b.Do(tape.Abs, x))
			}
		}
		if i < len(row) {
			d.AtLeast(row[i], tape.Const(0))
		}
		if unit {
			d.NearlyEqual(b.Dot(row, row), 1)
		}
	}
}
