package main

import (
	"errors"
	"fmt"
	"os"
)

// simdFile is the module that core/kernel embeds for browsers with SIMD.
const simdFile = "core/kernel/simd.wasm"

// cmdSIMD assembles the SIMD module from the functions in simd*.go.
func cmdSIMD(args []string) error {
	if len(args) != 0 {
		return errors.New("simd takes no arguments")
	}
	code, err := simdModule(".")
	if err != nil {
		return err
	}
	return os.WriteFile(simdFile, code, 0o644)
}

// The module does, for all rows of a lane in one call, what core/kernel/rows.go
// does row by row, with the same bits. Every function is a transcription of a
// function of core/kernel, core/rng or core/num that is named beside it, with
// the constants read from there, in the folder root.
func simdModule(root string) ([]byte, error) {
	c, err := readConstants(root, "core/num/exp.go", "core/num/log.go", "core/rng/rng.go", "core/kernel/kernel.go", "core/kernel/ladder.go", "core/kernel/rows.go", "core/kernel/simd.go", "core/kernel/tempering.go", "core/kernel/tiles.go")
	if err != nil {
		return nil, err
	}
	return module(
		[]*fn{drawLayer(c), drawExactly(c), addRows(c), sweep(c), softplus(c, false), softplus(c, true), ladder(c), temper(c)},
		[]string{"", "", "", "sweep", "softplus", "softplus32", "ladder", "temper"}), nil
}

// Indices of the functions.
const (
	fnDraw = iota
	fnDrawExactly
	fnAdd
)

// Offsets of the fields of job, half and sums in core/kernel/simd.go.
const (
	jobRows = 4 * iota
	jobScale
	jobBaseScale
	jobKey0
	jobKey1
	jobStep
	jobSlot
	jobPhase
	jobChanged
	jobStates
	jobLists
	jobListBytes
	jobOrder
	jobWanting
	jobWanted
	jobHalves
)
const (
	halfUnits = 4 * iota
	halfBlock
	halfAct
	halfActStride
	halfState
	halfStateStride
	halfBase
	halfW
	halfWStride
	halfOut
	halfOutStride
	halfTiles
	halfC
	halfG
	halfLinC
	halfLinG
	halfTable
	halfStart
	halfMany
	halfBytes
)
const (
	sumsRows = 4 * iota
	sumsUnits
	sumsAct
	sumsActStride
	sumsScale
	sumsScales
	sumsOut
)

const tileBytes = 64 // 16 units

// sweep(job) is Rows.Sweep. Some rows go through both layers together: their
// weights are added tile by tile, so that a tile stays in cache.
func sweep(c constants) *fn {
	f, p := begin(1)
	blockRows := int(c.long("blockRows"))
	job := p[0]
	row, n, i, half := f.local(tI32), f.local(tI32), f.local(tI32), f.local(tI32)
	rows := f.let(tI32, load("i32.load", job, jobRows))
	f.when(rows, func() {
		f.count(row, num32(0), rows, blockRows, func() {
			f.set(n, op("i32.sub", rows, row))
			f.set(n, op("select", n, num32(blockRows), op("i32.lt_u", n, num32(blockRows))))
			f.set(half, op("i32.add", job, num32(jobHalves)))
			f.store("i32.store", job, jobWanted, load("i32.load", job, jobWanting))
			f.store("i32.store", job, jobWanting, num32(0))
			for range 2 {
				f.count(i, num32(0), n, 1, func() { f.call(fnDraw, job, half, op("i32.add", row, i), i) })
				f.call(fnAdd, job, half, row, n)
				f.set(half, op("i32.add", half, num32(halfBytes)))
			}
		})
	})
	return f
}

// at is p + i*stride.
func at(p, i, stride expr) expr { return op("i32.add", p, op("i32.mul", i, stride)) }

// drawing is what the two ways to draw the units of a row of a layer share.
type drawing struct {
	f                       *fn
	half                    expr
	units, act, state, base expr
	changed, states         expr // a bit of each unit
	scale, baseScale        expr
	draw, low, one          expr
	random                  *philox
	j                       expr // the first unit of sixteen
	words                   [4]expr
}

