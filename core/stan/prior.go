package stan

import (
	"maps"
	"slices"
	"strings"

	"logzlab/core/problem"
	"logzlab/core/stan/lang"
	"logzlab/core/stan/syntax"
)

// priorFinder finds the statements that give parameters their priors.
type priorFinder struct {
	reads  map[*syntax.Symbol]map[*syntax.Symbol]bool // data and parameters that a variable was computed of
	holds  map[*syntax.Symbol]map[*syntax.Symbol]bool // parameters whose elements a variable has as they are
	priors map[*syntax.Symbol][]string
	made   map[*syntax.Symbol][]*syntax.Expr // terms that a number sums up
	free   map[*syntax.Expr]bool             // terms of the density that depend on no parameter: they may normalise priors
}

// findPriors notes the priors of parameters.
func (p *Program) findPriors() {
	f := &priorFinder{reads: map[*syntax.Symbol]map[*syntax.Symbol]bool{},
		holds: map[*syntax.Symbol]map[*syntax.Symbol]bool{}, priors: map[*syntax.Symbol][]string{},
		made: map[*syntax.Symbol][]*syntax.Expr{}, free: map[*syntax.Expr]bool{}}
	for _, b := range []syntax.Block{syntax.TransformedData, syntax.TransformedParameters, syntax.ModelBlock} {
		for range 2 { // a loop may read what it computes further down
			walk(p.Blocks[b], f.follow)
		}
	}
	walk(p.Blocks[syntax.TransformedParameters], f.sums)
	walk(p.Blocks[syntax.ModelBlock], f.sums)
	walk(p.Blocks[syntax.ModelBlock], f.find)
	walk(p.Blocks[syntax.TransformedParameters], func(s *syntax.Stmt) {
		if s.Action == syntax.TargetStmt { // a Jacobian
			f.byHand(s.Right, s.Adds())
		}
	})
	p.priors, p.free = f.priors, f.free
}

// tellPriors tells the priors of parameters, and which have none.
func (r *run) tellPriors(p *Program, out *Compiled) {
	for i, s := range p.Blocks[syntax.ParametersBlock] {
		q := &out.Parameters[i]
		q.Priors = p.priors[s.Decl.Sym]
		c := r.cut[s.Decl.Sym]
		none := len(q.Priors) == 0 && !proper(s.Decl) || c != nil && c.open
		if q.Improper = none && q.Free > 0; q.Improper {
			out.Notes = append(out.Notes, problem.New(
				"the parameter %s has no prior that the program states by itself, so that log Z may have no meaning beyond a "+
					"constant", q.Name))
		}
	}
}

// proper reports whether a flat density of a declared type is one.
func proper(d *syntax.Decl) bool {
	switch d.Shape {
	case syntax.SimplexShape, syntax.RowSimplexShape, syntax.ColumnSimplexShape, syntax.UnitShape,
		syntax.CorrShape, syntax.CorrFactorShape:
		return true
	}
	return d.Lower != nil && d.Upper != nil
}

// walk calls f for all statements.
func walk(list []*syntax.Stmt, f func(s *syntax.Stmt)) {
	for _, s := range list {
		f(s)
		walk(s.Body, f)
		walk(s.Other, f)
	}
}

// names calls f for all variables of an expression.
func names(e *syntax.Expr, f func(s *syntax.Symbol)) {
	if e == nil {
		return
	}
	if e.Node == syntax.NameNode && e.Sym != nil { // nil: of a function that is refused
		f(e.Sym)
	}
	for _, a := range e.Args {
		names(a, f)
	}
	for _, i := range e.Idx {
		names(i.Lo, f)
		names(i.Hi, f)
	}
}

// sources are the data and parameters that an expression is computed of.
func (f *priorFinder) sources(e *syntax.Expr) map[*syntax.Symbol]bool {
	out := map[*syntax.Symbol]bool{}
	names(e, func(s *syntax.Symbol) {
		if s.Block <= syntax.ParametersBlock && !s.Fixed {
			out[s] = true
		}
		maps.Copy(out, f.reads[s])
	})
	return out
}

