package lang

import (
	"math"
	"strconv"
	"strings"

	"logzlab/core/num"
	"logzlab/models/stan/tape"
)

// Value is the value of an expression. Integers are constants of the tape, since all ints of Stan are exact in float64.
type Value struct {
	T    Type
	Dims []int         // array sizes, then the sizes of the vector or matrix; nil for a scalar
	X    []tape.Scalar // elements by rows
}

// scalarValue returns a value with one number.
func scalarValue(t Base, x tape.Scalar) Value { return Value{T: Type{Base: t}, X: []tape.Scalar{x}} }

// RealValue returns a real.
func RealValue(x tape.Scalar) Value { return scalarValue(RealType, x) }

// IntValue returns an int.
func IntValue(n int) Value { return scalarValue(IntType, tape.Const(float64(n))) }

// oneDimensional returns a vector, row vector or array of numbers of type t, and vector a vector.
func oneDimensional(t Type, x []tape.Scalar) Value { return Value{t, []int{len(x)}, x} }
func vector(x []tape.Scalar) Value                 { return oneDimensional(Type{Base: VectorType}, x) }

// Matrix returns an m x n matrix with the elements x by rows.
func Matrix(x []tape.Scalar, m, n int) Value { return Value{Type{Base: MatrixType}, []int{m, n}, x} }

// Rows returns the number of rows of a matrix, cols the number of columns, and at element (i, j), counted from 0.
func (v Value) Rows() int               { return v.Dims[0] }
func (v Value) cols() int               { return v.Dims[1] }
func (v Value) at(i, j int) tape.Scalar { return v.X[i*v.Dims[1]+j] }

// WithElements returns a value of the type and sizes of v with the elements x.
func (v Value) WithElements(x []tape.Scalar) Value                { return Value{v.T, v.Dims, x} }
func (v Value) withTypeAndElements(t Type, x []tape.Scalar) Value { return Value{t, v.Dims, x} }

// Row returns row i of a matrix, which shares memory with v.
func (v Value) Row(i int) []tape.Scalar { return v.X[i*v.Dims[1] : (i+1)*v.Dims[1]] }

// asMatrix returns a vector as a column and a row vector as a row.
func (v Value) asMatrix() Value {
	switch v.T.Base {
	case VectorType:
		return Matrix(v.X, len(v.X), 1)
	case RowVectorType:
		return Matrix(v.X, 1, len(v.X))
	}
	return v
}

// Transpose returns the transpose of a vector or matrix.
func (v Value) Transpose() Value {
	switch v.T.Base {
	case VectorType:
		v.T.Base = RowVectorType
	case RowVectorType:
		v.T.Base = VectorType
	default:
		return Matrix(tape.Transpose(v.X, v.Rows(), v.cols()), v.cols(), v.Rows())
	}
	return v
}

// ColumnMajor returns the elements of a matrix by columns, as Stan orders them, and those of other values unchanged.
func (v Value) ColumnMajor() []tape.Scalar {
	if v.T.Base == MatrixType && v.T.Depth == 0 {
		return tape.Transpose(v.X, v.Rows(), v.cols())
	}
	return v.X
}

// SameDims reports whether two lists of sizes are equal.
func SameDims(a, b []int) bool {
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

// Product returns the product of sizes: the number of elements.
func Product(dims []int) int {
	n := 1
	for _, d := range dims {
		n *= d
	}
	return n
}

// int returns an int value, limited to 32 bits.
func (v Value) int() int { return int(clamp(v.X[0])) }

// clamp returns the value of a constant, limited to 32 bits; NaN becomes the minimum.
func clamp(s tape.Scalar) float64 {
	c, _ := s.Const()
	if !num.NotNaN(c) {
		return math.MinInt32
	}
	return max(math.MinInt32, min(math.MaxInt32, c))
}

// Ints returns the elements of an array of ints.
func (v Value) Ints() []int {
	out := make([]int, len(v.X))
	for i, s := range v.X {
		out[i] = int(clamp(s))
	}
	return out
}

// FormatDims formats sizes as 2 x 3.
func FormatDims(dims []int) string {
	if len(dims) == 0 {
		return "1"
	}
	var s []string
	for _, d := range dims {
		s = append(s, strconv.Itoa(d))
	}
	return strings.Join(s, " x ")
}

// FormatNumber formats a constant with six digits, and any other number as ?.
func FormatNumber(x tape.Scalar) string {
	c, ok := x.Const()
	if !ok {
		return "?"
	}
	return strconv.FormatFloat(c, 'g', 6, 64)
}
