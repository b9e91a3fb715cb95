package stan

import (
	"slices"
	"strings"

	"logzlab/core/problem"
	"logzlab/models/stan/lang"
	"logzlab/models/stan/priors"
	"logzlab/models/stan/syntax"
)

// checker finds the places of names and the types of expressions.
type checker struct {
	scopes    []map[string]*syntax.Symbol
	functions map[string][]*syntax.Function
	block     syntax.Block
	inside    *syntax.Function // whose body is checked; nil: a block of the program
	local     int              // braces around the statement
	loops     int
	slots     int
	free      *[]*syntax.Symbol // of an expression by itself: names become parameters
}

// check checks a program.
func check(p *Program) {
	c := &checker{functions: map[string][]*syntax.Function{}}

	// The functions. Their bodies are checked where they are called: one that only generated quantities call may have
	// what is not offered.
	for _, f := range p.Functions {
		c.announce(f)
	}
	for _, f := range p.Functions {
		if f.Body == nil && c.userFunction(f.Name, f.Types()).Body == nil {
			lang.Fail(f.At, problem.New("the function %s is declared, but has no body", f.Name))
		}
	}

	// The blocks in order; the model has variables of its own.
	c.push()
	for b, body := range p.Blocks {
		c.block = syntax.Block(b)
		if c.block == syntax.ModelBlock {
			c.push()
			c.local++
		}
		for _, s := range body {
			c.statement(s)
		}
		if c.block == syntax.ParametersBlock {
			p.Blocks[b] = untupled(body)
		}
		if c.block == syntax.ModelBlock {
			c.pop()
			c.local--
		}
	}
	p.Slots = c.slots
	for _, f := range p.Functions {
		refuseRecursion(syntax.Called{F: f, At: f.At}, nil)
	}
	p.states, p.free = priors.Find(p.Program)
}

// announce notes a function. A body may follow one that was only announced.
func (c *checker) announce(f *syntax.Function) {
	c.named(f)
	for i, g := range c.functions[f.Name] {
		if !sameParams(f, g) {
			continue
		}
		switch {
		case f.Body != nil && g.Body != nil:
			lang.Fail(f.At, problem.New("the function %s is defined twice for the same types", f.Name))
		case g.Body != nil:
			lang.Fail(f.At, problem.New("the function %s is declared after its definition; delete this declaration", f.Name))
		case f.Result != g.Result || !slices.EqualFunc(f.Params, g.Params, sameQualifier):
			lang.Fail(f.At, problem.New("the function %s was declared with another result type, or with data at other "+
				"arguments",
				f.Name))
		}
		c.functions[f.Name][i] = f
		return
	}
	if fn := c.builtin(f.Name); fn != nil && f.Refused == nil && fn.Is(f.Types()) {
		lang.Fail(f.At, problem.New("%s is a built-in function for these types; choose another name", f.Name))
	}
	c.functions[f.Name] = append(c.functions[f.Name], f)
}

func sameQualifier(a, b syntax.Param) bool { return a.Data == b.Data }

// named refuses a function whose arguments or result do not go with the end of its name.
func (c *checker) named(f *syntax.Function) {
	for _, end := range [...][2]string{{"_lupdf", "_lpdf"}, {"_lupmf", "_lpmf"}} {
		if name, ok := strings.CutSuffix(f.Name, end[0]); ok {
			lang.Fail(f.At, problem.New("the name of a function must not end in %s; define %s", end[0], name+end[1]))
		}
	}
	_, end, ok := lang.CutSuffix(f.Name)
	if !ok || end == "_cdf" || f.Refused != nil {
		return
	}
	if f.Result != (lang.Type{Base: lang.RealType}) {
		lang.Fail(f.At, problem.New("a function whose name ends in %s must return real, not %s", end, f.Result))
	}
	if len(f.Params) == 0 {
		lang.Fail(f.At, problem.New("a function whose name ends in %s needs at least one argument", end))
	}
	first := f.Params[0]
	if whole := first.Type.Base == lang.IntType; end == "_lpdf" && whole || end == "_lpmf" && !whole &&
		first.Type.Base != lang.TupleType {
		lang.Fail(first.At, problem.New("the first argument must be real in a function whose name ends in _lpdf, and "+
			"an integer in one whose name ends in _lpmf"))
	}
}

func sameParams(f, g *syntax.Function) bool {
	if len(f.Params) != len(g.Params) {
		return false
	}
	for i := range f.Params {
		if f.Params[i].Type != g.Params[i].Type {
			return false
		}
	}
	return true
}

// function checks the body of a function, when it is called first.
func (c *checker) function(f *syntax.Function) {
	if f.Checked {
		return
	}
	if f.Checked = true; f.Refused != nil {
		lang.Fail(f.RefusedAt, f.Refused)
	}
	caller := *c
	c.scopes, c.local, c.loops = nil, 1, 0
	c.inside, c.slots, c.block = f, 0, syntax.FunctionsBlock
	c.push()
	for i := range f.Params {
		a := &f.Params[i]
		a.Sym = c.declare(a.At, &syntax.Symbol{Name: a.Name, Type: a.Type, Fixed: true})
	}
	c.statements(f.Body)
	if f.Result != (lang.Type{}) && !ends(f.Body) {
		lang.Fail(f.End, problem.New("the function %s may end here without a return", f.Name))
	}
	f.Slots = c.slots
	*c = caller
}

