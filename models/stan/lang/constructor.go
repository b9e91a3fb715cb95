package lang

import (
	"math"
	"slices"

	"logzlab/core/problem"
	"logzlab/models/stan/tape"
)

// constantFunction returns a function without arguments whose value is v.
func constantFunction(names string, v float64) Builtin {
	return Builtin{names: names, Signatures: ":r", Emit: func(*Emitter, Type, []Value) Value { return RealValue(tape.Const(v)) }}
}

// filledFunction returns a function that makes n copies of v.
func filledFunction(names, takes string, v float64) Builtin {
	return Builtin{names: names, Signatures: takes, Emit: func(r *Emitter, t Type, a []Value) Value {
		return oneDimensional(t, slices.Repeat(Constant(v), r.CheckSize(a[0].int())))
	}}
}

// oneHotFunction returns a function that makes n zeros, except a 1 at the index of the second argument.
func oneHotFunction(names, takes string) Builtin {
	return Builtin{names: names, Signatures: takes, Emit: func(r *Emitter, t Type, a []Value) Value {
		x := make(Scalars, r.CheckSize(a[0].int()))
		x[r.checkIndex(a[1].int(), len(x))] = tape.Const(1)
		return oneDimensional(t, x)
	}}
}

// linspacedFunction returns a function that makes equally spaced numbers.
func linspacedFunction(names, takes string) Builtin {
	return Builtin{names: names, Signatures: takes, Emit: func(r *Emitter, t Type, a []Value) Value {
		n := r.CheckSize(a[0].int())
		ends := r.Constants(Scalars{a[1].X[0], a[2].X[0]}, "an end of a range")
		step := (ends[1] - ends[0]) / float64(max(n-1, 1))
		if step = truncateStep(step, t); n < 2 {
			ends[0] = ends[1]
		}
		x := make(Scalars, n)
		for i := range x {
			x[i] = tape.Const(ends[0] + float64(float64(i)*step))
		}
		if n > 0 && t.Base != IntType {
			x[n-1] = tape.Const(ends[1])
		}
		return oneDimensional(t, x)
	}}
}

// truncateStep rounds the step towards 0 if the type t has integers.
func truncateStep(step float64, t Type) float64 {
	if t.Base == IntType {
		return math.Trunc(step)
	}
	return step
}

// makeFunctions are constants, and functions that make vectors, matrices and arrays of given sizes.
var makeFunctions = []Builtin{
	constantFunction("pi", math.Pi), constantFunction("e", math.E), constantFunction("sqrt2", math.Sqrt2),
	constantFunction("negative_infinity", math.Inf(-1)), constantFunction("positive_infinity infinity", math.Inf(1)),
	constantFunction("not_a_number", math.NaN()), constantFunction("machine_precision", 0x1p-52),
	filledFunction("zeros_vector", "i:v", 0), filledFunction("zeros_row_vector", "i:w", 0), filledFunction("zeros_array", "i:[r", 0),
	filledFunction("zeros_int_array", "i:[i", 0), filledFunction("ones_vector", "i:v", 1), filledFunction("ones_row_vector", "i:w", 1),
	filledFunction("ones_array", "i:[r", 1), filledFunction("ones_int_array", "i:[i", 1),
	oneHotFunction("one_hot_vector", "ii:v"), oneHotFunction("one_hot_row_vector", "ii:w"), oneHotFunction("one_hot_array", "ii:[r"),
	oneHotFunction("one_hot_int_array", "ii:[i"),
	linspacedFunction("linspaced_vector", "irr:v"), linspacedFunction("linspaced_row_vector", "irr:w"), linspacedFunction("linspaced_array", "irr:[r"),
	linspacedFunction("linspaced_int_array", "iii:[i"),
	{names: "uniform_simplex", Signatures: "i:v", Emit: func(r *Emitter, t Type, a []Value) Value {
		n := r.CheckSize(a[0].int())
		return oneDimensional(t, slices.Repeat(Constant(1/float64(n)), n))
	}},
	{names: "identity_matrix", Signatures: "i:m", Emit: func(r *Emitter, _ Type, a []Value) Value {
		n := r.CheckSize(a[0].int(), a[0].int())
		m := Matrix(make(Scalars, n), a[0].int(), a[0].int())
		for i := range m.Rows() {
			m.X[i*m.cols()+i] = tape.Const(1)
		}
		return m
	}},
	{names: "rep_vector", Signatures: "ri:v", Emit: repeat}, {names: "rep_row_vector", Signatures: "ri:w", Emit: repeat},
	{names: "rep_array", TypeRule: func(args []Type) (Type, bool) {
		if len(args) < 2 || len(args) > 4 || args[0].Base == StringType || int(args[0].Depth)+len(args) > MaxDepth {
			return Type{}, false
		}
		for _, a := range args[1:] {
			if !a.IsInt() {
				return Type{}, false
			}
		}
		t := args[0]
		t.Depth += uint8(len(args) - 1)
		return t, true
	}, Emit: repeat},
	{names: "rep_matrix", Signatures: "rii:m vi:m wi:m", Emit: func(r *Emitter, t Type, a []Value) Value {
		if a[0].T.Base != VectorType {
			return repeat(r, t, a)
		}
		v := repeat(r, t, a) // each row is a copy of the vector; the transpose has it as columns
		return Matrix(tape.Transpose(v.X, v.Rows(), v.cols()), v.cols(), v.Rows())
	}},
}

// repeat returns an array, vector or matrix of copies of a[0] with the sizes a[1:].
func repeat(r *Emitter, t Type, a []Value) Value {
	var dims []int
	for _, n := range a[1:] {
		dims = append(dims, n.int())
	}
	for _, d := range dims {
		if d < 0 {
			r.Fail(problem.New("a size cannot be %d", d))
		}
	}
	r.CheckSize(append(slices.Clone(dims), a[0].Dims...)...)
	return Value{t, append(dims, a[0].Dims...), slices.Repeat(a[0].X, Product(dims))}
}
