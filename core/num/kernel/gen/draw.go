package main

// drawing is shared by the two functions that draw the units of a row of a layer.
type drawing struct {
	f                       *fn
	units, act, state, base expr
	changed, states         expr // one bit for each unit
	scale, baseScale        expr
	draw, low               expr
	one                     expr // added to exponentials unless nil
	random                  *philox
	j                       expr // first unit of the current sixteen
	words                   [4]expr
	was                     expr // their states before they flip (Layer.Flip); nil or 0 if they are drawn afresh
}

func newDrawing(f *fn, c constants, job, half, row expr) *drawing {
	d := &drawing{f: f}
	field := func(offset int) expr { return load("i32.load", half, offset) }
	d.units = f.let(tI32, field(halfUnits))
	d.act = f.let(tI32, at(field(halfAct), row, field(halfActStride)))
	d.state = f.let(tI32, at(field(halfState), row, field(halfStateStride)))
	d.base = f.let(tI32, field(halfBase))
	d.changed = f.let(tI32, load("i32.load", job, jobChanged))
	d.states = f.let(tI32, load("i32.load", job, jobStates))
	minus := func(scale int) expr { // negative scale of this row: the exponential is of minus the logit
		return f.let(tV128, op("f32x4.neg", load("v128.load32_splat", at(load("i32.load", job, scale), row, num32(4)), 0)))
	}
	d.scale, d.baseScale = minus(jobScale), minus(jobBaseScale)
	d.draw = f.let(tV128, op("i32x4.add", load("v128.load32_splat", half, halfBlock), vec(1<<32, 3<<32|2)))
	four := func(offset int) expr { return load("v128.load32_splat", job, offset) }
	d.random = newPhilox(f, c, [2]expr{four(jobKey0), four(jobKey1)}, four(jobPhase),
		op("i32x4.splat", op("i32.add", load("i32.load", job, jobSlot), row)), four(jobStep))
	d.low = f.let(tV128, vec64(1<<31))
	d.j = f.local(tI32)
	return d
}

// each runs body for sixteen units at a time, with their random numbers in words. Between the rounds of the generator
// it calls between with 0, 1, 2 and 3, and the negated logits of four units, or the logits of the other state if units
// flip. before returns the value of was.
func (d *drawing) each(before func() expr, between func(b int, x expr), body func()) {
	f := d.f
	f.count(d.j, num32(0), d.units, 16, func() {
		if d.was != nil {
			f.set(d.was, before())
		}
		d.words = d.random.words(f, d.draw, func(b int) {
			sums := unpacked(op("i32.add", d.act, op("i32.shl", d.j, num32(2))), 16*b, d.low)
			x := op("f32x4.mul", op("f32x4.convert_i32x4_s", sums), d.scale)
			logits := load("v128.load", op("i32.add", d.base, op("i32.shl", d.j, num32(2))), 16*b)
			x = op("f32x4.add", x, op("f32x4.mul", logits, d.baseScale))
			if d.was != nil {
				x = op("v128.xor", x, op("i32x4.shl", fourth(d.was, b), num32(7))) // a 1 in the top byte becomes the sign
			}
			between(b, x)
		})
		f.set(d.draw, op("i32x4.add", d.draw, i32x4(4)))
		body()
	})
}

// odds returns the factor of a random number, given the exponential e.
func (d *drawing) odds(e expr) expr {
	if d.one != nil {
		e = op("f32x4.add", d.one, e)
	}
	return d.f.let(tV128, e)
}

// on returns a byte for each of sixteen units, all ones if the unit is on; units beyond the last one are off. lanes has
// the draws or, if units flip, whether they flip.
func (d *drawing) on(lanes [4]expr) expr {
	left := op("i32.sub", d.units, d.j)
	left = op("select", left, num32(16), op("i32.lt_u", left, num32(16)))
	drawn := op("i8x16.narrow_i16x8_s", op("i16x8.narrow_i32x4_s", lanes[0], lanes[1]),
		op("i16x8.narrow_i32x4_s", lanes[2], lanes[3]))
	if d.was != nil {
		drawn = op("v128.xor", drawn, op("i8x16.neg", d.was))
	}
	return d.f.let(tV128, op("v128.and",
		op("i8x16.lt_u", vec(0x0706050403020100, 0x0F0E0D0C0B0A0908), op("i8x16.splat", left)), drawn))
}

