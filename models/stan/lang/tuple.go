package lang

import (
	"logzlab/core/problem"
	"logzlab/models/stan/tape"
)

// The sizes and elements of a tuple are those of its parts, one part after the other. An array of tuples is thus an
// array of equal blocks of elements, so tuples and arrays of tuples are copied, selected and indexed like other values.

// maxTupleCode limits the length of the encoded type of a tuple.
const maxTupleCode = 1 << 9

// TupleOf returns the type of a tuple. The types of the parts are encoded as a string, so that types can be compared by
// ==. It fails at position at for too many parts.
func TupleOf(at int, parts []Type) Type {
	t := Type{Base: TupleType}
	for _, p := range parts {
		n := len(p.parts)
		t.parts += string([]byte{byte(p.Base), p.Depth, byte(n >> 8), byte(n)}) + p.parts
	}
	if len(t.parts) > maxTupleCode {
		Fail(at, problem.New("a tuple with this many elements is not supported"))
	}
	return t
}

// Parts returns the types of the parts of a tuple, and nil for other types.
func (t Type) Parts() (out []Type) {
	for s := t.parts; s != ""; {
		var p Type
		p, s = firstPart(s)
		out = append(out, p)
	}
	return out
}

// firstPart decodes the first part, and returns the rest of the code.
func firstPart(s string) (Type, string) {
	n := 4 + int(s[2])<<8 + int(s[3])
	return Type{Base(s[0]), s[1], s[4:n]}, s[n:]
}

// CommonType returns the type that accepts values of both types. ok is false if there is none.
func CommonType(at int, a, b Type) (t Type, ok bool) {
	if a.Accepts(b) {
		return a, true
	}
	parts, otherParts := a.Parts(), b.Parts()
	if a.Depth != b.Depth || len(parts) == 0 || len(parts) != len(otherParts) {
		return b, b.Accepts(a)
	}
	for k := range parts {
		if parts[k], ok = CommonType(at, parts[k], otherParts[k]); !ok {
			return t, false
		}
	}
	t = TupleOf(at, parts)
	t.Depth = a.Depth
	return t, true
}

// dimCount returns the number of sizes of a value.
func (t Type) dimCount() int {
	n := t.IndexCount()
	for s := t.parts; s != ""; {
		var p Type
		p, s = firstPart(s)
		n += p.dimCount()
	}
	return n
}

// ElementCount returns the number of elements of a value of sizes dims.
func (t Type) ElementCount(dims []int) int {
	if t.Base != TupleType {
		return Product(dims)
	}
	n, rest := 0, dims[t.Depth:]
	for _, p := range t.Parts() {
		k := p.dimCount()
		n, rest = n+p.ElementCount(rest[:k]), rest[k:]
	}
	return Product(dims[:t.Depth]) * n
}

// CheckSizeOf returns the number of elements of a value of type t, and fails if it exceeds MaxElements.
func (r *Emitter) CheckSizeOf(t Type, dims []int) int {
	if t.Base != TupleType {
		return r.CheckSize(dims...)
	}
	r.CheckSize(dims[:t.Depth]...)
	return r.CheckSize(t.ElementCount(dims))
}

// Tuple returns a tuple of the values.
func Tuple(t Type, parts ...Value) Value {
	out := Value{T: t}
	for _, p := range parts {
		out.Dims, out.X = append(out.Dims, p.Dims...), append(out.X, p.X...)
	}
	return out
}

// Part returns part k of a tuple, counted from 0. It shares memory with v.
func (v Value) Part(k int) Value {
	dims, x, s := v.Dims, v.X, v.T.parts
	for ; ; k-- {
		p, rest := firstPart(s)
		n := p.dimCount()
		count := p.ElementCount(dims[:n])
		if k == 0 {
			return Value{p, dims[:n:n], x[:count:count]}
		}
		dims, x, s = dims[n:], x[count:], rest
	}
}

// tupleFunction returns a function of a matrix whose result is a tuple.
func tupleFunction(name string, bases []Base, f func(r *Emitter, a Value) []Value) Builtin {
	return Builtin{names: name, TypeRule: func(args []Type) (Type, bool) {
		var parts []Type
		for _, b := range bases {
			t := Type{Base: b}
			if b == IntType {
				t.Depth = 1
			}
			parts = append(parts, t)
		}
		return TupleOf(-1, parts), len(args) == 1 && args[0] == Type{Base: MatrixType}
	}, Emit: func(r *Emitter, t Type, a []Value) Value { return Tuple(t, f(r, a[0])...) }}
}

// tupleFunctions are the functions whose results are tuples.
var tupleFunctions = []Builtin{
	tupleFunction("eigendecompose_sym", []Base{MatrixType, VectorType}, (*Emitter).eigen),
	tupleFunction("qr_thin", []Base{MatrixType, MatrixType}, func(r *Emitter, a Value) []Value {
		q := r.thinQ(a)
		return []Value{q, r.thinR(q, a)}
	}),
	tupleFunction("qr", []Base{MatrixType, MatrixType}, func(r *Emitter, a Value) []Value {
		q, upper := r.householderQR(a)
		return []Value{q, upper}
	}),
	tupleFunction("svd", []Base{MatrixType, VectorType, MatrixType}, func(r *Emitter, a Value) []Value {
		size, u, v := r.svd(a)
		return []Value{u, vector(tape.Consts(size...)), v}
	}),
	tupleFunction("csr_extract", []Base{VectorType, IntType, IntType}, func(r *Emitter, a Value) []Value {
		w, v, u := toCSR(a)
		whole := Type{Base: IntType, Depth: 1}
		return []Value{vector(w), oneDimensional(whole, v), oneDimensional(whole, u)}
	}),
}
