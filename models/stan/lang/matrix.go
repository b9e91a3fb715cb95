package lang

import (
	"logzlab/core/problem"
	"logzlab/models/stan/tape"
)

// matrixFunction returns a function of matrices, vectors and numbers. takes is a Builtin.Signatures.
func matrixFunction(names, takes string, f func(r *Emitter, a []Value) Value) Builtin {
	return Builtin{names: names, Signatures: takes, Emit: func(r *Emitter, _ Type, a []Value) Value { return f(r, a) }}
}

// matrixFunctions are products and parts of matrices.
var matrixFunctions = []Builtin{
	matrixFunction("transpose", "v:w w:v m:m", func(r *Emitter, a []Value) Value { return a[0].Transpose() }),
	matrixFunction("diagonal", "m:v", func(r *Emitter, a []Value) Value { return vector(Diagonal(a[0])) }),
	matrixFunction("diag_matrix", "v:m", func(r *Emitter, a []Value) Value {
		n := len(a[0].X)
		m := Matrix(make(Scalars, r.CheckSize(n, n)), n, n)
		for i, x := range a[0].X {
			m.X[i*n+i] = x
		}
		return m
	}),
	matrixFunction("add_diag", "mr:m mv:m mw:m", func(r *Emitter, a []Value) Value {
		n := min(a[0].Rows(), a[0].cols())
		if !a[1].T.IsScalar() && len(a[1].X) != n {
			r.sizeMismatch(a[0], a[1])
		}
		m := a[0].WithElements(append(Scalars(nil), a[0].X...))
		if n == 0 {
			return m
		}
		for i, x := range r.B.Map(tape.Add, Diagonal(m), a[1].X) {
			m.X[i*m.cols()+i] = x
		}
		return m
	}),
	matrixFunction("diag_pre_multiply", "vm:m wm:m", func(r *Emitter, a []Value) Value { return r.scaleRows(a[1], a[0]) }),
	matrixFunction("diag_post_multiply", "mv:m mw:m", func(r *Emitter, a []Value) Value { return r.scaleColumns(a[0], a[1]) }),
	matrixFunction("quad_form_diag", "mv:m mw:m", func(r *Emitter, a []Value) Value {
		return r.scaleColumns(r.scaleRows(a[0], a[1]), a[1])
	}),
	matrixFunction("quad_form quad_form_sym", "mm:m mv:r", func(r *Emitter, a []Value) Value { return r.quadForm(a[0], a[1]) }),
	matrixFunction("trace_quad_form", "mm:r mv:r", func(r *Emitter, a []Value) Value {
		if q := r.quadForm(a[0], a[1]); q.T.Base == MatrixType {
			return RealValue(r.B.Sum(Diagonal(q)))
		} else {
			return q
		}
	}),
	matrixFunction("trace_gen_quad_form", "mmm:r", func(r *Emitter, a []Value) Value {
		return RealValue(r.B.Sum(Diagonal(r.MatMul(a[0], r.quadForm(a[1], a[2])))))
	}),
	matrixFunction("trace", "m:r", func(r *Emitter, a []Value) Value { return RealValue(r.B.Sum(Diagonal(a[0]))) }),
	matrixFunction("crossprod", "m:m", func(r *Emitter, a []Value) Value { return r.MatMul(a[0].Transpose(), a[0]) }),
	matrixFunction("tcrossprod", "m:m", func(r *Emitter, a []Value) Value { return r.MatMul(a[0], a[0].Transpose()) }),
	matrixFunction("multiply_lower_tri_self_transpose", "m:m", func(r *Emitter, a []Value) Value {
		low := a[0].WithElements(append(Scalars(nil), a[0].X...))
		for i := range low.Rows() {
			for j := i + 1; j < low.cols(); j++ {
				low.X[i*low.cols()+j] = tape.Scalar{}
			}
		}
		return r.MatMul(low, low.Transpose())
	}),
	matrixFunction("matrix_power", "mi:m", func(r *Emitter, a []Value) Value {
		r.checkSquare(a[0])
		m := Matrix(identity(a[0].Rows()), a[0].Rows(), a[0].Rows())
		for range r.CheckSize(a[1].int()) {
			m = r.MatMul(m, a[0])
		}
		return m
	}),
	matrixFunction("symmetrize_from_lower_tri", "m:m", func(r *Emitter, a []Value) Value {
		r.checkSquare(a[0])
		m := a[0].WithElements(append(Scalars(nil), a[0].X...))
		for i := range m.Rows() {
			for j := range i {
				m.X[j*m.cols()+i] = m.at(i, j)
			}
		}
		return m
	}),
	matrixFunction("columns_dot_product", "vv:w ww:w mm:w", func(r *Emitter, a []Value) Value {
		return r.rowDots(a[0].Transpose(), a[1].Transpose())
	}),
	matrixFunction("rows_dot_product", "vv:v ww:v mm:v", func(r *Emitter, a []Value) Value { return r.rowDots(a[0], a[1]) }),
	matrixFunction("columns_dot_self", "v:w w:w m:w", func(r *Emitter, a []Value) Value {
		return r.rowDots(a[0].Transpose(), a[0].Transpose())
	}),
	matrixFunction("rows_dot_self", "v:v w:v m:v", func(r *Emitter, a []Value) Value { return r.rowDots(a[0], a[0]) }),
	{names: "csr_matrix_times_vector", Signatures: "iiv[i[iv:v", Emit: func(r *Emitter, t Type, a []Value) Value {
		return csrTimesVector(r, a)
	}},
	{names: "csr_to_dense_matrix", Signatures: "iiv[i[i:m", Emit: func(r *Emitter, t Type, a []Value) Value {
		m, n := a[0].int(), a[1].int()
		out := Matrix(make(Scalars, r.CheckSize(m, n)), m, n)
		r.walkCSR(m, n, a[2:], func(i, j int, x tape.Scalar) { out.X[i*n+j] = x })
		return out
	}},
	{names: "csr_extract_w", Signatures: "m:v", Emit: func(r *Emitter, t Type, a []Value) Value {
		w, _, _ := toCSR(a[0])
		return oneDimensional(t, w)
	}},
	{names: "csr_extract_v", Signatures: "m:[i", Emit: func(r *Emitter, t Type, a []Value) Value {
		_, v, _ := toCSR(a[0])
		return oneDimensional(t, v)
	}},
	{names: "csr_extract_u", Signatures: "m:[i", Emit: func(r *Emitter, t Type, a []Value) Value {
		_, _, u := toCSR(a[0])
		return oneDimensional(t, u)
	}},
}

