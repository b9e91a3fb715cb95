package stan

import (
	"logzlab/core/problem"
	"logzlab/core/tape"
)

// ofMatrix is a function of one or more matrices and vectors that gives a matrix, a vector or a number.
func ofMatrix(names, takes string, f func(r *run, a []value) value) builtin {
	return builtin{names: names, takes: takes, do: func(r *run, _ typ, a []value) value { return f(r, a) }}
}

// matrixFunctions are products and parts of matrices.
var matrixFunctions = []builtin{
	ofMatrix("transpose", "v:w w:v m:m", func(r *run, a []value) value { return a[0].flip() }),
	ofMatrix("diagonal", "m:v", func(r *run, a []value) value { return vector(diagonal(a[0])) }),
	ofMatrix("diag_matrix", "v:m", func(r *run, a []value) value {
		n := len(a[0].x)
		m := matrix(make(numbers, r.room(n, n)), n, n)
		for i, x := range a[0].x {
			m.x[i*n+i] = x
		}
		return m
	}),
	ofMatrix("add_diag", "mr:m mv:m mw:m", func(r *run, a []value) value {
		n := min(a[0].rows(), a[0].cols())
		if !a[1].t.scalar() && len(a[1].x) != n {
			r.unfit(a[0], a[1])
		}
		m := a[0].with(append(numbers(nil), a[0].x...))
		if n == 0 {
			return m
		}
		for i, x := range r.b.Map(tape.Add, diagonal(m), a[1].x) {
			m.x[i*m.cols()+i] = x
		}
		return m
	}),
	ofMatrix("diag_pre_multiply", "vm:m wm:m", func(r *run, a []value) value { return r.scaleRows(a[1], a[0]) }),
	ofMatrix("diag_post_multiply", "mv:m mw:m", func(r *run, a []value) value { return r.scaleColumns(a[0], a[1]) }),
	ofMatrix("quad_form_diag", "mv:m mw:m", func(r *run, a []value) value {
		return r.scaleColumns(r.scaleRows(a[0], a[1]), a[1])
	}),
	ofMatrix("quad_form quad_form_sym", "mm:m mv:r", func(r *run, a []value) value { return r.quad(a[0], a[1]) }),
	ofMatrix("trace_quad_form", "mm:r mv:r", func(r *run, a []value) value {
		if q := r.quad(a[0], a[1]); q.t.base == matrixType {
			return realValue(r.b.Sum(diagonal(q)))
		} else {
			return q
		}
	}),
	ofMatrix("trace_gen_quad_form", "mmm:r", func(r *run, a []value) value {
		return realValue(r.b.Sum(diagonal(r.matMul(a[0], r.quad(a[1], a[2])))))
	}),
	ofMatrix("trace", "m:r", func(r *run, a []value) value { return realValue(r.b.Sum(diagonal(a[0]))) }),
	ofMatrix("crossprod", "m:m", func(r *run, a []value) value { return r.matMul(a[0].flip(), a[0]) }),
	ofMatrix("tcrossprod", "m:m", func(r *run, a []value) value { return r.matMul(a[0], a[0].flip()) }),
	ofMatrix("multiply_lower_tri_self_transpose", "m:m", func(r *run, a []value) value {
		low := a[0].with(append(numbers(nil), a[0].x...))
		for i := range low.rows() {
			for j := i + 1; j < low.cols(); j++ {
				low.x[i*low.cols()+j] = tape.Scalar{}
			}
		}
		return r.matMul(low, low.flip())
	}),
	ofMatrix("matrix_power", "mi:m", func(r *run, a []value) value {
		r.square(a[0])
		m := matrix(identity(a[0].rows()), a[0].rows(), a[0].rows())
		for range r.room(a[1].int()) {
			m = r.matMul(m, a[0])
		}
		return m
	}),
	ofMatrix("symmetrize_from_lower_tri", "m:m", func(r *run, a []value) value {
		r.square(a[0])
		m := a[0].with(append(numbers(nil), a[0].x...))
		for i := range m.rows() {
			for j := range i {
				m.x[j*m.cols()+i] = m.at(i, j)
			}
		}
		return m
	}),
	ofMatrix("columns_dot_product", "vv:w ww:w mm:w", func(r *run, a []value) value {
		return r.rowDots(a[0].flip(), a[1].flip())
	}),
	ofMatrix("rows_dot_product", "vv:v ww:v mm:v", func(r *run, a []value) value { return r.rowDots(a[0], a[1]) }),
	ofMatrix("columns_dot_self", "v:w w:w m:w", func(r *run, a []value) value {
		return r.rowDots(a[0].flip(), a[0].flip())
	}),
	ofMatrix("rows_dot_self", "v:v w:v m:v", func(r *run, a []value) value { return r.rowDots(a[0], a[0]) }),
	{names: "csr_matrix_times_vector", takes: "iiv[i[iv:v", do: func(r *run, t typ, a []value) value {
		return sparse(r, a)
	}},
	{names: "csr_to_dense_matrix", takes: "iiv[i[i:m", do: func(r *run, t typ, a []value) value {
		m, n := a[0].int(), a[1].int()
		out := matrix(make(numbers, r.room(m, n)), m, n)
		r.compressed(m, n, a[2:], func(i, j int, x tape.Scalar) { out.x[i*n+j] = x })
		return out
	}},
	{names: "csr_extract_w", takes: "m:v", do: func(r *run, t typ, a []value) value {
		w, _, _ := compress(a[0])
		return list(t, w)
	}},
	{names: "csr_extract_v", takes: "m:[i", do: func(r *run, t typ, a []value) value {
		_, v, _ := compress(a[0])
		return list(t, v)
	}},
	{names: "csr_extract_u", takes: "m:[i", do: func(r *run, t typ, a []value) value {
		_, _, u := compress(a[0])
		return list(t, u)
	}},
}

