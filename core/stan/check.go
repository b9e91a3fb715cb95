package stan

import (
	"slices"
	"strings"

	"logzlab/core/problem"
)

// checker finds the places of names and the types of expressions.
type checker struct {
	scopes    []map[string]*symbol
	functions map[string][]*function
	block     block
	inside    *function // whose body is checked; nil: a block of the program
	local     int       // braces around the statement
	loops     int
	slots     int
	free      *[]*symbol // of an expression by itself: names become parameters
}

// check checks a program.
func check(p *Program) {
	c := &checker{functions: map[string][]*function{}}
	for _, f := range p.functions {
		c.announce(f)
	}
	for _, f := range p.functions {
		if f.body != nil {
			c.function(f)
		} else if c.userFunction(f.name, f.types()).body == nil {
			fail(f.at, problem.New("the function %s is announced, but its body is missing", f.name))
		}
	}
	for _, f := range p.functions {
		refuseRecursion(called{f, f.at}, nil)
	}
	c.slots = 0
	c.push()
	for b, body := range p.blocks {
		c.block = block(b)
		if c.block == modelBlock {
			c.push()
			c.local++
		}
		for _, s := range body {
			c.statement(s)
		}
		if c.block == modelBlock {
			c.pop()
			c.local--
		}
	}
	p.slots = c.slots
	p.findPriors()
}

// announce notes a function. A body may follow one that was only announced.
func (c *checker) announce(f *function) {
	for i, g := range c.functions[f.name] {
		if !sameParams(f, g) {
			continue
		}
		if f.body != nil && g.body != nil {
			fail(f.at, problem.New("the function %s is defined twice for the same types", f.name))
		}
		if f.body != nil {
			c.functions[f.name][i] = f
		}
		return
	}
	c.functions[f.name] = append(c.functions[f.name], f)
}

func sameParams(f, g *function) bool {
	if len(f.params) != len(g.params) {
		return false
	}
	for i := range f.params {
		if f.params[i].typ != g.params[i].typ {
			return false
		}
	}
	return true
}

func (f *function) types() []typ {
	var out []typ
	for _, a := range f.params {
		out = append(out, a.typ)
	}
	return out
}

func (c *checker) function(f *function) {
	c.inside, c.slots, c.block = f, 0, functionsBlock
	c.push()
	c.local++
	for i := range f.params {
		a := &f.params[i]
		a.sym = c.declare(a.at, &symbol{name: a.name, typ: a.typ, fixed: true})
	}
	c.statements(f.body)
	if f.result != (typ{}) && !ends(f.body) {
		fail(f.end, problem.New("the function %s may end here without a return", f.name))
	}
	c.local--
	c.pop()
	f.slots, c.inside = c.slots, nil
}

// ends reports whether statements end with a return, or an error, on all ways through them.
func ends(list []*stmt) bool {
	return slices.ContainsFunc(list, func(s *stmt) bool {
		switch s.action {
		case returnStmt, rejectStmt:
			return true
		case ifStmt:
			return ends(s.body) && ends(s.other)
		case blockStmt, whileStmt, forStmt, eachStmt:
			return ends(s.body)
		}
		return false
	})
}

// refuseRecursion fails where a function calls itself, over others or not.
func refuseRecursion(c called, above []*function) {
	if slices.Contains(above, c.f) {
		fail(c.at, problem.New("the function %s calls itself; write a loop instead", c.f.name))
	}
	for _, g := range c.f.calls {
		refuseRecursion(g, append(above, c.f))
	}
	c.f.calls = nil // seen
}

func (c *checker) push() { c.scopes = append(c.scopes, map[string]*symbol{}) }
func (c *checker) pop()  { c.scopes = c.scopes[:len(c.scopes)-1] }

// find is the variable of a name, nil without.
func (c *checker) find(name string) *symbol {
	for i := len(c.scopes) - 1; i >= 0; i-- {
		if s := c.scopes[i][name]; s != nil {
			return s
		}
	}
	return nil
}

