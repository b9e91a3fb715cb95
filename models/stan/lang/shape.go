package lang

import (
	"slices"

	"logzlab/core/problem"
	"logzlab/models/stan/tape"
)

// shapeFunctions return sizes, parts and concatenations of values, and convert between types.
var shapeFunctions = []Builtin{
	{names: "rows", Signatures: "v:i w:i m:i", Emit: func(_ *Emitter, _ Type, a []Value) Value {
		return IntValue(a[0].asMatrix().Rows())
	}},
	{names: "cols", Signatures: "v:i w:i m:i", Emit: func(_ *Emitter, _ Type, a []Value) Value {
		return IntValue(a[0].asMatrix().cols())
	}},
	{names: "num_elements", Signatures: "*:i", Emit: func(_ *Emitter, _ Type, a []Value) Value { return IntValue(len(a[0].X)) }},
	{names: "size", Signatures: "*:i", Emit: func(_ *Emitter, _ Type, a []Value) Value {
		if a[0].T.Depth > 0 {
			return IntValue(a[0].Dims[0])
		}
		return IntValue(len(a[0].X))
	}},
	{names: "dims", Signatures: "*:[i", Emit: func(_ *Emitter, t Type, a []Value) Value {
		var x Scalars
		for _, d := range a[0].Dims {
			x = append(x, tape.Const(float64(d)))
		}
		return oneDimensional(t, x)
	}},
	{names: "to_vector", Signatures: "m:v v:v w:v [r:v", Emit: flatten},
	{names: "to_row_vector", Signatures: "m:w v:w w:w [r:w", Emit: flatten},
	{names: "to_array_1d", TypeRule: func(args []Type) (Type, bool) {
		if len(args) != 1 || args[0].IsScalar() {
			return Type{}, false
		}
		if args[0].Base == IntType {
			return Type{Base: IntType, Depth: 1}, true
		}
		return Type{Base: RealType, Depth: 1}, true
	}, Emit: flatten},
	{names: "to_array_2d", Signatures: "m:[[r", Emit: func(_ *Emitter, t Type, a []Value) Value {
		return Value{t, a[0].Dims, a[0].X}
	}},
	{names: "to_matrix", Signatures: "m:m v:m w:m [w:m [[r:m vii:m wii:m mii:m [rii:m viii:m wiii:m miii:m [riii:m",
		Emit: toMatrix},
	{names: "append_row", Signatures: "vv:v rv:v vr:v mm:m mw:m wm:m ww:m", Emit: appendRow},
	{names: "append_col", Signatures: "ww:w rw:w wr:w mm:m mv:m vm:m vv:m", Emit: func(r *Emitter, t Type, a []Value) Value {
		return appendRow(r, t, []Value{transposed(a[0]), transposed(a[1])}).transposeTo(t)
	}},
	{names: "append_array", TypeRule: func(args []Type) (Type, bool) {
		if len(args) != 2 || args[0].Depth == 0 || args[0].Promoted() != args[1].Promoted() {
			return Type{}, false
		}
		if args[0] != args[1] {
			return args[0].Promoted(), true
		}
		return args[0], true
	}, Emit: func(r *Emitter, t Type, a []Value) Value {
		dims := slices.Clone(a[0].Dims)
		if !SameDims(dims[1:], a[1].Dims[1:]) {
			r.Fail(problem.New("the sizes %s and %s do not match", FormatDims(dims), FormatDims(a[1].Dims)))
		}
		dims[0] += a[1].Dims[0]
		return Value{t, dims, slices.Concat(a[0].X, a[1].X)}
	}},
	{names: "head", Signatures: "Li:=", Emit: func(r *Emitter, _ Type, a []Value) Value { return r.slice(a[0], 0, a[1].int()) }},
	{names: "tail", Signatures: "Li:=", Emit: func(r *Emitter, _ Type, a []Value) Value {
		return r.slice(a[0], a[0].Dims[0]-a[1].int(), a[1].int())
	}},
	{names: "segment", Signatures: "Lii:=", Emit: func(r *Emitter, _ Type, a []Value) Value {
		return r.slice(a[0], a[1].int()-1, a[2].int())
	}},
	{names: "reverse", Signatures: "L:=", Emit: func(r *Emitter, _ Type, a []Value) Value {
		n := a[0].Dims[0]
		size := Product(a[0].Dims[1:])
		out := make(Scalars, 0, len(a[0].X))
		for i := n - 1; i >= 0; i-- {
			out = append(out, a[0].X[i*size:(i+1)*size]...)
		}
		return a[0].WithElements(out)
	}},
	{names: "row", Signatures: "mi:w", Emit: func(r *Emitter, _ Type, a []Value) Value {
		return r.block(a[0], a[1].int(), 1, 1, a[0].cols())
	}},
	{names: "col", Signatures: "mi:v", Emit: func(r *Emitter, _ Type, a []Value) Value {
		return r.block(a[0], 1, a[1].int(), a[0].Rows(), 1)
	}},
	{names: "block", Signatures: "miiii:m", Emit: func(r *Emitter, t Type, a []Value) Value {
		return r.block(a[0], a[1].int(), a[2].int(), a[3].int(), a[4].int()).withShape(t, a[3].int(), a[4].int())
	}},
	{names: "sub_col", Signatures: "miii:v", Emit: func(r *Emitter, _ Type, a []Value) Value {
		return r.block(a[0], a[1].int(), a[2].int(), a[3].int(), 1)
	}},
	{names: "sub_row", Signatures: "miii:w", Emit: func(r *Emitter, _ Type, a []Value) Value {
		return r.block(a[0], a[1].int(), a[2].int(), 1, a[3].int())
	}},
}

