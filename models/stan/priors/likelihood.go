package priors

import (
	"maps"
	"strings"

	"logzlab/models/stan/lang"
	"logzlab/models/stan/syntax"
)

// FindLikelihood finds the likelihood of a program: densities whose outcome depends on data, and terms of the density
// that are computed from data without a density function, through variables and functions. Data are real numbers, and
// integers that are not sizes, indices or loop bounds. In a sum with such a term, all terms without a density belong to
// the likelihood, as in -N * log(s). A function argument counts as data: the caller checks at run time whether its
// value is constant.
func FindLikelihood(p *syntax.Program) (densities, terms map[*syntax.Expr]bool) {
	symbolSet := func() map[*syntax.Symbol]bool { return map[*syntax.Symbol]bool{} }
	o := &likelihoodFinder{fromData: symbolSet(), sizes: symbolSet(), fromDensity: symbolSet(), fromParameters: symbolSet(), densityTerms: symbolSet(),
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

	// Dependences of variables; passes repeat because a loop may read what it assigns later.
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

	// Variables that are terms of the density, then the terms of the likelihood.
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

// likelihoodFinder tracks which variables depend on data, densities and parameters.
type likelihoodFinder struct {
	fromData         map[*syntax.Symbol]bool // depends on data
	sizes            map[*syntax.Symbol]bool // sizes, indices and bounds of loops
	fromDensity      map[*syntax.Symbol]bool // depends on a density
	fromParameters   map[*syntax.Symbol]bool // depends on parameters
	densityFunctions map[*syntax.Function]bool
	densityTerms     map[*syntax.Symbol]bool // variables that are terms of the density

	densities, terms map[*syntax.Expr]bool
}

// eachExpr calls f for the expressions of a statement, but not for those of nested statements.
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

// walkExpr calls f for an expression and its subexpressions, except indices.
func walkExpr(e *syntax.Expr, f func(e *syntax.Expr)) {
	if e == nil {
		return
	}
	f(e)
	for _, a := range e.Args {
		walkExpr(a, f)
	}
}

// noteSizes records the variables in sizes and loop bounds.
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

// noteIndices records the variables in indices.
func (o *likelihoodFinder) noteIndices(e *syntax.Expr) {
	walkExpr(e, func(e *syntax.Expr) {
		for _, i := range e.Indices {
			for _, x := range [2]*syntax.Expr{i.Lo, i.Hi} {
				syntax.WalkVariables(x, func(s *syntax.Symbol) { o.sizes[s] = true })
			}
		}
	})
}

// isFromData reports whether e depends on data.
func (o *likelihoodFinder) isFromData(e *syntax.Expr) (yes bool) {
	walkExpr(e, func(e *syntax.Expr) { yes = yes || e.Kind == syntax.NameNode && e.Sym != nil && o.fromData[e.Sym] })
	return yes
}

// isFromDensity reports whether e depends on a density.
func (o *likelihoodFinder) isFromDensity(e *syntax.Expr) (yes bool) {
	walkExpr(e, func(e *syntax.Expr) {
		_, _, ends := lang.CutDensitySuffix(e.Name)
		yes = yes || e.Kind == syntax.DensityNode || e.Kind == syntax.CallNode && ends || e.User != nil && o.densityFunctions[e.User] ||
			e.Kind == syntax.NameNode && e.Sym != nil && o.fromDensity[e.Sym]
	})
	return yes
}

// isCensoredTerm reports whether a term consists of distribution functions of data that depend on parameters, such as
// an interval, log_diff_exp(normal_lcdf(b | m, s), normal_lcdf(a | m, s)). A single distribution function is not: it is
// decided at run time.
func (o *likelihoodFinder) isCensoredTerm(t *syntax.Expr) bool {
	if _, _, ends := lang.CutDensitySuffix(t.Name); ends {
		return false
	}
	hasFunction, onlyOfData, dependsOnParameters := false, true, false
	walkExpr(t, func(e *syntax.Expr) {
		_, end, ends := lang.CutDensitySuffix(e.Name)
		switch {
		case ends && end != "_lpdf" && end != "_lpmf" && e.User == nil && len(e.Args) > 0:
			hasFunction, onlyOfData = true, onlyOfData && o.isFromData(e.Args[0])
		case ends || e.User != nil && o.densityFunctions[e.User]:
			onlyOfData = false
		case e.Kind == syntax.NameNode && e.Sym != nil:
			onlyOfData, dependsOnParameters = onlyOfData && !o.fromDensity[e.Sym], dependsOnParameters || e.Sym.IsParameter() || o.fromParameters[e.Sym]
		}
	})
	return hasFunction && onlyOfData && dependsOnParameters
}

// propagate records the dependences of the variable that a statement assigns.
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

// assignedValue returns the variable that a statement assigns, and the value.
func assignedValue(s *syntax.Stmt) (variable *syntax.Symbol, from *syntax.Expr) {
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

// termSum returns the value that a statement adds to the density, or to a variable that is a term of it.
func (o *likelihoodFinder) termSum(s *syntax.Stmt) *syntax.Expr {
	if s.Kind == syntax.TargetStmt {
		return s.Right
	}
	if to, from := assignedValue(s); to != nil && s.Kind != syntax.ForEachStmt && o.densityTerms[to] {
		return from
	}
	return nil
}

// noteDensityTerms records the variables that are terms of the density.
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

// findTerms records densities of data, and terms of data without a density.
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
	plainTerms := map[*syntax.Expr]bool{}
	hasData := false
	for _, t := range all {
		name := t.Kind == syntax.NameNode && t.Sym != nil && o.densityTerms[t.Sym]
		if !name && (!o.isFromDensity(t) || o.isCensoredTerm(t)) && !strings.HasSuffix(t.Name, "_lp") && (t.Type.IsScalar() || len(all) == 1) {
			plainTerms[t], hasData = true, hasData || o.isFromData(t)
		}
	}
	if hasData {
		maps.Copy(o.terms, plainTerms)
	}
}
