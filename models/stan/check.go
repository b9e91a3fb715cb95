package stan

import (
	"slices"
	"strings"

	"logzlab/core/problem"
	"logzlab/models/stan/lang"
	"logzlab/models/stan/priors"
	"logzlab/models/stan/syntax"
)

// checker is the type checker: it resolves names and assigns slots and types.
type checker struct {
	scopes          []map[string]*syntax.Symbol
	functions       map[string][]*syntax.Function
	block           syntax.Block
	currentFunction *syntax.Function  // function whose body is checked, or nil
	depth           int               // nesting of local scopes
	loopDepth       int               // number of enclosing loops
	slots           int               // number of variables so far; the next variable gets this slot
	freeSymbols     *[]*syntax.Symbol // for a single expression: names become parameters
}

// check checks a program.
func check(p *Program) {
	c := &checker{functions: map[string][]*syntax.Function{}}

	// Functions. A body is checked at its first call, because functions that only generated quantities call may use
	// unsupported features.
	for _, f := range p.Functions {
		c.declareFunction(f)
	}
	for _, f := range p.Functions {
		if f.Body == nil && c.userFunction(f.Name, f.ParamTypes()).Body == nil {
			lang.Fail(f.Pos, problem.New("the function %s is declared, but has no body", f.Name))
		}
	}

	// The blocks in order; the model has variables of its own.
	c.push()
	for b, body := range p.Blocks {
		c.block = syntax.Block(b)
		if c.block == syntax.ModelBlock {
			c.push()
			c.depth++
		}
		for _, s := range body {
			c.statement(s)
		}
		if c.block == syntax.ParametersBlock {
			p.Blocks[b] = flattenTuples(body)
		}
		if c.block == syntax.ModelBlock {
			c.pop()
			c.depth--
		}
	}
	p.Slots = c.slots
	for _, f := range p.Functions {
		refuseRecursion(syntax.CallSite{Function: f, Pos: f.Pos}, nil)
	}
	p.priorKinds, p.constantTerms = priors.Find(p.Program)
}

// declareFunction declares a function. A definition may follow a forward declaration.
func (c *checker) declareFunction(f *syntax.Function) {
	c.checkFunctionName(f)
	for i, g := range c.functions[f.Name] {
		if !sameParams(f, g) {
			continue
		}
		switch {
		case f.Body != nil && g.Body != nil:
			lang.Fail(f.Pos, problem.New("the function %s is defined twice for the same types", f.Name))
		case g.Body != nil:
			lang.Fail(f.Pos, problem.New("the function %s is declared after its definition; delete this declaration", f.Name))
		case f.Result != g.Result || !slices.EqualFunc(f.Params, g.Params, sameQualifier):
			lang.Fail(f.Pos, problem.New("the function %s was declared with another result type, or with data at other "+
				"arguments",
				f.Name))
		}
		c.functions[f.Name][i] = f
		return
	}
	if fn := c.builtin(f.Name); fn != nil && f.Unsupported == nil && fn.HasExactVersion(f.ParamTypes()) {
		lang.Fail(f.Pos, problem.New("%s is a built-in function for these types; choose another name", f.Name))
	}
	c.functions[f.Name] = append(c.functions[f.Name], f)
}

// sameQualifier reports whether both or neither of two parameters are data only.
func sameQualifier(a, b syntax.Param) bool { return a.Data == b.Data }

