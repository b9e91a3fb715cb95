package lang

import (
	"math"

	"logzlab/core/problem"
	"logzlab/models/stan/tape"
)

// compared is a comparison that depends on parameters: 1 where it holds, else 0. Of no number only != holds.
func (r *Emitter) emitComparison(op string, x, y tape.Scalar) tape.Scalar {
	r.CountSteps(50)
	above := r.B.Do(tape.Step, r.B.Do(tape.Sub, x, y)) // x >= y
	below := r.B.Do(tape.Step, r.B.Do(tape.Sub, y, x))
	switch op {
	case ">=":
		return above
	case "<=":
		return below
	case ">":
		return r.B.Do(tape.Select, below, BoolScalar(false), above)
	case "<":
		return r.B.Do(tape.Select, above, BoolScalar(false), below)
	}
	equal := r.B.Do(tape.Select, above, below, BoolScalar(false))
	if op == "!=" {
		return r.Not(equal)
	}
	return equal
}

// Not is 1 where x is 0, else 0.
func (r *Emitter) Not(x tape.Scalar) tape.Scalar {
	return r.B.Do(tape.Select, x, BoolScalar(false), BoolScalar(true))
}

// Truth is 0 where x is 0, else 1.
func (r *Emitter) ToBool(x tape.Scalar) tape.Scalar {
	return r.B.Do(tape.Select, x, BoolScalar(true), BoolScalar(false))
}

// Choose is a where a condition holds, else b.
func (r *Emitter) Select(condition tape.Scalar, a, b Value) Value {
	if !SameDims(a.Dims, b.Dims) {
		r.Fail(problem.New("the sizes %s and %s do not match", FormatDims(a.Dims), FormatDims(b.Dims)))
	}
	out := a.WithElements(append(Scalars(nil), a.X...))
	var differ []int
	var x, y Scalars
	for i, s := range a.X {
		if !identical(s, b.X[i]) {
			differ, x, y = append(differ, i), append(x, s), append(y, b.X[i])
		}
	}
	r.CountSteps(25 + len(differ))
	for k, s := range r.B.Map(tape.Select, Scalars{condition}, x, y) {
		out.X[differ[k]] = s
	}
	return out
}

// same reports whether two numbers are one; two without a value are.
func identical(a, b tape.Scalar) bool {
	x, known := a.Const()
	y, also := b.Const()
	return a == b || known && also && math.Float64bits(x) == math.Float64bits(y)
}

// WantKnown refuses whole numbers that depend on parameters, at a byte of the program.
func RequireConstantInts(at int, v Value) {
	if v.T.Base == IntType && !tape.AllConst(v.X...) {
		Fail(at, errParameterInt)
	}
}

// errWhole is of a number that conditions on parameters make.
var errParameterInt = problem.New("%s depends on a parameter here; it must depend on data only", "a whole number")

var ErrParameterCondition = problem.New("this condition depends on a parameter; the number of iterations of a loop, break and " +
	"continue must depend on data only")
