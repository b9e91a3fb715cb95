package priors

import (
	"maps"
	"strings"

	"logzlab/models/stan/lang"
	"logzlab/models/stan/syntax"
)

// Observed finds what in a program is of observations: densities with data on their left, and terms that are computed
// of data without any density, through variables and functions. Data are here real numbers, and whole numbers that are
// no size, no index and no bound of a loop. Beside a term of data in the same statement, all that has no density counts
// with it, as -N * log(s) does. An argument of a function counts as data on the left of a density: whoever runs the
// program looks whether its value is known.
func FindLikelihood(p *syntax.Program) (left, terms map[*syntax.Expr]bool) {
	none := func() map[*syntax.Symbol]bool { return map[*syntax.Symbol]bool{} }
	o := &likelihoodFinder{fromData: none(), sizes: none(), fromDensity: none(), fromParameters: none(), densityTerms: none(),
		densityFunctions: map[*syntax.Function]bool{}, densities: map[*syntax.Expr]bool{}, terms: map[*syntax.Expr]bool{}}
	var lists [][]*syntax.Stmt
	for _, f := range p.Functions {
		lists = append(lists, f.Body)
		for _, a := range f.Params {
			o.fromData[a.Sym], o.fromParameters[a.Sym] = true, true
		}
	}
	for _, b := range p.Blocks {
		lists = append(lists, b)
		syntax.Walk(b, o.noteSizes)
	}
	for _, list := range lists {
		syntax.Walk(list, func(s *syntax.Stmt) { eachExpr(s, o.noteIndices) })
	}
	for _, s := range p.Blocks[syntax.DataBlock] {
		sym := s.Decl.Sym
		o.fromData[sym] = sym.Type.Base != lang.IntType || !o.sizes[sym]
	}

	// What variables are computed of; a loop may read what it computes further down.
	for range 3 {
		for _, f := range p.Functions {
			syntax.Walk(f.Body, func(s *syntax.Stmt) {
				eachExpr(s, func(e *syntax.Expr) { o.densityFunctions[f] = o.densityFunctions[f] || o.isFromDensity(e) })
			})
		}
		for _, list := range lists {
			syntax.Walk(list, o.propagate)
		}
	}

	// Numbers that are terms of the density, and the terms of observations.
	for range 3 {
		for _, list := range lists {
			syntax.Walk(list, o.noteDensityTerms)
		}
	}
	for _, list := range lists {
		syntax.Walk(list, o.findTerms)
	}
	return o.densities, o.terms
}

type likelihoodFinder struct {
	fromData         map[*syntax.Symbol]bool // computed of data
	sizes            map[*syntax.Symbol]bool // sizes, indices and bounds of loops
	fromDensity      map[*syntax.Symbol]bool // computed of a density
	fromParameters   map[*syntax.Symbol]bool // computed of parameters
	densityFunctions map[*syntax.Function]bool
	densityTerms     map[*syntax.Symbol]bool // numbers that are terms of the density

	densities, terms map[*syntax.Expr]bool
}

// each calls f for the expressions of a statement, without those of statements in it.
func eachExpr(s *syntax.Stmt, f func(e *syntax.Expr)) {
	list := append([]*syntax.Expr{s.Left, s.Right, s.Lo, s.Hi}, s.Args...)
	if s.Decl != nil {
		list = append(list, s.Decl.Init)
	}
	for _, e := range list {
		if e != nil {
			f(e)
		}
	}
}

// walk calls f for an expression and those in it, without indices.
func walkExpr(e *syntax.Expr, f func(e *syntax.Expr)) {
	if e == nil {
		return
	}
	f(e)
	for _, a := range e.Args {
		walkExpr(a, f)
	}
}

// size notes what gives sizes and bounds of loops.
func (o *likelihoodFinder) noteSizes(s *syntax.Stmt) {
	note := func(e *syntax.Expr) { syntax.WalkVariables(e, func(s *syntax.Symbol) { o.sizes[s] = true }) }
	if note(s.Lo); s.Hi != nil {
		note(s.Hi)
	}
	if s.Decl == nil {
		return
	}
	for _, e := range append(append([]*syntax.Expr{}, s.Decl.Dims...), s.Decl.Sizes...) {
		note(e)
	}
}

// indices notes what stands in indices.
func (o *likelihoodFinder) noteIndices(e *syntax.Expr) {
	walkExpr(e, func(e *syntax.Expr) {
		for _, i := range e.Indices {
			for _, x := range [2]*syntax.Expr{i.Lo, i.Hi} {
				syntax.WalkVariables(x, func(s *syntax.Symbol) { o.sizes[s] = true })
			}
		}
	})
}

// of reports whether an expression is computed of data.
func (o *likelihoodFinder) isFromData(e *syntax.Expr) (yes bool) {
	walkExpr(e, func(e *syntax.Expr) { yes = yes || e.Kind == syntax.NameNode && e.Sym != nil && o.fromData[e.Sym] })
	return yes
}

