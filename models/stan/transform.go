package stan

import (
	"strings"

	"logzlab/core/num"
	"logzlab/core/problem"
	"logzlab/models/stan/lang"
	"logzlab/models/stan/shapes"
	"logzlab/models/stan/syntax"
	"logzlab/models/stan/tape"
)

// transformed are the types whose transforms are functions, by the names of these.
var transformed = map[string]syntax.Shape{"ordered": syntax.OrderedShape, "positive_ordered": syntax.PositiveShape,
	"simplex": syntax.SimplexShape, "unit_vector": syntax.UnitShape, "sum_to_zero": syntax.SumToZeroShape,
	"corr_matrix": syntax.CorrShape, "cov_matrix": syntax.CovShape, "cholesky_factor_corr": syntax.CorrFactorShape,
	"cholesky_factor_cov": syntax.CovFactorShape, "stochastic_column": syntax.ColumnSimplexShape,
	"stochastic_row": syntax.RowSimplexShape, "lower_bound": syntax.PlainShape, "upper_bound": syntax.PlainShape,
	"lower_upper_bound": syntax.PlainShape, "offset_multiplier": syntax.PlainShape}

// transform is a call of a function such as simplex_jacobian. ok is false for other functions.
func (r *run) transform(e *syntax.Expr, args []lang.Value) (v lang.Value, ok bool) {
	for _, end := range []string{lang.ConstrainEnd, lang.JacobianEnd, lang.UnconstrainEnd} {
		name, found := strings.CutSuffix(e.Name, end)
		shape, known := transformed[name]
		if !found || !known {
			continue
		}
		r.At = e.At
		for _, a := range args[1:] {
			if !a.T.Scalar() && !lang.SameDims(a.Dims, args[0].Dims) {
				r.Fail(problem.New("the sizes %s and %s do not match", lang.SpellDims(args[0].Dims),
					lang.SpellDims(a.Dims)))
			}
		}
		from := len(r.terms)
		if shape == syntax.PlainShape {
			v = r.byBounds(name, end, args)
		} else {
			v = r.byShape(name, end, shape, args)
		}
		v.T = e.Type
		if terms := r.terms[from:]; end != lang.JacobianEnd {
			r.terms = r.terms[:from]
		} else if len(terms) > 0 {
			r.statedBy(r.B.Sum(terms))
		}
		r.RoomOf(v.T, v.Dims)
		return v, true
	}
	return v, false
}

// statedBy notes a Jacobian as a term of the density that may be part of a prior.
func (r *run) statedBy(term tape.Scalar) {
	if r.sides > 0 || len(r.given.by) == 0 {
		return
	}
	alone := map[int]bool{}
	if r.byHand(syntax.JacobianAdds, lang.RealValue(term), alone) {
		r.given.joint = append(r.given.joint, term)
	}
	for k := range alone {
		r.given.alone[k] = append(r.given.alone[k], term)
	}
}

// byBounds is a transform by element.
func (r *run) byBounds(name, end string, a []lang.Value) lang.Value {
	v, lo, hi, off, by := a[0], lang.Numbers(nil), lang.Numbers(nil), lang.Numbers(nil), lang.Numbers(nil)
	switch name {
	case "lower_bound":
		lo = a[1].X
	case "upper_bound":
		hi = a[1].X
	case "lower_upper_bound":
		lo, hi = a[1].X, a[2].X
	default:
		off, by = a[1].X, a[2].X
	}
	r.Step(10 * len(v.X))
	switch {
	case len(v.X) == 0:
		return v
	case end == lang.UnconstrainEnd && off != nil:
		return v.With(r.unscaled(v.X, off, by))
	case end == lang.UnconstrainEnd:
		return v.With(r.unbounded(v.X, lo, hi))
	case off != nil:
		return v.With(r.scaled(v.X, off, by))
	}
	return v.With(r.bounded(v.X, lo, hi))
}

// byShape is a transform of vectors or matrices.
func (r *run) byShape(name, end string, shape syntax.Shape, a []lang.Value) (out lang.Value) {
	v := a[0]
	depth := int(v.T.Depth)
	arrays, inner := v.Dims[:depth], v.Dims[depth:]
	if shape == syntax.SumToZeroShape && v.T.Base == lang.MatrixType {
		shape = syntax.SumToZeroMatrix
	}

	// The sizes of the result, and what a value or its coordinates have to have.
	inverse := end == lang.UnconstrainEnd
	to := r.sizesOf(shape, inner, a[1:], inverse)
	out.Dims = append(append([]int(nil), arrays...), to...)
	r.Room(out.Dims...)
	n := lang.Product(inner)
	for i := range lang.Product(arrays) {
		x := v.X[i*n : (i+1)*n]
		r.Step(40 * (n + 1))
		if !inverse {
			x = r.shapedBy(shape, x, to)
		} else {
			if tape.AllConst(x...) {
				if why := shapes.Flaw(shape, r.Numbers(x, "data"), inner); why != nil {
					r.Fail(problem.New("%s is not a valid %s: %w", "the argument", shapeNames[shape], why))
				}
			}
			x = r.unshapedBy(shape, x, inner)
		}
		out.X = append(out.X, x...)
	}
	return out
}

