package stan

import (
	"logzlab/core/problem"
	"logzlab/models/stan/lang"
	"logzlab/models/stan/syntax"
	"logzlab/models/stan/tape"
)

// eval is the value of an expression. It may share memory with a variable, so it is never changed.
func (r *run) eval(e *syntax.Expr) lang.Value {
	if r.alone.term(e) {
		return lang.RealValue(tape.Const(0))
	}
	switch e.Node {
	case syntax.NameNode:
		r.Step(0)
		return r.frame[e.Sym.Slot]
	case syntax.CallNode, syntax.DensityNode:
		return r.call(e)

	// Operations; a single number is left to num.
	case syntax.IndexNode:
		if !e.Type.Scalar() {
			r.Step(0)
			return r.part(e)
		}
	case syntax.UnaryNode:
		if !e.Type.Scalar() {
			return r.negate(e, r.useAll(e.Args[0], r.eval(e.Args[0])))
		}
	case syntax.BinaryNode:
		if !e.Type.Scalar() {
			a, b := r.useAll(e.Args[0], r.eval(e.Args[0])), r.useAll(e.Args[1], r.eval(e.Args[1]))
			r.At = e.At
			return r.Binary(e.Name, e.Type, a, b)
		}
	case syntax.TernaryNode:
		v := r.ternary(e)
		v.T = e.Type
		return v
	case syntax.TransposeNode:
		return r.eval(e.Args[0]).Flip()
	case syntax.ArrayNode:
		return r.array(e)
	case syntax.RowNode:
		return r.rowOf(e)
	case syntax.TupleNode:
		var parts []lang.Value
		for _, a := range e.Args {
			parts = append(parts, r.eval(a))
		}
		v := lang.Tuple(e.Type, parts...)
		r.Step(25 + len(v.X)/8)
		return v
	case syntax.PartNode:
		r.Step(25)
		return r.eval(e.Args[0]).Part(int(e.Num) - 1)
	}
	return lang.Value{T: e.Type, X: []tape.Scalar{r.num(e)}}
}

// ternary is a ? b : c.
func (r *run) ternary(e *syntax.Expr) (v lang.Value) {
	x := r.num(e.Args[0])
	if c, known := x.Const(); known {
		if c != 0 {
			return r.eval(e.Args[1])
		}
		return r.eval(e.Args[2])
	}
	yes := r.side(nil, func() flow { v = r.eval(e.Args[1]); return onward })
	holds := v
	no := r.side(nil, func() flow { v = r.eval(e.Args[2]); return onward })
	r.At = e.At
	r.join(x, yes, no)
	return r.Choose(x, holds, v)
}

// num is the value of an expression that is one number.
func (r *run) num(e *syntax.Expr) tape.Scalar {
	if r.alone.term(e) {
		return tape.Const(0)
	}
	r.Step(0)
	switch e.Node {
	case syntax.LiteralNode:
		return tape.Const(e.Num)
	case syntax.NameNode:
		return r.use(e, r.frame[e.Sym.Slot].X[0])
	case syntax.IndexNode:
		return r.use(e, r.Element(e))
	case syntax.UnaryNode:
		return r.sign(e, r.num(e.Args[0]))

	// Operators; even sides that are vectors can give a number.
	case syntax.BinaryNode:
		if e.Name == "&&" || e.Name == "||" {
			return r.logic(e)
		}
		if a := e.Args[0].Type; !a.Scalar() || !e.Args[1].Type.Scalar() {
			x, y := r.useAll(e.Args[0], r.eval(e.Args[0])), r.useAll(e.Args[1], r.eval(e.Args[1]))
			r.At = e.At
			return r.Binary(e.Name, e.Type, x, y).X[0]
		}
		x, y := r.num(e.Args[0]), r.num(e.Args[1])
		if r.At = e.At; e.Type.Base == lang.IntType && !tape.AllConst(x, y) {
			r.At = e.Start
		}
		return r.Arithmetic(e.Name, e.Type.Base == lang.IntType, x, y)
	case syntax.TernaryNode:
		return r.ternary(e).X[0]
	case syntax.TargetNode:
		return r.B.Sum(r.terms)
	}

	// Any other expression, with one element.
	v := r.eval(e)
	if len(v.X) != 1 {
		lang.Fail(e.At, problem.New("expected one number, found %d", len(v.X)))
	}
	return v.X[0]
}

