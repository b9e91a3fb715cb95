package lang

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/problem"
	"logzlab/models/stan/tape"
)

// elementwiseOps holds the tape operations of elementwise operators.
var elementwiseOps = map[string]tape.Code{"+": tape.Add, "-": tape.Sub, "*": tape.Mul, ".*": tape.Mul, "/": tape.Div,
	"./": tape.Div}

// power emits x^y elementwise.
func power(b *tape.Builder, x ...[]tape.Scalar) []tape.Scalar {
	if y, ok := x[1][0].Const(); ok && len(x[1]) == 1 {
		switch y {
		case 0.5:
			return b.Map(tape.Sqrt, x[0])
		case 1:
			return x[0]
		case 2:
			return b.Map(tape.Square, x[0])
		case -1:
			return b.Map(tape.Inv, x[0])
		}
	}
	return b.Map(tape.Pow, x[0], x[1])
}

// Binary emits a binary operator. t is the type of the result.
func (r *Emitter) Binary(op string, t Type, a, b Value) Value {
	matrices := !a.T.IsScalar() && !b.T.IsScalar()
	switch {
	case a.T.IsScalar() && b.T.IsScalar():
		x := r.Arithmetic(op, a.T.Base == IntType && b.T.Base == IntType && op != "^" && op != ".^", a.X[0], b.X[0])
		return Value{T: t, X: []tape.Scalar{x}}
	case op == "*" && matrices:
		return r.matrixProduct(a, b, t)
	case op == "/" && matrices:
		return r.solveGeneral(b.Transpose(), a.Transpose()).Transpose()
	case op == "\\":
		return r.solveGeneral(a, b)
	}
	if matrices && !SameDims(a.Dims, b.Dims) {
		r.Fail(problem.New("the sizes %s and %s do not match", FormatDims(a.Dims), FormatDims(b.Dims)))
	}
	dims := a.Dims
	if a.T.IsScalar() {
		dims = b.Dims
	}
	n := Product(dims)
	r.CountSteps(25 + n/2)
	if n == 0 {
		return Value{t, dims, nil}
	}
	if op == "^" || op == ".^" {
		return Value{t, dims, power(r.B, a.X, b.X)}
	}
	return Value{t, dims, r.B.Map(elementwiseOps[op], a.X, b.X)}
}

// matrixProduct emits the product of vectors and matrices.
func (r *Emitter) matrixProduct(a, b Value, t Type) Value {
	if a.T.Base == RowVectorType && b.T.Base == VectorType {
		return r.dot(a, b)
	}
	x, y := a.asMatrix(), b.asMatrix()
	if x.cols() != y.Rows() {
		r.Fail(problem.New("the sizes %s and %s do not match", FormatDims(a.Dims), FormatDims(b.Dims)))
	}
	m, n := x.Rows(), y.cols()
	r.CheckSize(m, n)
	r.CountSteps(int(min(float64(m)*float64(n)*float64(x.cols())/8, MaxSteps)))
	out := Matrix(r.B.MatMul(x.X, y.X, m, x.cols(), n), m, n)
	if t.Base != MatrixType {
		out.Dims = []int{m * n}
	}
	out.T = t
	return out
}

// dot emits the dot product.
func (r *Emitter) dot(a, b Value) Value {
	if len(a.X) != len(b.X) {
		r.Fail(problem.New("the sizes %s and %s do not match", FormatDims(a.Dims), FormatDims(b.Dims)))
	}
	return RealValue(r.B.Dot(a.X, b.X))
}

// operatorFunctions are functions that do the same as an operator.
var operatorFunctions = []Builtin{operatorNamed("add", "+"), operatorNamed("subtract", "-"),
	operatorNamed("multiply", "*"), operatorNamed("divide", "/"), operatorNamed("elt_multiply", ".*"),
	operatorNamed("elt_divide", "./"), operatorNamed("modulus", "%"), operatorNamed("mdivide_left", "\\"),
	operatorNamed("mdivide_right", "/"), operatorNamed("logical_eq", "=="), operatorNamed("logical_neq", "!="),
	operatorNamed("logical_lt", "<"), operatorNamed("logical_lte", "<="), operatorNamed("logical_gt", ">"),
	operatorNamed("logical_gte", ">=")}

// operatorNamed returns the function of an operator.
func operatorNamed(name, op string) Builtin {
	return Builtin{names: name,
		TypeRule: func(args []Type) (Type, bool) {
			if len(args) != 2 {
				return Type{}, false
			}
			return BinaryType(op, args[0], args[1])
		},
		Emit: func(r *Emitter, t Type, a []Value) Value { return r.Binary(op, t, a[0], a[1]) }}
}

// BoolScalar returns the constant 1 or 0.
func BoolScalar(b bool) tape.Scalar {
	if b {
		return tape.Const(1)
	}
	return tape.Scalar{}
}

// compare compares two numbers. ok is false if op is not a comparison.
func compare(op string, a, b float64) (holds, ok bool) {
	switch op {
	case "==":
		return a == b, true
	case "!=":
		return a != b, true
	case "<":
		return a < b, true
	case "<=":
		return a <= b, true
	case ">":
		return a > b, true
	case ">=":
		return a >= b, true
	}
	return false, false
}

// Arithmetic emits a binary operator on scalars. ints selects integer arithmetic.
func (r *Emitter) Arithmetic(op string, ints bool, x, y tape.Scalar) tape.Scalar {
	a, known := x.Const()
	b, also := y.Const()
	known = known && also
	if holds, ok := compare(op, a, b); ok {
		if !known {
			return r.emitComparison(op, x, y)
		}
		return BoolScalar(holds)
	}
	switch {
	case ints && !known && (op == "/" || elementwiseOps[op] == tape.Copy):
		r.Fail(errParameterInt)
	case ints && known:
		return r.intArithmetic(op, a, b)
	case op == "^" || op == ".^":
		return power(r.B, []tape.Scalar{x}, []tape.Scalar{y})[0]
	case !known:
		r.CountSteps(25)
		return r.B.Do(elementwiseOps[op], x, y)
	}
	return tape.Const(constantResult(op, a, b))
}

// constantResult returns a + b, a - b, a b or a/b.
func constantResult(op string, a, b float64) float64 {
	switch op {
	case "+":
		return a + b
	case "-":
		return a - b
	case "*", ".*":
		return num.Mul(a, b)
	}
	return a / b
}

// intArithmetic returns the result of integer arithmetic on constants. It fails on division by 0 and on overflow.
func (r *Emitter) intArithmetic(op string, a, b float64) tape.Scalar {
	divides := op != "+" && op != "-" && op != "*" && op != ".*"
	if divides && b == 0 {
		r.Fail(problem.New("integer division by 0"))
	}
	switch {
	case op == "%":
		a = math.Mod(a, b)
	case divides:
		a = math.Trunc(a / b)
	default:
		a = constantResult(op, a, b)
	}
	if math.Abs(a) > math.MaxInt32+1 {
		r.Fail(problem.New("the integer %v is out of range; the largest is 2147483647", a))
	}
	return tape.Const(a + 0) // adding 0 turns -0 into 0
}