// drawLayer(job, half, row, place) is Layer.Draw: it draws the units of a layer and lists the offsets of the weights to
// add. flip is for layers whose units flip.
func drawLayer(c constants, flip bool) *fn {
	f, p := begin(4)
	job, half, row, place := p[0], p[1], p[2], p[3]
	field := func(offset int) expr { return load("i32.load", half, offset) }
	d := newDrawing(f, c, job, half, row)
	if flip {
		d.was = f.local(tV128)
	} else {
		d.one = f.let(tV128, f32x4(1))
	}
	j, units, state, changed, states := d.j, d.units, d.state, d.changed, d.states

	// An approximate exponential decides all units except rare ones whose random numbers are within a relative 2^-17 of
	// the threshold; if there are any, drawExactly repeats the layer.
	power, doubt := newPower(f, c), f.let(tV128, vec64(0))
	maybe, surely := f.let(tV128, f32x4(c.single("powerMaybe"))), f.let(tV128, f32x4(c.single("powerSurely")))
	// Exponentials are interleaved with the rounds of the random numbers: each dependency chain has latency, and
	// together they keep the processor busy.
	var odds [4]expr
	d.each(func() expr {
		return load("v128.load", op("i32.add", state, j), 0)
	}, func(b int, x expr) {
		odds[b] = d.odds(power.of(f, x))
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
		f.store("i32.store16", op("i32.add", changed, op("i32.shr_u", j, num32(3))), 0,
			op("i8x16.bitmask", op("v128.xor", on, was)))
		f.store("i32.store16", op("i32.add", states, op("i32.shr_u", j, num32(3))), 0, op("i8x16.bitmask", on))
		f.store("v128.store", here, 0, op("i8x16.neg", on))
	})
	f.when(op("v128.any_true", doubt), func() { f.call(fnDrawExactly, job, half, row) })
	markEnd(f, changed, states, j)
	list := f.let(tI32, at(load("i32.load", job, jobLists), place, load("i32.load", job, jobListBytes)))
	if flip { // visible units have no sums of quints
		f.store("i32.store", list, listAnew, num32(0))
		listFlips(f, job, half, row, list, units, changed, states)
		return f
	}
	many := f.let(tI32, num32(0))
	f.when(field(halfMany), func() {
		flips := f.let(tI64, num64(0))
		f.count(j, num32(0), units, 64, func() {
			f.set(flips, op("i64.add", flips, op("i64.popcnt",
				load("i64.load", op("i32.add", changed, op("i32.shr_u", j, num32(3))), 0))))
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

// markEnd clears the bits from unit j on: lists are made 64 units at a time, and the last group may be smaller.
func markEnd(f *fn, changed, states, j expr) {
	for _, bits := range []expr{changed, states} {
		f.store("i64.store", op("i32.add", bits, op("i32.shr_u", j, num32(3))), 0, num64(0))
	}
}

// drawExactly(job, half, row) corrects the draws of drawLayer by the rule of kernel.Bern, or kernel.Metropolis.
func drawExactly(c constants) *fn {
	f, p := begin(3)
	d := newDrawing(f, c, p[0], p[1], p[2])
	afresh := f.let(tV128, op("i32x4.splat", op("i32.sub", flips(p[1], p[2]), num32(1))))
	d.was, d.one = f.local(tV128), f.let(tV128, op("v128.and", f32x4(1), afresh))
	float, ex, two32 := newUnsigned(f), newExp32(f, c), f.let(tV128, f32x4(1<<32))

	// Sixteen units at a time: odds, then draws.
	var odds, below [4]expr
	d.each(func() expr { // the present state, with changed units reverted
		bits := load("i32.load16_u", op("i32.add", d.changed, op("i32.shr_u", d.j, num32(3))), 0)
		each := vec64(0x8040201008040201)
		changed := op("i8x16.eq", op("v128.and", halves(op("i32x4.splat", bits)), each), each)
		was := op("v128.xor", load("v128.load", op("i32.add", d.state, d.j), 0), op("i8x16.neg", changed))
		return op("v128.andnot", was, afresh)
	}, func(b int, x expr) {
		e, most := ex.exp(f, x)
		odds[b], below[b] = d.odds(e), f.let(tV128, most)
	}, func() {
		var lanes [4]expr
		for b := range lanes {
			p := op("f32x4.mul", float.of(d.words[b]), odds[b])
			lanes[b] = f.let(tV128, op("v128.and", below[b], op("f32x4.lt", p, two32)))
		}

		// If the first draw was wrong, correct states and bits.
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

// A list begins with a flag whether the sums are recomputed, the end of the part to add, which follows, the start of
// the part to subtract, at the end of the list's memory, and the offset of the row's sums from those of the first row.
const (
	listAnew = 4 * iota
	listEnd
	listBegin
	listOut
	listBody
)

// listFlips is the last part of drawLayer: it turns bits into a list of the units that turned on and of those that
// turned off, 64 units at a time.
func listFlips(f *fn, job, half, row, list, units, changed, states expr) {
	field := func(offset int) expr { return load("i32.load", half, offset) }
	listBytes := f.let(tI32, load("i32.load", job, jobListBytes))
	onEnd := f.let(tI32, op("i32.add", list, num32(listBody)))
	offBegin := f.let(tI32, op("i32.add", list, listBytes))
	c, g := f.let(tI32, field(halfC)), f.let(tI32, field(halfG))
	sumC, sumG := f.local(tI64), f.local(tI64)
	i, unit, bit := f.local(tI32), f.local(tI32), f.local(tI32)
	flips, now, t := f.local(tI64), f.local(tI64), f.local(tI64)

	// Flip by flip, with the sums for the linear terms.
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

				// Both lists are always written, but only that of the unit is advanced: a branch would be
				// unpredictable.
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

	// If a list is odd, a row of zeros, the last of a tile, makes it even.
	zeros := f.let(tI32, op("i32.sub", field(halfWStride), num32(tileBytes)))
	f.store("i32.store", onEnd, 0, zeros)
	f.store("i32.store", op("i32.sub", offBegin, num32(4)), 0, zeros)
	f.store("i32.store", list, listEnd, op("i32.add", onEnd, op("i32.and", op("i32.sub", onEnd, list), num32(4))))
	f.store("i32.store", list, listBegin, op("i32.sub", offBegin, op("i32.and", op("i32.sub", offBegin, list), num32(4))))

	// The linear terms of the row.
	f.when(c, func() {
		for _, s := range []struct{ to, sum expr }{{field(halfLinC), sumC}, {field(halfLinG), sumG}} {
			to := f.let(tI32, at(s.to, row, num32(8)))
			f.store("i64.store", to, 0, op("i64.add", load("i64.load", to, 0), s.sum))
		}
	})
}
