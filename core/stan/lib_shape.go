package stan

import (
	"slices"

	"logzlab/core/problem"
	"logzlab/core/tape"
)

// shapeFunctions take values apart, put them together and see them in another shape.
var shapeFunctions = []builtin{
	{names: "rows", takes: "v:i w:i m:i", do: func(_ *run, _ typ, a []value) value {
		return intValue(a[0].asMatrix().rows())
	}},
	{names: "cols", takes: "v:i w:i m:i", do: func(_ *run, _ typ, a []value) value {
		return intValue(a[0].asMatrix().cols())
	}},
	{names: "num_elements", takes: "*:i", do: func(_ *run, _ typ, a []value) value { return intValue(len(a[0].x)) }},
	{names: "size", takes: "*:i", do: func(_ *run, _ typ, a []value) value {
		if a[0].t.depth > 0 {
			return intValue(a[0].dims[0])
		}
		return intValue(len(a[0].x))
	}},
	{names: "dims", takes: "*:[i", do: func(_ *run, t typ, a []value) value {
		var x numbers
		for _, d := range a[0].dims {
			x = append(x, tape.Const(float64(d)))
		}
		return list(t, x)
	}},
	{names: "to_vector", takes: "m:v v:v w:v [r:v", do: flat},
	{names: "to_row_vector", takes: "m:w v:w w:w [r:w", do: flat},
	{names: "to_array_1d", typeOf: func(args []typ) (typ, bool) {
		if len(args) != 1 || args[0].scalar() {
			return typ{}, false
		}
		if args[0].base == intType {
			return typ{intType, 1}, true
		}
		return typ{realType, 1}, true
	}, do: flat},
	{names: "to_array_2d", takes: "m:[[r", do: func(_ *run, t typ, a []value) value {
		return value{t, a[0].dims, a[0].x}
	}},
	{names: "to_matrix", takes: "m:m v:m w:m [w:m [[r:m vii:m wii:m mii:m [rii:m viii:m wiii:m miii:m [riii:m",
		do: toMatrix},
	{names: "append_row", takes: "vv:v rv:v vr:v mm:m mw:m wm:m ww:m", do: appendRow},
	{names: "append_col", takes: "ww:w rw:w wr:w mm:m mv:m vm:m vv:m", do: func(r *run, t typ, a []value) value {
		return appendRow(r, t, []value{turned(a[0]), turned(a[1])}).flipTo(t)
	}},
	{names: "append_array", typeOf: func(args []typ) (typ, bool) {
		if len(args) != 2 || args[0].depth == 0 || args[0].real() != args[1].real() {
			return typ{}, false
		}
		if args[0] != args[1] {
			return args[0].real(), true
		}
		return args[0], true
	}, do: func(r *run, t typ, a []value) value {
		dims := slices.Clone(a[0].dims)
		if !sameDims(dims[1:], a[1].dims[1:]) {
			r.fail(problem.New("the sizes %s and %s do not go together", spellDims(dims), spellDims(a[1].dims)))
		}
		dims[0] += a[1].dims[0]
		return value{t, dims, slices.Concat(a[0].x, a[1].x)}
	}},
	{names: "head", takes: "Li:=", do: func(r *run, _ typ, a []value) value { return r.slice(a[0], 0, a[1].int()) }},
	{names: "tail", takes: "Li:=", do: func(r *run, _ typ, a []value) value {
		return r.slice(a[0], a[0].dims[0]-a[1].int(), a[1].int())
	}},
	{names: "segment", takes: "Lii:=", do: func(r *run, _ typ, a []value) value {
		return r.slice(a[0], a[1].int()-1, a[2].int())
	}},
	{names: "reverse", takes: "L:=", do: func(r *run, _ typ, a []value) value {
		n := a[0].dims[0]
		size := product(a[0].dims[1:])
		out := make(numbers, 0, len(a[0].x))
		for i := n - 1; i >= 0; i-- {
			out = append(out, a[0].x[i*size:(i+1)*size]...)
		}
		return a[0].with(out)
	}},
	{names: "row", takes: "mi:w", do: func(r *run, _ typ, a []value) value {
		return r.block(a[0], a[1].int(), 1, 1, a[0].cols())
	}},
	{names: "col", takes: "mi:v", do: func(r *run, _ typ, a []value) value {
		return r.block(a[0], 1, a[1].int(), a[0].rows(), 1)
	}},
	{names: "block", takes: "miiii:m", do: func(r *run, t typ, a []value) value {
		return r.block(a[0], a[1].int(), a[2].int(), a[3].int(), a[4].int()).to(t, a[3].int(), a[4].int())
	}},
	{names: "sub_col", takes: "miii:v", do: func(r *run, _ typ, a []value) value {
		return r.block(a[0], a[1].int(), a[2].int(), a[3].int(), 1)
	}},
	{names: "sub_row", takes: "miii:w", do: func(r *run, _ typ, a []value) value {
		return r.block(a[0], a[1].int(), a[2].int(), 1, a[3].int())
	}},
}