// ends reports whether statements end with a return, or an error, on all ways through them.
func ends(list []*syntax.Stmt) bool {
	return slices.ContainsFunc(list, func(s *syntax.Stmt) bool {
		switch s.Action {
		case syntax.ReturnStmt, syntax.RejectStmt:
			return true
		case syntax.IfStmt:
			return ends(s.Body) && ends(s.Other)
		case syntax.BlockStmt, syntax.WhileStmt, syntax.ForStmt, syntax.EachStmt:
			return ends(s.Body)
		}
		return false
	})
}

// refuseRecursion fails where a function calls itself, over others or not.
func refuseRecursion(c syntax.Called, above []*syntax.Function) {
	if slices.Contains(above, c.F) {
		lang.Fail(c.At, problem.New("the function %s calls itself; write a loop instead", c.F.Name))
	}
	for _, g := range c.F.Calls {
		refuseRecursion(g, append(above, c.F))
	}
	c.F.Calls = nil // seen
}

func (c *checker) push() { c.scopes = append(c.scopes, map[string]*syntax.Symbol{}) }
func (c *checker) pop()  { c.scopes = c.scopes[:len(c.scopes)-1] }

// find is the variable of a name, nil without.
func (c *checker) find(name string) *syntax.Symbol {
	for i := len(c.scopes) - 1; i >= 0; i-- {
		if s := c.scopes[i][name]; s != nil {
			return s
		}
	}
	return nil
}

func (c *checker) declare(at int, s *syntax.Symbol) *syntax.Symbol {
	if c.find(s.Name) != nil {
		lang.Fail(at, problem.New("%s is declared twice; choose another name", s.Name))
	}
	if c.functions[s.Name] != nil {
		lang.Fail(at, problem.New("%s is a function; choose another name", s.Name))
	}
	s.Slot, s.Block = c.slots, c.block
	c.slots++
	c.scopes[len(c.scopes)-1][s.Name] = s
	return s
}

// statements checks statements between braces.
func (c *checker) statements(body []*syntax.Stmt) {
	c.push()
	c.local++
	for _, s := range body {
		c.statement(s)
	}
	c.local--
	c.pop()
}

func (c *checker) statement(s *syntax.Stmt) {
	if (c.block == syntax.DataBlock || c.block == syntax.ParametersBlock) && s.Action != syntax.DeclareStmt {
		lang.Fail(s.Start, problem.New("the block %s may contain only declarations; move this to another block",
			syntax.BlockNames[c.block]))
	}
	switch s.Action {
	case syntax.DeclareStmt:
		c.declaration(s.Decl)
	case syntax.AssignStmt:
		c.assignment(s)
	case syntax.TildeStmt:
		c.tilde(s)
	case syntax.TargetStmt:
		c.density(s.Start, s.Adds())
		if t := c.expr(s.Right); t.Base == lang.NoType || t.Base == lang.TupleType {
			lang.Fail(s.Right.At, problem.New("expected a number, found %s", t))
		}
	case syntax.CallStmt:
		if t := c.expr(s.Left); t.Base != lang.NoType && !t.Any() {
			lang.Fail(s.Left.At, problem.New("the value of %s is not used; only a function that returns void can be a "+
				"statement",
				s.Left.Name))
		}
	case syntax.PrintStmt, syntax.RejectStmt:
		for _, a := range s.Args {
			c.expr(a)
		}

	// Branches, loops and ways out.
	case syntax.IfStmt, syntax.WhileStmt:
		c.want(s.Left, lang.Type{Base: lang.RealType})
		if s.Action == syntax.WhileStmt {
			c.loops++
		}
		c.statements(s.Body)
		c.statements(s.Other)
		if s.Action == syntax.WhileStmt {
			c.loops--
		}
	case syntax.ForStmt, syntax.EachStmt:
		c.loop(s)
	case syntax.BreakStmt, syntax.ContinueStmt:
		if c.loops == 0 {
			lang.Fail(s.At, problem.New("break and continue are allowed only inside a loop"))
		}
	case syntax.ReturnStmt:
		c.returns(s)
	case syntax.BlockStmt:
		c.statements(s.Body)
	}
}

func (c *checker) loop(s *syntax.Stmt) {
	s.Sym.Type.Base = lang.IntType
	if s.Action == syntax.ForStmt {
		c.want(s.Lo, s.Sym.Type)
		c.want(s.Hi, s.Sym.Type)
	} else {
		t := c.expr(s.Left)
		inner, ok := t.Element()
		if !ok {
			lang.Fail(s.Left.At, problem.New("a loop can iterate over an array, vector or matrix, not over %s", t))
		}
		if t.Depth == 0 && t.Base == lang.MatrixType {
			inner.Base = lang.RealType // of each number
		}
		s.Sym.Type = inner
	}
	c.push()
	c.declare(s.At, s.Sym)
	c.loops++
	c.statements(s.Body)
	c.loops--
	c.pop()
}