// Diagonal returns the diagonal of a matrix.
func Diagonal(m Value) Scalars {
	var out Scalars
	for i := range min(m.Rows(), m.cols()) {
		out = append(out, m.at(i, i))
	}
	return out
}

// identity returns the n x n identity matrix by rows.
func identity(n int) Scalars {
	x := make(Scalars, n*n)
	for i := range n {
		x[i*n+i] = tape.Const(1)
	}
	return x
}

// sizeMismatch fails with an error that names the sizes of a and b.
func (r *Emitter) sizeMismatch(a, b Value) {
	r.Fail(problem.New("the sizes %s and %s do not match", FormatDims(a.Dims), FormatDims(b.Dims)))
}

// checkSquare fails if a is not a square matrix.
func (r *Emitter) checkSquare(a Value) {
	if a.Rows() != a.cols() {
		r.Fail(problem.New("the matrix is %d x %d; it must have as many rows as columns", a.Rows(), a.cols()))
	}
}

// MatMul emits the product of two matrices.
func (r *Emitter) MatMul(a, b Value) Value { return r.matrixProduct(a, b, Type{Base: MatrixType}) }

// scaleRows multiplies row i of m by factor i, and scaleColumns column i.
func (r *Emitter) scaleRows(m, factors Value) Value {
	return r.scaleColumns(m.Transpose(), factors).Transpose()
}

func (r *Emitter) scaleColumns(m, factors Value) Value {
	if len(factors.X) != m.cols() {
		r.sizeMismatch(m, factors)
	}
	r.CountSteps(len(m.X) / 4)
	repeated := make(Scalars, 0, len(m.X))
	for range m.Rows() {
		repeated = append(repeated, factors.X...)
	}
	return m.WithElements(r.B.Map(tape.Mul, m.X, repeated))
}

// quadForm returns b' a b.
func (r *Emitter) quadForm(a, b Value) Value {
	r.checkSquare(a)
	if a.cols() != b.Dims[0] {
		r.sizeMismatch(a, b)
	}
	if b.T.Base == VectorType {
		return r.dot(b, r.matrixProduct(a, b, b.T))
	}
	return r.MatMul(r.MatMul(b.Transpose(), a), b)
}

// rowDots returns the dot product of row i of a and row i of b for each i.
func (r *Emitter) rowDots(a, b Value) Value {
	if !SameDims(a.Dims, b.Dims) {
		r.sizeMismatch(a, b)
	}
	a, b = a.asMatrix(), b.asMatrix()
	out := make(Scalars, a.Rows())
	for i := range out {
		r.CountSteps(a.cols() / 8)
		out[i] = r.B.Dot(a.Row(i), b.Row(i))
	}
	return vector(out)
}

// csrTimesVector is csr_matrix_times_vector: a sparse matrix in compressed sparse row format times a vector. a holds
// the numbers of rows and columns, w, v and u (see walkCSR), and the vector.
func csrTimesVector(r *Emitter, a []Value) Value {
	m, n, x := a[0].int(), a[1].int(), a[5].X
	if len(x) != n {
		r.Fail(errCSR)
	}
	left, right := make([]Scalars, r.CheckSize(m)), make([]Scalars, r.CheckSize(m))
	r.walkCSR(m, n, a[2:], func(i, j int, w tape.Scalar) {
		left[i], right[i] = append(left[i], w), append(right[i], x[j])
	})
	out := make(Scalars, m)
	for i := range out {
		out[i] = r.B.Dot(left[i], right[i])
	}
	return vector(out)
}

var errCSR = problem.New("the parts of a sparse matrix do not match")

// walkCSR calls f for each element of an m x n matrix in compressed sparse row format, with row, column (from 0) and
// value. parts holds the values w, their columns v (from 1), and u: row i, counted from 0, has the values w[k], k from
// u[i] to u[i+1]-1, counted from 1.
func (r *Emitter) walkCSR(m, n int, parts []Value, f func(i, j int, x tape.Scalar)) {
	w, v, u := parts[0].X, parts[1].Ints(), parts[2].Ints()
	if r.CheckSize(m)+1 != len(u) || len(v) != len(w) {
		r.Fail(errCSR)
	}
	for i := range m {
		for k := u[i]; k < u[i+1]; k++ {
			at := r.checkIndex(k, len(w))
			f(i, r.checkIndex(v[at], n), w[at])
			r.CountSteps(0)
		}
	}
}

// toCSR returns the parts w, v and u (see walkCSR) of a matrix, without elements that are the constant 0.
func toCSR(a Value) (w, v, u Scalars) {
	u = tape.Consts(1)
	for i := range a.Rows() {
		for j, x := range a.Row(i) {
			if x != (tape.Scalar{}) {
				w, v = append(w, x), append(v, tape.Const(float64(j+1)))
			}
		}
		u = append(u, tape.Const(float64(len(w)+1)))
	}
	return w, v, u
}
