package main

import "math"

// filterParts are what the parts of filter share. Most go over two particles at a time.
type filterParts struct {
	f           *fn
	room        expr
	x, old, w   expr // of each particle; w: its log weight, then the sum of the weights up to it
	from        expr // where the first particle stands that comes from another: the offset of that; 0 elsewhere
	at, bytes   expr // offset in x, and its end
	count       expr // of particles
	centre      expr
	ex          exp64
	fast        expr // expFast
	random      *pairs
	normal, sum expr // the next deviate; the sum of all weights
}

// filter(room) is kernel.Filter.run by kernel.weighReturn.
func filter(c constants) *fn {
	f, arg := begin(1)
	s := &filterParts{f: f, room: arg[0], ex: newExp(f, c), random: newPairs(f, c, arg[0])}

	// The arrays of the filter.
	field := func(offset int) expr { return f.let(tI32, load("i32.load", s.room, offset)) }
	s.fast, s.centre = f.let(tV128, f64x2(c.double("expFast"))), f.let(tF64, s.number(filterCentre))
	s.x, s.old, s.w, s.from = field(filterX), field(filterOld), field(filterW), field(filterFrom)
	s.count = f.let(tF64, op("f64.convert_i32_u", load("i32.load", s.room, filterParticles)))
	s.bytes = f.let(tI32, op("i32.shl", load("i32.load", s.room, filterParticles), num32(3)))
	s.at, s.normal, s.sum = f.local(tI32), f.local(tF64), f.local(tF64)
	y, tops, sums, left := field(filterY), field(filterTop), field(filterSum), field(filterData)
	data, alive, top := f.let(tI32, left), f.local(tI32), f.local(tF64)

	// The particles at the first datum.
	f.call(fnFillPairs, s.room)
	f.set(s.random.place, op("i32.add", s.room, load("i32.load", s.room, filterPosition)))
	s.states(s.x, func() expr {
		s.random.normal(s.normal)
		return op("f64.add", s.centre, op("f64.mul", s.number(filterFirst), s.normal))
	})

	// Datum by datum, while a particle has weight.
	f.loop(func() {
		s.weigh(c, load("v128.load64_splat", y, 0), top)
		f.store("f64.store", tops, 0, top)
		f.set(left, op("i32.sub", left, num32(1)))
		f.set(alive, op("f64.gt", top, f64(math.Inf(-1))))
		f.when(alive, func() {
			s.add(top)
			f.store("f64.store", sums, 0, s.sum)
			f.when(left, func() { s.resample(c) })
		})
		for _, a := range []expr{y, tops, sums} {
			f.set(a, op("i32.add", a, num32(8)))
		}
	}, func() expr { return op("i32.and", alive, op("i32.ne", left, num32(0))) })

	// How many data were done, and where the stream is.
	f.store("i32.store", s.room, filterDone, op("i32.sub", data, left))
	f.store("i32.store", s.room, filterPosition, op("i32.sub", s.random.place, s.room))
	return f
}

func (s *filterParts) number(offset int) expr { return load("f64.load", s.room, offset) }

// here is where the current numbers stand.
func (s *filterParts) here(x expr) expr { return s.f.let(tI32, op("i32.add", x, s.at)) }

// states sets the states of all particles, and one more like the last, which may be the second of two.
func (s *filterParts) states(x expr, of func() expr) {
	f, state := s.f, s.f.local(tF64)
	f.count(s.at, num32(0), s.bytes, 8, func() {
		f.set(state, of())
		f.store("f64.store", s.here(x), 0, state)
	})
	f.store("f64.store", s.here(x), 0, state)
}

// exp is num.Exp.
func (s *filterParts) exp(x expr) expr {
	f := s.f
	x = f.let(tV128, x)
	y, t := s.ex.parts(f, x)
	e := f.let(tV128, op("i64x2.add", y[0], op("i64x2.shl", t[0], num32(52))))
	f.when(op("i32.eqz", op("i64x2.all_true", op("f64x2.le", op("f64x2.abs", x), s.fast))), func() {
		f.store("v128.store", s.room, filterNumber, x)
		f.call(fnExps, s.room)
		f.set(e, load("v128.load", s.room, filterNumber))
	})
	return e
}

