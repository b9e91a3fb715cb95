package stan

import (
	"maps"
	"slices"
	"strings"

	"logzlab/core/problem"
)

// priorFinder finds the statements that give parameters their priors.
type priorFinder struct {
	reads  map[*symbol]map[*symbol]bool // data and parameters that a variable was computed of
	holds  map[*symbol]map[*symbol]bool // parameters whose elements a variable has as they are
	priors map[*symbol][]string
	made   map[*symbol][]*expr // terms that a number sums up
	free   bool                // a term of the density depends on no parameter: it may normalise a prior
}

// findPriors notes the priors of parameters.
func (p *Program) findPriors() {
	f := &priorFinder{reads: map[*symbol]map[*symbol]bool{}, holds: map[*symbol]map[*symbol]bool{},
		priors: map[*symbol][]string{}, made: map[*symbol][]*expr{}}
	for _, b := range []block{transformedData, transformedParameters, modelBlock} {
		for range 2 { // a loop may read what it computes further down
			walk(p.blocks[b], f.follow)
		}
	}
	walk(p.blocks[transformedParameters], f.sums)
	walk(p.blocks[modelBlock], f.sums)
	walk(p.blocks[modelBlock], f.find)
	walk(p.blocks[transformedParameters], func(s *stmt) {
		if s.action == targetStmt { // a Jacobian
			f.byHand(s.right, s.adds())
		}
	})
	p.priors, p.freeTerm = f.priors, f.free
}

