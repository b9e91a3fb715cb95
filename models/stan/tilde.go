package stan

import (
	"math"
	"slices"
	"strings"

	"logzlab/core/problem"
	"logzlab/models/stan/lang"
	"logzlab/models/stan/syntax"
	"logzlab/models/stan/tape"
)

// truncate checks T[lo, hi] of a distribution, and notes the functions that its normaliser needs.
func (c *checker) truncate(s *syntax.Stmt) {
	t, args := s.Trunc, s.Args
	lo, hi := t.Lo, t.Hi
	if c.byElement(s) {
		args = nil
		for _, a := range s.Args {
			args = append(args, c.elementOf(t, a))
		}
		lo, hi = c.elementOf(t, lo), c.elementOf(t, hi)
	}
	call := func(end string, at *syntax.Expr) *syntax.Expr {
		e := &syntax.Expr{Node: syntax.DensityNode, At: s.Trunc.At, Name: s.Text + end,
			Args: append([]*syntax.Expr{at}, args...)}
		if !c.offered(e.Name) {
			lang.Fail(s.Trunc.At, problem.New("%s cannot be truncated: there is no %s", s.Text, e.Name))
		}
		c.expr(e)
		return e
	}
	if lo != nil && strings.HasSuffix(s.Right.Name, "_lpmf") { // whole numbers from lo on are those above lo - 1
		one := &syntax.Expr{Node: syntax.LiteralNode, At: lo.At, Num: 1, Type: lang.Type{Base: lang.IntType}}
		lo = &syntax.Expr{Node: syntax.BinaryNode, At: lo.At, Name: "-", Args: []*syntax.Expr{lo, one}}
	}
	if hi != nil {
		t.Below = call("_lcdf", hi)
	}
	if lo != nil && hi != nil {
		if t.Less = call("_lcdf", lo); c.offered(s.Text + "_lccdf") {
			t.Above, t.Over = call("_lccdf", lo), call("_lccdf", hi)
		}
	} else if lo != nil {
		t.Above = call("_lccdf", lo)
	}
}

// byElement reports whether each element of an outcome is truncated by itself.
func (c *checker) byElement(s *syntax.Stmt) bool {
	if t := s.Left.Type; !t.Scalar() {
		if t.Depth > 1 || t.Depth == 1 && t.Base != lang.RealType && t.Base != lang.IntType || t.Base == lang.MatrixType {
			lang.Fail(s.Trunc.At, problem.New("T[,] applies to numbers, vectors and arrays of numbers, not to %s", t))
		}
		return true
	}
	return s.Trunc.Lo != nil && s.Trunc.Hi != nil && slices.ContainsFunc(s.Args, func(a *syntax.Expr) bool {
		return !a.Type.Scalar()
	})
}

// elementOf makes a variable for an element of an argument or bound of a truncation.
func (c *checker) elementOf(t *syntax.Truncation, of *syntax.Expr) *syntax.Expr {
	if of == nil {
		t.Each = append(t.Each, nil)
		return nil
	}
	one := of.Type
	if one.Depth == 1 && (one.Base == lang.RealType || one.Base == lang.IntType) {
		one.Depth = 0
	} else if one.Depth == 0 && (one.Base == lang.VectorType || one.Base == lang.RowType) {
		one.Base = lang.RealType
	}
	e := &syntax.Expr{Node: syntax.NameNode, At: of.At, Start: of.Start, Type: one,
		Sym: &syntax.Symbol{Type: one, Slot: c.slots, Block: c.block}}
	c.slots++
	t.Each = append(t.Each, e.Sym)
	return e
}

// tilde runs y ~ f(args), all constants kept.
func (r *run) tilde(s *syntax.Stmt) {
	v := r.eval(s.Right)
	r.At = s.At
	r.add(v.X[0])
	if s.Trunc == nil {
		return
	}
	y := r.eval(s.Left).X
	if r.alone != nil && r.alone.at[s.Right.At] {
		return
	}
	r.inside(s, y, s.Trunc.Lo, true)
	r.inside(s, y, s.Trunc.Hi, false)
	var share tape.Scalar
	if t := s.Trunc; t.Each != nil {
		share = r.sharesOf(s, len(y))
	} else {
		share = r.share(t)
	}
	r.At = s.Trunc.At
	r.add(r.B.Do(tape.Neg, share))
}

// share is the log of the probability that a truncation leaves.
func (r *run) share(t *syntax.Truncation) tape.Scalar {
	switch {
	case t.Less != nil:
		return r.between(t)
	case t.Above != nil:
		return r.num(t.Above)
	case t.Below != nil:
		return r.num(t.Below)
	}
	return tape.Scalar{}
}

// sharesOf is the sum of the logs of what a truncation leaves for each of n elements of an outcome, or of the arguments.
func (r *run) sharesOf(s *syntax.Stmt, n int) tape.Scalar {
	var args []lang.Value
	for _, e := range append(slices.Clone(s.Args), s.Trunc.Lo, s.Trunc.Hi) {
		if args = append(args, lang.Value{}); e == nil {
			continue
		}
		v := r.eval(e)
		args[len(args)-1] = v
		if s.Left.Type.Scalar() {
			n = max(n, len(v.X))
		}
	}
	shares := make(lang.Numbers, n)
	for i := range shares {
		for k, sym := range s.Trunc.Each {
			if sym == nil {
				continue
			}
			r.frame[sym.Slot] = args[k]
			if sym.Type != args[k].T {
				r.frame[sym.Slot] = lang.Value{T: sym.Type, X: lang.ElementOf(args[k].X, i)}
			}
		}
		shares[i] = r.share(s.Trunc)
	}
	if n > 0 && !slices.ContainsFunc(shares, func(x tape.Scalar) bool { return x != shares[0] }) {
		return r.B.Do(tape.Mul, shares[0], tape.Const(float64(n)))
	}
	return r.B.Sum(shares)
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

// inside makes the density 0 where an element of y is outside of a bound of a truncation.
func (r *run) inside(s *syntax.Stmt, y lang.Numbers, bound *syntax.Expr, lower bool) {
	if bound == nil {
		return
	}
	at := r.num(bound)
	c, known := at.Const()
	r.At = s.At
	var open lang.Numbers // elements that are not known to be inside
	for _, x := range y {
		v, also := x.Const()
		if !known || !also {
			open = append(open, x)
		} else if lower && v < c || !lower && v > c {
			r.Fail(problem.New("%v is outside the truncation bounds", v))
		}
	}
	if len(open) == 0 || known && math.IsInf(c, 0) || r.declaredWithin(s.Left, at, lower) {
		return
	}
	less := r.B.Map(tape.Sub, open, lang.Numbers{at})
	if !lower {
		less = r.B.Map(tape.Neg, less)
	}
	r.add(r.B.Sum(r.B.Map(tape.Log, r.B.Map(tape.Step, less))))
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
