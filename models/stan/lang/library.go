package lang

import (
	"maps"
	"slices"
	"strings"

	"logzlab/core/problem"
	"logzlab/models/stan/tape"
)

// Builtin is a built-in function of Stan.
type Builtin struct {
	names string // name, or several synonyms separated by blanks
	// Signatures lists the accepted arguments and the results, separated by blanks: "vv:r ii:i" means that two vectors
	// give a real, and two ints an int. The letters i r v w m are int, real, vector, row_vector and matrix; [ before a
	// letter means an array of that type. E is a number or a container of numbers, where all containers have one type; R
	// is a number, vector, row vector or array of numbers; V a vector or row vector; I an int or array of ints; L an
	// array, vector or row vector; * any type. As a result, E is the type of the containers with int promoted to real,
	// and = is the type of the first argument.
	Signatures  string
	TypeRule    func(args []Type) (Type, bool) // result type for arguments, used instead of Signatures
	Elementwise elementwise                    // elementwise function, used instead of Emit
	Emit        func(r *Emitter, t Type, a []Value) Value
	Unsupported error                  // why it is not supported, or nil
	reservedFor func(args []Type) bool // whether Stan itself has a version for these types; nil: the same as here
}

// elementwise computes elements from elements; lists of one element are repeated.
type elementwise func(b *tape.Builder, x ...[]tape.Scalar) []tape.Scalar

// Builtins holds the built-in functions by name.
var Builtins = library()

// library returns the functions by name. Functions of argumentDomains check their arguments and return NaN outside.
func library() map[string]*Builtin {
	out := map[string]*Builtin{}
	for _, list := range [][]Builtin{elementFunctions, sumFunctions, shapeFunctions, orderFunctions, makeFunctions,
		matrixFunctions, solveFunctions, spectrumFunctions, specialFunctions, kernelFunctions, operatorFunctions,
		tupleFunctions, randomFunctions, transformFunctions, densityFunctions()} {
		for i := range list {
			for _, name := range strings.Fields(list[i].names) {
				out[name] = &list[i]
			}
		}
	}
	for name, letters := range argumentDomains {
		f := *out[name]
		emitUnchecked := f.Emit
		f.Emit = func(r *Emitter, t Type, a []Value) Value {
			return RealValue(r.NaNUnless(emitUnchecked(r, t, a).X[0], r.argumentChecks(name, letters, a)))
		}
		out[name] = &f
	}
	return out
}

// Functions returns the sorted names of the supported functions, except functions of distributions.
func Functions() []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(Builtins)) {
		if _, _, ok := CutDensitySuffix(name); !ok && !IsRandom(name) {
			out = append(out, name)
		}
	}
	return out
}

// RandomDistributions returns the sorted names of the distributions that have _rng functions.
func RandomDistributions() []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(Builtins)) {
		if IsRandom(name) {
			out = append(out, strings.TrimSuffix(name, randomSuffix))
		}
	}
	return out
}

// IsRandom reports whether the function of this name draws random numbers.
func IsRandom(name string) bool { return strings.HasSuffix(name, randomSuffix) }

// suffixes are the endings of functions of distributions.
var suffixes = []string{"_lpdf", "_lpmf", "_lcdf", "_lccdf", "_cdf"}

// CutDensitySuffix splits the name of a function of a distribution into distribution and suffix. _lupdf and _lupmf
// count as _lpdf and _lpmf, because all constants are kept.
func CutDensitySuffix(name string) (family, suffix string, ok bool) {
	for _, u := range [2]string{"_lupdf", "_lupmf"} {
		if f, ok := strings.CutSuffix(name, u); ok {
			return f, "_l" + u[3:], true
		}
	}
	for _, s := range suffixes {
		if f, ok := strings.CutSuffix(name, s); ok {
			return f, s, true
		}
	}
	return name, "", false
}

// Distributions returns the sorted names of the supported distributions.
func Distributions() []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(Builtins)) {
		if family, suffix, ok := CutDensitySuffix(name); ok && (suffix == "_lpdf" || suffix == "_lpmf") {
			out = append(out, family)
		}
	}
	return out
}

// ResultType returns the type of the result for arguments of these types. ok is false if no version accepts them.
func (f *Builtin) ResultType(args []Type) (Type, bool) {
	if slices.ContainsFunc(args, Type.IsUnsupported) {
		return Type{Base: UnsupportedType}, true
	}
	if slices.ContainsFunc(args, func(t Type) bool { return t.Base == TupleType && (t.Depth == 0 || f.names != "size") }) {
		return Type{}, false
	}
	if f.TypeRule != nil {
		return f.TypeRule(args)
	}
	for _, s := range strings.Fields(f.Signatures) {
		if t, ok := MatchSignature(s, args); ok {
			return t, true
		}
	}
	return Type{}, false
}

