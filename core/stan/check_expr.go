package stan

import (
	"slices"
	"strings"

	"logzlab/core/problem"
)

// want checks an expression whose type is known beforehand.
func (c *checker) want(e *expr, t typ) {
	if got := c.expr(e); !t.takes(got) {
		fail(e.start, problem.New("%s was expected, not %s", t, got))
	}
}

// expr checks an expression and finds its type.
func (c *checker) expr(e *expr) typ {
	if e.node == callNode || e.node == densityNode {
		e.typ = c.call(e)
		return e.typ
	}
	for _, a := range e.args {
		if c.expr(a); a.typ == (typ{}) {
			fail(a.at, problem.New("the function %s has no value", a.name))
		}
	}
	if e.node != nameNode {
		e.start = min(e.start, e.at)
	}
	switch e.node {
	case textNode:
		e.typ.base = textType
	case nameNode:
		e.typ = c.name(e)
	case indexNode:
		e.typ = c.index(e)
	case unaryNode:
		e.typ = c.unary(e)
	case binaryNode:
		t, ok := binaryType(e.name, e.args[0].typ, e.args[1].typ)
		if !ok {
			fail(e.at, problem.New("%s does not go with %s and %s", quoted(e.name), e.args[0].typ, e.args[1].typ))
		}
		e.typ = t
	case ternaryNode:
		if t := e.args[0].typ; !t.scalar() && !t.any() {
			fail(e.at, problem.New("%s was expected, not %s", typ{base: intType}, t))
		}
		e.typ = c.common(e.args[1:])
	case transposeNode:
		e.typ = c.transposed(e)
	case arrayNode:
		if len(e.args) == 0 {
			fail(e.at, problem.New("an array in braces has at least one element"))
		}
		e.typ = c.common(e.args)
		e.typ.depth++
		checkDepth(e.at, int(e.typ.depth))
	case rowNode:
		e.typ = c.row(e)
	case targetNode:
		c.density(e.at, "target()")
		e.typ.base = realType
	}
	return e.typ
}

func (c *checker) name(e *expr) typ {
	e.sym = c.find(e.name)
	if e.sym == nil && c.free != nil {
		if e.name == "pi" || e.name == "e" {
			e.node, e.fn = callNode, builtins[e.name]
			return typ{base: realType}
		}
		e.sym = c.declare(e.at, &symbol{name: e.name, typ: typ{base: realType}})
		*c.free = append(*c.free, e.sym)
	}
	if e.sym == nil {
		if c.offered(e.name) {
			fail(e.at, problem.New("%s is a function; write %s(...)", e.name, e.name))
		}
		var names []string
		for _, s := range c.scopes {
			for name := range s {
				names = append(names, name)
			}
		}
		fail(e.at, problem.New("%s is not declared%w", e.name, nearest(e.name, names)))
	}
	return e.sym.typ
}

func (c *checker) unary(e *expr) typ {
	t := e.args[0].typ
	switch {
	case t.any():
	case e.name == "!" && t.scalar():
		return typ{base: intType}
	case e.name == "!" || t.base == textType:
		fail(e.at, problem.New("%s does not go with %s", quoted(e.name), t))
	}
	return t
}

func (c *checker) transposed(e *expr) typ {
	swap := map[base]base{vectorType: rowType, rowType: vectorType, matrixType: matrixType, anyType: anyType}
	t := e.args[0].typ
	if swap[t.base] == noType || t.depth > 0 {
		fail(e.at, problem.New("%s does not go with %s", quoted("'"), t))
	}
	return typ{base: swap[t.base]}
}

// common is a type that takes all of some expressions.
func (c *checker) common(args []*expr) typ {
	t := args[0].typ
	for _, a := range args[1:] {
		switch {
		case t.takes(a.typ):
		case a.typ.takes(t):
			t = a.typ
		default:
			fail(a.start, problem.New("%s was expected, not %s", t, a.typ))
		}
	}
	return t
}

// row checks [a, b]: numbers make a row vector, row vectors a matrix.
func (c *checker) row(e *expr) typ {
	t := typ{base: rowType}
	for _, a := range e.args {
		switch {
		case a.typ.scalar() || a.typ.any():
		case a.typ == typ{base: rowType}:
			t.base = matrixType
		default:
			fail(a.at, problem.New("brackets hold numbers or row vectors, not %s", a.typ))
		}
	}
	for _, a := range e.args {
		if t.base == matrixType && a.typ.scalar() {
			fail(a.at, problem.New("brackets hold numbers or row vectors, not both"))
		}
	}
	return t
}

// index checks x[i, 2:3].
func (c *checker) index(e *expr) typ {
	t := e.args[0].typ
	whole, list := typ{base: intType}, typ{base: intType, depth: 1}
	var keeps []bool // whether the place of an index stays
	for _, i := range e.idx {
		for _, side := range []*expr{i.lo, i.hi} {
			if side == nil {
				continue
			}
			if got := c.expr(side); !whole.takes(got) && (i.slice || !list.takes(got)) {
				fail(side.start, problem.New("an index is a whole number, not %s", got))
			}
		}
		keeps = append(keeps, i.slice || i.lo == nil || i.lo.typ.depth > 0)
	}
	if t.any() {
		return t
	}
	if len(keeps) > t.ranks() {
		fail(e.at, problem.New("%s has at most %d indices, not %d", t, t.ranks(), len(keeps)))
	}
	arrays := min(int(t.depth), len(keeps))
	for _, keep := range keeps[:arrays] {
		if !keep {
			t.depth--
		}
	}
	if keeps = keeps[arrays:]; len(keeps) == 0 {
		return t
	}
	if t.base == matrixType {
		both := append(keeps, true)
		switch {
		case !both[0] && !both[1]:
			t.base = realType
		case !both[0]:
			t.base = rowType
		case !both[1]:
			t.base = vectorType
		}
	} else if !keeps[0] {
		t.base = realType
	}
	return t
}

