package stan

import (
	"slices"
	"strings"

	"logzlab/core/problem"
	"logzlab/models/stan/lang"
	"logzlab/models/stan/syntax"
)

// expectType checks an expression and fails if its type is not accepted as t.
func (c *checker) expectType(e *syntax.Expr, t lang.Type) {
	if got := c.exprType(e); !t.Accepts(got) {
		lang.Fail(e.Start, problem.New("expected %s, found %s", t, got))
	}
}

// exprType checks an expression and returns its type.
func (c *checker) exprType(e *syntax.Expr) lang.Type {
	if e.Kind == syntax.CallNode || e.Kind == syntax.DensityNode {
		e.Type = c.call(e)
		return e.Type
	}

	// The parts, each with a value.
	for _, a := range e.Args {
		if c.exprType(a); a.Type == (lang.Type{}) {
			lang.Fail(a.Pos, problem.New("the function %s has no value", a.Name))
		}
	}
	if e.Kind != syntax.NameNode {
		e.Start = min(e.Start, e.Pos)
	}

	// The type, from the types of the parts.
	switch e.Kind {
	case syntax.StringNode:
		e.Type.Base = lang.StringType
	case syntax.NameNode:
		if e.Type = c.name(e); e.Sym != nil && e.Sym.Parts != nil {
			expandTuple(e, e.Sym)
		}
	case syntax.IndexNode:
		e.Type = c.index(e)
	case syntax.UnaryNode:
		e.Type = c.unary(e)
	case syntax.BinaryNode:
		t, ok := lang.BinaryType(e.Name, e.Args[0].Type, e.Args[1].Type)
		if !ok {
			lang.Fail(e.Pos, problem.New("%s cannot be applied to %s and %s", syntax.Quoted(e.Name), e.Args[0].Type, e.Args[1].Type))
		}
		e.Type = t
	case syntax.TernaryNode:
		if t := e.Args[0].Type; !t.IsScalar() && !t.IsUnsupported() {
			lang.Fail(e.Pos, problem.New("expected %s, found %s", lang.Type{Base: lang.IntType}, t))
		}
		e.Type = c.common(e.Args[1:])
	case syntax.TransposeNode:
		e.Type = c.transposed(e)
	case syntax.ArrayNode:
		if len(e.Args) == 0 {
			lang.Fail(e.Pos, problem.New("an array in braces needs at least one element"))
		}
		e.Type = c.common(e.Args)
		e.Type.Depth++
		lang.CheckDepth(e.Pos, int(e.Type.Depth))
	case syntax.RowNode:
		e.Type = c.rowType(e)
	case syntax.TupleNode:
		e.Type = c.tuple(e)
	case syntax.TuplePartNode:
		t := e.Args[0].Type
		if e.Type = t; t.IsUnsupported() {
			break
		}
		parts := t.Parts()
		if t.Depth > 0 || int(e.Num) > len(parts) {
			lang.Fail(e.Pos, problem.New("%s has no element %v", t, e.Num))
		}
		e.Type = parts[int(e.Num)-1]
		// An element of a tuple of parameters is a separate parameter (expandTuple).
		if tuple := e.Args[0]; tuple.Kind == syntax.TupleNode && tuple.Name != "" {
			*e = *tuple.Args[int(e.Num)-1]
		}
	case syntax.TargetNode:
		c.checkTargetAllowed(e.Pos, "target()")
		e.Type.Base = lang.RealType
	}
	return e.Type
}

// tuple returns the type of (a, b).
func (c *checker) tuple(e *syntax.Expr) lang.Type {
	var parts []lang.Type
	for _, a := range e.Args {
		if parts = append(parts, a.Type); a.Type.IsUnsupported() {
			return a.Type
		}
		if a.Type.Base == lang.StringType {
			lang.Fail(a.Pos, problem.New("expected %s, found %s", lang.Type{Base: lang.RealType}, a.Type))
		}
	}
	return lang.TupleOf(e.Pos, parts)
}

// name resolves a name and returns the type of its variable.
func (c *checker) name(e *syntax.Expr) lang.Type {
	if e.Name == "" { // a variable that the checker made (elementVariable, unpack)
		return e.Sym.Type
	}
	e.Sym = c.find(e.Name)
	if e.Sym == nil && c.freeSymbols != nil {
		if e.Name == "pi" || e.Name == "e" {
			e.Kind, e.Builtin = syntax.CallNode, lang.Builtins[e.Name]
			return lang.Type{Base: lang.RealType}
		}
		e.Sym = c.declare(e.Pos, &syntax.Symbol{Name: e.Name, Type: lang.Type{Base: lang.RealType}})
		*c.freeSymbols = append(*c.freeSymbols, e.Sym)
	}
	if e.Sym == nil {
		if c.functionExists(e.Name) {
			lang.Fail(e.Pos, problem.New("%s is a function; write %s(...)", e.Name, e.Name))
		}
		var names []string
		for _, s := range c.scopes {
			for name := range s {
				names = append(names, name)
			}
		}
		lang.Fail(e.Pos, problem.New("%s is not declared%w", e.Name, problem.Suggest(e.Name, names)))
	}
	return e.Sym.Type
}

