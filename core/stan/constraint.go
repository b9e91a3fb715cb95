package stan

import (
	"math"

	"logzlab/core/problem"
	"logzlab/core/stan/lang"
	"logzlab/core/stan/syntax"
	"logzlab/core/tape"
)

// nearly is how far sums and symmetric elements may be off, as in Stan.
const nearly = 1e-8

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
	"column_stochastic_matrix"}

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

var (
	errSum       = problem.New("its elements are not at least 0 with the sum 1")
	errZero      = problem.New("its sum is not 0")
	errLength    = problem.New("its length is not 1")
	errOrder     = problem.New("its elements do not rise")
	errPositive  = problem.New("its first element is below 0")
	errSymmetric = problem.New("it is not symmetric")
	errDefinite  = problem.New("it is not positive definite")
	errDiagonal  = problem.New("its diagonal is not 1")
	errLower     = problem.New("it is not a lower triangle with a diagonal above 0")
)

// flaw is what is wrong with a value of a type; nil: nothing.
func flaw(s syntax.Shape, x []float64, dims []int, r *run) error {
	switch s {
	case syntax.SimplexShape:
		return brokenSimplex(x)
	case syntax.RowSimplexShape, syntax.ColumnSimplexShape:
		m := lang.Matrix(tape.Consts(x...), dims[0], dims[1])
		if s == syntax.ColumnSimplexShape {
			m = m.Flip()
		}
		for i := range m.Rows() {
			if err := brokenSimplex(r.Numbers(m.Row(i), "data")); err != nil {
				return err
			}
		}

	// Vectors with a sum, a length or an order.
	case syntax.SumToZeroShape:
		if sum := total(x); !(math.Abs(sum) <= nearly) {
			return errZero
		}
	case syntax.UnitShape:
		if !(math.Abs(squares(x)-1) <= nearly) {
			return errLength
		}
	case syntax.OrderedShape, syntax.PositiveShape:
		for i := 1; i < len(x); i++ {
			if !(x[i] > x[i-1]) {
				return errOrder
			}
		}
		if s == syntax.PositiveShape && len(x) > 0 && !(x[0] >= 0) {
			return errPositive
		}

	// Matrices and Cholesky factors.
	case syntax.CorrShape, syntax.CovShape:
		return brokenMatrix(s == syntax.CorrShape, x, dims[0], r)
	default:
		return brokenFactor(s == syntax.CorrFactorShape, x, dims)
	}
	return nil
}

func brokenSimplex(x []float64) error {
	for _, v := range x {
		if !(v >= 0) {
			return errSum
		}
	}
	if !(math.Abs(total(x)-1) <= nearly) {
		return errSum
	}
	return nil
}

func total(x []float64) float64 {
	sum := 0.
	for _, v := range x {
		sum += v
	}
	return sum
}

func squares(x []float64) float64 {
	sum := 0.
	for _, v := range x {
		sum += float64(v * v)
	}
	return sum
}

func brokenMatrix(unit bool, x []float64, n int, r *run) error {
	for i := range n {
		for j := range i {
			if !(math.Abs(x[i*n+j]-x[j*n+i]) <= nearly) {
				return errSymmetric
			}
		}
		if unit && !(math.Abs(x[i*n+i]-1) <= nearly) {
			return errDiagonal
		}
	}
	if n == 0 {
		return nil
	}
	for _, d := range r.Numbers(lang.Diagonal(lang.Matrix(r.B.Cholesky(tape.Consts(x...), n), n, n)), "data") {
		if !(d > 0) {
			return errDefinite
		}
	}
	return nil
}

func brokenFactor(unit bool, x []float64, dims []int) error {
	n := dims[1]
	for i := range dims[0] {
		row := x[i*n : (i+1)*n]
		for j, v := range row {
			if j > i && v != 0 || j == i && !(v > 0) {
				return errLower
			}
		}
		if unit && !(math.Abs(squares(row)-1) <= nearly) {
			return errLength
		}
	}
	return nil
}
