package main

import "fmt"

// philox is rng.Philox for four blocks of one row at a time. The parts of rounds 1 and 2 that depend on slot, step and
// phase only are the same for all blocks.
type philox struct {
	m     [2]expr
	key   [10][2]expr
	phase expr // phase ^ key of round 1
	x0    expr // xor operand of the high half of the m1 product of round 2
	x2    expr // the same for the m0 product, constant for all blocks
	x3    expr // low half of the m0 product
}

// newPhilox requires vectors with equal lanes.
func newPhilox(f *fn, c constants, keys [2]expr, phase, slot, step expr) *philox {
	p := &philox{m: [2]expr{f.let(tV128, i32x4(c.bits("m0"))), f.let(tV128, i32x4(c.bits("m1")))}}
	xor := func(a, b expr) expr { return f.let(tV128, op("v128.xor", a, b)) }
	for i, key := range keys {
		for round := range p.key {
			p.key[round][i] = f.let(tV128, key)
			key = op("i32x4.add", p.key[round][i], i32x4(c.bits([]string{"w0", "w1"}[i])))
		}
	}
	lo, hi := p.product(f, slot, 1)
	p.phase, p.x0 = xor(phase, p.key[0][1]), xor(lo, p.key[1][0])
	lo, hi = p.product(f, xor(xor(hi, step), p.key[0][0]), 0)
	p.x2, p.x3 = xor(hi, p.key[1][1]), lo
	return p
}

// product returns the halves of m[i] x.
func (p *philox) product(f *fn, x expr, i int) (lo, hi expr) {
	x = f.let(tV128, x)
	a := f.let(tV128, op("i64x2.extmul_low_i32x4_u", x, p.m[i]))
	b := f.let(tV128, op("i64x2.extmul_high_i32x4_u", x, p.m[i]))
	return f.let(tV128, shuffle(a, b, 0, 2, 4, 6)), f.let(tV128, shuffle(a, b, 1, 3, 5, 7))
}

// words returns the words of the blocks of four draws, block by block. Between the
// rounds it calls between with 0, 1, 2 and 3.
func (p *philox) words(f *fn, draw expr, between func(b int)) (words [4]expr) {
	xor := func(a, b expr) expr { return op("v128.xor", a, b) }
	lo0, hi0 := p.product(f, draw, 0)
	lo1, hi1 := p.product(f, xor(hi0, p.phase), 1)
	x := [4]expr{xor(hi1, p.x0), lo1, xor(lo0, p.x2), p.x3}
	for i, key := range p.key[2:] {
		if i%2 == 0 {
			between(i / 2)
		}
		// The products have the longest latency, so they come last.
		x1, x3 := f.let(tV128, xor(x[1], key[0])), f.let(tV128, xor(x[3], key[1]))
		lo0, hi0 = p.product(f, x[0], 0)
		lo1, hi1 = p.product(f, x[2], 1)
		x = [4]expr{xor(hi1, x1), lo1, xor(hi0, x3), lo0}
	}
	x[0], x[2] = f.let(tV128, x[0]), f.let(tV128, x[2])
	for i, lanes := range [][]byte{{0, 4, 1, 5}, {2, 6, 3, 7}} {
		a := f.let(tV128, shuffle(x[0], x[1], lanes...))
		b := f.let(tV128, shuffle(x[2], x[3], lanes...))
		words[2*i] = f.let(tV128, shuffle(a, b, 0, 1, 4, 5))
		words[2*i+1] = f.let(tV128, shuffle(a, b, 2, 3, 6, 7))
	}
	return words
}

// unsigned converts uint32 to float32, rounded once: the 16-bit halves become the last bits of 2^23 and 2^39.
type unsigned struct{ two23, two39, both expr }

func newUnsigned(f *fn) unsigned {
	c := func(x float32) expr { return f.let(tV128, f32x4(x)) }
	return unsigned{c(1 << 23), c(1 << 39), c(1<<39 + 1<<23)}
}

func (u unsigned) of(x expr) expr {
	high := op("v128.or", op("i32x4.shr_u", x, num32(16)), u.two39)
	return op("f32x4.add", op("f32x4.sub", high, u.both), blend16(x, u.two23))
}

// power is an approximate e**x.
type power struct {
	log2E, magic, min, max expr
	c                      [5]expr
}

func newPower(f *fn, c constants) (e power) {
	v := func(name string) expr { return f.let(tV128, f32x4(c.single(name))) }
	e = power{log2E: v("log2E32"), magic: v("roundMagic32"), min: v("powerMin"), max: v("powerMax")}
	for i := range e.c {
		e.c[i] = v(fmt.Sprint("powerC", i))
	}
	return e
}

// of returns e**x, see powerMin in core/num/kernel/simd.go.
func (e power) of(f *fn, x expr) expr {
	y := f.let(tV128, op("f32x4.pmin", op("f32x4.pmax", op("f32x4.mul", x, e.log2E), e.min), e.max))
	t := f.let(tV128, op("f32x4.add", y, e.magic))
	r := f.let(tV128, op("f32x4.sub", y, op("f32x4.sub", t, e.magic)))
	p := op("f32x4.add", op("f32x4.mul", e.c[4], r), e.c[3])
	for i := 2; i >= 0; i-- {
		p = op("f32x4.add", op("f32x4.mul", p, r), e.c[i])
	}
	return op("i32x4.add", p, op("i32x4.shl", t, num32(23)))
}

// exp32 is num.Exp32.
type exp32 struct {
	log2E, magic, ln2Hi, ln2Lo, max, min, one expr
	c                                         [5]expr
}

func newExp32(f *fn, c constants) (e exp32) {
	v := func(name string) expr { return f.let(tV128, f32x4(c.single(name))) }
	e = exp32{log2E: v("log2E32"), magic: v("roundMagic32"), ln2Hi: v("ln2Hi32"), ln2Lo: v("ln2Lo32"),
		max: v("exp32Max"), min: v("exp32Min"), one: f.let(tV128, f32x4(1))}
	for i := range e.c {
		e.c[i] = v(fmt.Sprint("exp32C", i))
	}
	return e
}

// exp returns e**x for x up to max, and whether x is not above max. Below min the result is negligible compared with 1.
func (e exp32) exp(f *fn, x expr) (y, below expr) {
	x = f.let(tV128, x)
	below = op("f32x4.le", x, e.max)
	x = f.let(tV128, op("f32x4.pmax", x, e.min))
	t := f.let(tV128, op("f32x4.add", op("f32x4.mul", x, e.log2E), e.magic))
	k := f.let(tV128, op("f32x4.sub", t, e.magic))
	r := f.let(tV128, op("f32x4.sub", op("f32x4.sub", x, op("f32x4.mul", k, e.ln2Hi)), op("f32x4.mul", k, e.ln2Lo)))
	p := op("f32x4.add", op("f32x4.mul", e.c[4], r), e.c[3])
	for i := 2; i >= 0; i-- {
		p = op("f32x4.add", op("f32x4.mul", p, r), e.c[i])
	}
	y = op("f32x4.add", e.one, op("f32x4.add", r, op("f32x4.mul", p, op("f32x4.mul", r, r))))
	return op("i32x4.add", y, op("i32x4.shl", t, num32(23))), below
}
