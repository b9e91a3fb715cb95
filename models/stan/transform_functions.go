package stan

import (
	"strings"

	"logzlab/core/num"
	"logzlab/core/problem"
	"logzlab/models/stan/constraints"
	"logzlab/models/stan/lang"
	"logzlab/models/stan/syntax"
	"logzlab/models/stan/tape"
)

// transformConstraints holds the constraints of the transform functions, by the first part of their names.
var transformConstraints = map[string]syntax.Constraint{"ordered": syntax.Ordered, "positive_ordered": syntax.PositiveOrdered,
	"simplex": syntax.Simplex, "unit_vector": syntax.UnitVector, "sum_to_zero": syntax.SumToZeroVector,
	"corr_matrix": syntax.CorrMatrix, "cov_matrix": syntax.CovMatrix, "cholesky_factor_corr": syntax.CholeskyCorr,
	"cholesky_factor_cov": syntax.CholeskyCov, "stochastic_column": syntax.ColumnStochastic,
	"stochastic_row": syntax.RowStochastic, "lower_bound": syntax.NoConstraint, "upper_bound": syntax.NoConstraint,
	"lower_upper_bound": syntax.NoConstraint, "offset_multiplier": syntax.NoConstraint}

// callTransform lowers a call of a transform function, such as simplex_jacobian. ok is false for other functions.
func (r *lowerer) callTransform(e *syntax.Expr, args []lang.Value) (v lang.Value, ok bool) {
	for _, end := range []string{lang.ConstrainSuffix, lang.JacobianSuffix, lang.UnconstrainSuffix} {
		name, found := strings.CutSuffix(e.Name, end)
		shape, known := transformConstraints[name]
		if !found || !known {
			continue
		}
		r.Pos = e.Pos
		for _, a := range args[1:] {
			if !a.T.IsScalar() && !lang.SameDims(a.Dims, args[0].Dims) {
				r.Fail(problem.New("the sizes %s and %s do not match", lang.FormatDims(args[0].Dims),
					lang.FormatDims(a.Dims)))
			}
		}
		firstTerm := len(r.terms)
		if shape == syntax.NoConstraint {
			v = r.boundsTransform(name, end, args)
		} else {
			v = r.constrainedTransform(name, end, shape, args)
		}
		v.T = e.Type
		if terms := r.terms[firstTerm:]; end != lang.JacobianSuffix {
			r.terms = r.terms[:firstTerm]
		} else if len(terms) > 0 {
			r.noteJacobian(r.B.Sum(terms))
		}
		r.CheckSizeOf(v.T, v.Dims)
		return v, true
	}
	return v, false
}

// noteJacobian records a Jacobian as a term of the density that may belong to a prior.
func (r *lowerer) noteJacobian(term tape.Scalar) {
	if r.branchDepth > 0 || len(r.stated.families) == 0 {
		return
	}
	alone := map[int]bool{}
	if r.notePlainTerm(syntax.JacobianKeyword, lang.RealValue(term), alone) {
		r.stated.sharedTerms = append(r.stated.sharedTerms, term)
	}
	for k := range alone {
		r.stated.soleTerms[k] = append(r.stated.soleTerms[k], term)
	}
}

// boundsTransform lowers an elementwise transform.
func (r *lowerer) boundsTransform(name, end string, a []lang.Value) lang.Value {
	v, lo, hi, off, by := a[0], lang.Scalars(nil), lang.Scalars(nil), lang.Scalars(nil), lang.Scalars(nil)
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
	r.CountSteps(10 * len(v.X))
	switch {
	case len(v.X) == 0:
		return v
	case end == lang.UnconstrainSuffix && off != nil:
		return v.WithElements(r.unscale(v.X, off, by))
	case end == lang.UnconstrainSuffix:
		return v.WithElements(r.unconstrainBounds(v.X, lo, hi))
	case off != nil:
		return v.WithElements(r.scale(v.X, off, by))
	}
	return v.WithElements(r.constrainBounds(v.X, lo, hi))
}

// constrainedTransform lowers a transform of vectors or matrices.
func (r *lowerer) constrainedTransform(name, end string, shape syntax.Constraint, a []lang.Value) (out lang.Value) {
	v := a[0]
	depth := int(v.T.Depth)
	arrays, inner := v.Dims[:depth], v.Dims[depth:]
	if shape == syntax.SumToZeroVector && v.T.Base == lang.MatrixType {
		shape = syntax.SumToZeroMatrix
	}

	// The sizes of the result.
	inverse := end == lang.UnconstrainSuffix
	to := r.transformSizes(shape, inner, a[1:], inverse)
	out.Dims = append(append([]int(nil), arrays...), to...)
	r.CheckSize(out.Dims...)
	n := lang.Product(inner)
	for i := range lang.Product(arrays) {
		x := v.X[i*n : (i+1)*n]
		r.CountSteps(40 * (n + 1))
		if !inverse {
			x = r.constrainFunction(shape, x, to)
		} else {
			if tape.AllConst(x...) {
				if why := constraints.Violation(shape, r.Constants(x, "data"), inner); why != nil {
					r.Fail(problem.New("%s is not a valid %s: %w", "the argument", constraintNames[shape], why))
				}
			}
			x = r.unconstrainFunction(shape, x, inner)
		}
		out.X = append(out.X, x...)
	}
	return out
}

