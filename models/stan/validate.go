package stan

import (
	"math"

	"logzlab/core/problem"
	"logzlab/models/stan/constraints"
	"logzlab/models/stan/lang"
	"logzlab/models/stan/syntax"
	"logzlab/models/stan/tape"
)

// validate checks a variable against the bounds and the type of its declaration. Constants are checked at once and fail
// with an error; for numbers that depend on parameters the tape gets checks that make the density 0.
func (r *lowerer) validate(d *syntax.Decl, v lang.Value) {
	r.Pos = d.Pos
	if d.Parts != nil {
		r.eachPart(d, v, r.validate)
		return
	}
	if d.Constraint != syntax.NoConstraint || d.Lower != nil || d.Upper != nil {
		r.checkNotNaN(d.Name, v)
	}
	if d.Constraint == syntax.NoConstraint {
		r.validateBounds(d, v)
		return
	}
	inner := v.Dims[d.Type.Depth:]
	n := lang.Product(inner)
	checks := r.NewChecks()
	for at := 0; at < len(v.X); at += n {
		x := v.X[at : at+n]
		if !tape.AllConst(x...) {
			constraints.Require(checks, r.B, d.Constraint, x, inner)
		} else if why := constraints.Violation(d.Constraint, r.Constants(x, "data"), inner); why != nil {
			r.Fail(problem.New("%s is not a valid %s: %w", d.Name, constraintNames[d.Constraint], why))
		}
	}
	r.addChecks(checks)
}

// checkNotNaN fails if a constant element is NaN.
func (r *lowerer) checkNotNaN(name string, v lang.Value) {
	for i, s := range v.X {
		if x, ok := s.Const(); ok && math.IsNaN(x) {
			r.Fail(problem.New("%s is NaN", name+elementName(v.Dims, i)))
		}
	}
}

// addChecks makes the density 0 if a check fails.
func (r *lowerer) addChecks(d *lang.Checks) {
	if len(d.X) > 0 {
		r.addTerm(d.Select(tape.Const(0), tape.Const(math.Inf(-1))))
	}
}

// constraintNames are the keywords of the constrained types, by syntax.Constraint.
var constraintNames = [...]string{"", "simplex", "unit_vector", "ordered", "positive_ordered", "corr_matrix", "cov_matrix",
	"cholesky_factor_corr", "cholesky_factor_cov", "sum_to_zero_vector", "row_stochastic_matrix",
	"column_stochastic_matrix", "sum_to_zero_matrix"}

// validateBounds checks a variable against its declared bounds.
func (r *lowerer) validateBounds(d *syntax.Decl, v lang.Value) {
	checks := r.NewChecks()
	for _, side := range []struct {
		e     *syntax.Expr
		lower bool
	}{{d.Lower, true}, {d.Upper, false}} {
		if side.e == nil {
			continue
		}
		bound := r.value(side.e)
		r.Pos = d.Pos
		if !bound.T.IsScalar() && !lang.SameDims(bound.Dims, v.Dims) {
			r.Fail(problem.New("the sizes %s and %s do not match", lang.FormatDims(v.Dims), lang.FormatDims(bound.Dims)))
		}

		// Constants are checked now, other numbers at run time.
		for i, s := range v.X {
			x, ok := s.Const()
			c, also := lang.ElementOf(bound.X, i)[0].Const()
			if also && math.IsNaN(c) {
				r.Fail(problem.New("a bound cannot be %v", c))
			}
			if !ok || !also {
				if side.lower {
					checks.AtLeast(s, lang.ElementOf(bound.X, i)[0])
				} else {
					checks.AtLeast(lang.ElementOf(bound.X, i)[0], s)
				}
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
	r.addChecks(checks)
}

// elementName formats the index of an element, as [2,3].
func elementName(dims []int, at int) string {
	if len(dims) == 0 {
		return ""
	}
	s := ""
	for k := len(dims) - 1; k >= 0; k-- {
		s = "," + lang.FormatNumber(tape.Const(float64(at%dims[k]+1))) + s
		at /= dims[k]
	}
	return "[" + s[1:] + "]"
}
