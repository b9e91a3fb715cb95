package lang

import (
	"logzlab/core/problem"
	"logzlab/models/stan/tape"
)

// A tuple is a value whose sizes and elements are those of its parts, one part after the other. So an array of tuples
// is an array of equal blocks of elements, and both are copied, chosen and indexed as all values are.

// mostParts bounds the code of a tuple's type.
const maxTupleCode = 1 << 9

// TupleOf is the type of a tuple, at a byte of the program. Its parts are coded as text, so that types are compared by
// ==.
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

// Parts are the types of a tuple's parts; nil of other types.
func (t Type) Parts() (out []Type) {
	for s := t.parts; s != ""; {
		var p Type
		p, s = firstPart(s)
		out = append(out, p)
	}
	return out
}

// firstPart is the first part of a code, and the rest of it.
func firstPart(s string) (Type, string) {
	n := 4 + int(s[2])<<8 + int(s[3])
	return Type{Base(s[0]), s[1], s[4:n]}, s[n:]
}

// Common is the type that takes values of both.
func CommonType(at int, a, b Type) (t Type, ok bool) {
	if a.Accepts(b) {
		return a, true
	}
	all, other := a.Parts(), b.Parts()
	if a.Depth != b.Depth || len(all) == 0 || len(all) != len(other) {
		return b, b.Accepts(a)
	}
	for k := range all {
		if all[k], ok = CommonType(at, all[k], other[k]); !ok {
			return t, false
		}
	}
	t = TupleOf(at, all)
	t.Depth = a.Depth
	return t, true
}

// sizes is the number of sizes of a value.
func (t Type) dimCount() int {
	n := t.IndexCount()
	for s := t.parts; s != ""; {
		var p Type
		p, s = firstPart(s)
		n += p.dimCount()
	}
	return n
}

// Count is the number of elements of a value with these sizes.
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

// RoomOf is Count where there is room for so many.
func (r *Emitter) CheckSizeOf(t Type, dims []int) int {
	if t.Base != TupleType {
		return r.CheckSize(dims...)
	}
	r.CheckSize(dims[:t.Depth]...)
	return r.CheckSize(t.ElementCount(dims))
}

// Tuple is a tuple of values.
func Tuple(t Type, parts ...Value) Value {
	out := Value{T: t}
	for _, p := range parts {
		out.Dims, out.X = append(out.Dims, p.Dims...), append(out.X, p.X...)
	}
	return out
}

// Part is part k of a tuple, from 0; it shares the memory.
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

// taken is a function of a matrix whose value is a tuple.
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

// tupleFunctions give tuples.
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
