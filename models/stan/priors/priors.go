// Package priors finds the terms of a program that may state priors, before the program runs.
package priors

import (
	"maps"
	"strings"

	"logzlab/models/stan/lang"
	"logzlab/models/stan/syntax"
)

// finder finds the terms that give parameters their priors where they are run.
type finder struct {
	reads  map[*syntax.Symbol]map[*syntax.Symbol]bool // data and parameters that a variable was computed of
	made   map[*syntax.Symbol][]*syntax.Expr          // terms that a number sums up
	free   map[*syntax.Expr]bool                      // terms that depend on no parameter
	states map[*syntax.Expr]string                    // terms that may state a prior, by how they do
}

// byHand is how a term states a prior that is no distribution: of what it depends on.
const byHand = "target +="

// Find finds terms that may state priors, by how they do, and terms of the density that depend on no parameter.
func Find(p *syntax.Program) (states map[*syntax.Expr]string, free map[*syntax.Expr]bool) {
	f := &finder{reads: map[*syntax.Symbol]map[*syntax.Symbol]bool{}, made: map[*syntax.Symbol][]*syntax.Expr{},
		free: map[*syntax.Expr]bool{}, states: map[*syntax.Expr]string{}}
	for _, b := range []syntax.Block{syntax.TransformedData, syntax.TransformedParameters, syntax.ModelBlock} {
		for range 2 { // a loop may read what it computes further down
			syntax.Walk(p.Blocks[b], f.follow)
		}
	}
	lists := [][]*syntax.Stmt{p.Blocks[syntax.TransformedParameters], p.Blocks[syntax.ModelBlock]}
	for _, fn := range p.Functions {
		if fn.Checked && adds(fn.Name) {
			lists = append(lists, fn.Body)
		}
	}
	for _, list := range lists {
		syntax.Walk(list, f.sums)
	}
	for _, list := range lists {
		syntax.Walk(list, f.find)
	}
	return f.states, f.free
}

// sources are the data and parameters that an expression is computed of.
func (f *finder) sources(e *syntax.Expr) map[*syntax.Symbol]bool {
	out := map[*syntax.Symbol]bool{}
	syntax.Names(e, func(s *syntax.Symbol) {
		if s.Block <= syntax.ParametersBlock && !s.Fixed {
			out[s] = true
		}
		maps.Copy(out, f.reads[s])
	})
	return out
}

// constant reports whether an expression depends on no parameter.
func (f *finder) constant(e *syntax.Expr) bool {
	for s := range f.sources(e) {
		if s.IsParameter() {
			return false
		}
	}
	return true
}

// shifted is what e is, but for a constant that is added or subtracted; nil for other expressions.
func (f *finder) shifted(e *syntax.Expr) (of, by *syntax.Expr) {
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

// follow notes what a variable is computed of.
func (f *finder) follow(s *syntax.Stmt) {
	var to *syntax.Symbol
	var from *syntax.Expr
	switch {
	case s.Action == syntax.DeclareStmt && s.Decl.Init != nil:
		to, from = s.Decl.Sym, s.Decl.Init
	case s.Action == syntax.AssignStmt:
		to, from = syntax.Root(s.Left).Sym, s.Right
	case s.Action == syntax.EachStmt:
		to, from = s.Sym, s.Left
	default:
		return
	}
	if f.reads[to] == nil {
		f.reads[to] = map[*syntax.Symbol]bool{}
	}
	maps.Copy(f.reads[to], f.sources(from))
}

// sums notes what numbers sum up, and whether a term of such a number, or of the density, depends on no parameter.
func (f *finder) sums(s *syntax.Stmt) {
	switch {
	case s.Action == syntax.DeclareStmt && s.Decl.Init != nil:
		f.made[s.Decl.Sym] = append(f.made[s.Decl.Sym], syntax.Terms(s.Decl.Init)...)
	case s.Action == syntax.AssignStmt && s.Left.Node == syntax.NameNode && (s.Op == "=" || s.Op == "+="):
		f.made[s.Left.Sym] = append(f.made[s.Left.Sym], syntax.Terms(s.Right)...)
	}
	number := lang.Type{Base: lang.RealType}
	if s.Action == syntax.TargetStmt || s.Action == syntax.AssignStmt && s.Op == "+=" && s.Left.Type == number {
		for _, e := range syntax.Terms(s.Right) {
			if f.constant(e) {
				f.free[e] = true
			}
		}
	}
}

// find notes the terms of a statement that may be priors.
func (f *finder) find(s *syntax.Stmt) {
	switch s.Action {
	case syntax.TildeStmt:
		f.states[s.Right] = s.Text
		s.Right.Trunc = s.Trunc
		f.mark(s.Right)
	case syntax.TargetStmt:
		f.byHand(s.Right)
		for _, e := range syntax.Terms(s.Right) {
			f.term(e)
		}
	case syntax.CallStmt:
		f.byHand(s.Left)
	case syntax.DeclareStmt:
		f.byHand(s.Decl.Init)
	case syntax.AssignStmt:
		f.byHand(s.Right)
	}
}

// term looks at a term of target +=, which may be a number that sums up others.
func (f *finder) term(e *syntax.Expr) {
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
			f.states[e] = family
			f.mark(e)
		}
		return
	}
	if !Adds(e) && !f.data(e) {
		f.states[e] = byHand
	}
}

// byHand notes a function of one's own that adds to the density, whatever it returns.
func (f *finder) byHand(e *syntax.Expr) {
	if e == nil {
		return
	}
	if Adds(e) && !f.data(e) {
		f.states[e] = e.Name
	}
	for _, a := range e.Args {
		f.byHand(a)
	}
}

// Adds reports whether an expression calls a function of one's own that may add to the density.
func Adds(e *syntax.Expr) bool { return e.User != nil && adds(e.Name) }

// adds reports whether a function of a name adds to the density.
func adds(name string) bool {
	return strings.HasSuffix(name, "_lp") || strings.HasSuffix(name, lang.JacobianEnd)
}

// data reports whether an expression is computed of data that are no whole numbers, or of arguments that may be such.
func (f *finder) data(e *syntax.Expr) bool {
	of := false
	for s := range f.sources(e) {
		of = of || s.Block == syntax.DataBlock && s.Type.Base != lang.IntType
	}
	syntax.Names(e, func(s *syntax.Symbol) { of = of || s.Block == syntax.FunctionsBlock })
	return of
}

// mark notes at a density that it is the prior of a parameter.
func (f *finder) mark(e *syntax.Expr) {
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