// sizesOf are the sizes of the value of a transform, or of its coordinates.
func (r *run) sizesOf(shape syntax.Shape, from []int, sizes []lang.Value, inverse bool) []int {
	more := 1
	if inverse {
		if more = -1; from[0] == 0 {
			r.Fail(problem.New("a transform of coordinates needs at least one element"))
		}
	}
	switch shape {
	case syntax.SimplexShape, syntax.SumToZeroShape:
		return []int{from[0] + more}
	case syntax.ColumnSimplexShape:
		return []int{from[0] + more, from[1]}
	case syntax.RowSimplexShape:
		if from[1]+more < 0 {
			r.Fail(problem.New("a transform of coordinates needs at least one element"))
		}
		return []int{from[0], from[1] + more}
	case syntax.SumToZeroMatrix:
		if from[1]+more < 0 {
			r.Fail(problem.New("a transform of coordinates needs at least one element"))
		}
		return []int{from[0] + more, from[1] + more}
	case syntax.CorrShape, syntax.CovShape, syntax.CorrFactorShape, syntax.CovFactorShape:
	default:
		return from
	}

	// Matrices from vectors.
	dims := from
	if !inverse {
		dims = nil
		for _, v := range sizes {
			dims = append(dims, r.Room(lang.Value{X: v.X}.Ints()[0]))
		}
		if len(dims) == 1 {
			dims = append(dims, dims[0])
		}
		r.Room(dims...)
	}
	if dims[0] < dims[1] && shape == syntax.CovFactorShape {
		r.Fail(problem.New("a cholesky_factor_cov has at least as many rows as columns"))
	}
	if dims[0] != dims[1] && shape != syntax.CovFactorShape {
		r.Fail(problem.New("the sizes %s and %s do not match", lang.SpellDims(from), lang.SpellDims(dims)))
	}
	n := free(&syntax.Decl{Shape: shape}, dims)
	if inverse {
		return []int{n}
	}
	if n != from[0] {
		r.Fail(problem.New("the sizes %s and %s do not match", lang.SpellDims(from), lang.SpellDims(dims)))
	}
	return dims
}

// shapedBy is shaped with the simplexes of the functions, which are made by another transform than declared ones.
func (r *run) shapedBy(shape syntax.Shape, u lang.Numbers, dims []int) lang.Numbers {
	if x, ok := simplexes(shape, u, dims, -1, 0, r.logRatios); ok {
		return x
	}
	return r.shaped(shape, u, dims)
}

// unshapedBy is the inverse of shapedBy.
func (r *run) unshapedBy(shape syntax.Shape, x lang.Numbers, dims []int) lang.Numbers {
	if u, ok := simplexes(shape, x, dims, 0, -1, r.unratio); ok {
		return u
	}
	return r.unshaped(shape, x, dims)
}

// simplexes applies a transform to a simplex, or to each of the rows or the columns of a matrix of dims that are
// simplexes. The numbers of elements that go into the transform and come out of it are the size of a simplex plus in
// and out. ok is false for other shapes. Of no elements the result is nil, whatever the shape.
func simplexes(shape syntax.Shape, x lang.Numbers, dims []int, in, out int,
	transform func(lang.Numbers) lang.Numbers) (y lang.Numbers, ok bool) {
	if lang.Product(dims) == 0 {
		return nil, true
	}
	switch shape {
	case syntax.SimplexShape:
		return transform(x), true
	case syntax.RowSimplexShape:
		return rowsOf(x, dims[0], transform), true
	case syntax.ColumnSimplexShape:
		columns := rowsOf(tape.Transpose(x, dims[0]+in, dims[1]), dims[1], transform)
		return tape.Transpose(columns, dims[1], dims[0]+out), true
	}
	return nil, false
}

// logRatios is the simplex whose isometric log ratios are u: the softmax of a vector whose sum is 0. The volume of its
// first elements is the square root of the size times the product of all.
func (r *run) logRatios(u lang.Numbers) lang.Numbers {
	b, z := r.B, r.sumToZero(u)
	logs := b.Map(tape.Sub, z, lang.Numbers{b.LogSumExp(z)})
	if len(u) > 0 {
		r.terms = append(r.terms, tape.Const(float64(.5*num.Log(float64(len(z))))), b.Sum(logs))
	}
	return b.Map(tape.Exp, logs)
}

// unratio is the inverse of logRatios.
func (r *run) unratio(x lang.Numbers) lang.Numbers {
	b := r.B
	logs := b.Map(tape.Log, x)
	mean := b.Do(tape.Mul, b.Sum(logs), tape.Const(1/float64(len(x))))
	return r.unsummed(b.Map(tape.Sub, logs, lang.Numbers{mean}))
}
