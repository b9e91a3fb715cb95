package stan

import (
	"maps"
	"slices"
	"strings"

	"logzlab/core/problem"
	"logzlab/core/tape"
)

// builtin is a function of the language.
type builtin struct {
	names string // one, or several with blanks between them, that mean the same
	// takes lists what it takes and gives, as "vv:r ii:i": vector and vector give a real. i r v w m are the types, [ is
	// an array of what follows. E is a number or a container of numbers, all of one shape and type; R a number, a vector,
	// row vector or array; V a vector, row vector or an array of them; I a whole number or an array of them; L an array,
	// vector or row vector; * anything. As a result, E is the type of the containers with real numbers, = the type of the
	// first argument.
	takes  string
	typeOf func(args []typ) (typ, bool) // instead of takes
	each   mapped                       // of E: by element
	do     func(r *run, t typ, a []value) value
	refuse error // why it is not offered
}

// mapped computes elements from elements; arguments of one element go with all.
type mapped func(b *tape.Builder, x ...[]tape.Scalar) []tape.Scalar

// builtins are the functions by name.
var builtins = library()

func library() map[string]*builtin {
	out := map[string]*builtin{}
	for _, list := range [][]builtin{elementFunctions, sumFunctions, shapeFunctions, orderFunctions, makeFunctions,
		matrixFunctions, solveFunctions, spectrumFunctions, kernelFunctions, operatorFunctions, densityFunctions()} {
		for i := range list {
			for _, name := range strings.Fields(list[i].names) {
				out[name] = &list[i]
			}
		}
	}
	return out
}

// Functions lists the functions that are offered, in order, without distributions.
func Functions() []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(builtins)) {
		if _, _, ok := cutSuffix(name); !ok {
			out = append(out, name)
		}
	}
	return out
}

// suffixes are the ends of names of functions of distributions.
var suffixes = []string{"_lpdf", "_lpmf", "_lcdf", "_lccdf", "_cdf"}

func cutSuffix(name string) (family, suffix string, ok bool) {
	for _, s := range suffixes {
		if f, ok := strings.CutSuffix(name, s); ok {
			return f, s, true
		}
	}
	return name, "", false
}

// distributionNames lists the distributions that are offered, in order.
func distributionNames() []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(builtins)) {
		if family, suffix, ok := cutSuffix(name); ok && (suffix == "_lpdf" || suffix == "_lpmf") {
			out = append(out, family)
		}
	}
	return out
}

// Distributions lists the distributions that are offered, in order.
func Distributions() []string { return distributionNames() }

// resultOf is the type of a value; ok is false where it does not take such arguments.
func (f *builtin) resultOf(args []typ) (typ, bool) {
	if slices.ContainsFunc(args, typ.any) {
		return typ{base: anyType}, true
	}
	if f.typeOf != nil {
		return f.typeOf(args)
	}
	for _, s := range strings.Fields(f.takes) {
		if t, ok := signature(s, args); ok {
			return t, true
		}
	}
	return typ{}, false
}

var letters = map[byte]base{'i': intType, 'r': realType, 'v': vectorType, 'w': rowType, 'm': matrixType}

// signature is the result of one entry of takes.
func signature(s string, args []typ) (result typ, ok bool) {
	shape := typ{base: realType}
	for n := 0; ; n++ {
		depth := len(s) - len(strings.TrimLeft(s, "["))
		c := s[depth]
		if s = s[depth+1:]; c == ':' {
			if n != len(args) {
				return typ{}, false
			}
			break
		}
		if n >= len(args) {
			return typ{}, false
		}
		a := args[n]
		switch c {
		case '*':
			ok = a.base != textType
		case 'E':
			switch ok = a.base != textType; {
			case a.scalar():
			case shape.scalar():
				shape = a.real()
			default:
				ok = shape == a.real()
			}
		case 'R':
			ok = isReals(a)
		case 'V':
			ok = a.any() || a.base == vectorType || a.base == rowType
		case 'I':
			ok = isInts(a)
		case 'L':
			ok = a.depth > 0 || a.base == vectorType || a.base == rowType
		default:
			ok = typ{letters[c], uint8(depth)}.takes(a)
		}
		if !ok {
			return typ{}, false
		}
	}
	depth := len(s) - len(strings.TrimLeft(s, "["))
	switch c := s[depth]; c {
	case 'E':
		return shape, true
	case '=':
		return args[0], true
	default:
		return typ{letters[c], uint8(depth)}, true
	}
}

