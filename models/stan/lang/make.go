package lang

import (
	"math"
	"slices"

	"logzlab/core/problem"
	"logzlab/models/stan/tape"
)

// fixed is a function without arguments.
func fixed(names string, v float64) Builtin {
	return Builtin{names: names, Takes: ":r", Do: func(*Emitter, Type, []Value) Value { return RealValue(tape.Const(v)) }}
}

// filled is a function that makes a list of n equal numbers.
func filled(names, takes string, v float64) Builtin {
	return Builtin{names: names, Takes: takes, Do: func(r *Emitter, t Type, a []Value) Value {
		return list(t, slices.Repeat(Constant(v), r.Room(a[0].int())))
	}}
}

// oneHot is a function that makes a list of zeros with a one.
func oneHot(names, takes string) Builtin {
	return Builtin{names: names, Takes: takes, Do: func(r *Emitter, t Type, a []Value) Value {
		x := make(Numbers, r.Room(a[0].int()))
		x[r.checkIndex(a[1].int(), len(x))] = tape.Const(1)
		return list(t, x)
	}}
}

// spaced is a function that makes a list of numbers in equal steps.
func spaced(names, takes string) Builtin {
	return Builtin{names: names, Takes: takes, Do: func(r *Emitter, t Type, a []Value) Value {
		n := r.Room(a[0].int())
		ends := r.Numbers(Numbers{a[1].X[0], a[2].X[0]}, "an end of a range")
		step := (ends[1] - ends[0]) / float64(max(n-1, 1))
		if step = clampStep(step, t); n < 2 {
			ends[0] = ends[1]
		}
		x := make(Numbers, n)
		for i := range x {
			x[i] = tape.Const(ends[0] + float64(float64(i)*step))
		}
		if n > 0 && t.Base != IntType {
			x[n-1] = tape.Const(ends[1])
		}
		return list(t, x)
	}}
}

// clampStep is a whole step where the list has whole numbers.
func clampStep(step float64, t Type) float64 {
	if t.Base == IntType {
		return math.Trunc(step)
	}
	return step
}

// makeFunctions make values of sizes, and constants.
var makeFunctions = []Builtin{
	fixed("pi", math.Pi), fixed("e", math.E), fixed("sqrt2", math.Sqrt2),
	fixed("negative_infinity", math.Inf(-1)), fixed("positive_infinity infinity", math.Inf(1)),
	fixed("not_a_number", math.NaN()), fixed("machine_precision", 0x1p-52),
	filled("zeros_vector", "i:v", 0), filled("zeros_row_vector", "i:w", 0), filled("zeros_array", "i:[r", 0),
	filled("zeros_int_array", "i:[i", 0), filled("ones_vector", "i:v", 1), filled("ones_row_vector", "i:w", 1),
	filled("ones_array", "i:[r", 1), filled("ones_int_array", "i:[i", 1),
	oneHot("one_hot_vector", "ii:v"), oneHot("one_hot_row_vector", "ii:w"), oneHot("one_hot_array", "ii:[r"),
	oneHot("one_hot_int_array", "ii:[i"),
	spaced("linspaced_vector", "irr:v"), spaced("linspaced_row_vector", "irr:w"), spaced("linspaced_array", "irr:[r"),
	spaced("linspaced_int_array", "iii:[i"),
	{names: "uniform_simplex", Takes: "i:v", Do: func(r *Emitter, t Type, a []Value) Value {
		n := r.Room(a[0].int())
		return list(t, slices.Repeat(Constant(1/float64(n)), n))
	}},
	{names: "identity_matrix", Takes: "i:m", Do: func(r *Emitter, _ Type, a []Value) Value {
		n := r.Room(a[0].int(), a[0].int())
		m := Matrix(make(Numbers, n), a[0].int(), a[0].int())
		for i := range m.Rows() {
			m.X[i*m.cols()+i] = tape.Const(1)
		}
		return m
	}},
	{names: "rep_vector", Takes: "ri:v", Do: repeat}, {names: "rep_row_vector", Takes: "ri:w", Do: repeat},
	{names: "rep_array", TypeOf: func(args []Type) (Type, bool) {
		if len(args) < 2 || len(args) > 4 || args[0].Base == TextType || int(args[0].Depth)+len(args) > MaxDepth {
			return Type{}, false
		}
		for _, a := range args[1:] {
			if !a.Whole() {
				return Type{}, false
			}
		}
		t := args[0]
		t.Depth += uint8(len(args) - 1)
		return t, true
	}, Do: repeat},
	{names: "rep_matrix", Takes: "rii:m vi:m wi:m", Do: func(r *Emitter, t Type, a []Value) Value {
		if a[0].T.Base != VectorType {
			return repeat(r, t, a)
		}
		v := repeat(r, t, a) // rows are copies; turned, columns are
		return Matrix(tape.Transpose(v.X, v.Rows(), v.cols()), v.cols(), v.Rows())
	}},
}

// repeat makes copies.
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
	r.Room(append(slices.Clone(dims), a[0].Dims...)...)
	return Value{t, append(dims, a[0].Dims...), slices.Repeat(a[0].X, Product(dims))}
}
