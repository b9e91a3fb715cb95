package lang

import (
	"math"

	"logzlab/core/problem"
	"logzlab/models/stan/tape"
)

// emitComparison emits a comparison that depends on parameters: 1 if it is true, else 0. With NaN only != is true.
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

// Not emits 1 if x is 0, else 0.
func (r *Emitter) Not(x tape.Scalar) tape.Scalar {
	return r.B.Do(tape.Select, x, BoolScalar(false), BoolScalar(true))
}

// ToBool emits 0 if x is 0, else 1.
func (r *Emitter) ToBool(x tape.Scalar) tape.Scalar {
	return r.B.Do(tape.Select, x, BoolScalar(true), BoolScalar(false))
}

// Select emits a if condition is not 0, else b.
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

// identical reports whether two numbers are the same number of the tape, or constants with the same bits.
func identical(a, b tape.Scalar) bool {
	x, known := a.Const()
	y, also := b.Const()
	return a == b || known && also && math.Float64bits(x) == math.Float64bits(y)
}

// RequireConstantInts fails at position at if v is an int or array of ints that depends on parameters.
func RequireConstantInts(at int, v Value) {
	if v.T.Base == IntType && !tape.AllConst(v.X...) {
		Fail(at, errParameterInt)
	}
}

// errParameterInt is the error for an int that depends on a parameter.
var errParameterInt = problem.New("%s depends on a parameter here; it must depend on data only", "a whole number")

// ErrParameterCondition is the error for a loop condition, break or continue that depends on a parameter.
var ErrParameterCondition = problem.New("this condition depends on a parameter; the number of iterations of a loop, break and " +
	"continue must depend on data only")