func newDrawing(f *fn, c constants, job, half, row expr) *drawing {
	d := &drawing{f: f, half: half}
	field := func(offset int) expr { return load("i32.load", half, offset) }
	d.units = f.let(tI32, field(halfUnits))
	d.act = f.let(tI32, at(field(halfAct), row, field(halfActStride)))
	d.state = f.let(tI32, at(field(halfState), row, field(halfStateStride)))
	d.base = f.let(tI32, field(halfBase))
	d.changed = f.let(tI32, load("i32.load", job, jobChanged))
	d.states = f.let(tI32, load("i32.load", job, jobStates))
	minus := func(scale int) expr { // of this row: the exponential is of minus the logit
		return f.let(tV128, op("f32x4.neg", load("v128.load32_splat", at(load("i32.load", job, scale), row, num32(4)), 0)))
	}
	d.scale, d.baseScale = minus(jobScale), minus(jobBaseScale)
	d.draw = f.let(tV128, op("i32x4.add", load("v128.load32_splat", half, halfBlock), vec(1<<32, 3<<32|2)))
	d.random = newPhilox(f, c, job, op("i32.add", load("i32.load", job, jobSlot), row))
	d.low, d.one = f.let(tV128, vec64(1<<31)), f.let(tV128, f32x4(1))
	d.j = f.local(tI32)
	return d
}

// each runs body for sixteen units after sixteen, with their random numbers in words.
// Between the rounds of these it calls between with 0, 1, 2 and 3, and the negated
// logits of four units.
func (d *drawing) each(between func(b int, x expr), body func()) {
	f := d.f
	f.count(d.j, num32(0), d.units, 16, func() {
		d.words = d.random.words(f, d.draw, func(b int) {
			sums := unpacked(op("i32.add", d.act, op("i32.shl", d.j, num32(2))), 16*b, d.low)
			x := op("f32x4.mul", op("f32x4.convert_i32x4_s", sums), d.scale)
			logits := load("v128.load", op("i32.add", d.base, op("i32.shl", d.j, num32(2))), 16*b)
			between(b, op("f32x4.add", x, op("f32x4.mul", logits, d.baseScale)))
		})
		f.set(d.draw, op("i32x4.add", d.draw, i32x4(4)))
		body()
	})
}

// on makes of the lanes of sixteen units bytes, those beyond the last unit off.
func (d *drawing) on(lanes [4]expr) expr {
	left := op("i32.sub", d.units, d.j)
	left = op("select", left, num32(16), op("i32.lt_u", left, num32(16)))
	return d.f.let(tV128, op("v128.and", op("i8x16.lt_u", vec(0x0706050403020100, 0x0F0E0D0C0B0A0908), op("i8x16.splat", left)),
		op("i8x16.narrow_i16x8_s", op("i16x8.narrow_i32x4_s", lanes[0], lanes[1]), op("i16x8.narrow_i32x4_s", lanes[2], lanes[3]))))
}

// drawLayer(job, half, row, place) is Layer.Draw: it draws the units of a layer
// and lists the offsets of the weights to add.
func drawLayer(c constants) *fn {
	f, p := begin(4)
	job, half, row, place := p[0], p[1], p[2], p[3]
	field := func(offset int) expr { return load("i32.load", half, offset) }
	d := newDrawing(f, c, job, half, row)
	j, units, state, changed, states := d.j, d.units, d.state, d.changed, d.states

	// A rough exponential decides all units but those, rare, whose numbers are within
	// 2^-17 of its odds; with one of them, drawExactly goes over the layer again.
	power, doubt := newPower(f, c), f.let(tV128, vec64(0))
	maybe, surely := f.let(tV128, f32x4(1<<24+1<<7)), f.let(tV128, f32x4(1<<24-1<<7))
	// The exponentials stand between the rounds of the random numbers: each chain
	// of operations waits for itself, so together they fill the processor.
	var odds [4]expr
	d.each(func(b int, x expr) {
		odds[b] = f.let(tV128, op("f32x4.add", d.one, power.of(f, x)))
	}, func() {
		var lanes [4]expr
		for b := range lanes {
			p := f.let(tV128, op("f32x4.mul", op("f32x4.convert_i32x4_s", op("i32x4.shr_u", d.words[b], num32(8))), odds[b]))
			lanes[b] = f.let(tV128, op("f32x4.lt", p, maybe))
			f.set(doubt, op("v128.or", doubt, op("v128.xor", lanes[b], op("f32x4.lt", op("f32x4.add", p, odds[b]), surely))))
		}
		on := d.on(lanes)
		here := f.let(tI32, op("i32.add", state, j))
		was := op("i8x16.neg", load("v128.load", here, 0))
		f.store("i32.store16", op("i32.add", changed, op("i32.shr_u", j, num32(3))), 0, op("i8x16.bitmask", op("v128.xor", on, was)))
		f.store("i32.store16", op("i32.add", states, op("i32.shr_u", j, num32(3))), 0, op("i8x16.bitmask", on))
		f.store("v128.store", here, 0, op("i8x16.neg", on))
	})
	f.when(op("v128.any_true", doubt), func() { f.call(fnDrawExactly, job, half, row) })
	for _, bits := range []expr{changed, states} { // the last word of 64 units may be shorter
		f.store("i64.store", op("i32.add", bits, op("i32.shr_u", j, num32(3))), 0, num64(0))
	}
	list := f.let(tI32, at(load("i32.load", job, jobLists), place, load("i32.load", job, jobListBytes)))
	many := f.let(tI32, num32(0))
	f.when(field(halfMany), func() {
		flips := f.let(tI64, num64(0))
		f.count(j, num32(0), units, 64, func() {
			f.set(flips, op("i64.add", flips, op("i64.popcnt", load("i64.load", op("i32.add", changed, op("i32.shr_u", j, num32(3))), 0))))
		})
		f.set(many, op("i32.lt_u", field(halfMany), op("i32.wrap_i64", flips)))
		f.store("i32.store", job, jobWanting, op("i32.add", load("i32.load", job, jobWanting), many))
		f.set(many, op("i32.and", many, op("i32.gt_u", load("i32.load", job, jobWanted), num32(int(c.long("ManyRows"))-1))))
	})
	f.store("i32.store", list, listAnew, many)
	f.when(many, func() { listQuints(c, f, list, units, states) })
	f.when(op("i32.eqz", many), func() { listFlips(f, job, half, row, list, units, changed, states) })
	return f
}

