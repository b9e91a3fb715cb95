package lang

import (
	"math"

	"logzlab/core/problem"
	"logzlab/models/stan/tape"
)

// compared is a comparison that depends on parameters: 1 where it holds, else 0. Of no number only != holds.
func (r *Emitter) compared(op string, x, y tape.Scalar) tape.Scalar {
	r.Step(50)
	above := r.B.Do(tape.Step, r.B.Do(tape.Sub, x, y)) // x >= y
	below := r.B.Do(tape.Step, r.B.Do(tape.Sub, y, x))
	switch op {
	case ">=":
		return above
	case "<=":
		return below
	case ">":
		return r.B.Do(tape.Select, below, TruthOf(false), above)
	case "<":
		return r.B.Do(tape.Select, above, TruthOf(false), below)
	}
	equal := r.B.Do(tape.Select, above, below, TruthOf(false))
	if op == "!=" {
		return r.Not(equal)
	}
	return equal
}

// Not is 1 where x is 0, else 0.
func (r *Emitter) Not(x tape.Scalar) tape.Scalar {
	return r.B.Do(tape.Select, x, TruthOf(false), TruthOf(true))
}

// Truth is 0 where x is 0, else 1.
func (r *Emitter) Truth(x tape.Scalar) tape.Scalar {
	return r.B.Do(tape.Select, x, TruthOf(true), TruthOf(false))
}

// Choose is a where a condition holds, else b.
func (r *Emitter) Choose(condition tape.Scalar, a, b Value) Value {
	if !SameDims(a.Dims, b.Dims) {
		r.Fail(problem.New("the sizes %s and %s do not match", SpellDims(a.Dims), SpellDims(b.Dims)))
	}
	out := a.With(append(Numbers(nil), a.X...))
	var differ []int
	var x, y Numbers
	for i, s := range a.X {
		if !same(s, b.X[i]) {
			differ, x, y = append(differ, i), append(x, s), append(y, b.X[i])
		}
	}
	r.Step(25 + len(differ))
	for k, s := range r.B.Map(tape.Select, Numbers{condition}, x, y) {
		out.X[differ[k]] = s
	}
	return out
}

// same reports whether two numbers are one; two without a value are.
func same(a, b tape.Scalar) bool {
	x, known := a.Const()
	y, also := b.Const()
	return a == b || known && also && math.Float64bits(x) == math.Float64bits(y)
}

// WantKnown refuses whole numbers that depend on parameters, at a byte of the program.
func WantKnown(at int, v Value) {
	if v.T.Base == IntType && !tape.AllConst(v.X...) {
		Fail(at, errWhole)
	}
}

// errWhole is of a number that conditions on parameters make.
var errWhole = problem.New("%s depends on a parameter here; it must depend on data only", "a whole number")

var ErrDepends = problem.New("this condition depends on a parameter; the number of iterations of a loop, break and " +
	"continue must depend on data only")
