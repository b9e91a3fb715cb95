package main

import "math"

// Offsets of the fields of poolCall in core/num/kernel/simd_pool.go.
const (
	poolSamples = 4 * iota
	poolRungs
	poolE
	poolN
	poolLogN
	poolNorm
	poolTotal
	poolA
	poolInv
	poolSum
	poolG
	poolRow
)

// poolParts is shared by the functions of pools: offsets in bytes run over a row of numbers.
type poolParts struct {
	f     *fn
	call  expr
	bytes expr // length of a row
	at    expr
}

func newPool() *poolParts {
	f, p := begin(1)
	s := &poolParts{f: f, call: p[0], at: f.local(tI32)}
	s.bytes = f.let(tI32, op("i32.shl", s.get(poolRungs), num32(3)))
	return s
}

func (s *poolParts) get(offset int) expr { return load("i32.load", s.call, offset) }

func (s *poolParts) field(offset int) expr { return s.f.let(tI32, s.get(offset)) }

// samples runs body for every step samples.
func (s *poolParts) samples(step int, body func()) {
	s.f.count(s.f.local(tI32), num32(0), s.field(poolSamples), step, body)
}

// row runs body for two numbers of a row at a time.
func (s *poolParts) row(body func()) { s.f.count(s.at, num32(0), s.bytes, 16, body) }

// two returns the current two numbers of a row, and their address.
func (s *poolParts) two(row expr) (pair, place expr) {
	place = s.f.let(tI32, op("i32.add", row, s.at))
	return load("v128.load", place, 0), place
}

func (s *poolParts) step(x, by expr) { s.f.set(x, op("i32.add", x, by)) }

// weigh(call) is kernel.Pool.Weigh for log f - z, without the logarithm of total.
func weigh(c constants) *fn {
	s := newPool()
	f := s.f
	e, n, logN, norm, total := s.field(poolE), s.field(poolN), s.field(poolLogN), s.field(poolNorm), s.field(poolTotal)
	top, sum, all, ex := f.local(tV128), f.local(tF64), f.local(tV128), newExp(f, c)

	// The largest exponent of a sample.
	s.samples(1, func() {
		f.set(top, f64x2(math.Inf(-1)))
		s.row(func() {
			x, _ := s.two(e)
			y, _ := s.two(logN)
			f.set(top, op("f64x2.pmax", top, op("f64x2.add", x, y)))
		})
		f.set(top, op("f64x2.pmax", top, shuffle(top, top, 2, 3, 0, 1)))
		f.store("f64.store", norm, 0, lane(top, 0))

		// Exponentials, scaled by the largest.
		s.row(func() {
			x, to := s.two(e)
			f.store("v128.store", to, 0, ex.whole(f, c, f.let(tV128, op("f64x2.sub", x, top))))
		})

		// The total over rungs.
		f.set(sum, f64(0))
		f.count(s.at, num32(0), s.bytes, 8, func() {
			x := func(of expr) expr { return load("f64.load", op("i32.add", of, s.at), 0) }
			f.set(sum, op("f64.add", sum, op("f64.mul", x(n), x(e))))
		})
		f.store("f64.store", total, 0, sum)

		// Shares of the total.
		f.set(all, op("f64x2.splat", sum))
		s.row(func() {
			x, to := s.two(e)
			f.store("v128.store", to, 0, op("f64x2.div", x, all))
		})
		s.step(e, s.bytes)
		s.step(norm, num32(8))
		s.step(total, num32(8))
	})
	return f
}

// fourRows returns the rows at x and the three following ones.
func (s *poolParts) fourRows(x expr) (rows [4]expr) {
	rows[0] = s.f.let(tI32, x)
	for t := 1; t < 4; t++ {
		rows[t] = s.f.let(tI32, op("i32.add", rows[t-1], s.bytes))
	}
	return rows
}

// added is kernel.addFour for two numbers of sum; it returns the new numbers and their address.
func (s *poolParts) added(sum expr, rows, by [4]expr) (place, value expr) {
	before, place := s.two(sum)
	var x [4]expr
	for t, row := range rows {
		y, _ := s.two(row)
		x[t] = op("f64x2.mul", by[t], y)
	}
	value = op("f64x2.add", op("f64x2.add", x[0], x[1]), op("f64x2.add", x[2], x[3]))
	return place, op("f64x2.add", before, s.f.let(tV128, value))
}