// density reports whether an expression is computed of a density.
func (o *likelihoodFinder) isFromDensity(e *syntax.Expr) (yes bool) {
	walkExpr(e, func(e *syntax.Expr) {
		_, _, ends := lang.CutDensitySuffix(e.Name)
		yes = yes || e.Kind == syntax.DensityNode || e.Kind == syntax.CallNode && ends || e.User != nil && o.densityFunctions[e.User] ||
			e.Kind == syntax.NameNode && e.Sym != nil && o.fromDensity[e.Sym]
	})
	return yes
}

// censored reports whether a term is made of distribution functions of data that depend on parameters, as that of an
// interval, log_diff_exp(normal_lcdf(b | m, s), normal_lcdf(a | m, s)). One by itself is left to whoever runs the program.
func (o *likelihoodFinder) isCensoredTerm(t *syntax.Expr) bool {
	if _, _, ends := lang.CutDensitySuffix(t.Name); ends {
		return false
	}
	any, all, free := false, true, false
	walkExpr(t, func(e *syntax.Expr) {
		_, end, ends := lang.CutDensitySuffix(e.Name)
		switch {
		case ends && end != "_lpdf" && end != "_lpmf" && e.User == nil && len(e.Args) > 0:
			any, all = true, all && o.isFromData(e.Args[0])
		case ends || e.User != nil && o.densityFunctions[e.User]:
			all = false
		case e.Kind == syntax.NameNode && e.Sym != nil:
			all, free = all && !o.fromDensity[e.Sym], free || e.Sym.IsParameter() || o.fromParameters[e.Sym]
		}
	})
	return any && all && free
}

func (o *likelihoodFinder) propagate(s *syntax.Stmt) {
	to, from := assignedValue(s)
	if to == nil {
		return
	}
	o.fromData[to] = o.fromData[to] || o.isFromData(from)
	o.fromDensity[to] = o.fromDensity[to] || o.isFromDensity(from)
	walkExpr(from, func(e *syntax.Expr) {
		if e.Kind == syntax.NameNode && e.Sym != nil && (e.Sym.IsParameter() || o.fromParameters[e.Sym]) {
			o.fromParameters[to] = true
		}
	})
}

// assigned is a variable that a statement gives a value, and the value.
func assignedValue(s *syntax.Stmt) (to *syntax.Symbol, from *syntax.Expr) {
	switch {
	case s.Kind == syntax.DeclareStmt && s.Decl.Init != nil:
		return s.Decl.Sym, s.Decl.Init
	case s.Kind == syntax.AssignStmt && s.Right != nil && syntax.Root(s.Left) != nil:
		return syntax.Root(s.Left).Sym, s.Right
	case s.Kind == syntax.ForEachStmt:
		return s.Sym, s.Left
	}
	return nil, nil
}

// sum is the value that a statement adds to the density, to a number that is a term of it, or returns from a function
// whose value may be.
func (o *likelihoodFinder) termSum(s *syntax.Stmt) *syntax.Expr {
	if s.Kind == syntax.TargetStmt {
		return s.Right
	}
	if to, from := assignedValue(s); to != nil && s.Kind != syntax.ForEachStmt && o.densityTerms[to] {
		return from
	}
	return nil
}

func (o *likelihoodFinder) noteDensityTerms(s *syntax.Stmt) {
	e := o.termSum(s)
	if e == nil {
		return
	}
	for _, t := range syntax.SumTerms(e) {
		if t.Kind == syntax.NameNode && t.Type.IsScalar() && t.Sym != nil && !t.Sym.IsParameter() {
			o.densityTerms[t.Sym] = true
		}
	}
}

// find notes densities of data, and terms of data that have no density.
func (o *likelihoodFinder) findTerms(s *syntax.Stmt) {
	eachExpr(s, func(e *syntax.Expr) {
		walkExpr(e, func(e *syntax.Expr) {
			if _, _, ends := lang.CutDensitySuffix(e.Name); ends && len(e.Args) > 0 && o.isFromData(e.Args[0]) {
				o.densities[e] = true
			}
		})
	})
	e := o.termSum(s)
	if e == nil {
		return
	}
	all := syntax.SumTerms(e)
	plain := map[*syntax.Expr]bool{}
	of := false
	for _, t := range all {
		name := t.Kind == syntax.NameNode && t.Sym != nil && o.densityTerms[t.Sym]
		if !name && (!o.isFromDensity(t) || o.isCensoredTerm(t)) && !strings.HasSuffix(t.Name, "_lp") && (t.Type.IsScalar() || len(all) == 1) {
			plain[t], of = true, of || o.isFromData(t)
		}
	}
	if of {
		maps.Copy(o.terms, plain)
	}
}
