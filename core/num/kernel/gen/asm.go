package main

import (
	"bytes"
	"encoding/binary"
	"math"
)

// expr is WebAssembly code that leaves one value.
type expr []byte

// Types of values.
const (
	tI32  = 0x7F
	tI64  = 0x7E
	tF64  = 0x7C
	tV128 = 0x7B
)

// fn is a function under construction; its parameters are i32.
type fn struct {
	params int
	locals []byte
	code   []byte
}

// begin starts a function and returns its parameters.
func begin(params int) (*fn, []expr) {
	f := &fn{params: params}
	var p []expr
	for i := range params {
		p = append(p, append(expr{0x20}, leb(i)...))
	}
	return f, p
}

func (f *fn) do(parts ...expr) {
	for _, e := range parts {
		f.code = append(f.code, e...)
	}
}

// local declares a variable and returns the expression that reads it.
func (f *fn) local(t byte) expr {
	f.locals = append(f.locals, t)
	return append(expr{0x20}, leb(f.params+len(f.locals)-1)...)
}

// let assigns value to a new variable and returns it.
func (f *fn) let(t byte, value expr) expr {
	x := f.local(t)
	f.set(x, value)
	return x
}

func (f *fn) set(x, value expr) { f.do(value, expr{0x21}, x[1:]) }

// loop repeats body while cond holds; body runs at least once.
func (f *fn) loop(body func(), cond func() expr) {
	f.do(expr{0x03, 0x40})
	body()
	f.do(cond(), expr{0x0D, 0x00, 0x0B})
}

func (f *fn) when(cond expr, body func()) {
	f.do(cond, expr{0x04, 0x40})
	body()
	f.do(expr{0x0B})
}

// count runs body for x = from, from+step, ... below to, where from < to.
func (f *fn) count(x, from, to expr, step int, body func()) {
	f.set(x, from)
	f.loop(func() {
		body()
		f.set(x, op("i32.add", x, num32(step)))
	}, func() expr { return op("i32.lt_u", x, to) })
}

// opcodes are the operations in use; values above 0xFF mean 0xFD followed by a number.
var opcodes = map[string]int{
	"i32.eqz": 0x45, "i32.eq": 0x46, "i32.ne": 0x47, "i32.lt_u": 0x49, "i32.gt_u": 0x4B, "i64.ne": 0x52,
	"f64.eq": 0x61, "f64.ne": 0x62, "f64.lt": 0x63, "f64.gt": 0x64, "f64.le": 0x65,
	"i32.add": 0x6A, "i32.sub": 0x6B, "i32.mul": 0x6C, "i32.div_u": 0x6E, "i32.and": 0x71,
	"i32.or": 0x72, "i32.xor": 0x73, "i32.shl": 0x74, "i32.shr_u": 0x76,
	"i64.ctz": 0x7A, "i64.popcnt": 0x7B, "i64.add": 0x7C, "i64.sub": 0x7D, "i64.mul": 0x7E,
	"i64.and": 0x83, "i64.shl": 0x86, "i64.shr_u": 0x88,

	"f64.neg": 0x9A, "f64.add": 0xA0, "f64.sub": 0xA1, "f64.mul": 0xA2, "f64.div": 0xA3, "f64.copysign": 0xA6,
	"i32.wrap_i64": 0xA7, "f32.demote_f64": 0xB6, "i64.extend_i32_u": 0xAD, "f64.convert_i32_u": 0xB8,
	"f64.convert_i64_s": 0xB9, "select": 0x1B,

	"i8x16.splat": 0xFD0F, "i32x4.splat": 0xFD11, "i64x2.splat": 0xFD12, "f32x4.splat": 0xFD13, "f64x2.splat": 0xFD14,
	"i8x16.eq": 0xFD23, "i8x16.lt_u": 0xFD26, "f32x4.lt": 0xFD43, "f64x2.eq": 0xFD47, "f64x2.ne": 0xFD48,
	"f64x2.lt": 0xFD49, "f64x2.le": 0xFD4B, "f64x2.ge": 0xFD4C, "f32x4.le": 0xFD45,
	"v128.and": 0xFD4E, "v128.andnot": 0xFD4F, "v128.or": 0xFD50, "v128.xor": 0xFD51,
	"i8x16.neg": 0xFD61, "i8x16.add": 0xFD6E, "i8x16.bitmask": 0xFD64,
	"i8x16.narrow_i16x8_s": 0xFD65, "i16x8.narrow_i32x4_s": 0xFD85,
	"i32x4.abs": 0xFDA0, "i32x4.neg": 0xFDA1, "i32x4.shl": 0xFDAB, "i32x4.shr_u": 0xFDAD,
	"i32x4.add": 0xFDAE, "i32x4.min_s": 0xFDB6,
	"i32x4.min_u": 0xFDB7, "i32x4.eq": 0xFD37, "i32x4.max_s": 0xFDB8,
	"i64x2.extend_low_i32x4_u": 0xFDC9, "i64x2.extend_high_i32x4_u": 0xFDCA,
	"i64x2.all_true": 0xFDC3, "i64x2.shl": 0xFDCB, "i64x2.shr_s": 0xFDCC, "i64x2.shr_u": 0xFDCD,
	"i64x2.add": 0xFDCE, "i64x2.sub": 0xFDD1,
	"i64x2.extmul_low_i32x4_u": 0xFDDE, "i64x2.extmul_high_i32x4_u": 0xFDDF,
	"f32x4.neg": 0xFDE1, "f32x4.add": 0xFDE4, "f32x4.sub": 0xFDE5, "f32x4.mul": 0xFDE6,
	"f32x4.pmin": 0xFDEA, "f32x4.pmax": 0xFDEB, "v128.any_true": 0xFD53,
	"f64x2.abs": 0xFDEC, "f64x2.neg": 0xFDED, "f64x2.add": 0xFDF0, "f64x2.sub": 0xFDF1,
	"f64x2.mul": 0xFDF2, "f64x2.div": 0xFDF3, "f64x2.pmin": 0xFDF6, "f64x2.pmax": 0xFDF7,
	"f32x4.convert_i32x4_s": 0xFDFA, "f64x2.convert_low_i32x4_s": 0xFDFE, "f64x2.promote_low_f32x4": 0xFD5F,
}

