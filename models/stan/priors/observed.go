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
func Observed(p *syntax.Program) (left, terms map[*syntax.Expr]bool) {
	none := func() map[*syntax.Symbol]bool { return map[*syntax.Symbol]bool{} }
	o := &observer{data: none(), sizes: none(), dense: none(), free: none(), made: none(),
		function: map[*syntax.Function]bool{}, left: map[*syntax.Expr]bool{}, terms: map[*syntax.Expr]bool{}}
	var lists [][]*syntax.Stmt
	for _, f := range p.Functions {
		lists = append(lists, f.Body)
		for _, a := range f.Params {
			o.data[a.Sym], o.free[a.Sym] = true, true
		}
	}
	for _, b := range p.Blocks {
		lists = append(lists, b)
		syntax.Walk(b, o.size)
	}
	for _, list := range lists {
		syntax.Walk(list, func(s *syntax.Stmt) { each(s, o.indices) })
	}
	for _, s := range p.Blocks[syntax.DataBlock] {
		sym := s.Decl.Sym
		o.data[sym] = sym.Type.Base != lang.IntType || !o.sizes[sym]
	}

	// What variables are computed of; a loop may read what it computes further down.
	for range 3 {
		for _, f := range p.Functions {
			syntax.Walk(f.Body, func(s *syntax.Stmt) {
				each(s, func(e *syntax.Expr) { o.function[f] = o.function[f] || o.density(e) })
			})
		}
		for _, list := range lists {
			syntax.Walk(list, o.follow)
		}
	}

	// Numbers that are terms of the density, and the terms of observations.
	for range 3 {
		for _, list := range lists {
			syntax.Walk(list, o.sums)
		}
	}
	for _, list := range lists {
		syntax.Walk(list, o.find)
	}
	return o.left, o.terms
}

type observer struct {
	data     map[*syntax.Symbol]bool // computed of data
	sizes    map[*syntax.Symbol]bool // sizes, indices and bounds of loops
	dense    map[*syntax.Symbol]bool // computed of a density
	free     map[*syntax.Symbol]bool // computed of parameters
	function map[*syntax.Function]bool
	made     map[*syntax.Symbol]bool // numbers that are terms of the density

	left, terms map[*syntax.Expr]bool
}

// each calls f for the expressions of a statement, without those of statements in it.
func each(s *syntax.Stmt, f func(e *syntax.Expr)) {
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
func walk(e *syntax.Expr, f func(e *syntax.Expr)) {
	if e == nil {
		return
	}
	f(e)
	for _, a := range e.Args {
		walk(a, f)
	}
}

// size notes what gives sizes and bounds of loops.
func (o *observer) size(s *syntax.Stmt) {
	note := func(e *syntax.Expr) { syntax.Names(e, func(s *syntax.Symbol) { o.sizes[s] = true }) }
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
func (o *observer) indices(e *syntax.Expr) {
	walk(e, func(e *syntax.Expr) {
		for _, i := range e.Idx {
			for _, x := range [2]*syntax.Expr{i.Lo, i.Hi} {
				syntax.Names(x, func(s *syntax.Symbol) { o.sizes[s] = true })
			}
		}
	})
}

// of reports whether an expression is computed of data.
func (o *observer) of(e *syntax.Expr) (yes bool) {
	walk(e, func(e *syntax.Expr) { yes = yes || e.Node == syntax.NameNode && e.Sym != nil && o.data[e.Sym] })
	return yes
}

// density reports whether an expression is computed of a density.
func (o *observer) density(e *syntax.Expr) (yes bool) {
	walk(e, func(e *syntax.Expr) {
		_, _, ends := lang.CutSuffix(e.Name)
		yes = yes || e.Node == syntax.DensityNode || e.Node == syntax.CallNode && ends || e.User != nil && o.function[e.User] ||
			e.Node == syntax.NameNode && e.Sym != nil && o.dense[e.Sym]
	})
	return yes
}

// censored reports whether a term is made of distribution functions of data that depend on parameters, as that of an
// interval, log_diff_exp(normal_lcdf(b | m, s), normal_lcdf(a | m, s)). One by itself is left to whoever runs the program.
func (o *observer) censored(t *syntax.Expr) bool {
	if _, _, ends := lang.CutSuffix(t.Name); ends {
		return false
	}
	any, all, free := false, true, false
	walk(t, func(e *syntax.Expr) {
		_, end, ends := lang.CutSuffix(e.Name)
		switch {
		case ends && end != "_lpdf" && end != "_lpmf" && e.User == nil && len(e.Args) > 0:
			any, all = true, all && o.of(e.Args[0])
		case ends || e.User != nil && o.function[e.User]:
			all = false
		case e.Node == syntax.NameNode && e.Sym != nil:
			all, free = all && !o.dense[e.Sym], free || e.Sym.IsParameter() || o.free[e.Sym]
		}
	})
	return any && all && free
}

func (o *observer) follow(s *syntax.Stmt) {
	to, from := assigned(s)
	if to == nil {
		return
	}
	o.data[to] = o.data[to] || o.of(from)
	o.dense[to] = o.dense[to] || o.density(from)
	walk(from, func(e *syntax.Expr) {
		if e.Node == syntax.NameNode && e.Sym != nil && (e.Sym.IsParameter() || o.free[e.Sym]) {
			o.free[to] = true
		}
	})
}

// assigned is a variable that a statement gives a value, and the value.
func assigned(s *syntax.Stmt) (to *syntax.Symbol, from *syntax.Expr) {
	switch {
	case s.Action == syntax.DeclareStmt && s.Decl.Init != nil:
		return s.Decl.Sym, s.Decl.Init
	case s.Action == syntax.AssignStmt && s.Right != nil && syntax.Root(s.Left) != nil:
		return syntax.Root(s.Left).Sym, s.Right
	case s.Action == syntax.EachStmt:
		return s.Sym, s.Left
	}
	return nil, nil
}

// sum is the value that a statement adds to the density, to a number that is a term of it, or returns from a function
// whose value may be.
func (o *observer) sum(s *syntax.Stmt) *syntax.Expr {
	if s.Action == syntax.TargetStmt {
		return s.Right
	}
	if to, from := assigned(s); to != nil && s.Action != syntax.EachStmt && o.made[to] {
		return from
	}
	return nil
}

func (o *observer) sums(s *syntax.Stmt) {
	e := o.sum(s)
	if e == nil {
		return
	}
	for _, t := range syntax.Terms(e) {
		if t.Node == syntax.NameNode && t.Type.Scalar() && t.Sym != nil && !t.Sym.IsParameter() {
			o.made[t.Sym] = true
		}
	}
}

// find notes densities of data, and terms of data that have no density.
func (o *observer) find(s *syntax.Stmt) {
	each(s, func(e *syntax.Expr) {
		walk(e, func(e *syntax.Expr) {
			if _, _, ends := lang.CutSuffix(e.Name); ends && len(e.Args) > 0 && o.of(e.Args[0]) {
				o.left[e] = true
			}
		})
	})
	e := o.sum(s)
	if e == nil {
		return
	}
	all := syntax.Terms(e)
	plain := map[*syntax.Expr]bool{}
	of := false
	for _, t := range all {
		name := t.Node == syntax.NameNode && t.Sym != nil && o.made[t.Sym]
		if !name && (!o.density(t) || o.censored(t)) && !strings.HasSuffix(t.Name, "_lp") && (t.Type.Scalar() || len(all) == 1) {
			plain[t], of = true, of || o.of(t)
		}
	}
	if of {
		maps.Copy(o.terms, plain)
	}
}
