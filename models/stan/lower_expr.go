package stan

import (
	"logzlab/core/problem"
	"logzlab/models/stan/lang"
	"logzlab/models/stan/syntax"
	"logzlab/models/stan/tape"
)

// value lowers an expression. The value may share memory with a variable and must not be changed.
func (r *lowerer) value(e *syntax.Expr) lang.Value {
	if r.priorsOnly.omitTerm(e) {
		return lang.RealValue(tape.Const(0))
	}
	switch e.Kind {
	case syntax.NameNode:
		r.CountSteps(0)
		return r.frame[e.Sym.Slot]
	case syntax.CallNode, syntax.DensityNode:
		return r.call(e)

	// Operations; scalar lowers those whose result is a single number.
	case syntax.IndexNode:
		if !e.Type.IsScalar() {
			r.CountSteps(0)
			return r.slice(e)
		}
	case syntax.UnaryNode:
		if !e.Type.IsScalar() {
			return r.negate(e, r.checkAllInitialised(e.Args[0], r.value(e.Args[0])))
		}
	case syntax.BinaryNode:
		if !e.Type.IsScalar() {
			a, b := r.checkAllInitialised(e.Args[0], r.value(e.Args[0])), r.checkAllInitialised(e.Args[1], r.value(e.Args[1]))
			r.Pos = e.Pos
			return r.Binary(e.Name, e.Type, a, b)
		}
	case syntax.TernaryNode:
		v := r.ternary(e)
		v.T = e.Type
		return v
	case syntax.TransposeNode:
		return r.value(e.Args[0]).Transpose()
	case syntax.ArrayNode:
		return r.array(e)
	case syntax.RowNode:
		return r.rowOf(e)
	case syntax.TupleNode:
		var parts []lang.Value
		for _, a := range e.Args {
			parts = append(parts, r.value(a))
		}
		v := lang.Tuple(e.Type, parts...)
		r.CountSteps(25 + len(v.X)/8)
		return v
	case syntax.TuplePartNode:
		r.CountSteps(25)
		return r.value(e.Args[0]).Part(int(e.Num) - 1)
	}
	return lang.Value{T: e.Type, X: []tape.Scalar{r.scalar(e)}}
}

// ternary lowers a ? b : c.
func (r *lowerer) ternary(e *syntax.Expr) (v lang.Value) {
	x := r.scalar(e.Args[0])
	if c, known := x.Const(); known {
		if c != 0 {
			return r.value(e.Args[1])
		}
		return r.value(e.Args[2])
	}
	yes := r.lowerBranch(nil, func() controlFlow { v = r.value(e.Args[1]); return flowNext })
	yesValue := v
	no := r.lowerBranch(nil, func() controlFlow { v = r.value(e.Args[2]); return flowNext })
	r.Pos = e.Pos
	r.joinBranches(x, yes, no)
	return r.Select(x, yesValue, v)
}

// scalar lowers an expression that is one number.
func (r *lowerer) scalar(e *syntax.Expr) tape.Scalar {
	if r.priorsOnly.omitTerm(e) {
		return tape.Const(0)
	}
	r.CountSteps(0)
	switch e.Kind {
	case syntax.LiteralNode:
		return tape.Const(e.Num)
	case syntax.NameNode:
		return r.checkInitialised(e, r.frame[e.Sym.Slot].X[0])
	case syntax.IndexNode:
		return r.checkInitialised(e, r.element(e))
	case syntax.UnaryNode:
		return r.sign(e, r.scalar(e.Args[0]))

	// Operators; the product of two vectors can be a number, too.
	case syntax.BinaryNode:
		if e.Name == "&&" || e.Name == "||" {
			return r.logic(e)
		}
		if a := e.Args[0].Type; !a.IsScalar() || !e.Args[1].Type.IsScalar() {
			x, y := r.checkAllInitialised(e.Args[0], r.value(e.Args[0])), r.checkAllInitialised(e.Args[1], r.value(e.Args[1]))
			r.Pos = e.Pos
			return r.Binary(e.Name, e.Type, x, y).X[0]
		}
		x, y := r.scalar(e.Args[0]), r.scalar(e.Args[1])
		if r.Pos = e.Pos; e.Type.Base == lang.IntType && !tape.AllConst(x, y) {
			r.Pos = e.Start
		}
		return r.Arithmetic(e.Name, e.Type.Base == lang.IntType, x, y)
	case syntax.TernaryNode:
		return r.ternary(e).X[0]
	case syntax.TargetNode:
		return r.B.Sum(r.terms)
	}

	// Any other expression, with one element.
	v := r.value(e)
	if len(v.X) != 1 {
		lang.Fail(e.Pos, problem.New("expected one number, found %d", len(v.X)))
	}
	return v.X[0]
}