// sign is -x, +x or !x.
func (r *run) sign(e *syntax.Expr, x tape.Scalar) tape.Scalar {
	c, ok := x.Const()
	switch {
	case e.Name == "+":
		return x
	case e.Name == "!":
		if !ok {
			return r.Not(x)
		}
		return lang.TruthOf(c == 0)
	case ok:
		return tape.Const(-c)
	}
	r.Step(25)
	return r.B.Do(tape.Neg, x)
}

func (r *run) negate(e *syntax.Expr, v lang.Value) lang.Value {
	if e.Name == "+" {
		return v
	}
	return v.With(r.B.Map(tape.Neg, v.X))
}

// logic is && and ||, whose second side is left alone where the first decides.
func (r *run) logic(e *syntax.Expr) tape.Scalar {
	x, or := r.num(e.Args[0]), e.Name == "||"
	if c, known := x.Const(); known {
		if c != 0 == or {
			return lang.TruthOf(or)
		}
		return r.Truth(r.num(e.Args[1]))
	}
	y := r.Truth(r.num(e.Args[1]))
	if or {
		return r.B.Do(tape.Select, x, lang.TruthOf(true), y)
	}
	return r.B.Do(tape.Select, x, y, lang.TruthOf(false))
}

// call calls a function.
func (r *run) call(e *syntax.Expr) lang.Value {
	r.Step(0)
	if e.User != nil {
		return r.invoke(e)
	}
	if e.Builtin.Refuse != nil {
		lang.Fail(e.At, problem.New("%s: %w", e.Name, e.Builtin.Refuse))
	}
	r.Step(4)
	args := make([]lang.Value, len(e.Args))
	for i, a := range e.Args {
		args[i] = r.eval(a)
		if args[i].T.Any() || a.Type.Any() {
			lang.Fail(a.At, problem.New("this function is not supported"))
		}
		if e.Type.Base != lang.IntType && !selects[e.Name] { // as size(v)
			r.useAll(a, args[i])
		}
		lang.WantKnown(a.Start, args[i])
	}

	if v, out := r.alone.leavesOut(e, args); out {
		return v
	}

	// The prior that it may be, and the value.
	r.onLeft(e, args)
	if e.Prior != nil {
		r.cuts(e, args)
	}
	r.At = e.At
	if v, ok := r.transform(e, args); ok {
		return v
	}
	if e.Builtin.Each != nil {
		return r.Mapped(e.Builtin, e.Type, args)
	}
	v := e.Builtin.Do(&r.Emitter, e.Type, args)
	v.T = e.Type
	if r.RoomOf(v.T, v.Dims); e.Prior == nil {
		r.mayCut(e, args, v)
	}
	return v
}

// array is {a, b}.
func (r *run) array(e *syntax.Expr) lang.Value {
	out := lang.Value{T: e.Type}
	for i, a := range e.Args {
		v := r.eval(a)
		if i == 0 {
			out.Dims = append([]int{len(e.Args)}, v.Dims...)
		} else if !lang.SameDims(out.Dims[1:], v.Dims) {
			lang.Fail(a.At, problem.New("the sizes %s and %s do not match", lang.SpellDims(out.Dims[1:]),
				lang.SpellDims(v.Dims)))
		}
		out.X = append(out.X, v.X...)
		r.Step(len(v.X) / 8)
	}
	return out
}

// rowOf is [a, b]: a row vector of numbers, or a matrix of row vectors.
func (r *run) rowOf(e *syntax.Expr) lang.Value {
	v := r.array(e)
	if e.Type.Base == lang.MatrixType && len(v.Dims) != 2 || len(v.Dims) == 0 {
		v.Dims = []int{len(v.X)}
	}
	return v
}