// constant reports whether an expression depends on no parameter.
func (f *priorFinder) constant(e *syntax.Expr) bool {
	for s := range f.sources(e) {
		if s.IsParameter() {
			return false
		}
	}
	return true
}

// rearranged are functions that give elements as they are.
var rearranged = map[string]bool{"head": true, "tail": true, "segment": true, "reverse": true, "row": true, "col": true,
	"block": true, "sub_row": true, "sub_col": true, "diagonal": true, "transpose": true}

// held are the parameters, or within a function the arguments, whose elements an expression has as they are, but for a
// number that is added.
func (f *priorFinder) held(e *syntax.Expr) map[*syntax.Symbol]bool {
	out := map[*syntax.Symbol]bool{}
	all := func(args []*syntax.Expr) {
		for _, a := range args {
			maps.Copy(out, f.held(a))
		}
	}
	switch {
	case e.Node == syntax.NameNode && e.Sym != nil:
		if e.Sym.IsParameter() || e.Sym.Fixed {
			out[e.Sym] = true
		}
		maps.Copy(out, f.holds[e.Sym])
	case e.Node == syntax.IndexNode, e.Node == syntax.TransposeNode:
		all(e.Args[:1])
	case e.Node == syntax.ArrayNode, e.Node == syntax.RowNode:
		all(e.Args)
	case e.Node == syntax.BinaryNode:
		if of, _ := f.shifted(e); of != nil {
			return f.held(of)
		}

	// Calls that hand elements on.
	case e.Node == syntax.CallNode && e.User != nil:
		for i := range f.handed(e.User) {
			maps.Copy(out, f.held(e.Args[i]))
		}
	case e.Node == syntax.CallNode && (rearranged[e.Name] || strings.HasPrefix(e.Name, "to_") ||
		strings.HasPrefix(e.Name, "append_")):
		all(e.Args)
	}
	return out
}

// shifted is what e is, but for a constant that is added or subtracted; nil for other expressions.
func (f *priorFinder) shifted(e *syntax.Expr) (of, by *syntax.Expr) {
	if e.Node != syntax.BinaryNode || e.Name != "+" && e.Name != "-" {
		return nil, nil
	}
	a, b := e.Args[0], e.Args[1]
	switch {
	case f.constant(b):
		return a, b
	case e.Name == "+" && f.constant(a):
		return b, a
	}
	return nil, nil
}

// handed are the arguments, by number, of which a function hands elements back as they are.
func (f *priorFinder) handed(fn *syntax.Function) map[int]bool {
	in := &priorFinder{reads: map[*syntax.Symbol]map[*syntax.Symbol]bool{},
		holds: map[*syntax.Symbol]map[*syntax.Symbol]bool{}}
	walk(fn.Body, in.follow)
	out := map[int]bool{}
	walk(fn.Body, func(s *syntax.Stmt) {
		if s.Action != syntax.ReturnStmt || s.Right == nil {
			return
		}
		back := in.held(s.Right)
		for i := range fn.Params {
			if back[fn.Params[i].Sym] {
				out[i] = true
			}
		}
	})
	return out
}

// follow notes what a variable is computed of.
func (f *priorFinder) follow(s *syntax.Stmt) {
	var to *syntax.Symbol
	var from *syntax.Expr
	switch {
	case s.Action == syntax.DeclareStmt && s.Decl.Init != nil:
		to, from = s.Decl.Sym, s.Decl.Init
	case s.Action == syntax.AssignStmt:
		to, from = root(s.Left).Sym, s.Right
	case s.Action == syntax.EachStmt:
		to, from = s.Sym, s.Left
	default:
		return
	}
	add := func(list map[*syntax.Symbol]map[*syntax.Symbol]bool, more map[*syntax.Symbol]bool) {
		if list[to] == nil {
			list[to] = map[*syntax.Symbol]bool{}
		}
		maps.Copy(list[to], more)
	}
	add(f.reads, f.sources(from))
	add(f.holds, f.held(from))
}

// root is the variable of which an expression is a part.
func root(e *syntax.Expr) *syntax.Expr {
	for e.Node == syntax.IndexNode || e.Node == syntax.PartNode {
		e = e.Args[0]
	}
	return e
}