// tellPriors tells the priors of parameters, and which have none.
func (r *run) tellPriors(p *Program, out *Compiled) {
	for i, s := range p.blocks[parametersBlock] {
		q := &out.Parameters[i]
		q.Priors = p.priors[s.decl.sym]
		c := r.cut[s.decl.sym]
		none := len(q.Priors) == 0 && !proper(s.decl) || c != nil && c.open
		if q.Improper = none && q.Free > 0; q.Improper {
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
	if e.node == nameNode && e.sym != nil { // nil: of a function that is refused
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

// isParameter reports whether a variable is declared as one.
func (s *symbol) isParameter() bool { return s.block == parametersBlock && !s.fixed }

// sources are the data and parameters that an expression is computed of.
func (f *priorFinder) sources(e *expr) map[*symbol]bool {
	out := map[*symbol]bool{}
	names(e, func(s *symbol) {
		if s.block <= parametersBlock && !s.fixed {
			out[s] = true
		}
		maps.Copy(out, f.reads[s])
	})
	return out
}

// constant reports whether an expression depends on no parameter.
func (f *priorFinder) constant(e *expr) bool {
	for s := range f.sources(e) {
		if s.isParameter() {
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
func (f *priorFinder) held(e *expr) map[*symbol]bool {
	out := map[*symbol]bool{}
	all := func(args []*expr) {
		for _, a := range args {
			maps.Copy(out, f.held(a))
		}
	}
	switch {
	case e.node == nameNode && e.sym != nil:
		if e.sym.isParameter() || e.sym.fixed {
			out[e.sym] = true
		}
		maps.Copy(out, f.holds[e.sym])
	case e.node == indexNode, e.node == transposeNode:
		all(e.args[:1])
	case e.node == arrayNode, e.node == rowNode:
		all(e.args)
	case e.node == binaryNode:
		if of, _ := f.shifted(e); of != nil {
			return f.held(of)
		}
	case e.node == callNode && e.user != nil:
		for i := range f.handed(e.user) {
			maps.Copy(out, f.held(e.args[i]))
		}
	case e.node == callNode && (rearranged[e.name] || strings.HasPrefix(e.name, "to_") ||
		strings.HasPrefix(e.name, "append_")):
		all(e.args)
	}
	return out
}

// shifted is what e is, but for a constant that is added or subtracted; nil for other expressions.
func (f *priorFinder) shifted(e *expr) (of, by *expr) {
	if e.node != binaryNode || e.name != "+" && e.name != "-" {
		return nil, nil
	}
	a, b := e.args[0], e.args[1]
	switch {
	case f.constant(b):
		return a, b
	case e.name == "+" && f.constant(a):
		return b, a
	}
	return nil, nil
}

// handed are the arguments, by number, of which a function hands elements back as they are.
func (f *priorFinder) handed(fn *function) map[int]bool {
	in := &priorFinder{reads: map[*symbol]map[*symbol]bool{}, holds: map[*symbol]map[*symbol]bool{}}
	walk(fn.body, in.follow)
	out := map[int]bool{}
	walk(fn.body, func(s *stmt) {
		if s.action != returnStmt || s.right == nil {
			return
		}
		back := in.held(s.right)
		for i := range fn.params {
			if back[fn.params[i].sym] {
				out[i] = true
			}
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
		to, from = root(s.left).sym, s.right
	case s.action == eachStmt:
		to, from = s.sym, s.left
	default:
		return
	}
	add := func(list map[*symbol]map[*symbol]bool, more map[*symbol]bool) {
		if list[to] == nil {
			list[to] = map[*symbol]bool{}
		}
		maps.Copy(list[to], more)
	}
	add(f.reads, f.sources(from))
	add(f.holds, f.held(from))
}

// root is the variable of which an expression is a part.
func root(e *expr) *expr {
	for e.node == indexNode {
		e = e.args[0]
	}
	return e
}

// sums notes what numbers sum up, and whether a term of such a number, or of the density, depends on no parameter.
func (f *priorFinder) sums(s *stmt) {
	switch {
	case s.action == declareStmt && s.decl.init != nil:
		f.made[s.decl.sym] = append(f.made[s.decl.sym], terms(s.decl.init)...)
	case s.action == assignStmt && s.left.node == nameNode && (s.op == "=" || s.op == "+="):
		f.made[s.left.sym] = append(f.made[s.left.sym], terms(s.right)...)
	}
	if s.action == targetStmt || s.action == assignStmt && s.op == "+=" && s.left.typ == (typ{base: realType}) {
		f.free = f.free || slices.ContainsFunc(terms(s.right), f.constant)
	}
}

// terms are the terms of a sum.
func terms(e *expr) []*expr {
	if e.node == binaryNode && (e.name == "+" || e.name == "-") {
		return append(terms(e.args[0]), terms(e.args[1])...)
	}
	return []*expr{e}
}

// find notes the priors that a statement gives.
func (f *priorFinder) find(s *stmt) {
	switch s.action {
	case tildeStmt:
		f.note(s.left, s.args, s.text)
		s.right.trunc = s.trunc
		f.mark(s.right)
	case targetStmt:
		for _, e := range terms(s.right) {
			f.term(e)
		}
	case callStmt: // a function of one's own that adds to the density
		if s.left.user != nil && strings.HasSuffix(s.left.name, "_lp") {
			f.byHand(s.left, s.left.name)
		}
	}
}

// term looks at a term of target +=, which may be a number that sums up others.
func (f *priorFinder) term(e *expr) {
	if e.node == nameNode && e.typ.scalar() && len(f.made[e.sym]) > 0 {
		all := f.made[e.sym]
		f.made[e.sym] = nil // it may be a term of its own
		for _, one := range all {
			f.term(one)
		}
		return
	}
	family, end, ok := cutSuffix(e.name)
	if (e.node == densityNode || e.node == callNode) && ok && len(e.args) > 0 {
		if end == "_lpdf" {
			f.note(e.args[0], e.args[1:], family)
			f.mark(e)
		}
		return
	}
	f.byHand(e, "target +=")
}

// note notes a prior of parameters that stand by themselves on the left, whose arguments do not depend on them.
func (f *priorFinder) note(left *expr, args []*expr, family string) {
	for s := range f.held(left) {
		if s.isParameter() && !slices.ContainsFunc(args, func(a *expr) bool { return f.sources(a)[s] }) {
			f.give(s, family)
		}
	}
}

// mark notes at a density that it is the prior of a parameter.
func (f *priorFinder) mark(e *expr) {
	left := e.args[0]
	if of, by := f.shifted(left); of != nil {
		e.shift, e.less, left = by, left.name == "-", of
	}
	for left.node == indexNode || left.node == callNode && strings.HasPrefix(left.name, "to_") && len(left.args) == 1 {
		left = left.args[0]
	}
	if left.node == nameNode && left.sym.isParameter() && e.user == nil {
		e.prior = left.sym
	}
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
		if s.isParameter() {
			f.give(s, how)
		}
	}
}

func (f *priorFinder) give(s *symbol, family string) {
	if !slices.Contains(f.priors[s], family) {
		f.priors[s] = append(f.priors[s], family)
	}
}