// unary returns the type of -x, +x or !x.
func (c *checker) unary(e *syntax.Expr) lang.Type {
	t := e.Args[0].Type
	switch {
	case t.IsUnsupported():
	case e.Name == "!" && t.IsScalar():
		return lang.Type{Base: lang.IntType}
	case e.Name == "!" || t.Base == lang.StringType || t.Base == lang.TupleType:
		lang.Fail(e.Pos, problem.New("%s cannot be applied to %s", syntax.Quoted(e.Name), t))
	}
	return t
}

// transposed returns the type of x'.
func (c *checker) transposed(e *syntax.Expr) lang.Type {
	swap := map[lang.Base]lang.Base{lang.VectorType: lang.RowVectorType, lang.RowVectorType: lang.VectorType,
		lang.MatrixType: lang.MatrixType, lang.UnsupportedType: lang.UnsupportedType}
	t := e.Args[0].Type
	if swap[t.Base] == lang.VoidType || t.Depth > 0 {
		lang.Fail(e.Pos, problem.New("%s cannot be applied to %s", syntax.Quoted("'"), t))
	}
	return lang.Type{Base: swap[t.Base]}
}

// common returns the type that accepts all the expressions.
func (c *checker) common(args []*syntax.Expr) lang.Type {
	t := args[0].Type
	if t.Base == lang.StringType {
		lang.Fail(args[0].Pos, problem.New("expected %s, found %s", lang.Type{Base: lang.RealType}, t))
	}
	for _, a := range args[1:] {
		both, ok := lang.CommonType(a.Pos, t, a.Type)
		if !ok {
			lang.Fail(a.Start, problem.New("expected %s, found %s", t, a.Type))
		}
		t = both
	}
	return t
}

// rowType checks [a, b]: numbers make a row vector, row vectors a matrix.
func (c *checker) rowType(e *syntax.Expr) lang.Type {
	t := lang.Type{Base: lang.RowVectorType}
	for _, a := range e.Args {
		switch {
		case a.Type.IsScalar() || a.Type.IsUnsupported():
		case a.Type == lang.Type{Base: lang.RowVectorType}:
			t.Base = lang.MatrixType
		default:
			lang.Fail(a.Pos, problem.New("brackets may contain numbers or row vectors, not %s", a.Type))
		}
	}
	for _, a := range e.Args {
		if t.Base == lang.MatrixType && a.Type.IsScalar() {
			lang.Fail(a.Pos, problem.New("brackets may contain numbers or row vectors, not both"))
		}
	}
	return t
}

// index checks x[i, 2:3].
func (c *checker) index(e *syntax.Expr) lang.Type {
	t := e.Args[0].Type
	intType, intArray := lang.Type{Base: lang.IntType}, lang.Type{Base: lang.IntType, Depth: 1}
	var keeps []bool // by index: whether its dimension remains in the result

	// Each index is a whole number or a list.
	for _, i := range e.Indices {
		for _, side := range []*syntax.Expr{i.Lo, i.Hi} {
			if side == nil {
				continue
			}
			if got := c.exprType(side); !intType.Accepts(got) && (i.Slice || !intArray.Accepts(got)) {
				lang.Fail(side.Start, problem.New("an index must be an integer, not %s", got))
			}
		}
		keeps = append(keeps, i.Slice || i.Lo == nil || i.Lo.Type.Depth > 0)
	}
	if t.IsUnsupported() {
		return t
	}
	if len(keeps) > t.IndexCount() {
		lang.Fail(e.Pos, problem.New("%s has at most %d indices, not %d", t, t.IndexCount(), len(keeps)))
	}

	// First the indices of the array.
	arrays := min(int(t.Depth), len(keeps))
	for _, keep := range keeps[:arrays] {
		if !keep {
			t.Depth--
		}
	}
	if keeps = keeps[arrays:]; len(keeps) == 0 {
		return t
	}

	// Then the indices of the element.
	if t.Base == lang.MatrixType {
		rowsAndColumns := append(keeps, true)
		switch {
		case !rowsAndColumns[0] && !rowsAndColumns[1]:
			t.Base = lang.RealType
		case !rowsAndColumns[0]:
			t.Base = lang.RowVectorType
		case !rowsAndColumns[1]:
			t.Base = lang.VectorType
		}
	} else if !keeps[0] {
		t.Base = lang.RealType
	}
	return t
}