// op applies an operation.
func op(name string, args ...expr) expr {
	code, ok := opcodes[name]
	if !ok {
		panic("gen: no opcode for " + name)
	}
	var e expr
	for _, a := range args {
		e = append(e, a...)
	}
	if code < 0x100 {
		return append(e, byte(code))
	}
	return append(append(e, 0xFD), leb(code&0xFF)...)
}

// access are the loads and stores in use.
var access = map[string][]byte{
	"i32.load": {0x28}, "i64.load": {0x29}, "f64.load": {0x2B}, "i64.load32_s": {0x34},
	"i32.load8_u": {0x2D}, "i32.load16_u": {0x2F}, "v128.load": {0xFD, 0x00},
	"v128.load32_splat": {0xFD, 0x09}, "v128.load64_splat": {0xFD, 0x0A},
	"i32.store": {0x36}, "i64.store": {0x37}, "f64.store": {0x39}, "i32.store8": {0x3A},
	"i32.store16": {0x3B}, "v128.store": {0xFD, 0x0B},
}

// load reads at addr + offset.
func load(name string, addr expr, offset int) expr {
	return append(append(append(append(expr{}, addr...), access[name]...), 0), leb(offset)...)
}

func (f *fn) store(name string, addr expr, offset int, value expr) {
	f.do(addr, value, access[name], expr{0}, leb(offset))
}

// call calls a function that returns nothing.
func (f *fn) call(index int, args ...expr) {
	f.do(args...)
	f.do(expr{0x10}, leb(index))
}

// lane extracts a number of f64x2.
func lane(e expr, i byte) expr { return append(append(expr{}, e...), 0xFD, 0x21, i) }

// lane32 extracts a number of i32x4.
func lane32(e expr, i byte) expr { return append(append(expr{}, e...), 0xFD, 0x1B, i) }

// setLane32 returns a with a lane of i32x4 replaced.
func setLane32(a, x expr, i byte) expr {
	return append(append(append(expr{}, a...), x...), 0xFD, 0x1C, i)
}

// lane64 extracts a number of i64x2.
func lane64(e expr, i byte) expr { return append(append(expr{}, e...), 0xFD, 0x1D, i) }

// unpacked returns four sums of units in a row, packed at addr as lo + 2^32 hi. With low, 2^31 in each word, the low
// half does not borrow from the high half, and its top bit is inverted.
func unpacked(addr expr, offset int, low expr) expr {
	return op("v128.xor", op("i64x2.add", load("v128.load", addr, offset), low), low)
}

