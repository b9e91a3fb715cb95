package stan

import (
	"slices"
	"strings"

	"logzlab/core/problem"
)

// priorFinder finds the statements that give parameters their priors.
type priorFinder struct {
	reads  map[*symbol]map[*symbol]bool // data and parameters that a variable was computed of
	priors map[*symbol][]string
}

// priors notes the priors of the parameters, and which have none.
func (p *Program) priors(out *Compiled) {
	f := &priorFinder{map[*symbol]map[*symbol]bool{}, map[*symbol][]string{}}
	for _, b := range []block{transformedParameters, modelBlock} {
		for range 2 { // a loop may read what it computes further down
			walk(p.blocks[b], f.follow)
		}
	}
	walk(p.blocks[modelBlock], f.find)
	for i, s := range p.blocks[parametersBlock] {
		q := &out.Parameters[i]
		q.Priors = f.priors[s.decl.sym]
		if q.Improper = len(q.Priors) == 0 && q.Free > 0 && !proper(s.decl); q.Improper {
			out.Notes = append(out.Notes, problem.New(
				"the parameter %s has no prior that the program states by itself, so that log Z may have no meaning beyond a "+
					"constant", q.Name))
		}
	}
}

// proper reports whether a flat density of a declared type is one.
func proper(d *decl) bool {
	switch d.shape {
	case simplexShape, rowSimplexShape, columnSimplexShape, unitShape, corrShape, corrFactorShape:
		return true
	}
	return d.lower != nil && d.upper != nil
}

// walk calls f for all statements.
func walk(list []*stmt, f func(s *stmt)) {
	for _, s := range list {
		f(s)
		walk(s.body, f)
		walk(s.other, f)
	}
}

// names calls f for all variables of an expression.
func names(e *expr, f func(s *symbol)) {
	if e == nil {
		return
	}
	if e.node == nameNode {
		f(e.sym)
	}
	for _, a := range e.args {
		names(a, f)
	}
	for _, i := range e.idx {
		names(i.lo, f)
		names(i.hi, f)
	}
}

// sources are the data and parameters that an expression is computed of.
func (f *priorFinder) sources(e *expr) map[*symbol]bool {
	out := map[*symbol]bool{}
	names(e, func(s *symbol) {
		if s.block <= parametersBlock && !s.fixed {
			out[s] = true
		}
		for one := range f.reads[s] {
			out[one] = true
		}
	})
	return out
}

// follow notes what a variable is computed of.
func (f *priorFinder) follow(s *stmt) {
	var to *symbol
	var from *expr
	switch {
	case s.action == declareStmt && s.decl.init != nil:
		to, from = s.decl.sym, s.decl.init
	case s.action == assignStmt:
		root := s.left
		for root.node == indexNode {
			root = root.args[0]
		}
		to, from = root.sym, s.right
	case s.action == eachStmt:
		to, from = s.sym, s.left
	default:
		return
	}
	if f.reads[to] == nil {
		f.reads[to] = map[*symbol]bool{}
	}
	for one := range f.sources(from) {
		f.reads[to][one] = true
	}
}

// find notes the priors that a statement gives.
func (f *priorFinder) find(s *stmt) {
	switch s.action {
	case tildeStmt:
		f.note(s.left, s.args, s.text)
	case targetStmt:
		f.terms(s.right)
	case callStmt: // a function of one's own that adds to the density
		if s.left.user != nil && strings.HasSuffix(s.left.name, "_lp") {
			f.byHand(s.left, s.left.name)
		}
	}
}

// terms looks at the terms of target +=.
func (f *priorFinder) terms(e *expr) {
	if e.node == binaryNode && (e.name == "+" || e.name == "-") {
		f.terms(e.args[0])
		f.terms(e.args[1])
		return
	}
	family, end, ok := cutSuffix(e.name)
	if (e.node == densityNode || e.node == callNode) && ok && len(e.args) > 0 {
		if end == "_lpdf" {
			f.note(e.args[0], e.args[1:], family)
		}
		return
	}
	f.byHand(e, "target +=")
}

// note notes a prior of a parameter that stands by itself on the left, whose arguments do not depend on it.
func (f *priorFinder) note(left *expr, args []*expr, family string) {
	for left.node == indexNode || left.node == callNode && strings.HasPrefix(left.name, "to_") && len(left.args) == 1 {
		left = left.args[0]
	}
	if left.node != nameNode || left.sym.block != parametersBlock {
		return
	}
	for _, a := range args {
		if f.sources(a)[left.sym] {
			return
		}
	}
	f.give(left.sym, family)
}

// byHand notes a prior that is written out: a term of parameters without data.
func (f *priorFinder) byHand(e *expr, how string) {
	from := f.sources(e)
	for s := range from {
		if s.block == dataBlock && s.typ.base != intType {
			return
		}
	}
	for s := range from {
		if s.block == parametersBlock {
			f.give(s, how)
		}
	}
}

func (f *priorFinder) give(s *symbol, family string) {
	if !slices.Contains(f.priors[s], family) {
		f.priors[s] = append(f.priors[s], family)
	}
}
