package lang

import (
	"slices"

	"logzlab/core/problem"
	"logzlab/models/stan/tape"
)

// shapeFunctions take values apart, put them together and see them in another shape.
var shapeFunctions = []Builtin{
	{names: "rows", Takes: "v:i w:i m:i", Do: func(_ *Emitter, _ Type, a []Value) Value {
		return IntValue(a[0].asMatrix().Rows())
	}},
	{names: "cols", Takes: "v:i w:i m:i", Do: func(_ *Emitter, _ Type, a []Value) Value {
		return IntValue(a[0].asMatrix().cols())
	}},
	{names: "num_elements", Takes: "*:i", Do: func(_ *Emitter, _ Type, a []Value) Value { return IntValue(len(a[0].X)) }},
	{names: "size", Takes: "*:i", Do: func(_ *Emitter, _ Type, a []Value) Value {
		if a[0].T.Depth > 0 {
			return IntValue(a[0].Dims[0])
		}
		return IntValue(len(a[0].X))
	}},
	{names: "dims", Takes: "*:[i", Do: func(_ *Emitter, t Type, a []Value) Value {
		var x Numbers
		for _, d := range a[0].Dims {
			x = append(x, tape.Const(float64(d)))
		}
		return list(t, x)
	}},
	{names: "to_vector", Takes: "m:v v:v w:v [r:v", Do: flat},
	{names: "to_row_vector", Takes: "m:w v:w w:w [r:w", Do: flat},
	{names: "to_array_1d", TypeOf: func(args []Type) (Type, bool) {
		if len(args) != 1 || args[0].Scalar() {
			return Type{}, false
		}
		if args[0].Base == IntType {
			return Type{Base: IntType, Depth: 1}, true
		}
		return Type{Base: RealType, Depth: 1}, true
	}, Do: flat},
	{names: "to_array_2d", Takes: "m:[[r", Do: func(_ *Emitter, t Type, a []Value) Value {
		return Value{t, a[0].Dims, a[0].X}
	}},
	{names: "to_matrix", Takes: "m:m v:m w:m [w:m [[r:m vii:m wii:m mii:m [rii:m viii:m wiii:m miii:m [riii:m",
		Do: toMatrix},
	{names: "append_row", Takes: "vv:v rv:v vr:v mm:m mw:m wm:m ww:m", Do: appendRow},
	{names: "append_col", Takes: "ww:w rw:w wr:w mm:m mv:m vm:m vv:m", Do: func(r *Emitter, t Type, a []Value) Value {
		return appendRow(r, t, []Value{turned(a[0]), turned(a[1])}).flipTo(t)
	}},
	{names: "append_array", TypeOf: func(args []Type) (Type, bool) {
		if len(args) != 2 || args[0].Depth == 0 || args[0].Real() != args[1].Real() {
			return Type{}, false
		}
		if args[0] != args[1] {
			return args[0].Real(), true
		}
		return args[0], true
	}, Do: func(r *Emitter, t Type, a []Value) Value {
		dims := slices.Clone(a[0].Dims)
		if !SameDims(dims[1:], a[1].Dims[1:]) {
			r.Fail(problem.New("the sizes %s and %s do not match", SpellDims(dims), SpellDims(a[1].Dims)))
		}
		dims[0] += a[1].Dims[0]
		return Value{t, dims, slices.Concat(a[0].X, a[1].X)}
	}},
	{names: "head", Takes: "Li:=", Do: func(r *Emitter, _ Type, a []Value) Value { return r.slice(a[0], 0, a[1].int()) }},
	{names: "tail", Takes: "Li:=", Do: func(r *Emitter, _ Type, a []Value) Value {
		return r.slice(a[0], a[0].Dims[0]-a[1].int(), a[1].int())
	}},
	{names: "segment", Takes: "Lii:=", Do: func(r *Emitter, _ Type, a []Value) Value {
		return r.slice(a[0], a[1].int()-1, a[2].int())
	}},
	{names: "reverse", Takes: "L:=", Do: func(r *Emitter, _ Type, a []Value) Value {
		n := a[0].Dims[0]
		size := Product(a[0].Dims[1:])
		out := make(Numbers, 0, len(a[0].X))
		for i := n - 1; i >= 0; i-- {
			out = append(out, a[0].X[i*size:(i+1)*size]...)
		}
		return a[0].With(out)
	}},
	{names: "row", Takes: "mi:w", Do: func(r *Emitter, _ Type, a []Value) Value {
		return r.block(a[0], a[1].int(), 1, 1, a[0].cols())
	}},
	{names: "col", Takes: "mi:v", Do: func(r *Emitter, _ Type, a []Value) Value {
		return r.block(a[0], 1, a[1].int(), a[0].Rows(), 1)
	}},
	{names: "block", Takes: "miiii:m", Do: func(r *Emitter, t Type, a []Value) Value {
		return r.block(a[0], a[1].int(), a[2].int(), a[3].int(), a[4].int()).to(t, a[3].int(), a[4].int())
	}},
	{names: "sub_col", Takes: "miii:v", Do: func(r *Emitter, _ Type, a []Value) Value {
		return r.block(a[0], a[1].int(), a[2].int(), a[3].int(), 1)
	}},
	{names: "sub_row", Takes: "miii:w", Do: func(r *Emitter, _ Type, a []Value) Value {
		return r.block(a[0], a[1].int(), a[2].int(), 1, a[3].int())
	}},
}