// shuffle selects four 32-bit lanes from the eight of a and b.
func shuffle(a, b expr, lanes ...byte) expr {
	e := append(append(append(expr{}, a...), b...), 0xFD, 0x0D)
	for _, l := range lanes {
		e = append(e, 4*l, 4*l+1, 4*l+2, 4*l+3)
	}
	return e
}

// bytes16 selects sixteen bytes from a and zeros, which are numbered after the bytes of a.
func bytes16(a expr, at func(i byte) byte) expr {
	e := append(append(append(expr{}, a...), vec64(0)...), 0xFD, 0x0D)
	for i := range byte(16) {
		e = append(e, at(i))
	}
	return e
}

// fourth moves bytes 4b to 4b+3 of a to the top bytes of the 32-bit lanes.
func fourth(a expr, b int) expr {
	return bytes16(a, func(i byte) byte {
		if i%4 != 3 {
			return 16
		}
		return byte(4*b) + i/4
	})
}

// halves copies byte 0 of a to the eight low bytes and byte 1 to the high ones.
func halves(a expr) expr { return bytes16(a, func(i byte) byte { return i / 8 }) }

// blend16 takes the low half of each 32-bit lane from a, the high half from b.
func blend16(a, b expr) expr {
	e := append(append(append(expr{}, a...), b...), 0xFD, 0x0D)
	for i := range byte(16) {
		e = append(e, i+i&2*8)
	}
	return e
}

// Constants.
func num32(n int) expr     { return append(expr{0x41}, sleb(int64(int32(n)))...) }
func num64(n int64) expr   { return append(expr{0x42}, sleb(n)...) }
func f64(x float64) expr   { return binary.LittleEndian.AppendUint64(expr{0x44}, math.Float64bits(x)) }
func vec64(n uint64) expr  { return vec(n, n) }
func f64x2(x float64) expr { return vec64(math.Float64bits(x)) }
func i32x4(n uint32) expr  { return vec64(uint64(n)<<32 | uint64(n)) }
func f32x4(x float32) expr { return i32x4(math.Float32bits(x)) }
func vec(lo, hi uint64) expr {
	return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(expr{0xFD, 0x0C}, lo), hi)
}

func leb(n int) expr {
	var e expr
	for ; n > 0x7F; n >>= 7 {
		e = append(e, byte(n)|0x80)
	}
	return append(e, byte(n))
}

func sleb(n int64) expr {
	var e expr
	for n > 0x3F || n < -0x40 {
		e = append(e, byte(n)|0x80)
		n >>= 7
	}
	return append(e, byte(n)&0x7F)
}

// vector encodes the number of items and the items.
func vector(items [][]byte) []byte { return append(leb(len(items)), bytes.Join(items, nil)...) }

// named is a function, exported if it has a name.
type named struct {
	name string
	*fn
}

// module assembles functions over a memory imported as env.memory.
func module(fns []named) []byte {
	out := []byte("\x00asm\x01\x00\x00\x00")
	section := func(id byte, items ...[]byte) {
		body := vector(items)
		out = append(append(append(out, id), leb(len(body))...), body...)
	}
	text := func(s string) []byte { return append(leb(len(s)), s...) }

	// The type, the name and the body of each function.
	var types, indices, exports, bodies [][]byte
	for i, f := range fns {
		t := append([]byte{0x60}, leb(f.params)...)
		for range f.params {
			t = append(t, tI32)
		}
		types = append(types, append(t, 0))
		indices = append(indices, leb(i))
		if f.name != "" {
			exports = append(exports, append(append(text(f.name), 0), leb(i)...))
		}
		var locals [][]byte // runs of variables of one type
		for rest := f.locals; len(rest) > 0; {
			n := 1
			for n < len(rest) && rest[n] == rest[0] {
				n++
			}
			locals = append(locals, append(leb(n), rest[0]))
			rest = rest[n:]
		}
		body := append(append(vector(locals), f.code...), 0x0B)
		bodies = append(bodies, append(leb(len(body)), body...))
	}

	// The sections, by their numbers.
	section(1, types...)
	section(2, append(append(text("env"), text("memory")...), 2, 0, 1))
	section(3, indices...)
	section(7, exports...)
	section(10, bodies...)
	return out
}