// drawExactly(job, half, row) corrects what drawLayer drew: it decides by kernel.Bern.
func drawExactly(c constants) *fn {
	f, p := begin(3)
	d := newDrawing(f, c, p[0], p[1], p[2])
	float, ex, two32 := newUnsigned(f), newExp32(f, c), f.let(tV128, f32x4(1<<32))
	var odds, below [4]expr
	d.each(func(b int, x expr) {
		e, most := ex.exp(f, x)
		odds[b], below[b] = f.let(tV128, op("f32x4.add", d.one, e)), f.let(tV128, most)
	}, func() {
		var lanes [4]expr
		for b := range lanes {
			p := op("f32x4.mul", float.of(d.words[b]), odds[b])
			lanes[b] = f.let(tV128, op("v128.and", below[b], op("f32x4.lt", p, two32)))
		}
		on := d.on(lanes)
		here := f.let(tI32, op("i32.add", d.state, d.j))
		wrong := f.let(tI32, op("i8x16.bitmask", op("v128.xor", on, op("i8x16.neg", load("v128.load", here, 0)))))
		f.store("v128.store", here, 0, op("i8x16.neg", on))
		for _, bits := range []expr{d.changed, d.states} {
			bits = f.let(tI32, op("i32.add", bits, op("i32.shr_u", d.j, num32(3))))
			f.store("i32.store16", bits, 0, op("i32.xor", load("i32.load16_u", bits, 0), wrong))
		}
	})
	return f
}

// A list begins with whether the sums are made anew, the end of what is added to
// them, which follows, the begin of what is subtracted, at the end of its memory, and
// where the row's sums are, from those of the first row.
const (
	listAnew = 4 * iota
	listEnd
	listBegin
	listOut
	listBody
)