func (c *checker) returns(s *syntax.Stmt) {
	if c.inside == nil {
		lang.Fail(s.At, problem.New("return is allowed only inside a function"))
	}
	var t lang.Type
	if s.Right != nil {
		t = c.expr(s.Right)
	}
	if want := c.inside.Result; (s.Right == nil) != (want == lang.Type{}) || s.Right != nil && !want.Takes(t) {
		lang.Fail(returnAt(s, want), problem.New("the function %s returns %s, not %s", c.inside.Name, want, t))
	}
}

// returnAt is where the value of a return stands.
func returnAt(s *syntax.Stmt, want lang.Type) int {
	if s.Right != nil && want != (lang.Type{}) {
		return s.Right.Start
	}
	return s.At
}

// jacobianEnd ends names of functions that add to the density of transformed parameters.
const jacobianEnd = lang.JacobianEnd

// density refuses what changes the density where it cannot.
func (c *checker) density(at int, what string) {
	if what == syntax.JacobianAdds || strings.HasSuffix(what, jacobianEnd) {
		if c.block != syntax.TransformedParameters && (c.inside == nil || !strings.HasSuffix(c.inside.Name, jacobianEnd)) {
			lang.Fail(at, problem.New("%s is allowed only in the block transformed parameters and in functions whose "+
				"names end in _jacobian", what))
		}
		return
	}
	in := c.inside != nil && strings.HasSuffix(c.inside.Name, "_lp")
	made := c.block == syntax.TransformedParameters && (what == "target()" || strings.HasSuffix(what, "_lp"))
	if c.block != syntax.ModelBlock && !in && !made {
		lang.Fail(at, problem.New("%s is allowed only in the block model and in functions whose names end in _lp", what))
	}
}

// typed checks sizes and bounds of a declaration, and of the parts of a tuple.
func (c *checker) typed(d *syntax.Decl) {
	for _, e := range append(append([]*syntax.Expr(nil), d.Dims...), d.Sizes...) {
		c.want(e, lang.Type{Base: lang.IntType})
	}
	if c.local > 0 && (d.Shape != syntax.PlainShape || d.Lower != nil || d.Upper != nil || d.Offset != nil ||
		d.Multiplier != nil) {
		lang.Fail(d.Limit, problem.New("%s is a local variable, which cannot have constraints such as bounds; delete them",
			d.Name))
	}
	for _, e := range []*syntax.Expr{d.Lower, d.Upper, d.Offset, d.Multiplier} {
		if e == nil {
			continue
		}
		if t := c.expr(e); !t.Scalar() && !d.Type.Takes(t) && !d.Type.Real().Takes(t) {
			lang.Fail(e.At, problem.New("a bound of %s cannot be %s", d.Type, t))
		}
	}
	for _, part := range d.Parts {
		part.Name = d.Name
		c.typed(part)
	}
}

func (c *checker) declaration(d *syntax.Decl) {
	c.typed(d)
	if c.block == syntax.ParametersBlock && d.Parts != nil {
		c.tupleOfParameters(d)
		return
	}
	if c.block == syntax.ParametersBlock && d.Type.Base == lang.IntType {
		lang.Fail(d.Start, problem.New("parameters must be real; sum out an integer parameter with log_sum_exp or log_mix"))
	}
	if d.Init != nil {
		if c.block == syntax.DataBlock || c.block == syntax.ParametersBlock {
			lang.Fail(d.Value, problem.New("variables of the block %s cannot be given a value", syntax.BlockNames[c.block]))
		}
		c.want(d.Init, d.Type)
	}
	d.Sym = c.declare(d.At, &syntax.Symbol{Name: d.Name, Type: d.Type, Decl: d})
}

// tilde checks y ~ f(args).
func (c *checker) tilde(s *syntax.Stmt) {
	c.density(s.Start, "~")
	c.expr(s.Left)
	for _, suffix := range []string{"_lpdf", "_lpmf"} {
		call := &syntax.Expr{Node: syntax.DensityNode, At: s.At, Name: s.Text + suffix}
		call.Args = append([]*syntax.Expr{s.Left}, s.Args...)
		if c.offered(call.Name) {
			c.expr(call)
			s.Right = call
			break
		}
	}
	if s.Right == nil {
		lang.Fail(s.At, problem.New("unknown distribution %s%w", s.Text,
			lang.Nearest(s.Text, lang.Distributions())))
	}
	if s.Trunc == nil {
		return
	}
	for _, e := range []*syntax.Expr{s.Trunc.Lo, s.Trunc.Hi} {
		if e != nil {
			c.want(e, lang.Type{Base: lang.RealType})
		}
	}
	c.truncate(s)
}