// call resolves the function of a call and returns the type of the result.
func (c *checker) call(e *syntax.Expr) lang.Type {
	name := strings.NewReplacer("_lupdf", "_lpdf", "_lupmf", "_lpmf").Replace(e.Name)
	if why := lang.Unsupported[name]; why != nil && c.functions[name] == nil {
		e.Builtin = &lang.Builtin{Unsupported: why}
		return lang.Type{Base: lang.UnsupportedType}
	}
	if lang.IsRandom(name) {
		c.checkRandomAllowed(e)
	}
	args := e.Args
	if reduceSumNames[name] {
		return c.reduceSum(e)
	}

	// The arguments' types.
	types := make([]lang.Type, len(args))
	for i, a := range args {
		if types[i] = c.exprType(a); types[i] == (lang.Type{}) {
			lang.Fail(a.Pos, problem.New("the function %s has no value", a.Name))
		}
	}

	// The program's own functions.
	if f := c.userFunction(name, types); f != nil {
		return c.userCall(e, f)
	}

	// Stan's functions.
	fn := c.builtin(name)
	if fn == nil && c.functions[name] == nil {
		family, _ := strings.CutSuffix(name, "_log")
		for _, end := range []string{"_lpdf", "_lpmf"} {
			if lang.Builtins[family+end] != nil {
				lang.Fail(e.Pos, problem.New("%s was renamed in Stan; write %s", name, family+end+"(y | ...)"))
			}
		}
		lang.Fail(e.Pos, problem.New("unknown function %s%w", e.Name,
			problem.Suggest(e.Name, functionNames(c.functions))))
	}
	if fn != nil {
		if t, ok := fn.ResultType(types); ok {
			if strings.HasSuffix(name, jacobianEnd) {
				c.checkTargetAllowed(e.Pos, name)
			}
			e.Builtin = fn
			return t
		}
	}

	// No version takes the types of the arguments.
	lang.Fail(c.wrongArgument(e, fn, types), problem.New("%s does not take (%s); it takes %s", e.Name,
		lang.FormatTypes(types), c.acceptedArguments(name, fn)))
	return lang.Type{}
}

// wrongArgument returns the position of the argument that does not match, if the function has only one signature;
// otherwise that of the name.
func (c *checker) wrongArgument(e *syntax.Expr, fn *lang.Builtin, types []lang.Type) int {
	if fn == nil || fn.TypeRule != nil || strings.Contains(fn.Signatures, " ") || len(c.functions[e.Name]) > 0 {
		return e.Pos
	}
	candidate := slices.Repeat([]lang.Type{{Base: lang.UnsupportedType}}, len(types))
	if _, ok := lang.MatchSignature(fn.Signatures, candidate); !ok {
		return e.Pos // too few or too many
	}
	for k, a := range e.Args {
		candidate[k] = types[k]
		if _, ok := lang.MatchSignature(fn.Signatures, candidate); !ok {
			return a.Start
		}
	}
	return e.Pos
}

// userCall records a call of a user-defined function and checks its body.
func (c *checker) userCall(e *syntax.Expr, f *syntax.Function) lang.Type {
	if e.User = f; strings.HasSuffix(f.Name, "_lp") || strings.HasSuffix(f.Name, jacobianEnd) {
		c.checkTargetAllowed(e.Pos, f.Name)
	}
	if c.currentFunction != nil {
		c.currentFunction.Calls = append(c.currentFunction.Calls, syntax.CallSite{Function: f, Pos: e.Pos})
	}
	c.checkBody(f)
	return f.Result
}

// checkRandomAllowed fails unless the call e of a random-number function is in transformed data or in a function whose
// name ends in _rng.
func (c *checker) checkRandomAllowed(e *syntax.Expr) {
	if c.block == syntax.TransformedDataBlock || c.currentFunction != nil && lang.IsRandom(c.currentFunction.Name) {
		return
	}
	if c.currentFunction != nil {
		lang.Fail(e.Pos, problem.New("%s draws a random number; only a function whose name ends in _rng may call it", e.Name))
	}
	lang.Fail(e.Pos, problem.New("%s draws a random number, which a density must not do", e.Name))
}

// userFunction returns the user-defined function that accepts the types; an exact match comes first.
func (c *checker) userFunction(name string, types []lang.Type) *syntax.Function {
	var found *syntax.Function
	for _, f := range c.functions[name] {
		if len(f.Params) != len(types) {
			continue
		}
		fits, same := true, true
		for i, t := range types {
			fits = fits && f.Params[i].Type.Accepts(t)
			same = same && f.Params[i].Type == t
		}
		if same {
			return f
		}
		if fits && found == nil {
			found = f
		}
	}
	return found
}