// checkFunctionName fails if the arguments or result of a function do not match the suffix of its name.
func (c *checker) checkFunctionName(f *syntax.Function) {
	for _, end := range [...][2]string{{"_lupdf", "_lpdf"}, {"_lupmf", "_lpmf"}} {
		if name, ok := strings.CutSuffix(f.Name, end[0]); ok {
			lang.Fail(f.Pos, problem.New("the name of a function must not end in %s; define %s", end[0], name+end[1]))
		}
	}
	_, end, ok := lang.CutDensitySuffix(f.Name)
	if !ok || end == "_cdf" || f.Unsupported != nil {
		return
	}
	if f.Result != (lang.Type{Base: lang.RealType}) {
		lang.Fail(f.Pos, problem.New("a function whose name ends in %s must return real, not %s", end, f.Result))
	}
	if len(f.Params) == 0 {
		lang.Fail(f.Pos, problem.New("a function whose name ends in %s needs at least one argument", end))
	}
	first := f.Params[0]
	if isInt := first.Type.Base == lang.IntType; end == "_lpdf" && isInt || end == "_lpmf" && !isInt &&
		first.Type.Base != lang.TupleType {
		lang.Fail(first.Pos, problem.New("the first argument must be real in a function whose name ends in _lpdf, and "+
			"an integer in one whose name ends in _lpmf"))
	}
}

// sameParams reports whether two functions have parameters of the same types.
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

// checkBody checks the body of a function at its first call.
func (c *checker) checkBody(f *syntax.Function) {
	if f.Checked {
		return
	}
	if f.Checked = true; f.Unsupported != nil {
		lang.Fail(f.UnsupportedPos, f.Unsupported)
	}
	caller := *c
	c.scopes, c.depth, c.loopDepth = nil, 1, 0
	c.currentFunction, c.slots, c.block = f, 0, syntax.FunctionsBlock
	c.push()
	for i := range f.Params {
		a := &f.Params[i]
		a.Sym = c.declare(a.Pos, &syntax.Symbol{Name: a.Name, Type: a.Type, ReadOnly: true})
	}
	c.statements(f.Body)
	if f.Result != (lang.Type{}) && !alwaysReturns(f.Body) {
		lang.Fail(f.EndPos, problem.New("the function %s may end here without a return", f.Name))
	}
	f.Slots = c.slots
	*c = caller
}

// alwaysReturns reports whether every path through the statements ends with return or an error.
func alwaysReturns(list []*syntax.Stmt) bool {
	return slices.ContainsFunc(list, func(s *syntax.Stmt) bool {
		switch s.Kind {
		case syntax.ReturnStmt, syntax.RejectStmt:
			return true
		case syntax.IfStmt:
			return alwaysReturns(s.Body) && alwaysReturns(s.Else)
		case syntax.BlockStmt, syntax.WhileStmt, syntax.ForStmt, syntax.ForEachStmt:
			return alwaysReturns(s.Body)
		}
		return false
	})
}

// refuseRecursion fails if a function calls itself, directly or through others.
func refuseRecursion(c syntax.CallSite, above []*syntax.Function) {
	if slices.Contains(above, c.Function) {
		lang.Fail(c.Pos, problem.New("the function %s calls itself; write a loop instead", c.Function.Name))
	}
	for _, g := range c.Function.Calls {
		refuseRecursion(g, append(above, c.Function))
	}
	c.Function.Calls = nil // checked; other callers need not check them again
}

// push opens a scope, and pop closes it.
func (c *checker) push() { c.scopes = append(c.scopes, map[string]*syntax.Symbol{}) }
func (c *checker) pop()  { c.scopes = c.scopes[:len(c.scopes)-1] }

// find returns the variable of a name, or nil.
func (c *checker) find(name string) *syntax.Symbol {
	for i := len(c.scopes) - 1; i >= 0; i-- {
		if s := c.scopes[i][name]; s != nil {
			return s
		}
	}
	return nil
}

// declare adds a variable to the innermost scope and assigns its slot. It fails at position at if the name is taken.
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

// statements checks a list of statements in a new scope.
func (c *checker) statements(body []*syntax.Stmt) {
	c.push()
	c.depth++
	for _, s := range body {
		c.statement(s)
	}
	c.depth--
	c.pop()
}

