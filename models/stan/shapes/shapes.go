// Package shapes knows what the declared types of Stan ask of values, as a simplex of its elements.
package shapes

import (
	"math"

	"logzlab/models/stan/lang"
	"logzlab/models/stan/prove"
	"logzlab/models/stan/syntax"
	"logzlab/models/stan/tape"
)

// Flaw is what is wrong with a value of a type; nil: nothing.
func Flaw(s syntax.Shape, x []float64, dims []int) error {
	switch s {
	case syntax.SimplexShape:
		return lang.BrokenSimplex(x)
	case syntax.RowSimplexShape, syntax.ColumnSimplexShape:
		m := lang.Matrix(tape.Consts(x...), dims[0], dims[1])
		if s == syntax.ColumnSimplexShape {
			m = m.Flip()
		}
		for i := range m.Rows() {
			if err := lang.BrokenSimplex(numbers(m.Row(i))); err != nil {
				return err
			}
		}

	// Vectors with a sum, a length or an order.
	case syntax.SumToZeroShape:
		if sum := lang.Total(x); !(math.Abs(sum) <= lang.Nearly) {
			return lang.ErrZero
		}
	case syntax.SumToZeroMatrix:
		m := lang.Matrix(tape.Consts(x...), dims[0], dims[1])
		for _, m := range []lang.Value{m, m.Flip()} {
			for i := range m.Rows() {
				if sum := lang.Total(numbers(m.Row(i))); !(math.Abs(sum) <= lang.Nearly) {
					return lang.ErrZeros
				}
			}
		}
	case syntax.UnitShape:
		if !(math.Abs(lang.Squares(x)-1) <= lang.Nearly) {
			return lang.ErrLength
		}
	case syntax.OrderedShape, syntax.PositiveShape:
		for i := 1; i < len(x); i++ {
			if !(x[i] > x[i-1]) {
				return lang.ErrOrder
			}
		}
		if s == syntax.PositiveShape && len(x) > 0 && !(x[0] >= 0) {
			return lang.ErrPositive
		}

	// Matrices and Cholesky factors.
	case syntax.CorrShape, syntax.CovShape:
		return brokenMatrix(s == syntax.CorrShape, x, dims[0])
	default:
		return lang.BrokenFactor(s == syntax.CorrFactorShape, x, dims)
	}
	return nil
}

func brokenMatrix(unit bool, x []float64, n int) error {
	for i := range n {
		for j := range i {
			if !(math.Abs(x[i*n+j]-x[j*n+i]) <= lang.Nearly) {
				return lang.ErrSymmetric
			}
		}
		if unit && !(math.Abs(x[i*n+i]-1) <= lang.Nearly) {
			return lang.ErrDiagonal
		}
	}
	if n == 0 {
		return nil
	}
	for _, d := range numbers(lang.Diagonal(lang.Matrix(tape.NewBuilder(0).Cholesky(tape.Consts(x...), n), n, n))) {
		if !(d > 0) {
			return lang.ErrDefinite
		}
	}
	return nil
}

// numbers are the values of constants.
func numbers(x lang.Numbers) []float64 {
	out := make([]float64, len(x))
	for i, s := range x {
		out[i], _ = s.Const()
	}
	return out
}

// Declare notes what the shape of a parameter makes certain of one of that shape.
func Declare(f *prove.Facts, s syntax.Shape, x lang.Numbers, dims []int) {
	switch s {
	case syntax.SimplexShape:
		f.DeclareSimplex(x)
	case syntax.RowSimplexShape, syntax.ColumnSimplexShape:
		for m, i := rowsOf(s, x, dims), 0; i < m.Rows(); i++ {
			f.DeclareSimplex(m.Row(i))
		}
	case syntax.UnitShape, syntax.CorrShape:
		f.Declare(x, -1, 1)
	case syntax.CorrFactorShape:
		f.Declare(x, -1, 1)
		f.Declare(lang.Diagonal(lang.Matrix(x, dims[0], dims[0])), 0, 1)
	}
}

// rowsOf is a stochastic matrix by rows.
func rowsOf(s syntax.Shape, x lang.Numbers, dims []int) lang.Value {
	m := lang.Matrix(x, dims[0], dims[1])
	if s == syntax.ColumnSimplexShape {
		return m.Flip()
	}
	return m
}

// Demand demands what a shape asks of numbers that depend on parameters.
func Demand(d *lang.Demands, b *tape.Builder, s syntax.Shape, x lang.Numbers, dims []int) {
	switch s {
	case syntax.SimplexShape:
		d.Simplex(x)
	case syntax.RowSimplexShape, syntax.ColumnSimplexShape:
		for m, i := rowsOf(s, x, dims), 0; i < m.Rows(); i++ {
			d.Simplex(m.Row(i))
		}
	case syntax.SumToZeroShape:
		d.Total(x, 0)
	case syntax.SumToZeroMatrix:
		m := lang.Matrix(x, dims[0], dims[1])
		for _, m := range []lang.Value{m, m.Flip()} {
			for i := range m.Rows() {
				d.Total(m.Row(i), 0)
			}
		}
	case syntax.UnitShape:
		d.Near(b.Dot(x, x), 1)
	case syntax.PositiveShape:
		d.AtLeast(x[0], tape.Const(0))
		d.Rising(x)
	case syntax.OrderedShape:
		d.Rising(x)
	case syntax.CorrShape, syntax.CovShape:
		demandMatrix(d, b, s == syntax.CorrShape, lang.Matrix(x, dims[0], dims[0]))
	default:
		demandFactor(d, b, s == syntax.CorrFactorShape, lang.Matrix(x, dims[0], dims[1]))
	}
}

// demandMatrix demands a positive definite matrix, with a diagonal of 1 where it is a correlation matrix.
func demandMatrix(d *lang.Demands, b *tape.Builder, unit bool, m lang.Value) {
	n := m.Rows()
	for i := range n {
		for j := range i {
			if x, y := m.Row(i)[j], m.Row(j)[i]; x != y {
				d.Near(b.Do(tape.Sub, x, y), 0)
			}
		}
		if unit {
			d.Near(m.Row(i)[i], 1)
		}
	}
	for _, x := range lang.Diagonal(lang.Matrix(b.Cholesky(m.X, n), n, n)) { // NaN where there is no factor
		d.AtLeast(x, tape.Const(0))
	}
}

// demandFactor demands a lower triangle with a positive diagonal, and rows of length 1 of a correlation matrix.
func demandFactor(d *lang.Demands, b *tape.Builder, unit bool, m lang.Value) {
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
			d.Near(b.Dot(row, row), 1)
		}
	}
}
