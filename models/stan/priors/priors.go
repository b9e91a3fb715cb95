// Package priors analyses a checked program before it runs: it finds the terms of the density that may be priors
// (priors.go) and those that are likelihoods (likelihood.go). elements.go and tails.go support the same analysis on a
// tape.
package priors

import (
	"maps"
	"strings"

	"logzlab/models/stan/lang"
	"logzlab/models/stan/syntax"
)

// finder collects the terms that may be priors.
type finder struct {
	dependsOn map[*syntax.Symbol]map[*syntax.Symbol]bool // data and parameters on which a variable depends
	terms     map[*syntax.Symbol][]*syntax.Expr          // terms that a variable sums up
	constants map[*syntax.Expr]bool                      // terms that depend on no parameter
	kinds     map[*syntax.Expr]string                    // terms that may state a prior, with their kinds
}

// byTarget is the kind of a prior term that is not a density: a plain summand of target +=.
const byTarget = "target +="

// Find returns the terms that may state priors, each with its kind (the name of the distribution, "target +=" or a
// function), and the terms of the density that depend on no parameter.
func Find(p *syntax.Program) (kinds map[*syntax.Expr]string, constants map[*syntax.Expr]bool) {
	f := &finder{dependsOn: map[*syntax.Symbol]map[*syntax.Symbol]bool{}, terms: map[*syntax.Symbol][]*syntax.Expr{},
		constants: map[*syntax.Expr]bool{}, kinds: map[*syntax.Expr]string{}}
	for _, b := range []syntax.Block{syntax.TransformedDataBlock, syntax.TransformedParametersBlock, syntax.ModelBlock} {
		for range 2 { // a loop may read what it computes further down
			syntax.Walk(p.Blocks[b], f.propagate)
		}
	}
	lists := [][]*syntax.Stmt{p.Blocks[syntax.TransformedParametersBlock], p.Blocks[syntax.ModelBlock]}
	for _, fn := range p.Functions {
		if fn.Checked && nameAddsToTarget(fn.Name) {
			lists = append(lists, fn.Body)
		}
	}
	for _, list := range lists {
		syntax.Walk(list, f.collectTerms)
	}
	for _, list := range lists {
		syntax.Walk(list, f.findPriors)
	}
	return f.kinds, f.constants
}

// sources returns the data and parameters on which e depends.
func (f *finder) sources(e *syntax.Expr) map[*syntax.Symbol]bool {
	out := map[*syntax.Symbol]bool{}
	syntax.WalkVariables(e, func(s *syntax.Symbol) {
		if s.Block <= syntax.ParametersBlock && !s.ReadOnly {
			out[s] = true
		}
		maps.Copy(out, f.dependsOn[s])
	})
	return out
}

// isConstant reports whether e depends on no parameter.
func (f *finder) isConstant(e *syntax.Expr) bool {
	for s := range f.sources(e) {
		if s.IsParameter() {
			return false
		}
	}
	return true
}

// splitConstant splits a sum or difference e into an expression and a constant. Both are nil if e is neither.
func (f *finder) splitConstant(e *syntax.Expr) (rest, constant *syntax.Expr) {
	if e.Kind != syntax.BinaryNode || e.Name != "+" && e.Name != "-" {
		return nil, nil
	}
	a, b := e.Args[0], e.Args[1]
	switch {
	case f.isConstant(b):
		return a, b
	case e.Name == "+" && f.isConstant(a):
		return b, a
	}
	return nil, nil
}

// propagate records the sources of the variable that a statement assigns.
func (f *finder) propagate(s *syntax.Stmt) {
	var to *syntax.Symbol
	var from *syntax.Expr
	switch {
	case s.Kind == syntax.DeclareStmt && s.Decl.Init != nil:
		to, from = s.Decl.Sym, s.Decl.Init
	case s.Kind == syntax.AssignStmt:
		to, from = syntax.Root(s.Left).Sym, s.Right
	case s.Kind == syntax.ForEachStmt:
		to, from = s.Sym, s.Left
	default:
		return
	}
	if f.dependsOn[to] == nil {
		f.dependsOn[to] = map[*syntax.Symbol]bool{}
	}
	maps.Copy(f.dependsOn[to], f.sources(from))
}