// HasExactVersion reports whether Stan has a version of the function for exactly these types, without promotion of int,
// so that a program must not define it. Transforms are excepted: older programs define their own.
func (f *Builtin) HasExactVersion(args []Type) bool {
	if f.reservedFor != nil && !f.reservedFor(args) {
		return false
	}
	if _, ok := f.ResultType(args); !ok || f.TypeRule != nil {
		return ok
	}
	return slices.ContainsFunc(strings.Fields(f.Signatures), func(s string) bool {
		_, ok := MatchSignature(s, args)
		for _, a := range args {
			if !ok {
				break
			}
			depth := len(s) - len(strings.TrimLeft(s, "["))
			if base := typeLetters[s[depth]]; base != VoidType && base != a.Base {
				return false
			}
			s = s[depth+1:]
		}
		return ok
	})
}

// typeLetters holds the types of the letters in Builtin.Signatures.
var typeLetters = map[byte]Base{'i': IntType, 'r': RealType, 'v': VectorType, 'w': RowVectorType, 'm': MatrixType}

// MatchSignature returns the result type of a signature for arguments of these types. ok is false if it does not accept
// them.
func MatchSignature(s string, args []Type) (result Type, ok bool) {
	shape := Type{Base: RealType}
	for n := 0; ; n++ {
		depth := len(s) - len(strings.TrimLeft(s, "["))
		c := s[depth]
		if s = s[depth+1:]; c == ':' {
			if n != len(args) {
				return Type{}, false
			}
			break
		}
		if n >= len(args) {
			return Type{}, false
		}

		// Whether the letter takes the argument.
		a := args[n]
		switch c {
		case '*':
			ok = a.Base != StringType
		case 'E':
			switch ok = a.Base != StringType; {
			case a.IsScalar():
			case shape.IsScalar():
				shape = a.Promoted()
			default:
				ok = shape == a.Promoted()
			}
		case 'R':
			ok = isReals(a)
		case 'V':
			ok = a.IsUnsupported() || a.Base == VectorType || a.Base == RowVectorType
		case 'I':
			ok = isInts(a)
		case 'L':
			ok = a.Depth > 0 || a.Base == VectorType || a.Base == RowVectorType
		default:
			ok = Type{Base: typeLetters[c], Depth: uint8(depth)}.Accepts(a)
		}
		if !ok {
			return Type{}, false
		}
	}

	// The type of the result.
	depth := len(s) - len(strings.TrimLeft(s, "["))
	switch c := s[depth]; c {
	case 'E':
		return shape, true
	case '=':
		return args[0], true
	default:
		return Type{Base: typeLetters[c], Depth: uint8(depth)}, true
	}
}

// intAndReals returns the type rule of an elementwise function of ints (argument at) and reals. The ints may be an
// array if the other argument has as many dimensions, such as a vector.
func intAndReals(at int) func(args []Type) (Type, bool) {
	return func(args []Type) (t Type, ok bool) {
		if t, ok = MatchSignature("EE:E", args); ok || len(args) != 2 {
			return t, ok
		}
		ints, other := args[at], args[1-at]
		ok = ints.Base == IntType && other.Base >= RealType && other.Base <= MatrixType && int(ints.Depth) == other.IndexCount()
		return other, ok
	}
}

// intAt returns a reservedFor function: Stan has the function only if argument at is an int.
func intAt(at int) func(args []Type) bool {
	return func(args []Type) bool { return len(args) > at && args[at].Base == IntType }
}

// allScalars is a reservedFor function: Stan has the function for scalars only.
func allScalars(args []Type) bool {
	return !slices.ContainsFunc(args, func(t Type) bool { return !t.IsScalar() })
}

// neverReserved is a reservedFor function: programs may define the function.
func neverReserved([]Type) bool { return false }

// isReals reports whether a is what Stan calls reals: a real, a vector, a row vector or an array of reals.
func isReals(a Type) bool {
	return a.IsUnsupported() || a.IsScalar() || a.Promoted() == Type{Base: RealType, Depth: 1} || a.Depth == 0 && (a.Base == VectorType ||
		a.Base == RowVectorType)
}

// isInts reports whether a is an int or an array of ints.
func isInts(a Type) bool { return a.IsUnsupported() || a.Base == IntType && a.Depth <= 1 }

// FormatTypes formats a list of types.
func FormatTypes(types []Type) string {
	var s []string
	for _, t := range types {
		s = append(s, t.String())
	}
	return strings.Join(s, ", ")
}

// FormatSignature formats the arguments of a signature.
func FormatSignature(s string) string {
	var out []string
	for s[0] != ':' {
		depth := len(s) - len(strings.TrimLeft(s, "["))
		t := Type{Base: typeLetters[s[depth]], Depth: uint8(depth)}
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

// ApplyElementwise calls an elementwise function and returns a value of type t.
func (r *Emitter) ApplyElementwise(f *Builtin, t Type, args []Value) Value {
	var dims []int
	x := make([][]tape.Scalar, len(args))
	for i, a := range args {
		if x[i] = a.X; a.T.IsScalar() {
			continue
		}
		if dims != nil && !SameDims(dims, a.Dims) {
			r.Fail(problem.New("the sizes %s and %s do not match", FormatDims(dims), FormatDims(a.Dims)))
		}
		dims = a.Dims
	}
	n := Product(dims)
	r.CountSteps(25 + n/2)
	if n == 0 {
		return Value{t, dims, nil}
	}
	return Value{t, dims, f.Elementwise(r.B, x...)}
}
