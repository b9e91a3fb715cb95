package stan

import (
	"logzlab/core/problem"
	"logzlab/core/tape"
)

// codes are the operations of operators by element.
var codes = map[string]tape.Code{"+": tape.Add, "-": tape.Sub, "*": tape.Mul, ".*": tape.Mul, "/": tape.Div,
	"./": tape.Div}

// power is x^y by element.
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

// binary is an operator between values that are not both numbers.
func (r *run) binary(op string, t typ, a, b value) value {
	matrices := !a.t.scalar() && !b.t.scalar()
	switch {
	case a.t.scalar() && b.t.scalar():
		x := r.arithmetic(op, a.t.base == intType && b.t.base == intType && op != "^" && op != ".^", a.x[0], b.x[0])
		return value{t: t, x: []tape.Scalar{x}}
	case op == "*" && matrices:
		return r.times(a, b, t)
	case op == "/" && matrices:
		return r.solveGeneral(b.flip(), a.flip()).flip()
	case op == "\\":
		return r.solveGeneral(a, b)
	}
	if matrices && !sameDims(a.dims, b.dims) {
		r.fail(problem.New("the sizes %s and %s do not go together", spellDims(a.dims), spellDims(b.dims)))
	}
	dims := a.dims
	if a.t.scalar() {
		dims = b.dims
	}
	n := product(dims)
	r.step(25 + n/2)
	if n == 0 {
		return value{t, dims, nil}
	}
	if op == "^" || op == ".^" {
		return value{t, dims, power(r.b, a.x, b.x)}
	}
	return value{t, dims, r.b.Map(codes[op], a.x, b.x)}
}

// times is the product of vectors and matrices.
func (r *run) times(a, b value, t typ) value {
	if a.t.base == rowType && b.t.base == vectorType {
		return r.dot(a, b)
	}
	x, y := a.asMatrix(), b.asMatrix()
	if x.cols() != y.rows() {
		r.fail(problem.New("the sizes %s and %s do not go together", spellDims(a.dims), spellDims(b.dims)))
	}
	m, n := x.rows(), y.cols()
	r.room(m, n)
	r.step(int(min(float64(m)*float64(n)*float64(x.cols())/8, maxSteps)))
	out := matrix(r.b.MatMul(x.x, y.x, m, x.cols(), n), m, n)
	if t.base != matrixType {
		out.dims = []int{m * n}
	}
	out.t = t
	return out
}

// dot is the sum of products.
func (r *run) dot(a, b value) value {
	if len(a.x) != len(b.x) {
		r.fail(problem.New("the sizes %s and %s do not go together", spellDims(a.dims), spellDims(b.dims)))
	}
	return realValue(r.b.Dot(a.x, b.x))
}

// operatorFunctions are operators under their names.
var operatorFunctions = []builtin{operatorNamed("add", "+"), operatorNamed("subtract", "-"),
	operatorNamed("multiply", "*"), operatorNamed("divide", "/"), operatorNamed("elt_multiply", ".*"),
	operatorNamed("elt_divide", "./"), operatorNamed("modulus", "%"), operatorNamed("mdivide_left", "\\"),
	operatorNamed("mdivide_right", "/"), operatorNamed("logical_eq", "=="), operatorNamed("logical_neq", "!="),
	operatorNamed("logical_lt", "<"), operatorNamed("logical_lte", "<="), operatorNamed("logical_gt", ">"),
	operatorNamed("logical_gte", ">=")}

func operatorNamed(name, op string) builtin {
	return builtin{names: name,
		typeOf: func(args []typ) (typ, bool) {
			if len(args) != 2 {
				return typ{}, false
			}
			return binaryType(op, args[0], args[1])
		},
		do: func(r *run, t typ, a []value) value { return r.binary(op, t, a[0], a[1]) }}
}
