package stan

import (
	"math"

	"logzlab/core/problem"
	"logzlab/core/tape"
)

// value is what an expression is. Whole numbers are constants, as all of Stan's fit into a float64.
type value struct {
	t    typ
	dims []int // sizes: of arrays, then of the vector or matrix; nil of a number
	x    []tape.Scalar
}

// one is a value of one number.
func one(t base, x tape.Scalar) value { return value{t: typ{base: t}, x: []tape.Scalar{x}} }

func realValue(x tape.Scalar) value { return one(realType, x) }
func intValue(n int) value          { return one(intType, tape.Const(float64(n))) }

func list(t typ, x []tape.Scalar) value         { return value{t, []int{len(x)}, x} }
func vector(x []tape.Scalar) value              { return list(typ{base: vectorType}, x) }
func matrix(x []tape.Scalar, m, n int) value    { return value{typ{base: matrixType}, []int{m, n}, x} }
func (v value) rows() int                       { return v.dims[0] }
func (v value) cols() int                       { return v.dims[1] }
func (v value) at(i, j int) tape.Scalar         { return v.x[i*v.dims[1]+j] }
func (v value) with(x []tape.Scalar) value      { return value{v.t, v.dims, x} }
func (v value) as(t typ, x []tape.Scalar) value { return value{t, v.dims, x} }

// row is row i of a matrix.
func (v value) row(i int) []tape.Scalar { return v.x[i*v.dims[1] : (i+1)*v.dims[1]] }

// transposed is a matrix of m x n, by rows, the other way.
func transposed(x []tape.Scalar, m, n int) []tape.Scalar {
	out := make([]tape.Scalar, len(x))
	for i := range m {
		for j := range n {
			out[j*m+i] = x[i*n+j]
		}
	}
	return out
}

// asMatrix sees a vector as a column, a row vector as a row.
func (v value) asMatrix() value {
	switch v.t.base {
	case vectorType:
		return matrix(v.x, len(v.x), 1)
	case rowType:
		return matrix(v.x, 1, len(v.x))
	}
	return v
}

// flip is the transpose.
func (v value) flip() value {
	switch v.t.base {
	case vectorType:
		v.t.base = rowType
	case rowType:
		v.t.base = vectorType
	default:
		return matrix(transposed(v.x, v.rows(), v.cols()), v.cols(), v.rows())
	}
	return v
}

// columns is a matrix by columns, as Stan orders it; other values are as they are.
func (v value) columns() []tape.Scalar {
	if v.t.base == matrixType && v.t.depth == 0 {
		return transposed(v.x, v.rows(), v.cols())
	}
	return v.x
}

func sameDims(a, b []int) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// product is the number of elements of some sizes.
func product(dims []int) int {
	n := 1
	for _, d := range dims {
		n *= d
	}
	return n
}

// maxElements is the most elements that a value may have, and that live variables may have together.
const maxElements = 8_000_000

// room refuses what is too large. It returns the number of elements.
func (r *run) room(dims ...int) int {
	n := 1.0
	for _, d := range dims {
		if d < 0 {
			r.fail(problem.New("a size cannot be %d", d))
		}
		n *= float64(d)
	}
	if n > maxElements {
		r.fail(problem.New("%.0f numbers are too many; at most %d are possible", n, maxElements))
	}
	r.step(int(n) / 8)
	return int(n)
}

// int is the number of a whole value.
func (v value) int() int { return int(clamp(v.x[0])) }

// clamp is a known number within the range of int.
func clamp(s tape.Scalar) float64 {
	c, _ := s.Const()
	if c != c {
		return math.MinInt32
	}
	return max(math.MinInt32, min(math.MaxInt32, c))
}

// ints are whole numbers.
func (v value) ints() []int {
	out := make([]int, len(v.x))
	for i, s := range v.x {
		out[i] = int(clamp(s))
	}
	return out
}

// numbers are the values of constants; what depends on a parameter fails.
func (r *run) numbers(x []tape.Scalar, what string) []float64 {
	out := make([]float64, len(x))
	for i, s := range x {
		c, ok := s.Const()
		if !ok {
			r.fail(problem.New("%s depends on a parameter here; it must depend on data alone", what))
		}
		out[i] = c
	}
	return out
}
