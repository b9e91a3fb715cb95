package stan

import (
	"math"
	"slices"

	"logzlab/core/problem"
	"logzlab/core/tape"
)

// truncate checks T[lo, hi] of a distribution, and notes the functions that its normaliser needs.
func (c *checker) truncate(s *stmt) {
	call := func(end string, at *expr) *expr {
		e := &expr{node: densityNode, at: s.trunc.at, name: s.text + end, args: append([]*expr{at}, s.args...)}
		if !c.offered(e.name) {
			fail(s.trunc.at, problem.New("%s has no %s here, so that it cannot be truncated", s.text, e.name))
		}
		c.expr(e)
		return e
	}
	t := s.trunc
	lo := t.lo
	if lo != nil && s.left.typ.whole() { // whole numbers from lo on are those above lo - 1
		one := &expr{node: literalNode, at: lo.at, num: 1, typ: typ{base: intType}}
		lo = &expr{node: binaryNode, at: lo.at, name: "-", args: []*expr{lo, one}}
	}
	if t.hi != nil {
		t.below = call("_lcdf", t.hi)
	}
	if lo != nil && t.hi != nil {
		t.less = call("_lcdf", lo)
	} else if lo != nil {
		t.above = call("_lccdf", lo)
	}
}

// tilde runs y ~ f(args), all constants kept.
func (r *run) tilde(s *stmt) {
	v := r.eval(s.right)
	r.at = s.at
	r.add(v.x[0])
	if s.trunc == nil {
		return
	}
	y := r.num(s.left)
	r.inside(s, y, s.trunc.lo, true)
	r.inside(s, y, s.trunc.hi, false)
	t := s.trunc
	var share tape.Scalar
	switch {
	case t.above != nil:
		share = r.num(t.above)
	case t.less != nil:
		share = r.b.Do(tape.LogSubExp, r.num(t.below), r.num(t.less))
	case t.below != nil:
		share = r.num(t.below)
	}
	r.at = t.at
	r.add(r.b.Do(tape.Neg, share))
}

// inside makes the density 0 where y is outside of a bound of a truncation.
func (r *run) inside(s *stmt, y tape.Scalar, bound *expr, lower bool) {
	if bound == nil {
		return
	}
	at := r.num(bound)
	c, known := at.Const()
	v, also := y.Const()
	r.at = s.at
	if known && also {
		if lower && v < c || !lower && v > c {
			r.fail(problem.New("%v is outside of the truncation", v))
		}
		return
	}
	if known && math.IsInf(c, 0) || r.declaredWithin(s.left, at, lower) {
		return
	}
	less := r.b.Do(tape.Sub, y, at)
	if !lower {
		less = r.b.Do(tape.Neg, less)
	}
	r.add(r.b.Do(tape.Log, r.b.Do(tape.Step, less)))
}

// declaredWithin reports whether an expression is a parameter, or an element of one, that its declaration keeps within
// a bound of a truncation.
func (r *run) declaredWithin(e *expr, at tape.Scalar, lower bool) bool {
	e = root(e)
	if e.node != nameNode || e.sym.decl == nil || e.sym.block != parametersBlock {
		return false
	}
	own := e.sym.decl.upper
	if lower {
		own = e.sym.decl.lower
	}
	return own != nil && !slices.ContainsFunc(r.eval(own).x, func(x tape.Scalar) bool { return !leaves(at, x, lower) })
}

// leaves reports whether a lower bound, or an upper one, is known to leave all that another leaves.
func leaves(bound, other tape.Scalar, lower bool) bool {
	a, known := bound.Const()
	b, also := other.Const()
	return bound == other || known && also && (lower && a <= b || !lower && a >= b)
}