func (c *checker) declare(at int, s *symbol) *symbol {
	if c.find(s.name) != nil {
		fail(at, problem.New("%s is declared twice; choose another name", s.name))
	}
	if c.functions[s.name] != nil {
		fail(at, problem.New("%s is a function; choose another name", s.name))
	}
	s.slot, s.block = c.slots, c.block
	c.slots++
	c.scopes[len(c.scopes)-1][s.name] = s
	return s
}

// statements checks statements between braces.
func (c *checker) statements(body []*stmt) {
	c.push()
	c.local++
	for _, s := range body {
		c.statement(s)
	}
	c.local--
	c.pop()
}

func (c *checker) statement(s *stmt) {
	if (c.block == dataBlock || c.block == parametersBlock) && s.action != declareStmt {
		fail(s.start, problem.New("the block %s has declarations alone; write this in another block", blockNames[c.block]))
	}
	switch s.action {
	case declareStmt:
		c.declaration(s.decl)
	case assignStmt:
		c.assignment(s)
	case tildeStmt:
		c.tilde(s)
	case targetStmt:
		c.density(s.start, s.adds())
		if t := c.expr(s.right); !t.scalar() && t.depth == 0 && t.base == noType {
			fail(s.right.at, problem.New("a number was expected, not %s", t))
		}
	case callStmt:
		c.expr(s.left)
	case printStmt, rejectStmt:
		for _, a := range s.args {
			c.expr(a)
		}
	case ifStmt, whileStmt:
		c.want(s.left, typ{base: realType})
		if s.action == whileStmt {
			c.loops++
		}
		c.statements(s.body)
		c.statements(s.other)
		if s.action == whileStmt {
			c.loops--
		}
	case forStmt, eachStmt:
		c.loop(s)
	case breakStmt, continueStmt:
		if c.loops == 0 {
			fail(s.at, problem.New("break and continue stand inside of a loop alone"))
		}
	case returnStmt:
		c.returns(s)
	case blockStmt:
		c.statements(s.body)
	}
}

func (c *checker) loop(s *stmt) {
	s.sym.typ.base = intType
	if s.action == forStmt {
		c.want(s.lo, s.sym.typ)
		c.want(s.hi, s.sym.typ)
	} else {
		t := c.expr(s.left)
		inner, ok := t.element()
		if !ok {
			fail(s.left.at, problem.New("a loop walks over an array, vector or matrix, not over %s", t))
		}
		if t.depth == 0 && t.base == matrixType {
			inner.base = realType // of each number
		}
		s.sym.typ = inner
	}
	c.push()
	c.declare(s.at, s.sym)
	c.loops++
	c.statements(s.body)
	c.loops--
	c.pop()
}

func (c *checker) returns(s *stmt) {
	if c.inside == nil {
		fail(s.at, problem.New("return stands inside of a function alone"))
	}
	var t typ
	if s.right != nil {
		t = c.expr(s.right)
	}
	if want := c.inside.result; (s.right == nil) != (want == typ{}) || s.right != nil && !want.takes(t) {
		fail(returnAt(s, want), problem.New("the function %s returns %s, not %s", c.inside.name, want, t))
	}
}

// returnAt is where the value of a return stands.
func returnAt(s *stmt, want typ) int {
	if s.right != nil && want != (typ{}) {
		return s.right.start
	}
	return s.at
}

// adds is how a statement that adds to the density begins.
func (s *stmt) adds() string {
	if s.text != "" {
		return jacobianAdds
	}
	return "target +="
}

// jacobianAdds adds to the density of transformed parameters; names of functions that do end in jacobianEnd.
const jacobianAdds, jacobianEnd = "jacobian +=", "_jacobian"