// weigh sets w to log weights, and top to the largest, or to the first where that is no number.
func (s *filterParts) weigh(c constants, square, top expr) {
	f := s.f
	square = f.let(tV128, square)
	tops := f.let(tV128, f64x2(math.Inf(-1)))
	f.count(s.at, num32(0), s.bytes, 16, func() {
		x := f.let(tV128, load("v128.load", s.here(s.x), 0))
		e := op("f64x2.mul", square, s.exp(op("f64x2.neg", x)))
		w := op("f64x2.add", op("f64x2.add", f64x2(c.double("Log2Pi")), x), e)
		w = f.let(tV128, op("f64x2.mul", w, f64x2(-.5)))
		f.set(tops, op("f64x2.pmax", tops, w))
		f.store("v128.store", s.here(s.w), 0, w)
		f.store("i64.store", op("i32.add", s.from, op("i32.shr_u", s.at, num32(1))), 0, num64(0))
	})
	f.set(tops, op("f64x2.pmax", tops, shuffle(tops, tops, 2, 3, 0, 1)))
	first := f.let(tF64, load("f64.load", s.w, 0))
	f.set(top, op("select", lane(tops, 0), first, op("f64.eq", first, first)))
}

// add makes of each w the sum of the weights up to it.
func (s *filterParts) add(top expr) {
	f := s.f
	tops := f.let(tV128, op("f64x2.splat", top))
	f.set(s.sum, f64(0))
	f.count(s.at, num32(0), s.bytes, 16, func() {
		w := s.here(s.w)
		e := s.exp(op("f64x2.sub", load("v128.load", w, 0), tops))
		for i := range byte(2) {
			f.set(s.sum, op("f64.add", s.sum, lane(e, i)))
			f.store("f64.store", w, 8*int(i), s.sum)
		}
	})
	f.set(s.sum, load("f64.load", s.last(), 0))
}

// last is where the last w stands.
func (s *filterParts) last() expr { return op("i32.sub", op("i32.add", s.w, s.bytes), num32(8)) }

// resample draws the particles at the next datum.
func (s *filterParts) resample(c constants) {
	f := s.f
	u := f.let(tF64, s.random.uniform())
	s.random.next()
	s.starts(c, u)
	from, start := f.let(tI32, num32(0)), f.local(tI32)
	phi, sd := f.let(tF64, s.number(filterPhi)), f.let(tF64, s.number(filterSD))
	s.states(s.old, func() expr {
		f.set(start, load("i32.load", op("i32.add", s.from, op("i32.shr_u", s.at, num32(1))), 0))
		f.set(from, op("select", start, from, op("i32.lt_u", from, start)))
		s.random.normal(s.normal)
		x := load("f64.load", op("i32.add", s.x, from), 0)
		x = op("f64.add", s.centre, op("f64.mul", phi, op("f64.sub", x, s.centre)))
		return op("f64.add", x, op("f64.mul", sd, s.normal))
	})
	f.set(from, s.x)
	f.set(s.x, s.old)
	f.set(s.old, from)
}

// starts sets from. Particle i comes from the first particle whose sum of weights is above (i + u) step. So those that
// come from the first ones are as many as there are i below sum/step - u: the number n next to it, n - 1 or n + 1, as
// products with step decide. A search along the sums would be branches that no processor guesses.
func (s *filterParts) starts(c constants, u expr) {
	f := s.f
	two := func(x expr) expr { return f.let(tV128, op("f64x2.splat", x)) }
	all, inverse := two(s.count), two(op("f64.div", s.count, s.sum))
	step, shift, magic := two(op("f64.div", s.sum, s.count)), two(u), f.let(tV128, f64x2(c.double("roundMagic")))
	for i := range 2 { // none goes beyond the last, nor to what stands behind it
		f.store("f64.store", s.last(), 8*i, f64(math.Inf(1)))
	}
	f.count(s.at, num32(0), s.bytes, 16, func() {
		sum := f.let(tV128, load("v128.load", s.here(s.w), 0))
		n := op("f64x2.add", op("f64x2.sub", op("f64x2.mul", sum, inverse), shift), f64x2(.5))
		n = f.let(tV128, op("f64x2.sub", op("f64x2.add", n, magic), magic))
		below := func(i expr) expr { // 1 where
			at := op("f64x2.mul", op("f64x2.add", i, shift), step)
			return op("v128.and", op("f64x2.lt", at, sum), f64x2(1))
		}
		less := f.let(tV128, op("f64x2.sub", n, f64x2(1)))
		n = op("f64x2.add", op("f64x2.add", less, below(less)), below(n))
		// All where it is no number.
		n = f.let(tV128, op("f64x2.add", op("f64x2.pmin", all, n), magic))
		for i := range 2 {
			at := op("i32.add", s.from, op("i32.shl", lane32(n, byte(2*i)), num32(2)))
			f.store("i32.store", at, 0, op("i32.add", s.at, num32(8*i+8)))
		}
	})
}
