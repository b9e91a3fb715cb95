package stan

import (
	"slices"
	"strings"

	"logzlab/core/problem"
	"logzlab/models/stan/lang"
	"logzlab/models/stan/syntax"
)

// want checks an expression whose type is known beforehand.
func (c *checker) want(e *syntax.Expr, t lang.Type) {
	if got := c.expr(e); !t.Takes(got) {
		lang.Fail(e.Start, problem.New("expected %s, found %s", t, got))
	}
}

// expr checks an expression and finds its type.
func (c *checker) expr(e *syntax.Expr) lang.Type {
	if e.Node == syntax.CallNode || e.Node == syntax.DensityNode {
		e.Type = c.call(e)
		return e.Type
	}

	// The parts, each with a value.
	for _, a := range e.Args {
		if c.expr(a); a.Type == (lang.Type{}) {
			lang.Fail(a.At, problem.New("the function %s has no value", a.Name))
		}
	}
	if e.Node != syntax.NameNode {
		e.Start = min(e.Start, e.At)
	}

	// The type, from the types of the parts.
	switch e.Node {
	case syntax.TextNode:
		e.Type.Base = lang.TextType
	case syntax.NameNode:
		if e.Type = c.name(e); e.Sym != nil && e.Sym.Parts != nil {
			spread(e, e.Sym)
		}
	case syntax.IndexNode:
		e.Type = c.index(e)
	case syntax.UnaryNode:
		e.Type = c.unary(e)
	case syntax.BinaryNode:
		t, ok := lang.BinaryType(e.Name, e.Args[0].Type, e.Args[1].Type)
		if !ok {
			lang.Fail(e.At, problem.New("%s cannot be applied to %s and %s", syntax.Quoted(e.Name), e.Args[0].Type, e.Args[1].Type))
		}
		e.Type = t
	case syntax.TernaryNode:
		if t := e.Args[0].Type; !t.Scalar() && !t.Any() {
			lang.Fail(e.At, problem.New("expected %s, found %s", lang.Type{Base: lang.IntType}, t))
		}
		e.Type = c.common(e.Args[1:])
	case syntax.TransposeNode:
		e.Type = c.transposed(e)
	case syntax.ArrayNode:
		if len(e.Args) == 0 {
			lang.Fail(e.At, problem.New("an array in braces needs at least one element"))
		}
		e.Type = c.common(e.Args)
		e.Type.Depth++
		lang.CheckDepth(e.At, int(e.Type.Depth))
	case syntax.RowNode:
		e.Type = c.Row(e)
	case syntax.TupleNode:
		e.Type = c.tuple(e)
	case syntax.PartNode:
		t := e.Args[0].Type
		if e.Type = t; t.Any() {
			break
		}
		parts := t.Parts()
		if t.Depth > 0 || int(e.Num) > len(parts) {
			lang.Fail(e.At, problem.New("%s has no element %v", t, e.Num))
		}
		e.Type = parts[int(e.Num)-1]
		if of := e.Args[0]; of.Node == syntax.TupleNode && of.Name != "" { // a parameter of its own
			*e = *of.Args[int(e.Num)-1]
		}
	case syntax.TargetNode:
		c.density(e.At, "target()")
		e.Type.Base = lang.RealType
	}
	return e.Type
}

// tuple checks (a, b).
func (c *checker) tuple(e *syntax.Expr) lang.Type {
	var parts []lang.Type
	for _, a := range e.Args {
		if parts = append(parts, a.Type); a.Type.Any() {
			return a.Type
		}
		if a.Type.Base == lang.TextType {
			lang.Fail(a.At, problem.New("expected %s, found %s", lang.Type{Base: lang.RealType}, a.Type))
		}
	}
	return lang.TupleOf(e.At, parts)
}