// density refuses what changes the density where it cannot.
func (c *checker) density(at int, what string) {
	if what == jacobianAdds || strings.HasSuffix(what, jacobianEnd) {
		if c.block != transformedParameters && (c.inside == nil || !strings.HasSuffix(c.inside.name, jacobianEnd)) {
			fail(at, problem.New("%s stands in the block transformed parameters, or in a function whose name ends in _jacobian",
				what))
		}
		return
	}
	in := c.inside != nil && strings.HasSuffix(c.inside.name, "_lp")
	if c.block != modelBlock && !in && !(c.block == transformedParameters && what == "target()") {
		fail(at, problem.New("%s stands in the block model, or in a function whose name ends in _lp", what))
	}
}

func (c *checker) declaration(d *decl) {
	for _, e := range append(append([]*expr(nil), d.dims...), d.sizes...) {
		c.want(e, typ{base: intType})
	}
	if c.local > 0 && (d.shape != plainShape || d.lower != nil || d.upper != nil || d.offset != nil ||
		d.multiplier != nil) {
		fail(d.limit, problem.New("%s is a local variable, which has no bounds or other constraints; leave them out", d.name))
	}
	for _, e := range []*expr{d.lower, d.upper, d.offset, d.multiplier} {
		if e == nil {
			continue
		}
		if t := c.expr(e); !t.scalar() && !d.typ.takes(t) && !d.typ.real().takes(t) {
			fail(e.at, problem.New("a bound of %s cannot be %s", d.typ, t))
		}
	}
	if c.block == parametersBlock && d.typ.base == intType {
		fail(d.start, problem.New("parameters are real numbers; a whole one must be summed out, see log_sum_exp and log_mix"))
	}
	if d.init != nil {
		if c.block == dataBlock || c.block == parametersBlock {
			fail(d.value, problem.New("variables of the block %s get no value here", blockNames[c.block]))
		}
		c.want(d.init, d.typ)
	}
	d.sym = c.declare(d.at, &symbol{name: d.name, typ: d.typ, decl: d})
}

// assignment checks a = b and a[i] += b.
func (c *checker) assignment(s *stmt) {
	root := s.left
	for root.node == indexNode {
		root = root.args[0]
	}
	if root.node != nameNode {
		fail(s.left.at, problem.New("nothing can be assigned to this; write a variable, or a part of one"))
	}
	to := c.expr(s.left)
	sym := root.sym
	switch {
	case sym.fixed:
		fail(root.at, problem.New("%s is a loop variable or an argument; nothing can be assigned to it", sym.name))
	case sym.block != c.block:
		fail(root.at, problem.New("%s belongs to the block %s; nothing can be assigned to it in the block %s", sym.name,
			blockNames[sym.block], blockNames[c.block]))
	}
	t := c.expr(s.right)
	if s.op != "=" {
		op := strings.TrimSuffix(s.op, "=")
		made, ok := binaryType(op, to, t)
		if !ok {
			fail(s.at, problem.New("%s does not go with %s and %s", quoted(s.op), to, t))
		}
		t = made
	}
	if !to.takes(t) {
		fail(s.right.start, problem.New("%s cannot be assigned to %s", t, to))
	}
}

// tilde checks y ~ f(args).
func (c *checker) tilde(s *stmt) {
	c.density(s.start, "~")
	c.expr(s.left)
	for _, suffix := range []string{"_lpdf", "_lpmf"} {
		call := &expr{node: densityNode, at: s.at, name: s.text + suffix}
		call.args = append([]*expr{s.left}, s.args...)
		if c.offered(call.name) {
			c.expr(call)
			s.right = call
			break
		}
	}
	if s.right == nil {
		fail(s.at, problem.New("there is no distribution %s here%w", s.text, nearest(s.text, distributionNames())))
	}
	if s.trunc == nil {
		return
	}
	for _, e := range []*expr{s.trunc.lo, s.trunc.hi} {
		if e != nil {
			c.want(e, typ{base: realType})
		}
	}
	if !s.left.typ.scalar() {
		fail(s.trunc.at, problem.New("T[,] goes with one number alone; write a loop over the elements"))
	}
	c.truncate(s)
}