// statement checks one statement.
func (c *checker) statement(s *syntax.Stmt) {
	if (c.block == syntax.DataBlock || c.block == syntax.ParametersBlock) && s.Kind != syntax.DeclareStmt {
		lang.Fail(s.Start, problem.New("the block %s may contain only declarations; move this to another block",
			syntax.BlockNames[c.block]))
	}
	switch s.Kind {
	case syntax.DeclareStmt:
		c.declaration(s.Decl)
	case syntax.AssignStmt:
		c.assignment(s)
	case syntax.TildeStmt:
		c.tilde(s)
	case syntax.TargetStmt:
		c.checkTargetAllowed(s.Start, s.TargetKeyword())
		if t := c.exprType(s.Right); t.Base == lang.VoidType || t.Base == lang.TupleType {
			lang.Fail(s.Right.Pos, problem.New("expected a number, found %s", t))
		}
	case syntax.CallStmt:
		if t := c.exprType(s.Left); t.Base != lang.VoidType && !t.IsUnsupported() {
			lang.Fail(s.Left.Pos, problem.New("the value of %s is not used; only a function that returns void can be a "+
				"statement",
				s.Left.Name))
		}
	case syntax.PrintStmt, syntax.RejectStmt:
		for _, a := range s.Args {
			c.exprType(a)
		}

	// Branches, loops and ways out.
	case syntax.IfStmt, syntax.WhileStmt:
		c.expectType(s.Left, lang.Type{Base: lang.RealType})
		if s.Kind == syntax.WhileStmt {
			c.loopDepth++
		}
		c.statements(s.Body)
		c.statements(s.Else)
		if s.Kind == syntax.WhileStmt {
			c.loopDepth--
		}
	case syntax.ForStmt, syntax.ForEachStmt:
		c.loop(s)
	case syntax.BreakStmt, syntax.ContinueStmt:
		if c.loopDepth == 0 {
			lang.Fail(s.Pos, problem.New("break and continue are allowed only inside a loop"))
		}
	case syntax.ReturnStmt:
		c.returnStmt(s)
	case syntax.BlockStmt:
		c.statements(s.Body)
	}
}

// loop checks a for loop and declares its variable.
func (c *checker) loop(s *syntax.Stmt) {
	s.Sym.Type.Base = lang.IntType
	if s.Kind == syntax.ForStmt {
		c.expectType(s.Lo, s.Sym.Type)
		c.expectType(s.Hi, s.Sym.Type)
	} else {
		t := c.exprType(s.Left)
		inner, ok := t.Element()
		if !ok {
			lang.Fail(s.Left.Pos, problem.New("a loop can iterate over an array, vector or matrix, not over %s", t))
		}
		if t.Depth == 0 && t.Base == lang.MatrixType {
			inner.Base = lang.RealType // a loop over a matrix visits its numbers
		}
		s.Sym.Type = inner
	}
	c.push()
	c.declare(s.Pos, s.Sym)
	c.loopDepth++
	c.statements(s.Body)
	c.loopDepth--
	c.pop()
}

// returnStmt checks that return is in a function, and that the type of its value is that of the function.
func (c *checker) returnStmt(s *syntax.Stmt) {
	if c.currentFunction == nil {
		lang.Fail(s.Pos, problem.New("return is allowed only inside a function"))
	}
	var t lang.Type
	if s.Right != nil {
		t = c.exprType(s.Right)
	}
	if want := c.currentFunction.Result; (s.Right == nil) != (want == lang.Type{}) || s.Right != nil && !want.Accepts(t) {
		lang.Fail(returnAt(s, want), problem.New("the function %s returns %s, not %s", c.currentFunction.Name, want, t))
	}
}

// returnAt returns the position for an error in a return statement: that of its value, or of the keyword return.
func returnAt(s *syntax.Stmt, want lang.Type) int {
	if s.Right != nil && want != (lang.Type{}) {
		return s.Right.Start
	}
	return s.Pos
}

// jacobianEnd ends names of functions that add to the density of transformed parameters.
const jacobianEnd = lang.JacobianSuffix