// flatten returns all elements in Stan's order (column-major).
func flatten(_ *Emitter, t Type, a []Value) Value { return oneDimensional(t, a[0].ColumnMajor()) }

// withShape returns the value with another type and other sizes.
func (v Value) withShape(t Type, dims ...int) Value { return Value{t, dims, v.X} }

// transposed returns the transpose of a vector, row vector or matrix, and a number unchanged.
func transposed(v Value) Value {
	if v.T.IsScalar() {
		return v
	}
	return v.Transpose()
}

// transposeTo returns the transpose with type t.
func (v Value) transposeTo(t Type) Value {
	v = v.Transpose()
	v.T = t
	return v
}

// toMatrix is to_matrix(x), to_matrix(x, rows, columns) or to_matrix(x, rows, columns, byColumns). Elements are read in
// column-major order and fill the matrix by columns, or by rows if byColumns is 0.
func toMatrix(r *Emitter, t Type, a []Value) Value {
	v := a[0]
	if len(a) == 1 {
		switch {
		case v.T.Depth > 0 && len(v.Dims) == 2:
			return v.withShape(t, v.Dims...)
		default:
			return v.asMatrix()
		}
	}
	m, n := a[1].int(), a[2].int()
	if r.CheckSize(m, n) != len(v.X) {
		r.Fail(problem.New("%d numbers do not fill a matrix of %d x %d", len(v.X), m, n))
	}
	x := v.ColumnMajor()
	if len(a) == 4 && a[3].int() == 0 {
		return Matrix(x, m, n)
	}
	return Matrix(tape.Transpose(x, n, m), m, n)
}

// appendRow concatenates two vectors, or stacks the first matrix on the second one.
func appendRow(r *Emitter, t Type, a []Value) Value {
	x := slices.Concat(a[0].X, a[1].X)
	r.CheckSize(len(x))
	if t.Base != MatrixType && (t.Base == VectorType || a[0].T.IsScalar() || a[1].T.IsScalar() || a[0].T.Base == VectorType) {
		return vector(x)
	}
	upper, lower := a[0].asMatrix(), a[1].asMatrix()
	if upper.cols() != lower.cols() {
		r.Fail(problem.New("the sizes %s and %s do not match", FormatDims(a[0].Dims), FormatDims(a[1].Dims)))
	}
	return Matrix(x, upper.Rows()+lower.Rows(), upper.cols())
}

// slice returns n elements of an array or vector, from index from on, counted from 0.
func (r *Emitter) slice(v Value, from, n int) Value {
	if from < 0 || n < 0 || from+n > v.Dims[0] {
		r.Fail(problem.New("%d elements starting at %d do not fit into the range 1 to %d", n, from+1, v.Dims[0]))
	}
	dims := slices.Clone(v.Dims)
	dims[0] = n
	size := Product(dims[1:])
	return Value{v.T, dims, v.X[from*size : (from+n)*size]}
}

// block returns the m x n block of a matrix whose first element is (i, j), counted from 1, as a vector by rows.
func (r *Emitter) block(v Value, i, j, m, n int) Value {
	if i < 1 || j < 1 || m < 0 || n < 0 || i-1+m > v.Rows() || j-1+n > v.cols() {
		r.Fail(problem.New("a block of %d x %d starting at %d, %d does not fit into a matrix of %d x %d", m, n, i, j, v.Rows(),
			v.cols()))
	}
	out := make(Scalars, 0, m*n)
	for k := range m {
		out = append(out, v.Row(i - 1 + k)[j-1:j-1+n]...)
	}
	return vector(out)
}

// checkIndex returns the index i, which is counted from 1, counted from 0. It fails if i is not in 1 to n.
func (r *Emitter) checkIndex(i, n int) int {
	if i < 1 || i > n {
		r.Fail(problem.New("the index %d is out of range 1 to %d%w", i, n, problem.Empty{}))
	}
	return i - 1
}