// flat is all numbers in Stan's order.
func flat(_ *Emitter, t Type, a []Value) Value { return list(t, a[0].Columns()) }

// to gives a value another type and sizes.
func (v Value) to(t Type, dims ...int) Value { return Value{t, dims, v.X} }

// turned is a vector as a row or the reverse, a matrix transposed, a number as it is.
func turned(v Value) Value {
	if v.T.Scalar() {
		return v
	}
	return v.Flip()
}

func (v Value) flipTo(t Type) Value {
	v = v.Flip()
	v.T = t
	return v
}

// toMatrix sees numbers as a matrix; they are read and written by columns, or by rows where a last argument is 0.
func toMatrix(r *Emitter, t Type, a []Value) Value {
	v := a[0]
	if len(a) == 1 {
		switch {
		case v.T.Depth > 0 && len(v.Dims) == 2:
			return v.to(t, v.Dims...)
		default:
			return v.asMatrix()
		}
	}
	m, n := a[1].int(), a[2].int()
	if r.Room(m, n) != len(v.X) {
		r.Fail(problem.New("%d numbers do not fill a matrix of %d x %d", len(v.X), m, n))
	}
	x := v.Columns()
	if len(a) == 4 && a[3].int() == 0 {
		return Matrix(x, m, n)
	}
	return Matrix(tape.Transpose(x, n, m), m, n)
}

// appendRow puts one above the other.
func appendRow(r *Emitter, t Type, a []Value) Value {
	x := slices.Concat(a[0].X, a[1].X)
	r.Room(len(x))
	if t.Base != MatrixType && (t.Base == VectorType || a[0].T.Scalar() || a[1].T.Scalar() || a[0].T.Base == VectorType) {
		return vector(x)
	}
	up, down := a[0].asMatrix(), a[1].asMatrix()
	if up.cols() != down.cols() {
		r.Fail(problem.New("the sizes %s and %s do not match", SpellDims(a[0].Dims), SpellDims(a[1].Dims)))
	}
	return Matrix(x, up.Rows()+down.Rows(), up.cols())
}

// slice is n elements of an array or vector from one on.
func (r *Emitter) slice(v Value, from, n int) Value {
	if from < 0 || n < 0 || from+n > v.Dims[0] {
		r.Fail(problem.New("%d elements starting at %d do not fit into the range 1 to %d", n, from+1, v.Dims[0]))
	}
	dims := slices.Clone(v.Dims)
	dims[0] = n
	size := Product(dims[1:])
	return Value{v.T, dims, v.X[from*size : (from+n)*size]}
}

// block is part of a matrix, as a list.
func (r *Emitter) block(v Value, i, j, m, n int) Value {
	if i < 1 || j < 1 || m < 0 || n < 0 || i-1+m > v.Rows() || j-1+n > v.cols() {
		r.Fail(problem.New("a block of %d x %d starting at %d, %d does not fit into a matrix of %d x %d", m, n, i, j, v.Rows(),
			v.cols()))
	}
	out := make(Numbers, 0, m*n)
	for k := range m {
		out = append(out, v.Row(i - 1 + k)[j-1:j-1+n]...)
	}
	return vector(out)
}

func (r *Emitter) checkIndex(i, n int) int {
	if i < 1 || i > n {
		r.Fail(problem.New("the index %d is out of range 1 to %d%w", i, n, ErrNothing{}))
	}
	return i - 1
}