func (c *checker) name(e *syntax.Expr) lang.Type {
	if e.Name == "" { // of the checker
		return e.Sym.Type
	}
	e.Sym = c.find(e.Name)
	if e.Sym == nil && c.free != nil {
		if e.Name == "pi" || e.Name == "e" {
			e.Node, e.Builtin = syntax.CallNode, lang.Builtins[e.Name]
			return lang.Type{Base: lang.RealType}
		}
		e.Sym = c.declare(e.At, &syntax.Symbol{Name: e.Name, Type: lang.Type{Base: lang.RealType}})
		*c.free = append(*c.free, e.Sym)
	}
	if e.Sym == nil {
		if c.offered(e.Name) {
			lang.Fail(e.At, problem.New("%s is a function; write %s(...)", e.Name, e.Name))
		}
		var names []string
		for _, s := range c.scopes {
			for name := range s {
				names = append(names, name)
			}
		}
		lang.Fail(e.At, problem.New("%s is not declared%w", e.Name, lang.Nearest(e.Name, names)))
	}
	return e.Sym.Type
}

func (c *checker) unary(e *syntax.Expr) lang.Type {
	t := e.Args[0].Type
	switch {
	case t.Any():
	case e.Name == "!" && t.Scalar():
		return lang.Type{Base: lang.IntType}
	case e.Name == "!" || t.Base == lang.TextType || t.Base == lang.TupleType:
		lang.Fail(e.At, problem.New("%s cannot be applied to %s", syntax.Quoted(e.Name), t))
	}
	return t
}

func (c *checker) transposed(e *syntax.Expr) lang.Type {
	swap := map[lang.Base]lang.Base{lang.VectorType: lang.RowType, lang.RowType: lang.VectorType,
		lang.MatrixType: lang.MatrixType, lang.AnyType: lang.AnyType}
	t := e.Args[0].Type
	if swap[t.Base] == lang.NoType || t.Depth > 0 {
		lang.Fail(e.At, problem.New("%s cannot be applied to %s", syntax.Quoted("'"), t))
	}
	return lang.Type{Base: swap[t.Base]}
}

// common is a type that takes all of some expressions.
func (c *checker) common(args []*syntax.Expr) lang.Type {
	t := args[0].Type
	if t.Base == lang.TextType {
		lang.Fail(args[0].At, problem.New("expected %s, found %s", lang.Type{Base: lang.RealType}, t))
	}
	for _, a := range args[1:] {
		both, ok := lang.Common(a.At, t, a.Type)
		if !ok {
			lang.Fail(a.Start, problem.New("expected %s, found %s", t, a.Type))
		}
		t = both
	}
	return t
}

// row checks [a, b]: numbers make a row vector, row vectors a matrix.
func (c *checker) Row(e *syntax.Expr) lang.Type {
	t := lang.Type{Base: lang.RowType}
	for _, a := range e.Args {
		switch {
		case a.Type.Scalar() || a.Type.Any():
		case a.Type == lang.Type{Base: lang.RowType}:
			t.Base = lang.MatrixType
		default:
			lang.Fail(a.At, problem.New("brackets may contain numbers or row vectors, not %s", a.Type))
		}
	}
	for _, a := range e.Args {
		if t.Base == lang.MatrixType && a.Type.Scalar() {
			lang.Fail(a.At, problem.New("brackets may contain numbers or row vectors, not both"))
		}
	}
	return t
}

// index checks x[i, 2:3].
func (c *checker) index(e *syntax.Expr) lang.Type {
	t := e.Args[0].Type
	whole, list := lang.Type{Base: lang.IntType}, lang.Type{Base: lang.IntType, Depth: 1}
	var keeps []bool // whether the place of an index stays

	// Each index is a whole number or a list.
	for _, i := range e.Idx {
		for _, side := range []*syntax.Expr{i.Lo, i.Hi} {
			if side == nil {
				continue
			}
			if got := c.expr(side); !whole.Takes(got) && (i.Slice || !list.Takes(got)) {
				lang.Fail(side.Start, problem.New("an index must be an integer, not %s", got))
			}
		}
		keeps = append(keeps, i.Slice || i.Lo == nil || i.Lo.Type.Depth > 0)
	}
	if t.Any() {
		return t
	}
	if len(keeps) > t.Ranks() {
		lang.Fail(e.At, problem.New("%s has at most %d indices, not %d", t, t.Ranks(), len(keeps)))
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
		both := append(keeps, true)
		switch {
		case !both[0] && !both[1]:
			t.Base = lang.RealType
		case !both[0]:
			t.Base = lang.RowType
		case !both[1]:
			t.Base = lang.VectorType
		}
	} else if !keeps[0] {
		t.Base = lang.RealType
	}
	return t
}