// transformSizes returns the sizes of the constrained value, or of the coordinates if inverse is set.
func (r *lowerer) transformSizes(shape syntax.Constraint, from []int, sizes []lang.Value, inverse bool) []int {
	sizeChange := 1
	if inverse {
		if sizeChange = -1; from[0] == 0 {
			r.Fail(problem.New("a transform of coordinates needs at least one element"))
		}
	}
	switch shape {
	case syntax.Simplex, syntax.SumToZeroVector:
		return []int{from[0] + sizeChange}
	case syntax.ColumnStochastic:
		return []int{from[0] + sizeChange, from[1]}
	case syntax.RowStochastic:
		if from[1]+sizeChange < 0 {
			r.Fail(problem.New("a transform of coordinates needs at least one element"))
		}
		return []int{from[0], from[1] + sizeChange}
	case syntax.SumToZeroMatrix:
		if from[1]+sizeChange < 0 {
			r.Fail(problem.New("a transform of coordinates needs at least one element"))
		}
		return []int{from[0] + sizeChange, from[1] + sizeChange}
	case syntax.CorrMatrix, syntax.CovMatrix, syntax.CholeskyCorr, syntax.CholeskyCov:
	default:
		return from
	}

	// Matrices from vectors.
	dims := from
	if !inverse {
		dims = nil
		for _, v := range sizes {
			dims = append(dims, r.CheckSize(lang.Value{X: v.X}.Ints()[0]))
		}
		if len(dims) == 1 {
			dims = append(dims, dims[0])
		}
		r.CheckSize(dims...)
	}
	if dims[0] < dims[1] && shape == syntax.CholeskyCov {
		r.Fail(problem.New("a cholesky_factor_cov has at least as many rows as columns"))
	}
	if dims[0] != dims[1] && shape != syntax.CholeskyCov {
		r.Fail(problem.New("the sizes %s and %s do not match", lang.FormatDims(from), lang.FormatDims(dims)))
	}
	n := freeCount(&syntax.Decl{Constraint: shape}, dims)
	if inverse {
		return []int{n}
	}
	if n != from[0] {
		r.Fail(problem.New("the sizes %s and %s do not match", lang.FormatDims(from), lang.FormatDims(dims)))
	}
	return dims
}

// constrainFunction is constrainElement, except that the functions use another simplex transform than declarations.
func (r *lowerer) constrainFunction(shape syntax.Constraint, u lang.Scalars, dims []int) lang.Scalars {
	if x, ok := mapSimplexes(shape, u, dims, -1, 0, r.simplexILR); ok {
		return x
	}
	return r.constrainElement(shape, u, dims)
}

// unconstrainFunction is the inverse of constrainFunction.
func (r *lowerer) unconstrainFunction(shape syntax.Constraint, x lang.Scalars, dims []int) lang.Scalars {
	if u, ok := mapSimplexes(shape, x, dims, 0, -1, r.inverseSimplexILR); ok {
		return u
	}
	return r.unconstrainElement(shape, x, dims)
}

// mapSimplexes applies a transform to a simplex, or to each row or column of a matrix dims that is a simplex. The
// transform takes in more elements than the size of the simplex, and returns out more. ok is false for other
// constraints. Without elements the result is nil for every constraint.
func mapSimplexes(shape syntax.Constraint, x lang.Scalars, dims []int, in, out int,
	transform func(lang.Scalars) lang.Scalars) (y lang.Scalars, ok bool) {
	if lang.Product(dims) == 0 {
		return nil, true
	}
	switch shape {
	case syntax.Simplex:
		return transform(x), true
	case syntax.RowStochastic:
		return mapRows(x, dims[0], transform), true
	case syntax.ColumnStochastic:
		columns := mapRows(tape.Transpose(x, dims[0]+in, dims[1]), dims[1], transform)
		return tape.Transpose(columns, dims[1], dims[0]+out), true
	}
	return nil, false
}

// simplexILR computes the simplex with isometric log ratios u: the softmax of a vector with sum 0. The volume element
// of its first elements is the square root of the size times the product of all elements.
func (r *lowerer) simplexILR(u lang.Scalars) lang.Scalars {
	b, z := r.B, r.sumToZero(u)
	logs := b.Map(tape.Sub, z, lang.Scalars{b.LogSumExp(z)})
	if len(u) > 0 {
		r.terms = append(r.terms, tape.Const(float64(.5*num.Log(float64(len(z))))), b.Sum(logs))
	}
	return b.Map(tape.Exp, logs)
}

// inverseSimplexILR is the inverse of simplexILR.
func (r *lowerer) inverseSimplexILR(x lang.Scalars) lang.Scalars {
	b := r.B
	logs := b.Map(tape.Log, x)
	mean := b.Do(tape.Mul, b.Sum(logs), tape.Const(1/float64(len(x))))
	return r.inverseSumToZero(b.Map(tape.Sub, logs, lang.Scalars{mean}))
}