// sign lowers -x, +x or !x.
func (r *lowerer) sign(e *syntax.Expr, x tape.Scalar) tape.Scalar {
	c, ok := x.Const()
	switch {
	case e.Name == "+":
		return x
	case e.Name == "!":
		if !ok {
			return r.Not(x)
		}
		return lang.BoolScalar(c == 0)
	case ok:
		return tape.Const(-c)
	}
	r.CountSteps(25)
	return r.B.Do(tape.Neg, x)
}

// negate lowers -v or +v.
func (r *lowerer) negate(e *syntax.Expr, v lang.Value) lang.Value {
	if e.Name == "+" {
		return v
	}
	return v.WithElements(r.B.Map(tape.Neg, v.X))
}

// logic lowers && and ||. The second operand is not evaluated if a constant first one decides.
func (r *lowerer) logic(e *syntax.Expr) tape.Scalar {
	x, or := r.scalar(e.Args[0]), e.Name == "||"
	if c, known := x.Const(); known {
		if c != 0 == or {
			return lang.BoolScalar(or)
		}
		return r.ToBool(r.scalar(e.Args[1]))
	}
	y := r.ToBool(r.scalar(e.Args[1]))
	if or {
		return r.B.Do(tape.Select, x, lang.BoolScalar(true), y)
	}
	return r.B.Do(tape.Select, x, y, lang.BoolScalar(false))
}

// call lowers a function call.
func (r *lowerer) call(e *syntax.Expr) lang.Value {
	r.CountSteps(0)
	if e.User != nil {
		return r.invoke(e)
	}
	if e.Builtin.Unsupported != nil {
		lang.Fail(e.Pos, problem.New("%s: %w", e.Name, e.Builtin.Unsupported))
	}
	r.CountSteps(4)
	args := make([]lang.Value, len(e.Args))
	for i, a := range e.Args {
		args[i] = r.value(a)
		if args[i].T.IsUnsupported() || a.Type.IsUnsupported() {
			lang.Fail(a.Pos, problem.New("this function is not supported"))
		}
		if e.Type.Base != lang.IntType && !rearranging[e.Name] { // functions such as size(v) do not read the elements
			r.checkAllInitialised(a, args[i])
		}
		lang.RequireConstantInts(a.Start, args[i])
	}

	if v, omitted := r.priorsOnly.omitCall(e, args); omitted {
		return v
	}

	// A density may be a prior.
	r.noteOutcomes(e, args)
	if e.Prior != nil {
		r.noteTruncatedPrior(e, args)
	}
	r.Pos = e.Pos
	if v, ok := r.callTransform(e, args); ok {
		return v
	}
	if e.Builtin.Elementwise != nil {
		return r.ApplyElementwise(e.Builtin, e.Type, args)
	}
	v := e.Builtin.Emit(&r.Emitter, e.Type, args)
	v.T = e.Type
	if r.CheckSizeOf(v.T, v.Dims); e.Prior == nil {
		r.noteIndirectDensity(e, args, v)
	}
	return v
}

// array lowers {a, b}.
func (r *lowerer) array(e *syntax.Expr) lang.Value {
	out := lang.Value{T: e.Type}
	for i, a := range e.Args {
		v := r.value(a)
		if i == 0 {
			out.Dims = append([]int{len(e.Args)}, v.Dims...)
		} else if !lang.SameDims(out.Dims[1:], v.Dims) {
			lang.Fail(a.Pos, problem.New("the sizes %s and %s do not match", lang.FormatDims(out.Dims[1:]),
				lang.FormatDims(v.Dims)))
		}
		out.X = append(out.X, v.X...)
		r.CountSteps(len(v.X) / 8)
	}
	return out
}

// rowOf lowers [a, b]: a row vector of numbers, or a matrix of row vectors.
func (r *lowerer) rowOf(e *syntax.Expr) lang.Value {
	v := r.array(e)
	if e.Type.Base == lang.MatrixType && len(v.Dims) != 2 || len(v.Dims) == 0 {
		v.Dims = []int{len(v.X)}
	}
	return v
}
