package main

import "math"

// filterParts is shared by the parts of filter, most of which process two particles at a time.
type filterParts struct {
	f           *fn
	room        expr
	x, old, w   expr // of each particle; w is its log weight, then the cumulative weight
	from        expr // offset of the parent of the first particle with this parent; 0 for the others
	at, bytes   expr // offset in x, and its end
	count       expr // number of particles
	centre      expr
	ex          exp64
	fast        expr // expFast
	random      *pairs
	normal, sum expr // the next variate; the sum of all weights
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

	// The number of data processed, and the position of the stream.
	f.store("i32.store", s.room, filterDone, op("i32.sub", data, left))
	f.store("i32.store", s.room, filterPosition, op("i32.sub", s.random.place, s.room))
	return f
}

func (s *filterParts) number(offset int) expr { return load("f64.load", s.room, offset) }

// here returns the address of the current numbers.
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

// weigh sets w to log weights, and top to the largest, or to the first if it is NaN.
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

// add replaces each w by the cumulative weight.
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

// last returns the address of the last w.
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

// starts sets from. The parent of particle i is the first particle whose cumulative weight is above (i + u) step. So
// the number of children of the first particles is the number of i below sum/step - u: the nearest integer n, n - 1 or
// n + 1, as decided by products with step. A search along the sums would have unpredictable branches.
func (s *filterParts) starts(c constants, u expr) {
	f := s.f
	two := func(x expr) expr { return f.let(tV128, op("f64x2.splat", x)) }
	all, inverse := two(s.count), two(op("f64.div", s.count, s.sum))
	step, shift, magic := two(op("f64.div", s.sum, s.count)), two(u), f.let(tV128, f64x2(c.double("roundMagic")))
	for i := range 2 { // no particle has a parent beyond the last
		f.store("f64.store", s.last(), 8*i, f64(math.Inf(1)))
	}
	f.count(s.at, num32(0), s.bytes, 16, func() {
		sum := f.let(tV128, load("v128.load", s.here(s.w), 0))
		n := op("f64x2.add", op("f64x2.sub", op("f64x2.mul", sum, inverse), shift), f64x2(.5))
		n = f.let(tV128, op("f64x2.sub", op("f64x2.add", n, magic), magic))
		below := func(i expr) expr { // 1 if below, otherwise 0
			at := op("f64x2.mul", op("f64x2.add", i, shift), step)
			return op("v128.and", op("f64x2.lt", at, sum), f64x2(1))
		}
		less := f.let(tV128, op("f64x2.sub", n, f64x2(1)))
		n = op("f64x2.add", op("f64x2.add", less, below(less)), below(n))
		// All particles if it is NaN.
		n = f.let(tV128, op("f64x2.add", op("f64x2.pmin", all, n), magic))
		for i := range 2 {
			at := op("i32.add", s.from, op("i32.shl", lane32(n, byte(2*i)), num32(2)))
			f.store("i32.store", at, 0, op("i32.add", s.at, num32(8*i+8)))
		}
	})
}