func diagonal(m value) numbers {
	var out numbers
	for i := range min(m.rows(), m.cols()) {
		out = append(out, m.at(i, i))
	}
	return out
}

func identity(n int) numbers {
	x := make(numbers, n*n)
	for i := range n {
		x[i*n+i] = tape.Const(1)
	}
	return x
}

func (r *run) unfit(a, b value) {
	r.fail(problem.New("the sizes %s and %s do not go together", spellDims(a.dims), spellDims(b.dims)))
}

// square refuses a matrix with other than as many rows as columns.
func (r *run) square(a value) {
	if a.rows() != a.cols() {
		r.fail(problem.New("the matrix is %d x %d; it must have as many rows as columns", a.rows(), a.cols()))
	}
}

func (r *run) matMul(a, b value) value { return r.times(a, b, typ{base: matrixType}) }

func (r *run) scaleRows(m, by value) value { return r.scaleColumns(m.flip(), by).flip() }

func (r *run) scaleColumns(m, by value) value {
	if len(by.x) != m.cols() {
		r.unfit(m, by)
	}
	r.step(len(m.x) / 4)
	wide := make(numbers, 0, len(m.x))
	for range m.rows() {
		wide = append(wide, by.x...)
	}
	return m.with(r.b.Map(tape.Mul, m.x, wide))
}

// quad is b' a b.
func (r *run) quad(a, b value) value {
	r.square(a)
	if a.cols() != b.dims[0] {
		r.unfit(a, b)
	}
	if b.t.base == vectorType {
		return r.dot(b, r.times(a, b, b.t))
	}
	return r.matMul(r.matMul(b.flip(), a), b)
}

// rowDots are the sums of products of each row.
func (r *run) rowDots(a, b value) value {
	if !sameDims(a.dims, b.dims) {
		r.unfit(a, b)
	}
	a, b = a.asMatrix(), b.asMatrix()
	out := make(numbers, a.rows())
	for i := range out {
		r.step(a.cols() / 8)
		out[i] = r.b.Dot(a.row(i), b.row(i))
	}
	return vector(out)
}

// sparse is a matrix in compressed rows times a vector.
func sparse(r *run, a []value) value {
	m, n, x := a[0].int(), a[1].int(), a[5].x
	if len(x) != n {
		r.fail(errSparse)
	}
	left, right := make([]numbers, r.room(m)), make([]numbers, r.room(m))
	r.compressed(m, n, a[2:], func(i, j int, w tape.Scalar) {
		left[i], right[i] = append(left[i], w), append(right[i], x[j])
	})
	out := make(numbers, m)
	for i := range out {
		out[i] = r.b.Dot(left[i], right[i])
	}
	return vector(out)
}

var errSparse = problem.New("the parts of a sparse matrix do not go together")

// compressed walks over a matrix of m x n in compressed rows: its numbers, their columns, and where rows begin.
func (r *run) compressed(m, n int, parts []value, f func(i, j int, x tape.Scalar)) {
	w, v, u := parts[0].x, parts[1].ints(), parts[2].ints()
	if r.room(m)+1 != len(u) || len(v) != len(w) {
		r.fail(errSparse)
	}
	for i := range m {
		for k := u[i]; k < u[i+1]; k++ {
			at := r.checkIndex(k, len(w))
			f(i, r.checkIndex(v[at], n), w[at])
			r.step(0)
		}
	}
}

// compress is a matrix in compressed rows, without its zeros: its numbers, their columns, and where rows begin.
func compress(a value) (w, v, u numbers) {
	u = tape.Consts(1)
	for i := range a.rows() {
		for j, x := range a.row(i) {
			if x != (tape.Scalar{}) {
				w, v = append(w, x), append(v, tape.Const(float64(j+1)))
			}
		}
		u = append(u, tape.Const(float64(len(w)+1)))
	}
	return w, v, u
}