// binaryType is the type of an operator's value; ok is false where it does not go with its sides.
func binaryType(op string, a, b typ) (t typ, ok bool) {
	if a.any() || b.any() {
		return typ{base: anyType}, true
	}
	if a.depth > 0 || b.depth > 0 || a.base == textType || b.base == textType || a.base == noType || b.base == noType {
		return t, false
	}
	both := a.scalar() && b.scalar()
	ints := a.whole() && b.whole()
	number := typ{base: realType}
	if ints {
		number.base = intType
	}
	switch op {
	case "%", "%/%":
		return number, ints
	case "==", "!=", "<", "<=", ">", ">=", "&&", "||":
		return typ{base: intType}, both
	case "^", ".^":
		if both {
			return typ{base: realType}, true
		}
		return wider(a, b)
	case "+", "-", ".*", "./":
		if both {
			return number, true
		}
		return wider(a, b)
	case "*":
		if t, ok := products[[2]base{a.base, b.base}]; ok {
			return typ{base: t}, true
		}
		if both {
			return number, true
		}
		t, ok := wider(a, b)
		return t, ok && a != b
	case "/":
		if both {
			return number, true
		}
		if b.scalar() {
			return a, true
		}
		return a, (a.base == rowType || a.base == matrixType) && b.base == matrixType
	case "\\":
		return b, (b.base == vectorType || b.base == matrixType) && a.base == matrixType
	}
	return t, false
}

// products are those of vectors and matrices.
var products = map[[2]base]base{{vectorType, rowType}: matrixType, {rowType, vectorType}: realType,
	{matrixType, vectorType}: vectorType, {rowType, matrixType}: rowType, {matrixType, matrixType}: matrixType}

// wider is the container of two, where the other is a number or has the same type.
func wider(a, b typ) (typ, bool) {
	switch {
	case a == b:
		return a, true
	case a.scalar():
		return b, true
	case b.scalar():
		return a, true
	}
	return a, false
}

// call finds the function of a call.
func (c *checker) call(e *expr) typ {
	name := strings.NewReplacer("_lupdf", "_lpdf", "_lupmf", "_lpmf").Replace(e.name)
	if why := unsupported[name]; why != nil && c.functions[name] == nil {
		e.fn = &builtin{refuse: why}
		return typ{base: anyType}
	}
	args := e.args
	if sums[name] {
		return c.reduceSum(e)
	}
	types := make([]typ, len(args))
	for i, a := range args {
		if types[i] = c.expr(a); types[i] == (typ{}) {
			fail(a.at, problem.New("the function %s has no value", a.name))
		}
	}
	if f := c.userFunction(name, types); f != nil {
		return c.calls(e, f)
	}
	if strings.HasSuffix(name, "_rng") && builtins[name] == nil && c.functions[name] == nil {
		return c.draw(e, name)
	}
	fn := c.builtin(name)
	if fn == nil && c.functions[name] == nil {
		fail(e.at, problem.New("there is no function %s here%w", e.name, nearest(e.name, functionNames(c.functions))))
	}
	if fn != nil {
		if t, ok := fn.resultOf(types); ok {
			e.fn = fn
			return t
		}
	}
	fail(c.wrongArgument(e, fn, types), problem.New("%s does not take (%s); it takes %s", e.name,
		typeList(types), c.takes(name, fn)))
	return typ{}
}

// wrongArgument is where the argument stands that a function does not take, where there is one way to call it; else the
// name.
func (c *checker) wrongArgument(e *expr, fn *builtin, types []typ) int {
	if fn == nil || fn.typeOf != nil || strings.Contains(fn.takes, " ") || len(c.functions[e.name]) > 0 {
		return e.at
	}
	open := slices.Repeat([]typ{{base: anyType}}, len(types))
	if _, ok := signature(fn.takes, open); !ok {
		return e.at // too few or too many
	}
	for k, a := range e.args {
		open[k] = types[k]
		if _, ok := signature(fn.takes, open); !ok {
			return a.start
		}
	}
	return e.at
}

// calls notes a call of a function of the program's own.
func (c *checker) calls(e *expr, f *function) typ {
	if e.user = f; strings.HasSuffix(f.name, "_lp") || strings.HasSuffix(f.name, jacobianEnd) {
		c.density(e.at, f.name)
	}
	if c.inside != nil {
		c.inside.calls = append(c.inside.calls, called{f, e.at})
	}
	return f.result
}

// draw checks a random number, which is drawn after a run alone.
func (c *checker) draw(e *expr, name string) typ {
	if !c.offered(strings.TrimSuffix(name, "_rng")+"_lpdf") && !c.offered(strings.TrimSuffix(name, "_rng")+"_lpmf") {
		fail(e.at, problem.New("there is no function %s here%w", e.name, nearest(e.name, nil)))
	}
	if c.block == modelBlock || c.block == transformedParameters {
		fail(e.at, problem.New("%s draws a random number; the density cannot hold one", e.name))
	}
	e.fn = &builtin{refuse: errDraw}
	return typ{base: anyType}
}

var errDraw = problem.New(
	"random numbers are drawn in the block generated quantities alone, which is only checked here")

// userFunction is a function of the program that takes some types; one with exactly these types comes before others.
func (c *checker) userFunction(name string, types []typ) *function {
	var found *function
	for _, f := range c.functions[name] {
		if len(f.params) != len(types) {
			continue
		}
		fits, same := true, true
		for i, t := range types {
			fits = fits && f.params[i].typ.takes(t)
			same = same && f.params[i].typ == t
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