// pass(call) is kernel.Pool.Pass.
func pass() *fn {
	s := newPool()
	f := s.f
	e, a, inv, sum := s.field(poolE), s.field(poolA), s.field(poolInv), s.field(poolSum)
	factor := f.local(tF64)

	// Four samples at a time: their sums over rungs.
	var dot, by [4]expr
	for t := range dot {
		dot[t], by[t] = f.local(tF64), f.local(tV128)
	}
	s.samples(4, func() {
		rows := s.fourRows(e)
		for _, d := range dot {
			f.set(d, f64(0))
		}
		f.count(s.at, num32(0), s.bytes, 8, func() {
			f.set(factor, load("f64.load", op("i32.add", a, s.at), 0))
			for t, d := range dot {
				f.set(d, op("f64.add", d, op("f64.mul", factor, load("f64.load", op("i32.add", rows[t], s.at), 0))))
			}
		})

		// The inverses of the sums.
		for t, d := range dot {
			f.set(d, op("f64.div", f64(1), d))
			f.store("f64.store", inv, 8*t, d)
			f.set(by[t], op("f64x2.splat", d))
		}

		// The terms of the samples at each rung.
		s.row(func() {
			place, value := s.added(sum, rows, by)
			f.store("v128.store", place, 0, value)
		})
		f.set(e, op("i32.add", rows[3], s.bytes))
		s.step(inv, num32(32))
	})
	return f
}

// poolProducts(call) is kernel.Pool.Products.
func poolProducts(c constants) *fn {
	s := newPool()
	f := s.f
	e, a, inv, g := s.field(poolE), s.field(poolA), s.field(poolInv), s.field(poolG)
	lo, hi, k, more, line := f.local(tI32), f.local(tI32), f.local(tI32), f.local(tI32), f.local(tI32)
	var by [4]expr
	for t := range by {
		by[t] = f.local(tV128)
	}
	rows := s.fourRows(s.get(poolRow))

	// Rungs at both ends at which no sample has mass.
	faint := func(at expr, offset int) expr { // true if none of the four probabilities is larger
		at = op("i32.add", at, num32(offset))
		more := num32(0)
		for _, row := range rows {
			x := load("f64.load", op("i32.add", row, at), 0)
			more = op("i32.or", more, op("f64.gt", x, f64(c.double("faintP"))))
		}
		return op("i32.eqz", more)
	}
	narrow := func(x expr, by, offset int) { // while lo < hi
		f.loop(func() {
			f.set(more, op("i32.and", op("i32.lt_u", lo, hi), faint(x, offset)))
			f.when(more, func() { f.set(x, op("i32.add", x, num32(by))) })
		}, func() expr { return more })
	}

	// The probabilities of four samples.
	s.samples(4, func() {
		for t := range rows {
			f.set(by[t], load("v128.load64_splat", inv, 8*t))
			s.row(func() {
				x, _ := s.two(e)
				y, _ := s.two(a)
				_, to := s.two(rows[t])
				f.store("v128.store", to, 0, op("f64x2.mul", op("f64x2.mul", y, x), by[t]))
			})
			s.step(e, s.bytes)
		}

		// The rungs between the negligible ends.
		f.set(lo, num32(0))
		f.set(hi, s.bytes)
		narrow(lo, 8, 0)
		narrow(hi, -8, -8)

		// The products, up to the diagonal.
		f.when(op("i32.lt_u", lo, hi), func() {
			f.set(line, op("i32.add", g, op("i32.mul", op("i32.shr_u", lo, num32(3)), s.bytes)))
			f.count(k, lo, hi, 8, func() {
				for t, row := range rows {
					f.set(by[t], load("v128.load64_splat", op("i32.add", row, k), 0))
				}
				// If the number of products is odd, one element beyond the diagonal is written, too.
				f.count(s.at, lo, op("i32.add", k, num32(1)), 16, func() {
					place, value := s.added(line, rows, by)
					f.store("v128.store", place, 0, value)
				})
				s.step(line, s.bytes)
			})
		})
		s.step(inv, num32(32))
	})
	return f
}