// checkTargetAllowed fails unless construct, a statement such as ~ or a function, may change or read the log density at
// position at.
func (c *checker) checkTargetAllowed(at int, construct string) {
	if construct == syntax.JacobianKeyword || strings.HasSuffix(construct, jacobianEnd) {
		if c.block != syntax.TransformedParametersBlock && (c.currentFunction == nil || !strings.HasSuffix(c.currentFunction.Name, jacobianEnd)) {
			lang.Fail(at, problem.New("%s is allowed only in the block transformed parameters and in functions whose "+
				"names end in _jacobian", construct))
		}
		return
	}
	inTargetFunction := c.currentFunction != nil && strings.HasSuffix(c.currentFunction.Name, "_lp")
	inTransformedParameters := c.block == syntax.TransformedParametersBlock && (construct == "target()" || strings.HasSuffix(construct, "_lp"))
	if c.block != syntax.ModelBlock && !inTargetFunction && !inTransformedParameters {
		lang.Fail(at, problem.New("%s is allowed only in the block model and in functions whose names end in _lp", construct))
	}
}

// declaredType checks the sizes and bounds of a declaration, and of the parts of a tuple.
func (c *checker) declaredType(d *syntax.Decl) {
	for _, e := range append(append([]*syntax.Expr(nil), d.Dims...), d.Sizes...) {
		c.expectType(e, lang.Type{Base: lang.IntType})
	}
	if c.depth > 0 && (d.Constraint != syntax.NoConstraint || d.Lower != nil || d.Upper != nil || d.Offset != nil ||
		d.Multiplier != nil) {
		lang.Fail(d.BoundsPos, problem.New("%s is a local variable, which cannot have constraints such as bounds; delete them",
			d.Name))
	}
	for _, e := range []*syntax.Expr{d.Lower, d.Upper, d.Offset, d.Multiplier} {
		if e == nil {
			continue
		}
		if t := c.exprType(e); !t.IsScalar() && !d.Type.Accepts(t) && !d.Type.Promoted().Accepts(t) {
			lang.Fail(e.Pos, problem.New("a bound of %s cannot be %s", d.Type, t))
		}
	}
	for _, part := range d.Parts {
		part.Name = d.Name
		c.declaredType(part)
	}
}

// declaration checks a declaration and declares its variable.
func (c *checker) declaration(d *syntax.Decl) {
	c.declaredType(d)
	if c.block == syntax.ParametersBlock && d.Parts != nil {
		c.tupleOfParameters(d)
		return
	}
	if c.block == syntax.ParametersBlock && d.Type.Base == lang.IntType {
		lang.Fail(d.Start, problem.New("parameters must be real; sum out an integer parameter with log_sum_exp or log_mix"))
	}
	if d.Init != nil {
		if c.block == syntax.DataBlock || c.block == syntax.ParametersBlock {
			lang.Fail(d.InitPos, problem.New("variables of the block %s cannot be given a value", syntax.BlockNames[c.block]))
		}
		c.expectType(d.Init, d.Type)
	}
	d.Sym = c.declare(d.Pos, &syntax.Symbol{Name: d.Name, Type: d.Type, Decl: d})
}

// tilde checks y ~ f(args) and makes a density call of it.
func (c *checker) tilde(s *syntax.Stmt) {
	c.checkTargetAllowed(s.Start, "~")
	c.exprType(s.Left)
	for _, suffix := range []string{"_lpdf", "_lpmf"} {
		call := &syntax.Expr{Kind: syntax.DensityNode, Pos: s.Pos, Name: s.Text + suffix}
		call.Args = append([]*syntax.Expr{s.Left}, s.Args...)
		if c.functionExists(call.Name) {
			c.exprType(call)
			s.Right = call
			break
		}
	}
	if s.Right == nil {
		lang.Fail(s.Pos, problem.New("unknown distribution %s%w", s.Text,
			problem.Suggest(s.Text, lang.Distributions())))
	}
	if s.Truncation == nil {
		return
	}
	for _, e := range []*syntax.Expr{s.Truncation.Lo, s.Truncation.Hi} {
		if e != nil {
			c.expectType(e, lang.Type{Base: lang.RealType})
		}
	}
	c.checkTruncation(s)
}
