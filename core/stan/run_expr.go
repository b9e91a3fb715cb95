package stan

import (
	"math"
	"strconv"
	"strings"

	"logzlab/core/num"
	"logzlab/core/problem"
	"logzlab/core/tape"
)

// eval is the value of an expression. It may share memory with a variable, so it is never changed.
func (r *run) eval(e *expr) value {
	switch e.node {
	case nameNode:
		r.step(0)
		return r.frame[e.sym.slot]
	case callNode, densityNode:
		return r.call(e)
	case indexNode:
		if !e.typ.scalar() {
			r.step(0)
			return r.part(e)
		}
	case unaryNode:
		if !e.typ.scalar() {
			return r.negate(e, r.eval(e.args[0]))
		}
	case binaryNode:
		if !e.typ.scalar() {
			a, b := r.eval(e.args[0]), r.eval(e.args[1])
			r.at = e.at
			return r.binary(e.name, e.typ, a, b)
		}
	case ternaryNode:
		v := r.eval(e.args[2-r.choice(e)])
		v.t = e.typ
		return v
	case transposeNode:
		return r.eval(e.args[0]).flip()
	case arrayNode:
		return r.array(e)
	case rowNode:
		return r.rowOf(e)
	}
	return value{t: e.typ, x: []tape.Scalar{r.num(e)}}
}

// choice is 1 where the condition of a ternary holds, else 0.
func (r *run) choice(e *expr) int {
	if r.truth(e.args[0]) {
		return 1
	}
	return 0
}

// num is the value of an expression that is one number.
func (r *run) num(e *expr) tape.Scalar {
	r.step(0)
	switch e.node {
	case literalNode:
		return tape.Const(e.num)
	case nameNode:
		return r.frame[e.sym.slot].x[0]
	case indexNode:
		return r.element(e)
	case unaryNode:
		return r.sign(e, r.num(e.args[0]))
	case binaryNode:
		if e.name == "&&" || e.name == "||" {
			return r.logic(e)
		}
		if a := e.args[0].typ; !a.scalar() || !e.args[1].typ.scalar() {
			x, y := r.eval(e.args[0]), r.eval(e.args[1])
			r.at = e.at
			return r.binary(e.name, e.typ, x, y).x[0]
		}
		x, y := r.num(e.args[0]), r.num(e.args[1])
		if r.at = e.at; e.typ.base == intType && !tape.Known(x, y) {
			r.at = e.start
		}
		return r.arithmetic(e.name, e.typ.base == intType, x, y)
	case ternaryNode:
		return r.num(e.args[2-r.choice(e)])
	case targetNode:
		return r.b.Sum(r.terms)
	}
	v := r.eval(e)
	if len(v.x) != 1 {
		fail(e.at, problem.New("one number was expected, not %d", len(v.x)))
	}
	return v.x[0]
}

// sign is -x, +x or !x.
func (r *run) sign(e *expr, x tape.Scalar) tape.Scalar {
	c, ok := x.Const()
	switch {
	case e.name == "+":
		return x
	case e.name == "!":
		if !ok {
			fail(e.at, errDepends)
		}
		return truthOf(c == 0)
	case ok:
		return tape.Const(-c)
	}
	r.step(25)
	return r.b.Do(tape.Neg, x)
}

func (r *run) negate(e *expr, v value) value {
	if e.name == "+" {
		return v
	}
	return v.with(r.b.Map(tape.Neg, v.x))
}

func truthOf(b bool) tape.Scalar {
	if b {
		return tape.Const(1)
	}
	return tape.Scalar{}
}

// logic is && and ||, whose second side is left alone where the first decides.
func (r *run) logic(e *expr) tape.Scalar {
	if r.truth(e.args[0]) == (e.name == "||") {
		return truthOf(e.name == "||")
	}
	return truthOf(r.truth(e.args[1]))
}

// compare compares two numbers; ok is false for other operators.
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

