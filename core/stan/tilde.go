package stan

import (
	"math"
	"slices"

	"logzlab/core/problem"
	"logzlab/core/stan/lang"
	"logzlab/core/stan/syntax"
	"logzlab/core/tape"
)

// truncate checks T[lo, hi] of a distribution, and notes the functions that its normaliser needs.
func (c *checker) truncate(s *syntax.Stmt) {
	call := func(end string, at *syntax.Expr) *syntax.Expr {
		e := &syntax.Expr{Node: syntax.DensityNode, At: s.Trunc.At, Name: s.Text + end,
			Args: append([]*syntax.Expr{at}, s.Args...)}
		if !c.offered(e.Name) {
			lang.Fail(s.Trunc.At, problem.New("%s has no %s here, so that it cannot be truncated", s.Text, e.Name))
		}
		c.expr(e)
		return e
	}
	t := s.Trunc
	lo := t.Lo
	if lo != nil && s.Left.Type.Whole() { // whole numbers from lo on are those above lo - 1
		one := &syntax.Expr{Node: syntax.LiteralNode, At: lo.At, Num: 1, Type: lang.Type{Base: lang.IntType}}
		lo = &syntax.Expr{Node: syntax.BinaryNode, At: lo.At, Name: "-", Args: []*syntax.Expr{lo, one}}
	}
	if t.Hi != nil {
		t.Below = call("_lcdf", t.Hi)
	}
	if lo != nil && t.Hi != nil {
		if t.Less = call("_lcdf", lo); c.offered(s.Text + "_lccdf") {
			t.Above, t.Over = call("_lccdf", lo), call("_lccdf", t.Hi)
		}
	} else if lo != nil {
		t.Above = call("_lccdf", lo)
	}
}

// tilde runs y ~ f(args), all constants kept.
func (r *run) tilde(s *syntax.Stmt) {
	v := r.eval(s.Right)
	r.At = s.At
	r.add(v.X[0])
	if s.Trunc == nil {
		return
	}
	y := r.num(s.Left)
	if r.alone != nil && r.alone.at[s.Right.At] {
		return
	}
	r.inside(s, y, s.Trunc.Lo, true)
	r.inside(s, y, s.Trunc.Hi, false)
	t := s.Trunc
	var share tape.Scalar
	switch {
	case t.Less != nil:
		share = r.between(t)
	case t.Above != nil:
		share = r.num(t.Above)
	case t.Below != nil:
		share = r.num(t.Below)
	}
	r.At = t.At
	r.add(r.B.Do(tape.Neg, share))
}

// between is the log of the probability between two bounds, by what lies below them, or above them where the lower one
// is beyond the median: far out both probabilities of the other side round to 1.
func (r *run) between(t *syntax.Truncation) tape.Scalar {
	less := r.num(t.Less)
	share := r.B.Do(tape.LogSubExp, r.num(t.Below), less)
	if t.Over == nil {
		return share
	}
	above := r.B.Do(tape.LogSubExp, r.num(t.Above), r.num(t.Over))
	return r.B.Do(tape.Select, r.B.Do(tape.Step, r.B.Do(tape.Add, less, tape.Const(math.Ln2))), above, share)
}

// inside makes the density 0 where y is outside of a bound of a truncation.
func (r *run) inside(s *syntax.Stmt, y tape.Scalar, bound *syntax.Expr, lower bool) {
	if bound == nil {
		return
	}
	at := r.num(bound)
	c, known := at.Const()
	v, also := y.Const()
	r.At = s.At
	if known && also {
		if lower && v < c || !lower && v > c {
			r.Fail(problem.New("%v is outside of the truncation", v))
		}
		return
	}
	if known && math.IsInf(c, 0) || r.declaredWithin(s.Left, at, lower) {
		return
	}
	less := r.B.Do(tape.Sub, y, at)
	if !lower {
		less = r.B.Do(tape.Neg, less)
	}
	r.add(r.B.Do(tape.Log, r.B.Do(tape.Step, less)))
}

// declaredWithin reports whether an expression is a parameter, or an element of one, that its declaration keeps within
// a bound of a truncation.
func (r *run) declaredWithin(e *syntax.Expr, at tape.Scalar, lower bool) bool {
	e = syntax.Root(e)
	if e.Node != syntax.NameNode || e.Sym.Decl == nil || e.Sym.Block != syntax.ParametersBlock {
		return false
	}
	own := e.Sym.Decl.Upper
	if lower {
		own = e.Sym.Decl.Lower
	}
	return own != nil && !slices.ContainsFunc(r.eval(own).X, func(x tape.Scalar) bool { return !leaves(at, x, lower) })
}

// leaves reports whether a lower bound, or an upper one, is known to leave all that another leaves.
func leaves(bound, other tape.Scalar, lower bool) bool {
	a, known := bound.Const()
	b, also := other.Const()
	return bound == other || known && also && (lower && a <= b || !lower && a >= b)
}
