package stan

import (
	"math"

	"logzlab/core/problem"
	"logzlab/core/stan/lang"
	"logzlab/core/stan/syntax"
	"logzlab/core/tape"
)

// obey checks a variable against the bounds and the type of its declaration, as far as its values are known.
func (r *run) obey(d *syntax.Decl, v lang.Value) {
	r.At = d.At
	if d.Parts != nil {
		r.eachPart(d, v, r.obey)
		return
	}
	if d.Shape == syntax.PlainShape {
		r.obeyBounds(d, v)
		return
	}
	inner := v.Dims[d.Type.Depth:]
	n := lang.Product(inner)
	for at := 0; at < len(v.X); at += n {
		if x := v.X[at : at+n]; tape.Known(x...) {
			if why := flaw(d.Shape, r.Numbers(x, "data"), inner, r); why != nil {
				r.Fail(problem.New("%s is no %s: %w", d.Name, shapeNames[d.Shape], why))
			}
		}
	}
}

var shapeNames = [...]string{"", "simplex", "unit_vector", "ordered", "positive_ordered", "corr_matrix", "cov_matrix",
	"cholesky_factor_corr", "cholesky_factor_cov", "sum_to_zero_vector", "row_stochastic_matrix",
	"column_stochastic_matrix", "sum_to_zero_matrix"}

func (r *run) obeyBounds(d *syntax.Decl, v lang.Value) {
	for _, side := range []struct {
		e     *syntax.Expr
		lower bool
	}{{d.Lower, true}, {d.Upper, false}} {
		if side.e == nil {
			continue
		}
		bound := r.eval(side.e)
		r.At = d.At
		if !bound.T.Scalar() && !lang.SameDims(bound.Dims, v.Dims) {
			r.Fail(problem.New("the sizes %s and %s do not go together", lang.SpellDims(v.Dims), lang.SpellDims(bound.Dims)))
		}
		for i, s := range v.X {
			x, ok := s.Const()
			c, also := lang.ElementOf(bound.X, i)[0].Const()
			if !ok || !also {
				continue
			}
			if side.lower && !(x >= c) {
				r.Fail(problem.New("%s is %v, below its lower bound %v", d.Name+elementName(v.Dims, i), x, c))
			}
			if !side.lower && !(x <= c) {
				r.Fail(problem.New("%s is %v, above its upper bound %v", d.Name+elementName(v.Dims, i), x, c))
			}
		}
	}
}

// elementName writes the index of an element, as [2,3].
func elementName(dims []int, at int) string {
	if len(dims) == 0 {
		return ""
	}
	s := ""
	for k := len(dims) - 1; k >= 0; k-- {
		s = "," + lang.SpellNumber(tape.Const(float64(at%dims[k]+1))) + s
		at /= dims[k]
	}
	return "[" + s[1:] + "]"
}

// flaw is what is wrong with a value of a type; nil: nothing.
func flaw(s syntax.Shape, x []float64, dims []int, r *run) error {
	switch s {
	case syntax.SimplexShape:
		return lang.BrokenSimplex(x)
	case syntax.RowSimplexShape, syntax.ColumnSimplexShape:
		m := lang.Matrix(tape.Consts(x...), dims[0], dims[1])
		if s == syntax.ColumnSimplexShape {
			m = m.Flip()
		}
		for i := range m.Rows() {
			if err := lang.BrokenSimplex(r.Numbers(m.Row(i), "data")); err != nil {
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
				if sum := lang.Total(r.Numbers(m.Row(i), "data")); !(math.Abs(sum) <= lang.Nearly) {
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
		return brokenMatrix(s == syntax.CorrShape, x, dims[0], r)
	default:
		return lang.BrokenFactor(s == syntax.CorrFactorShape, x, dims)
	}
	return nil
}

func brokenMatrix(unit bool, x []float64, n int, r *run) error {
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
	for _, d := range r.Numbers(lang.Diagonal(lang.Matrix(r.B.Cholesky(tape.Consts(x...), n), n, n)), "data") {
		if !(d > 0) {
			return lang.ErrDefinite
		}
	}
	return nil
}
