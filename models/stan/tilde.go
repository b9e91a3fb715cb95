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

// checkTruncation checks T[lo, hi] of a distribution, and resolves the distribution functions of its normalising
// constant.
func (c *checker) checkTruncation(s *syntax.Stmt) {
	t, args := s.Truncation, s.Args
	lo, hi := t.Lo, t.Hi
	if c.truncatesElements(s) {
		args = nil
		for _, a := range s.Args {
			args = append(args, c.elementVariable(t, a))
		}
		lo, hi = c.elementVariable(t, lo), c.elementVariable(t, hi)
	}
	call := func(end string, at *syntax.Expr) *syntax.Expr {
		e := &syntax.Expr{Kind: syntax.DensityNode, Pos: s.Truncation.Pos, Name: s.Text + end,
			Args: append([]*syntax.Expr{at}, args...)}
		if !c.functionExists(e.Name) {
			lang.Fail(s.Truncation.Pos, problem.New("%s cannot be truncated: there is no %s", s.Text, e.Name))
		}
		c.exprType(e)
		return e
	}
	if lo != nil && strings.HasSuffix(s.Right.Name, "_lpmf") { // whole numbers from lo on are those above lo - 1
		one := &syntax.Expr{Kind: syntax.LiteralNode, Pos: lo.Pos, Num: 1, Type: lang.Type{Base: lang.IntType}}
		lo = &syntax.Expr{Kind: syntax.BinaryNode, Pos: lo.Pos, Name: "-", Args: []*syntax.Expr{lo, one}}
	}
	if hi != nil {
		t.LogCDFHi = call("_lcdf", hi)
	}
	if lo != nil && hi != nil {
		if t.LogCDFLo = call("_lcdf", lo); c.functionExists(s.Text + "_lccdf") {
			t.LogCCDFLo, t.LogCCDFHi = call("_lccdf", lo), call("_lccdf", hi)
		}
	} else if lo != nil {
		t.LogCCDFLo = call("_lccdf", lo)
	}
}

// truncatesElements reports whether each element of an outcome is truncated by itself.
func (c *checker) truncatesElements(s *syntax.Stmt) bool {
	if t := s.Left.Type; !t.IsScalar() {
		if t.Depth > 1 || t.Depth == 1 && t.Base != lang.RealType && t.Base != lang.IntType || t.Base == lang.MatrixType {
			lang.Fail(s.Truncation.Pos, problem.New("T[,] applies to numbers, vectors and arrays of numbers, not to %s", t))
		}
		return true
	}
	return s.Truncation.Lo != nil && s.Truncation.Hi != nil && slices.ContainsFunc(s.Args, func(a *syntax.Expr) bool {
		return !a.Type.IsScalar()
	})
}

// elementVariable returns a name expression for a new variable that stands for one element of the argument or bound
// source; nil for nil.
func (c *checker) elementVariable(t *syntax.Truncation, source *syntax.Expr) *syntax.Expr {
	if source == nil {
		t.ElementSymbols = append(t.ElementSymbols, nil)
		return nil
	}
	one := source.Type
	if one.Depth == 1 && (one.Base == lang.RealType || one.Base == lang.IntType) {
		one.Depth = 0
	} else if one.Depth == 0 && (one.Base == lang.VectorType || one.Base == lang.RowVectorType) {
		one.Base = lang.RealType
	}
	e := &syntax.Expr{Kind: syntax.NameNode, Pos: source.Pos, Start: source.Start, Type: one,
		Sym: &syntax.Symbol{Type: one, Slot: c.slots, Block: c.block}}
	c.slots++
	t.ElementSymbols = append(t.ElementSymbols, e.Sym)
	return e
}

// tilde lowers y ~ f(args), with all constants.
func (r *lowerer) tilde(s *syntax.Stmt) {
	v := r.value(s.Right)
	r.Pos = s.Pos
	r.addTerm(v.X[0])
	if s.Truncation == nil {
		return
	}
	y := r.value(s.Left).X
	if r.priorsOnly != nil && r.priorsOnly.leftOut[s.Right.Pos] {
		return
	}
	r.checkTruncationBound(s, y, s.Truncation.Lo, true)
	r.checkTruncationBound(s, y, s.Truncation.Hi, false)
	var logMass tape.Scalar
	if t := s.Truncation; t.ElementSymbols != nil {
		logMass = r.sumLogMassInBounds(s, len(y))
	} else {
		logMass = r.logMassInBounds(t)
	}
	r.Pos = s.Truncation.Pos
	r.addTerm(r.B.Do(tape.Neg, logMass))
}

