package stan

import (
	"math"
	"slices"

	"logzlab/core/problem"
	"logzlab/core/tape"
)

// fixed is a function without arguments.
func fixed(names string, v float64) builtin {
	return builtin{names: names, takes: ":r", do: func(*run, typ, []value) value { return realValue(tape.Const(v)) }}
}

// filled is a function that makes a list of n equal numbers.
func filled(names, takes string, v float64) builtin {
	return builtin{names: names, takes: takes, do: func(r *run, t typ, a []value) value {
		return list(t, slices.Repeat(constant(v), r.room(a[0].int())))
	}}
}

// oneHot is a function that makes a list of zeros with a one.
func oneHot(names, takes string) builtin {
	return builtin{names: names, takes: takes, do: func(r *run, t typ, a []value) value {
		x := make(numbers, r.room(a[0].int()))
		x[r.checkIndex(a[1].int(), len(x))] = tape.Const(1)
		return list(t, x)
	}}
}

// spaced is a function that makes a list of numbers in equal steps.
func spaced(names, takes string) builtin {
	return builtin{names: names, takes: takes, do: func(r *run, t typ, a []value) value {
		n := r.room(a[0].int())
		ends := r.numbers(numbers{a[1].x[0], a[2].x[0]}, "an end of a range")
		step := (ends[1] - ends[0]) / float64(max(n-1, 1))
		if step = clampStep(step, t); n < 2 {
			ends[0] = ends[1]
		}
		x := make(numbers, n)
		for i := range x {
			x[i] = tape.Const(ends[0] + float64(float64(i)*step))
		}
		if n > 0 && t.base != intType {
			x[n-1] = tape.Const(ends[1])
		}
		return list(t, x)
	}}
}

// clampStep is a whole step where the list has whole numbers.
func clampStep(step float64, t typ) float64 {
	if t.base == intType {
		return math.Trunc(step)
	}
	return step
}

// makeFunctions make values of sizes, and constants.
var makeFunctions = []builtin{
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
	{names: "uniform_simplex", takes: "i:v", do: func(r *run, t typ, a []value) value {
		n := r.room(a[0].int())
		return list(t, slices.Repeat(constant(1/float64(n)), n))
	}},
	{names: "identity_matrix", takes: "i:m", do: func(r *run, _ typ, a []value) value {
		n := r.room(a[0].int(), a[0].int())
		m := matrix(make(numbers, n), a[0].int(), a[0].int())
		for i := range m.rows() {
			m.x[i*m.cols()+i] = tape.Const(1)
		}
		return m
	}},
	{names: "rep_vector", takes: "ri:v", do: repeat}, {names: "rep_row_vector", takes: "ri:w", do: repeat},
	{names: "rep_array", typeOf: func(args []typ) (typ, bool) {
		if len(args) < 2 || len(args) > 4 || args[0].base == textType || int(args[0].depth)+len(args) > maxDepth {
			return typ{}, false
		}
		for _, a := range args[1:] {
			if !a.whole() {
				return typ{}, false
			}
		}
		t := args[0]
		t.depth += uint8(len(args) - 1)
		return t, true
	}, do: repeat},
	{names: "rep_matrix", takes: "rii:m vi:m wi:m", do: func(r *run, t typ, a []value) value {
		if a[0].t.base != vectorType {
			return repeat(r, t, a)
		}
		v := repeat(r, t, a) // rows are copies; turned, columns are
		return matrix(transposed(v.x, v.rows(), v.cols()), v.cols(), v.rows())
	}},
}

// repeat makes copies.
func repeat(r *run, t typ, a []value) value {
	var dims []int
	for _, n := range a[1:] {
		dims = append(dims, n.int())
	}
	for _, d := range dims {
		if d < 0 {
			r.fail(problem.New("a size cannot be %d", d))
		}
	}
	r.room(append(slices.Clone(dims), a[0].dims...)...)
	return value{t, append(dims, a[0].dims...), slices.Repeat(a[0].x, product(dims))}
}
