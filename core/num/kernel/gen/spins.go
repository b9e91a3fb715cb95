package main

// Offsets of the fields of spinsCall in core/num/kernel/simd_spins.go.
const (
	spinsState = 4 * iota
	spinsConst
	spinsFirst
	spinsEdges
	spinsLimits
	spinsBase
	spinsIndex
	spinsStride
	spinsRows
	spinsKey
	_
	spinsAtStep
	spinsSlot
	spinsPhase
	spinsCount   // number of colours
	spinsColours // first place and number of groups of four places of each colour
)

// spins(call) is kernel.Spins.Sweep: for four places at a time the sums of sixteen rows, then the states of four rows.
func spins(c constants) *fn {
	f, args := begin(1)
	field := func(offset int) expr { return f.let(tI32, load("i32.load", args[0], offset)) }
	splat := func(offset int) expr { return f.let(tV128, op("i32x4.splat", load("i32.load", args[0], offset))) }
	add := func(a, b expr) expr { return op("i32.add", a, b) }
	p := rowsPhilox(f, c, splat)
	state, limits, stride, rows := field(spinsState), field(spinsLimits), field(spinsStride), field(spinsRows)
	first, constant, colour := f.local(tI32), f.local(tI32), f.let(tI32, add(args[0], num32(spinsColours)))
	left, quads, draw := field(spinsCount), f.local(tI32), f.let(tV128, i32x4(0))
	at, place := f.local(tI32), f.local(tI32)
	f.loop(func() {
		f.set(place, load("i32.load", colour, 0))
		f.set(quads, load("i32.load", colour, 4))
		f.set(first, add(load("i32.load", args[0], spinsFirst), op("i32.shl", place, num32(2))))
		f.set(constant, add(load("i32.load", args[0], spinsConst), place))
		f.set(at, add(state, op("i32.mul", place, stride)))
		f.loop(func() {
			sums(f, args[0], state, stride, first, constant)
			f.set(first, add(first, num32(16)))
			f.set(constant, add(constant, num32(4)))
			states(f, p, args[0], draw, at, limits, stride, rows)
			f.set(at, add(at, op("i32.shl", stride, num32(2))))
			f.set(draw, op("i32x4.add", draw, i32x4(1)))
			f.set(quads, add(quads, num32(-1)))
		}, func() expr { return quads })
		f.set(colour, add(colour, num32(8)))
		f.set(left, add(left, num32(-1)))
	}, func() expr { return left })
	return f
}

// sums sets index to the sums at four places.
func sums(f *fn, call, state, stride, first, constant expr) {
	add := func(a, b expr) expr { return op("i32.add", a, b) }
	out := f.let(tI32, load("i32.load", call, spinsIndex))
	edges := f.let(tI32, load("i32.load", call, spinsEdges))
	from, to, edge, row, sum := f.local(tI32), f.local(tI32), f.local(tI32), f.local(tI32), f.local(tV128)
	for k := range 4 {
		f.set(from, add(edges, op("i32.shl", load("i32.load", first, 4*k), num32(3))))
		f.set(to, add(edges, op("i32.shl", load("i32.load", first, 4*k+4), num32(3))))
		f.count(row, num32(0), stride, 16, func() {
			f.set(sum, op("i8x16.splat", load("i32.load8_u", constant, k)))
			f.set(edge, from)
			f.when(op("i32.lt_u", edge, to), func() {
				f.count(edge, from, to, 8, func() {
					x := load("v128.load", add(add(state, load("i32.load", edge, 0)), row), 0)
					x = op("v128.xor", x, op("i8x16.splat", load("i32.load8_u", edge, 4)))
					x = op("v128.and", x, op("i8x16.splat", load("i32.load8_u", edge, 5)))
					f.set(sum, op("i8x16.add", sum, x))
				})
			})
			f.store("v128.store", add(out, row), 0, sum)
		})
		f.set(out, add(out, stride))
	}
}

// states draws four places by index.
func states(f *fn, p *rowPhilox, call, draw, at, limits, stride, rows expr) {
	add := func(a, b expr) expr { return op("i32.add", a, b) }
	base, index := f.let(tI32, load("i32.load", call, spinsBase)), f.let(tI32, load("i32.load", call, spinsIndex))
	to := f.let(tI32, at)
	row, slot := f.local(tI32), f.let(tV128, p.slot)
	f.count(row, num32(0), rows, 4, func() {
		words := p.words(f, draw, slot)
		here, there := f.let(tI32, add(index, row)), f.let(tI32, add(to, row))
		for _, word := range words {
			sum := f.let(tI32, load("i32.load", here, 0))
			limit := f.let(tV128, i32x4(0))
			for lane := range 4 {
				s := op("i32.and", op("i32.shr_u", sum, num32(8*lane)), num32(255))
				where := add(limits, op("i32.shl", add(s, load("i32.load", base, 4*lane)), num32(2)))
				f.set(limit, setLane32(limit, load("i32.load", where, 0), byte(lane)))
			}
			on := op("i32x4.eq", op("i32x4.min_u", word, limit), word)
			on = f.let(tV128, op("i16x8.narrow_i32x4_s", on, on))
			f.store("i32.store", there, 0, lane32(op("i8x16.narrow_i16x8_s", on, on), 0))
			f.set(here, add(here, stride))
			f.set(there, add(there, stride))
		}
		f.set(base, add(base, num32(16)))
		f.set(slot, op("i32x4.add", slot, i32x4(4)))
	})
}

// rowPhilox is rng.Philox for a block of four rows at a time.
type rowPhilox struct {
	philox
	slot, atStep, atPhase expr
}

// rowsPhilox reads key and address of a call.
func rowsPhilox(f *fn, c constants, splat func(offset int) expr) *rowPhilox {
	p := &rowPhilox{slot: f.let(tV128, op("i32x4.add", splat(spinsSlot), vec(1<<32, 3<<32|2))),
		atStep: splat(spinsAtStep), atPhase: splat(spinsPhase)}
	p.m = [2]expr{f.let(tV128, i32x4(c.bits("m0"))), f.let(tV128, i32x4(c.bits("m1")))}
	for i, w := range []string{"w0", "w1"} {
		key := splat(spinsKey + 4*i)
		for round := range p.key {
			p.key[round][i] = f.let(tV128, key)
			key = op("i32x4.add", p.key[round][i], i32x4(c.bits(w)))
		}
	}
	return p
}

// words returns the words of four rows.
func (p *rowPhilox) words(f *fn, draw, slot expr) (x [4]expr) {
	xor := func(a, b expr) expr { return op("v128.xor", a, b) }
	x = [4]expr{draw, p.atStep, slot, p.atPhase}
	for _, key := range p.key {
		x1, x3 := f.let(tV128, xor(x[1], key[0])), f.let(tV128, xor(x[3], key[1]))
		lo0, hi0 := p.product(f, x[0], 0)
		lo1, hi1 := p.product(f, x[2], 1)
		x = [4]expr{xor(hi1, x1), lo1, xor(hi0, x3), lo0}
	}
	x[0], x[2] = f.let(tV128, x[0]), f.let(tV128, x[2])
	return x
}