// call finds the function of a call.
func (c *checker) call(e *syntax.Expr) lang.Type {
	name := strings.NewReplacer("_lupdf", "_lpdf", "_lupmf", "_lpmf").Replace(e.Name)
	if why := lang.Unsupported[name]; why != nil && c.functions[name] == nil {
		e.Builtin = &lang.Builtin{Refuse: why}
		return lang.Type{Base: lang.AnyType}
	}
	if lang.Random(name) {
		c.random(e)
	}
	args := e.Args
	if sums[name] {
		return c.reduceSum(e)
	}

	// The arguments' types.
	types := make([]lang.Type, len(args))
	for i, a := range args {
		if types[i] = c.expr(a); types[i] == (lang.Type{}) {
			lang.Fail(a.At, problem.New("the function %s has no value", a.Name))
		}
	}

	// The program's own functions.
	if f := c.userFunction(name, types); f != nil {
		return c.calls(e, f)
	}

	// Stan's functions.
	fn := c.builtin(name)
	if fn == nil && c.functions[name] == nil {
		family, _ := strings.CutSuffix(name, "_log")
		for _, end := range []string{"_lpdf", "_lpmf"} {
			if lang.Builtins[family+end] != nil {
				lang.Fail(e.At, problem.New("%s was renamed in Stan; write %s", name, family+end+"(y | ...)"))
			}
		}
		lang.Fail(e.At, problem.New("unknown function %s%w", e.Name,
			lang.Nearest(e.Name, functionNames(c.functions))))
	}
	if fn != nil {
		if t, ok := fn.ResultOf(types); ok {
			if strings.HasSuffix(name, jacobianEnd) {
				c.density(e.At, name)
			}
			e.Builtin = fn
			return t
		}
	}

	// No version takes the types of the arguments.
	lang.Fail(c.wrongArgument(e, fn, types), problem.New("%s does not take (%s); it takes %s", e.Name,
		lang.TypeList(types), c.Takes(name, fn)))
	return lang.Type{}
}

// wrongArgument is where the argument stands that a function does not take, where there is one way to call it; else the
// name.
func (c *checker) wrongArgument(e *syntax.Expr, fn *lang.Builtin, types []lang.Type) int {
	if fn == nil || fn.TypeOf != nil || strings.Contains(fn.Takes, " ") || len(c.functions[e.Name]) > 0 {
		return e.At
	}
	open := slices.Repeat([]lang.Type{{Base: lang.AnyType}}, len(types))
	if _, ok := lang.Signature(fn.Takes, open); !ok {
		return e.At // too few or too many
	}
	for k, a := range e.Args {
		open[k] = types[k]
		if _, ok := lang.Signature(fn.Takes, open); !ok {
			return a.Start
		}
	}
	return e.At
}

// calls notes a call of a function of the program's own.
func (c *checker) calls(e *syntax.Expr, f *syntax.Function) lang.Type {
	if e.User = f; strings.HasSuffix(f.Name, "_lp") || strings.HasSuffix(f.Name, jacobianEnd) {
		c.density(e.At, f.Name)
	}
	if c.inside != nil {
		c.inside.Calls = append(c.inside.Calls, syntax.Called{F: f, At: e.At})
	}
	c.function(f)
	return f.Result
}

// random refuses a function that draws random numbers where the density would depend on them.
func (c *checker) random(e *syntax.Expr) {
	if c.block == syntax.TransformedData || c.inside != nil && lang.Random(c.inside.Name) {
		return
	}
	if c.inside != nil {
		lang.Fail(e.At, problem.New("%s draws a random number; only a function whose name ends in _rng may call it", e.Name))
	}
	lang.Fail(e.At, problem.New("%s draws a random number, which a density must not do", e.Name))
}

// userFunction is a function of the program that takes some types; one with exactly these types comes before others.
func (c *checker) userFunction(name string, types []lang.Type) *syntax.Function {
	var found *syntax.Function
	for _, f := range c.functions[name] {
		if len(f.Params) != len(types) {
			continue
		}
		fits, same := true, true
		for i, t := range types {
			fits = fits && f.Params[i].Type.Takes(t)
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