// arithmetic is an operator between two numbers.
func (r *run) arithmetic(op string, ints bool, x, y tape.Scalar) tape.Scalar {
	a, known := x.Const()
	b, also := y.Const()
	known = known && also
	if holds, ok := compare(op, a, b); ok {
		if !known {
			r.fail(errDepends)
		}
		return truthOf(holds)
	}
	switch {
	case ints:
		return r.wholeArithmetic(op, a, b)
	case op == "^" || op == ".^":
		return power(r.b, []tape.Scalar{x}, []tape.Scalar{y})[0]
	case !known:
		r.step(25)
		return r.b.Do(codes[op], x, y)
	}
	switch op {
	case "+":
		a += b
	case "-":
		a -= b
	case "*", ".*":
		a = num.Mul(a, b)
	default:
		a /= b
	}
	return tape.Const(a)
}

func (r *run) wholeArithmetic(op string, a, b float64) tape.Scalar {
	switch op {
	case "+":
		a += b
	case "-":
		a -= b
	case "*", ".*":
		a = num.Mul(a, b)
	default:
		if b == 0 {
			r.fail(problem.New("a whole number is divided by 0 here"))
		}
		if op == "%" {
			a = math.Mod(a, b)
		} else {
			a = math.Trunc(a / b)
		}
	}
	if math.Abs(a) > math.MaxInt32+1 {
		r.fail(problem.New("the whole number %v is beyond 2147483647", a))
	}
	return tape.Const(a + 0) // not -0
}

// call calls a function.
func (r *run) call(e *expr) value {
	r.step(0)
	if e.user != nil {
		return r.invoke(e)
	}
	if e.fn.refuse != nil {
		fail(e.at, problem.New("%s: %w", e.name, e.fn.refuse))
	}
	r.step(4)
	args := make([]value, len(e.args))
	for i, a := range e.args {
		args[i] = r.eval(a)
		if args[i].t.any() || a.typ.any() {
			fail(a.at, problem.New("this function is not offered here"))
		}
	}
	if e.prior != nil {
		r.cuts(e, args)
	}
	r.at = e.at
	if e.fn.each != nil {
		return r.mapped(e.fn, e.typ, args)
	}
	v := e.fn.do(r, e.typ, args)
	v.t = e.typ
	r.room(v.dims...)
	return v
}

// mapped calls a function by element.
func (r *run) mapped(f *builtin, t typ, args []value) value {
	var dims []int
	x := make([][]tape.Scalar, len(args))
	for i, a := range args {
		if x[i] = a.x; a.t.scalar() {
			continue
		}
		if dims != nil && !sameDims(dims, a.dims) {
			r.fail(problem.New("the sizes %s and %s do not go together", spellDims(dims), spellDims(a.dims)))
		}
		dims = a.dims
	}
	n := product(dims)
	r.step(25 + n/2)
	if n == 0 {
		return value{t, dims, nil}
	}
	return value{t, dims, f.each(r.b, x...)}
}

// array is {a, b}.
func (r *run) array(e *expr) value {
	out := value{t: e.typ}
	for i, a := range e.args {
		v := r.eval(a)
		if i == 0 {
			out.dims = append([]int{len(e.args)}, v.dims...)
		} else if !sameDims(out.dims[1:], v.dims) {
			fail(a.at, problem.New("the sizes %s and %s do not go together", spellDims(out.dims[1:]), spellDims(v.dims)))
		}
		out.x = append(out.x, v.x...)
		r.step(len(v.x) / 8)
	}
	return out
}

// rowOf is [a, b]: a row vector of numbers, or a matrix of row vectors.
func (r *run) rowOf(e *expr) value {
	v := r.array(e)
	if e.typ.base == matrixType && len(v.dims) != 2 || len(v.dims) == 0 {
		v.dims = []int{len(v.x)}
	}
	return v
}

// spellDims writes sizes.
func spellDims(dims []int) string {
	if len(dims) == 0 {
		return "1"
	}
	var s []string
	for _, d := range dims {
		s = append(s, strconv.Itoa(d))
	}
	return strings.Join(s, " x ")
}

func spellNumber(x tape.Scalar) string {
	c, ok := x.Const()
	if !ok {
		return "?"
	}
	return strconv.FormatFloat(c, 'g', 6, 64)
}