// flat is all numbers in Stan's order.
func flat(_ *run, t typ, a []value) value { return list(t, a[0].columns()) }

// to gives a value another type and sizes.
func (v value) to(t typ, dims ...int) value { return value{t, dims, v.x} }

// turned is a vector as a row or the reverse, a matrix transposed, a number as it is.
func turned(v value) value {
	if v.t.scalar() {
		return v
	}
	return v.flip()
}

func (v value) flipTo(t typ) value {
	v = v.flip()
	v.t = t
	return v
}

// toMatrix sees numbers as a matrix; they are read and written by columns, or by rows where a last argument is 0.
func toMatrix(r *run, t typ, a []value) value {
	v := a[0]
	if len(a) == 1 {
		switch {
		case v.t.depth > 0 && len(v.dims) == 2:
			return v.to(t, v.dims...)
		default:
			return v.asMatrix()
		}
	}
	m, n := a[1].int(), a[2].int()
	if r.room(m, n) != len(v.x) {
		r.fail(problem.New("%d numbers do not make a matrix of %d x %d", len(v.x), m, n))
	}
	x := v.columns()
	if len(a) == 4 && a[3].int() == 0 {
		return matrix(x, m, n)
	}
	return matrix(transposed(x, n, m), m, n)
}

// appendRow puts one above the other.
func appendRow(r *run, t typ, a []value) value {
	x := slices.Concat(a[0].x, a[1].x)
	r.room(len(x))
	if t.base != matrixType && (t.base == vectorType || a[0].t.scalar() || a[1].t.scalar() || a[0].t.base == vectorType) {
		return vector(x)
	}
	up, down := a[0].asMatrix(), a[1].asMatrix()
	if up.cols() != down.cols() {
		r.fail(problem.New("the sizes %s and %s do not go together", spellDims(a[0].dims), spellDims(a[1].dims)))
	}
	return matrix(x, up.rows()+down.rows(), up.cols())
}

// slice is n elements of an array or vector from one on.
func (r *run) slice(v value, from, n int) value {
	if from < 0 || n < 0 || from+n > v.dims[0] {
		r.fail(problem.New("%d elements from %d are not within 1 to %d", n, from+1, v.dims[0]))
	}
	dims := slices.Clone(v.dims)
	dims[0] = n
	size := product(dims[1:])
	return value{v.t, dims, v.x[from*size : (from+n)*size]}
}

// block is part of a matrix, as a list.
func (r *run) block(v value, i, j, m, n int) value {
	if i < 1 || j < 1 || m < 0 || n < 0 || i-1+m > v.rows() || j-1+n > v.cols() {
		r.fail(problem.New("%d x %d elements from %d, %d are not within a matrix of %d x %d", m, n, i, j, v.rows(),
			v.cols()))
	}
	out := make(numbers, 0, m*n)
	for k := range m {
		out = append(out, v.row(i - 1 + k)[j-1:j-1+n]...)
	}
	return vector(out)
}

func (r *run) checkIndex(i, n int) int {
	if i < 1 || i > n {
		r.fail(problem.New("the index %d is outside of 1 to %d%w", i, n, errNothing{}))
	}
	return i - 1
}