// logMassInBounds returns the log probability within the truncation bounds.
func (r *lowerer) logMassInBounds(t *syntax.Truncation) tape.Scalar {
	switch {
	case t.LogCDFLo != nil:
		return r.logProbabilityBetween(t)
	case t.LogCCDFLo != nil:
		return r.scalar(t.LogCCDFLo)
	case t.LogCDFHi != nil:
		return r.scalar(t.LogCDFHi)
	}
	return tape.Scalar{}
}

// sumLogMassInBounds returns the sum of the log probabilities within the bounds, over n elements of the outcome or of
// the arguments.
func (r *lowerer) sumLogMassInBounds(s *syntax.Stmt, n int) tape.Scalar {
	var args []lang.Value
	for _, e := range append(slices.Clone(s.Args), s.Truncation.Lo, s.Truncation.Hi) {
		if args = append(args, lang.Value{}); e == nil {
			continue
		}
		v := r.value(e)
		args[len(args)-1] = v
		if s.Left.Type.IsScalar() {
			n = max(n, len(v.X))
		}
	}
	logMasses := make(lang.Scalars, n)
	for i := range logMasses {
		for k, sym := range s.Truncation.ElementSymbols {
			if sym == nil {
				continue
			}
			r.frame[sym.Slot] = args[k]
			if sym.Type != args[k].T {
				r.frame[sym.Slot] = lang.Value{T: sym.Type, X: lang.ElementOf(args[k].X, i)}
			}
		}
		logMasses[i] = r.logMassInBounds(s.Truncation)
	}
	if n > 0 && !slices.ContainsFunc(logMasses, func(x tape.Scalar) bool { return x != logMasses[0] }) {
		return r.B.Do(tape.Mul, logMasses[0], tape.Const(float64(n)))
	}
	return r.B.Sum(logMasses)
}

// logProbabilityBetween returns the log probability between two bounds, from the distribution function, or from its
// complement if the lower bound is above the median: in the far tail the other probabilities round to 1.
func (r *lowerer) logProbabilityBetween(t *syntax.Truncation) tape.Scalar {
	logCDFLo := r.scalar(t.LogCDFLo)
	logMass := r.B.Do(tape.LogSubExp, r.scalar(t.LogCDFHi), logCDFLo)
	if t.LogCCDFHi == nil {
		return logMass
	}
	logMassFromAbove := r.B.Do(tape.LogSubExp, r.scalar(t.LogCCDFLo), r.scalar(t.LogCCDFHi))
	return r.B.Do(tape.Select, r.B.Do(tape.Step, r.B.Do(tape.Add, logCDFLo, tape.Const(math.Ln2))), logMassFromAbove, logMass)
}

// checkTruncationBound makes the density 0 if an element of y is outside of a truncation bound.
func (r *lowerer) checkTruncationBound(s *syntax.Stmt, y lang.Scalars, bound *syntax.Expr, lower bool) {
	if bound == nil {
		return
	}
	at := r.scalar(bound)
	c, known := at.Const()
	r.Pos = s.Pos
	var undecided lang.Scalars // elements that may be outside for some parameters
	for _, x := range y {
		v, also := x.Const()
		if !known || !also {
			undecided = append(undecided, x)
		} else if lower && v < c || !lower && v > c {
			r.Fail(problem.New("%v is outside the truncation bounds", v))
		}
	}
	if len(undecided) == 0 || known && math.IsInf(c, 0) || r.declaredWithin(s.Left, at, lower) {
		return
	}
	distance := r.B.Map(tape.Sub, undecided, lang.Scalars{at})
	if !lower {
		distance = r.B.Map(tape.Neg, distance)
	}
	r.addTerm(r.B.Sum(r.B.Map(tape.Log, r.B.Map(tape.Step, distance))))
}

// declaredWithin reports whether an expression is a parameter, or an element of one, whose declaration implies the
// truncation bound.
func (r *lowerer) declaredWithin(e *syntax.Expr, at tape.Scalar, lower bool) bool {
	e = syntax.Root(e)
	if e.Kind != syntax.NameNode || e.Sym.Decl == nil || e.Sym.Block != syntax.ParametersBlock {
		return false
	}
	declared := e.Sym.Decl.Upper
	if lower {
		declared = e.Sym.Decl.Lower
	}
	return declared != nil && !slices.ContainsFunc(r.value(declared).X, func(x tape.Scalar) bool { return !impliesBound(at, x, lower) })
}

// impliesBound reports whether every number allowed by other is known to be allowed by bound.
func impliesBound(bound, other tape.Scalar, lower bool) bool {
	a, known := bound.Const()
	b, also := other.Const()
	return bound == other || known && also && (lower && a <= b || !lower && a >= b)
}
