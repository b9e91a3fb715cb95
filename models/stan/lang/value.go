package lang

import (
	"math"
	"strconv"
	"strings"

	"logzlab/core/num"
	"logzlab/models/stan/tape"
)

// Value is the value of an expression. Whole numbers are constants, as all of Stan's fit into a float64.
type Value struct {
	T    Type
	Dims []int // sizes: of arrays, then of the vector or matrix; nil of a number
	X    []tape.Scalar
}

// one is a value of one number.
func scalarValue(t Base, x tape.Scalar) Value { return Value{T: Type{Base: t}, X: []tape.Scalar{x}} }

func RealValue(x tape.Scalar) Value { return scalarValue(RealType, x) }
func IntValue(n int) Value          { return scalarValue(IntType, tape.Const(float64(n))) }

func oneDimensional(t Type, x []tape.Scalar) Value                { return Value{t, []int{len(x)}, x} }
func vector(x []tape.Scalar) Value                                { return oneDimensional(Type{Base: VectorType}, x) }
func Matrix(x []tape.Scalar, m, n int) Value                      { return Value{Type{Base: MatrixType}, []int{m, n}, x} }
func (v Value) Rows() int                                         { return v.Dims[0] }
func (v Value) cols() int                                         { return v.Dims[1] }
func (v Value) at(i, j int) tape.Scalar                           { return v.X[i*v.Dims[1]+j] }
func (v Value) WithElements(x []tape.Scalar) Value                { return Value{v.T, v.Dims, x} }
func (v Value) withTypeAndElements(t Type, x []tape.Scalar) Value { return Value{t, v.Dims, x} }

// Row is row i of a matrix.
func (v Value) Row(i int) []tape.Scalar { return v.X[i*v.Dims[1] : (i+1)*v.Dims[1]] }

// asMatrix sees a vector as a column, a row vector as a row.
func (v Value) asMatrix() Value {
	switch v.T.Base {
	case VectorType:
		return Matrix(v.X, len(v.X), 1)
	case RowVectorType:
		return Matrix(v.X, 1, len(v.X))
	}
	return v
}

// Flip is the transpose.
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

// Columns is a matrix by columns, as Stan orders it; other values are as they are.
func (v Value) ColumnMajor() []tape.Scalar {
	if v.T.Base == MatrixType && v.T.Depth == 0 {
		return tape.Transpose(v.X, v.Rows(), v.cols())
	}
	return v.X
}

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

// Product is the number of elements of some sizes.
func Product(dims []int) int {
	n := 1
	for _, d := range dims {
		n *= d
	}
	return n
}

// int is the number of a whole value.
func (v Value) int() int { return int(clamp(v.X[0])) }

// clamp is a known number within the range of int.
func clamp(s tape.Scalar) float64 {
	c, _ := s.Const()
	if !num.Known(c) {
		return math.MinInt32
	}
	return max(math.MinInt32, min(math.MaxInt32, c))
}

// Ints are whole numbers.
func (v Value) Ints() []int {
	out := make([]int, len(v.X))
	for i, s := range v.X {
		out[i] = int(clamp(s))
	}
	return out
}

// SpellDims writes sizes.
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

func FormatNumber(x tape.Scalar) string {
	c, ok := x.Const()
	if !ok {
		return "?"
	}
	return strconv.FormatFloat(c, 'g', 6, 64)
}
