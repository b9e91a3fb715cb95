package stan

import (
	"maps"
	"slices"
	"strings"

	"logzlab/core/problem"
	"logzlab/models/stan/lang"
	"logzlab/models/stan/syntax"
)

// functionNames returns the sorted names of the built-in functions, then those of the program's functions.
func functionNames(userFunctions map[string][]*syntax.Function) []string {
	return slices.Concat(slices.Sorted(maps.Keys(lang.Builtins)), slices.Sorted(maps.Keys(userFunctions)))
}

// functionExists reports whether there is a function of this name.
func (c *checker) functionExists(name string) bool {
	return c.builtin(name) != nil || c.functions[name] != nil
}

// builtin returns a built-in function, or nil.
func (c *checker) builtin(name string) *lang.Builtin { return lang.Builtins[name] }

// acceptedArguments formats the arguments that the functions of a name accept.
func (c *checker) acceptedArguments(name string, fn *lang.Builtin) string {
	var signatures []string
	for _, f := range c.functions[name] {
		signatures = append(signatures, "("+lang.FormatTypes(f.ParamTypes())+")")
	}
	if fn != nil && fn.Signatures != "" {
		for _, s := range strings.Fields(fn.Signatures) {
			signatures = append(signatures, "("+lang.FormatSignature(s)+")")
		}
	}
	if len(signatures) == 0 {
		return "other types"
	}
	return strings.Join(signatures[:min(len(signatures), 6)], " or ")
}

// reduceSumNames are functions that sum the results of partial calls.
var reduceSumNames = map[string]bool{"reduce_sum": true, "reduce_sum_static": true}

// reduceSum replaces reduce_sum(f, x, grain, args...) by f(x, 1, size(x), args...).
func (c *checker) reduceSum(e *syntax.Expr) lang.Type {
	if len(e.Args) < 3 || e.Args[0].Kind != syntax.NameNode {
		lang.Fail(e.Pos, problem.New("%s takes a function, an array, a grain size and more arguments", e.Name))
	}
	x := e.Args[1]
	one := &syntax.Expr{Kind: syntax.LiteralNode, Pos: e.Pos, Num: 1, Type: lang.Type{Base: lang.IntType}}
	size := &syntax.Expr{Kind: syntax.CallNode, Pos: e.Pos, Name: "size", Args: []*syntax.Expr{x}}
	c.expectType(e.Args[2], lang.Type{Base: lang.IntType})
	e.Name = e.Args[0].Name
	e.Args = append([]*syntax.Expr{x, one, size}, e.Args[3:]...)
	return c.call(e)
}
