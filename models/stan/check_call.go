package stan

import (
	"maps"
	"slices"
	"strings"

	"logzlab/core/problem"
	"logzlab/models/stan/lang"
	"logzlab/models/stan/syntax"
)

func functionNames(own map[string][]*syntax.Function) []string {
	return slices.Concat(slices.Sorted(maps.Keys(lang.Builtins)), slices.Sorted(maps.Keys(own)))
}

// offered reports whether there is a function of this name.
func (c *checker) offered(name string) bool {
	return c.builtin(name) != nil || c.functions[name] != nil
}

func (c *checker) builtin(name string) *lang.Builtin { return lang.Builtins[name] }

// takes is what functions of a name take, in words.
func (c *checker) Takes(name string, fn *lang.Builtin) string {
	var all []string
	for _, f := range c.functions[name] {
		all = append(all, "("+lang.TypeList(f.Types())+")")
	}
	if fn != nil && fn.Takes != "" {
		for _, s := range strings.Fields(fn.Takes) {
			all = append(all, "("+lang.Spell(s)+")")
		}
	}
	if len(all) == 0 {
		return "other types"
	}
	return strings.Join(all[:min(len(all), 6)], " or ")
}

// sums are functions that call a function for parts of a sum.
var sums = map[string]bool{"reduce_sum": true, "reduce_sum_static": true}

// reduceSum makes reduce_sum(f, x, grain, args...) a call f(x, 1, size(x), args...).
func (c *checker) reduceSum(e *syntax.Expr) lang.Type {
	if len(e.Args) < 3 || e.Args[0].Node != syntax.NameNode {
		lang.Fail(e.At, problem.New("%s takes a function, an array, a grain size and more arguments", e.Name))
	}
	x := e.Args[1]
	one := &syntax.Expr{Node: syntax.LiteralNode, At: e.At, Num: 1, Type: lang.Type{Base: lang.IntType}}
	size := &syntax.Expr{Node: syntax.CallNode, At: e.At, Name: "size", Args: []*syntax.Expr{x}}
	c.want(e.Args[2], lang.Type{Base: lang.IntType})
	e.Name = e.Args[0].Name
	e.Args = append([]*syntax.Expr{x, one, size}, e.Args[3:]...)
	return c.call(e)
}