// collectTerms records the terms that variables sum up, and the constant terms of the density.
func (f *finder) collectTerms(s *syntax.Stmt) {
	switch {
	case s.Kind == syntax.DeclareStmt && s.Decl.Init != nil:
		f.terms[s.Decl.Sym] = append(f.terms[s.Decl.Sym], syntax.SumTerms(s.Decl.Init)...)
	case s.Kind == syntax.AssignStmt && s.Left.Kind == syntax.NameNode && (s.Op == "=" || s.Op == "+="):
		f.terms[s.Left.Sym] = append(f.terms[s.Left.Sym], syntax.SumTerms(s.Right)...)
	}
	number := lang.Type{Base: lang.RealType}
	if s.Kind == syntax.TargetStmt || s.Kind == syntax.AssignStmt && s.Op == "+=" && s.Left.Type == number {
		for _, e := range syntax.SumTerms(s.Right) {
			if f.isConstant(e) {
				f.constants[e] = true
			}
		}
	}
}

// findPriors records the terms of a statement that may be priors.
func (f *finder) findPriors(s *syntax.Stmt) {
	switch s.Kind {
	case syntax.TildeStmt:
		f.kinds[s.Right] = s.Text
		s.Right.Truncation = s.Truncation
		f.markPrior(s.Right)
	case syntax.TargetStmt:
		f.markCalls(s.Right)
		for _, e := range syntax.SumTerms(s.Right) {
			f.classify(e)
		}
	case syntax.CallStmt:
		f.markCalls(s.Left)
	case syntax.DeclareStmt:
		f.markCalls(s.Decl.Init)
	case syntax.AssignStmt:
		f.markCalls(s.Right)
	}
}

// classify records a term of target +=. If it is a variable that sums up terms, it classifies these.
func (f *finder) classify(e *syntax.Expr) {
	if e.Kind == syntax.NameNode && e.Type.IsScalar() && len(f.terms[e.Sym]) > 0 {
		all := f.terms[e.Sym]
		f.terms[e.Sym] = nil // prevents an endless recursion if the variable is one of its terms
		for _, one := range all {
			f.classify(one)
		}
		return
	}
	family, end, ok := lang.CutDensitySuffix(e.Name)
	if (e.Kind == syntax.DensityNode || e.Kind == syntax.CallNode) && ok && len(e.Args) > 0 {
		if end == "_lpdf" {
			f.kinds[e] = family
			f.markPrior(e)
		}
		return
	}
	if !AddsToTarget(e) && !f.dependsOnData(e) {
		f.kinds[e] = byTarget
	}
}

// markCalls records calls of user functions that add to the density, in e and its arguments.
func (f *finder) markCalls(e *syntax.Expr) {
	if e == nil {
		return
	}
	if AddsToTarget(e) && !f.dependsOnData(e) {
		f.kinds[e] = e.Name
	}
	for _, a := range e.Args {
		f.markCalls(a)
	}
}

// AddsToTarget reports whether e calls a user function that may add to the density.
func AddsToTarget(e *syntax.Expr) bool { return e.User != nil && nameAddsToTarget(e.Name) }

// nameAddsToTarget reports whether a function of this name may add to the density.
func nameAddsToTarget(name string) bool {
	return strings.HasSuffix(name, "_lp") || strings.HasSuffix(name, lang.JacobianSuffix)
}

// dependsOnData reports whether e depends on real data, or on function arguments, which may be such data.
func (f *finder) dependsOnData(e *syntax.Expr) bool {
	found := false
	for s := range f.sources(e) {
		found = found || s.Block == syntax.DataBlock && s.Type.Base != lang.IntType
	}
	syntax.WalkVariables(e, func(s *syntax.Symbol) { found = found || s.Block == syntax.FunctionsBlock })
	return found
}

// markPrior records in a density expression the parameter of which it is the prior.
func (f *finder) markPrior(e *syntax.Expr) {
	left := e.Args[0]
	if of, by := f.splitConstant(left); of != nil {
		e.Shift, e.ShiftSubtracted, left = by, left.Name == "-", of
	}
	for left.Kind == syntax.IndexNode ||
		left.Kind == syntax.CallNode && strings.HasPrefix(left.Name, "to_") && len(left.Args) == 1 {
		left = left.Args[0]
	}
	if left.Kind == syntax.NameNode && left.Sym.IsParameter() && e.User == nil {
		e.Prior = left.Sym
	}
}