// isReals reports whether the type is what Stan calls reals.
func isReals(a typ) bool {
	return a.any() || a.scalar() || a.real() == typ{base: realType, depth: 1} || a.depth == 0 && (a.base == vectorType ||
		a.base == rowType)
}

func isInts(a typ) bool { return a.any() || a.base == intType && a.depth <= 1 }

// errNothing is a phrase of no words.
type errNothing struct{}

func (errNothing) Error() string { return "" }

// nearest is a phrase that proposes the name most like one that is not there.
func nearest(name string, names []string) error {
	best, least := "", 3
	for _, s := range names {
		if d := edits(name, s, least); d < least || d == least && d < 3 && s < best {
			best, least = s, d
		}
	}
	if best == "" || len(name) < 3 {
		return errNothing{}
	}
	return problem.New("; do you mean %s?", best)
}

// edits is the number of letters to change, add or leave out between two names, or most.
func edits(a, b string, most int) int {
	if len(a) > 60 || len(b) > 60 || len(a)-len(b) >= most || len(b)-len(a) >= most {
		return most
	}
	var row [61]int
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			d := before
			if a[i] != b[j] {
				d = 1 + min(before, row[j], row[j+1])
			}
			before, row[j+1] = row[j+1], d
		}
	}
	return min(row[len(b)], most)
}

func functionNames(own map[string][]*function) []string {
	return slices.Concat(slices.Sorted(maps.Keys(builtins)), slices.Sorted(maps.Keys(own)))
}

func typeList(types []typ) string {
	var s []string
	for _, t := range types {
		s = append(s, t.String())
	}
	return strings.Join(s, ", ")
}

// offered reports whether there is a function of this name.
func (c *checker) offered(name string) bool {
	return c.builtin(name) != nil || c.functions[name] != nil
}

func (c *checker) builtin(name string) *builtin { return builtins[name] }

// takes is what functions of a name take, in words.
func (c *checker) takes(name string, fn *builtin) string {
	var all []string
	for _, f := range c.functions[name] {
		all = append(all, "("+typeList(f.types())+")")
	}
	if fn != nil && fn.takes != "" {
		for _, s := range strings.Fields(fn.takes) {
			all = append(all, "("+spell(s)+")")
		}
	}
	if len(all) == 0 {
		return "other types"
	}
	return strings.Join(all[:min(len(all), 6)], " or ")
}

// spell writes what an entry of takes means.
func spell(s string) string {
	var out []string
	for s[0] != ':' {
		depth := len(s) - len(strings.TrimLeft(s, "["))
		t := typ{letters[s[depth]], uint8(depth)}
		one := t.String()
		switch s[depth] {
		case '*':
			one = "anything"
		case 'E', 'R':
			one = "reals"
		case 'I':
			one = "ints"
		case 'V':
			one = "vectors"
		case 'L':
			one = "array or vector"
		}
		out, s = append(out, one), s[depth+1:]
	}
	return strings.Join(out, ", ")
}

// sums are functions that call a function for parts of a sum.
var sums = map[string]bool{"reduce_sum": true, "reduce_sum_static": true}

// reduceSum makes reduce_sum(f, x, grain, args...) a call f(x, 1, size(x), args...).
func (c *checker) reduceSum(e *expr) typ {
	if len(e.args) < 3 || e.args[0].node != nameNode {
		fail(e.at, problem.New("%s takes a function, an array, a grain size and more arguments", e.name))
	}
	x := e.args[1]
	one := &expr{node: literalNode, at: e.at, num: 1, typ: typ{base: intType}}
	size := &expr{node: callNode, at: e.at, name: "size", args: []*expr{x}}
	c.want(e.args[2], typ{base: intType})
	e.name = e.args[0].name
	e.args = append([]*expr{x, one, size}, e.args[3:]...)
	return c.call(e)
}