// listFlips is the rest of drawLayer, from bits to a list of the units that turned on
// and of those that turned off, 64 units at a time.
func listFlips(f *fn, job, half, row, list, units, changed, states expr) {
	field := func(offset int) expr { return load("i32.load", half, offset) }
	listBytes := f.let(tI32, load("i32.load", job, jobListBytes))
	onEnd := f.let(tI32, op("i32.add", list, num32(listBody)))
	offBegin := f.let(tI32, op("i32.add", list, listBytes))
	c, g := f.let(tI32, field(halfC)), f.let(tI32, field(halfG))
	sumC, sumG := f.local(tI64), f.local(tI64)
	i, unit, bit := f.local(tI32), f.local(tI32), f.local(tI32)
	flips, now, t := f.local(tI64), f.local(tI64), f.local(tI64)
	f.count(i, num32(0), units, 64, func() {
		word := op("i32.shr_u", i, num32(3))
		f.set(flips, load("i64.load", op("i32.add", changed, word), 0))
		f.when(op("i64.ne", flips, num64(0)), func() {
			f.set(now, load("i64.load", op("i32.add", states, word), 0))
			f.loop(func() {
				f.set(t, op("i64.ctz", flips))
				f.set(unit, op("i32.add", i, op("i32.wrap_i64", t)))
				f.set(bit, op("i32.and", op("i32.wrap_i64", op("i64.shr_u", now, t)), num32(1)))
				f.when(c, func() {
					sign := f.let(tI64, op("i64.sub", op("i64.shl", op("i64.extend_i32_u", bit), num64(1)), num64(1)))
					at := f.let(tI32, op("i32.shl", unit, num32(2)))
					f.set(sumC, op("i64.add", sumC, op("i64.mul", sign, load("i64.load32_s", op("i32.add", c, at), 0))))
					f.set(sumG, op("i64.add", sumG, op("i64.mul", sign, load("i64.load32_s", op("i32.add", g, at), 0))))
				})
				// Both lists are written always and advanced only by the one that
				// the unit belongs to: no branch predictor learns which.
				f.set(unit, op("i32.shl", unit, num32(6)))
				f.store("i32.store", onEnd, 0, unit)
				f.store("i32.store", op("i32.sub", offBegin, num32(4)), 0, unit)
				f.set(bit, op("i32.shl", bit, num32(2)))
				f.set(onEnd, op("i32.add", onEnd, bit))
				f.set(offBegin, op("i32.add", offBegin, op("i32.sub", bit, num32(4))))
				f.set(flips, op("i64.and", flips, op("i64.sub", flips, num64(1))))
			}, func() expr { return op("i64.ne", flips, num64(0)) })
		})
	})
	// Where a list is odd, a row of zeros, the last of a tile, makes it even.
	zeros := f.let(tI32, op("i32.sub", field(halfWStride), num32(tileBytes)))
	f.store("i32.store", onEnd, 0, zeros)
	f.store("i32.store", op("i32.sub", offBegin, num32(4)), 0, zeros)
	f.store("i32.store", list, listEnd, op("i32.add", onEnd, op("i32.and", op("i32.sub", onEnd, list), num32(4))))
	f.store("i32.store", list, listBegin, op("i32.sub", offBegin, op("i32.and", op("i32.sub", offBegin, list), num32(4))))
	f.when(c, func() {
		for _, s := range []struct{ to, sum expr }{{field(halfLinC), sumC}, {field(halfLinG), sumG}} {
			to := f.let(tI32, at(s.to, row, num32(8)))
			f.store("i64.store", to, 0, op("i64.add", load("i64.load", to, 0), s.sum))
		}
	})
}

// philox is rng.Philox for four blocks at a time, of one row. What rounds 1 and
// 2 make of slot, step and phase alone is the same for all blocks.
type philox struct {
	m     [2]expr
	key   [10][2]expr
	phase expr // phase ^ key of round 1
	x0    expr // what round 2 adds by xor to the high half of its m1 product
	x2    expr // the same of its m0 product, which no block changes
	x3    expr // the low half of that product
}

func newPhilox(f *fn, c constants, job, slot expr) *philox {
	p := &philox{m: [2]expr{f.let(tV128, i32x4(c.bits("m0"))), f.let(tV128, i32x4(c.bits("m1")))}}
	xor := func(a, b expr) expr { return f.let(tV128, op("v128.xor", a, b)) }
	field := func(offset int) expr { return load("v128.load32_splat", job, offset) }
	for i, key := range [2]expr{field(jobKey0), field(jobKey1)} {
		for round := range p.key {
			p.key[round][i] = f.let(tV128, key)
			key = op("i32x4.add", p.key[round][i], i32x4(c.bits([]string{"w0", "w1"}[i])))
		}
	}
	lo, hi := p.product(f, op("i32x4.splat", slot), 1)
	p.phase, p.x0 = xor(field(jobPhase), p.key[0][1]), xor(lo, p.key[1][0])
	lo, hi = p.product(f, xor(xor(hi, field(jobStep)), p.key[0][0]), 0)
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
		// The products are what has to be waited for: they come last.
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

// unsigned is the conversion of uint32 to float32, rounded once: the halves in
// the last bits of 2^23 and 2^39.
type unsigned struct{ two23, two39, both expr }

func newUnsigned(f *fn) unsigned {
	c := func(x float32) expr { return f.let(tV128, f32x4(x)) }
	return unsigned{c(1 << 23), c(1 << 39), c(1<<39 + 1<<23)}
}

func (u unsigned) of(x expr) expr {
	high := op("v128.or", op("i32x4.shr_u", x, num32(16)), u.two39)
	return op("f32x4.add", op("f32x4.sub", high, u.both), blend16(x, u.two23))
}

// power is a rough e**x.
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

// of returns e**x, see powerMin in core/kernel/simd.go.
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
	e = exp32{log2E: v("log2E32"), magic: v("roundMagic32"), ln2Hi: v("ln2Hi32"), ln2Lo: v("ln2Lo32"), max: v("exp32Max"), min: v("exp32Min"), one: f.let(tV128, f32x4(1))}
	for i := range e.c {
		e.c[i] = v(fmt.Sprint("exp32C", i))
	}
	return e
}

// exp returns e**x for x up to max, and whether x is below. Under min it is a
// number that vanishes beside 1.
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