// sums notes what numbers sum up, and whether a term of such a number, or of the density, depends on no parameter.
func (f *priorFinder) sums(s *syntax.Stmt) {
	switch {
	case s.Action == syntax.DeclareStmt && s.Decl.Init != nil:
		f.made[s.Decl.Sym] = append(f.made[s.Decl.Sym], terms(s.Decl.Init)...)
	case s.Action == syntax.AssignStmt && s.Left.Node == syntax.NameNode && (s.Op == "=" || s.Op == "+="):
		f.made[s.Left.Sym] = append(f.made[s.Left.Sym], terms(s.Right)...)
	}
	number := lang.Type{Base: lang.RealType}
	if s.Action == syntax.TargetStmt || s.Action == syntax.AssignStmt && s.Op == "+=" && s.Left.Type == number {
		for _, e := range terms(s.Right) {
			if f.constant(e) {
				f.free[e] = true
			}
		}
	}
}

// terms are the terms of a sum.
func terms(e *syntax.Expr) []*syntax.Expr {
	if e.Node == syntax.BinaryNode && (e.Name == "+" || e.Name == "-") {
		return append(terms(e.Args[0]), terms(e.Args[1])...)
	}
	return []*syntax.Expr{e}
}

// find notes the priors that a statement gives.
func (f *priorFinder) find(s *syntax.Stmt) {
	switch s.Action {
	case syntax.TildeStmt:
		f.note(s.Left, s.Args, s.Text)
		s.Right.Trunc = s.Trunc
		f.mark(s.Right)
	case syntax.TargetStmt:
		for _, e := range terms(s.Right) {
			f.term(e)
		}
	case syntax.CallStmt: // a function of one's own that adds to the density
		if s.Left.User != nil && strings.HasSuffix(s.Left.Name, "_lp") {
			f.byHand(s.Left, s.Left.Name)
		}
	}
}

// term looks at a term of target +=, which may be a number that sums up others.
func (f *priorFinder) term(e *syntax.Expr) {
	if e.Node == syntax.NameNode && e.Type.Scalar() && len(f.made[e.Sym]) > 0 {
		all := f.made[e.Sym]
		f.made[e.Sym] = nil // it may be a term of its own
		for _, one := range all {
			f.term(one)
		}
		return
	}
	family, end, ok := lang.CutSuffix(e.Name)
	if (e.Node == syntax.DensityNode || e.Node == syntax.CallNode) && ok && len(e.Args) > 0 {
		if end == "_lpdf" {
			f.note(e.Args[0], e.Args[1:], family)
			f.mark(e)
		}
		return
	}
	f.byHand(e, "target +=")
}

// note notes a prior of parameters that stand by themselves on the left, whose arguments do not depend on them.
func (f *priorFinder) note(left *syntax.Expr, args []*syntax.Expr, family string) {
	for s := range f.held(left) {
		if s.IsParameter() && !slices.ContainsFunc(args, func(a *syntax.Expr) bool { return f.sources(a)[s] }) {
			f.give(s, family)
		}
	}
}

// mark notes at a density that it is the prior of a parameter.
func (f *priorFinder) mark(e *syntax.Expr) {
	left := e.Args[0]
	if of, by := f.shifted(left); of != nil {
		e.Shift, e.Less, left = by, left.Name == "-", of
	}
	for left.Node == syntax.IndexNode ||
		left.Node == syntax.CallNode && strings.HasPrefix(left.Name, "to_") && len(left.Args) == 1 {
		left = left.Args[0]
	}
	if left.Node == syntax.NameNode && left.Sym.IsParameter() && e.User == nil {
		e.Prior = left.Sym
	}
}

// byHand notes a prior that is written out: a term of parameters without data.
func (f *priorFinder) byHand(e *syntax.Expr, how string) {
	from := f.sources(e)
	for s := range from {
		if s.Block == syntax.DataBlock && s.Type.Base != lang.IntType {
			return
		}
	}
	for s := range from {
		if s.IsParameter() {
			f.give(s, how)
		}
	}
}

func (f *priorFinder) give(s *syntax.Symbol, family string) {
	if !slices.Contains(f.priors[s], family) {
		f.priors[s] = append(f.priors[s], family)
	}
}
