package main

import "math"

// Offsets of the fields of vectorCall in core/kernel/simd_vectors.go.
const (
	vecRows = 4 * iota
	vecCount
	vecX
	vecY
	vecQ
	vecTop
	vecM
	vecS
)

// pairs runs body for the numbers of vectors of count numbers, two at a time and a
// last one by itself; at is its offset in bytes.
func pairs(f *fn, at, count expr, body func(get func(from expr) expr, put func(to, value expr, then func(number expr)))) {
	var one bool
	get := func(from expr) expr {
		if one {
			return load("v128.load64_splat", op("i32.add", from, at), 0)
		}
		return load("v128.load", op("i32.add", from, at), 0)
	}
	// put stores the numbers; then, unless nil, sees each of them first and may
	// give another in its place.
	put := func(to, value expr, then func(number expr)) {
		to = f.let(tI32, op("i32.add", to, at))
		if then == nil && !one {
			f.store("v128.store", to, 0, value)
			return
		}
		value = f.let(tV128, value)
		for i := range byte(2) {
			x := lane(value, i)
			if then != nil {
				f.do(to)
				then(x)
				f.do(access["f64.store"], expr{0}, leb(int(8*i)))
			} else {
				f.store("f64.store", to, int(8*i), x)
			}
			if one {
				break
			}
		}
	}
	whole := f.let(tI32, op("i32.shl", op("i32.shr_u", count, num32(1)), num32(4)))
	f.set(at, num32(0))
	f.when(whole, func() {
		f.loop(func() {
			body(get, put)
			f.set(at, op("i32.add", at, num32(16)))
		}, func() expr { return op("i32.lt_u", at, whole) })
	})
	one = true
	f.when(op("i32.and", count, num32(1)), func() { body(get, put) })
}

// conditionals(call) is kernel.Conditionals.
func conditionals(c constants) *fn {
	f, p := begin(1)
	field := func(offset int) expr { return f.let(tI32, load("i32.load", p[0], offset)) }
	rows, count, x, y, q, tops := field(vecRows), field(vecCount), field(vecX), field(vecY), field(vecQ), field(vecTop)
	row, k, top, sum := f.local(tI32), f.local(tI32), f.local(tV128), f.local(tF64)
	ex := newExp(f, c)
	under := f.let(tV128, f64x2(c.double("expUnder")))
	f.count(row, num32(0), rows, 1, func() {
		f.set(top, f64x2(math.Inf(-1)))
		pairs(f, k, count, func(get func(expr) expr, put func(expr, expr, func(expr))) {
			v := f.let(tV128, op("f64x2.sub", get(x), get(y)))
			put(x, v, nil)
			f.set(top, op("f64x2.pmax", top, v))
		})
		f.set(top, op("f64x2.pmax", top, shuffle(top, top, 2, 3, 0, 1)))
		f.store("f64.store", tops, 0, lane(top, 0))
		f.set(sum, f64(0))
		pairs(f, k, count, func(get func(expr) expr, put func(expr, expr, func(expr))) {
			v := f.let(tV128, op("f64x2.sub", get(x), top))
			e := op("v128.or", op("v128.and", ex.tiny(f, v), op("f64x2.ge", v, under)), op("f64x2.ne", v, v))
			put(q, e, func(number expr) {
				f.set(sum, op("f64.add", sum, number))
				f.do(sum)
			})
		})
		for _, a := range []expr{x, q} {
			f.set(a, op("i32.add", a, op("i32.shl", count, num32(3))))
		}
		f.set(tops, op("i32.add", tops, num32(8)))
	})
	return f
}

// tiny returns e**x for -745 < x <= 0, with one rounding where it is subnormal.
func (e exp64) tiny(f *fn, x expr) expr {
	y, t := e.parts(f, x)
	k := f.let(tV128, op("i64x2.sub", t, e.magic))
	h := f.let(tV128, op("i64x2.shr_s", k, num32(1)))
	power := func(k expr) expr { return op("i64x2.add", op("i64x2.shl", k, num32(52)), e.one) }
	return op("f64x2.mul", op("f64x2.mul", y, power(h)), power(op("i64x2.sub", k, h)))
}

// absorb(call) is kernel.AbsorbRows: num.LSE.Add without branches. An exponential
// of less than -708 vanishes beside S, which is at least 1.
func absorb(c constants) *fn {
	f, p := begin(1)
	field := func(offset int) expr { return f.let(tI32, load("i32.load", p[0], offset)) }
	rows, count, xs, shifts, ms, ss := field(vecRows), field(vecCount), field(vecX), field(vecY), field(vecM), field(vecS)
	row, k, m, s, shift := f.local(tI32), f.local(tI32), f.local(tI32), f.local(tI32), f.local(tV128)
	ex, most, zero := newExp(f, c), f.let(tV128, f64x2(-math.MaxFloat64)), f.let(tV128, f64x2(0))
	f.count(row, num32(0), rows, 1, func() {
		f.set(m, load("i32.load", ms, 0))
		f.set(s, load("i32.load", ss, 0))
		f.set(shift, load("v128.load64_splat", shifts, 0))
		pairs(f, k, count, func(get func(expr) expr, put func(expr, expr, func(expr))) {
			let := func(e expr) expr { return f.let(tV128, e) }
			x, M, S := let(op("f64x2.sub", get(xs), shift)), let(get(m)), let(get(s))
			// Terms below e^-38 = 2^-54.8 of sums of at least 1 change nothing.
			idle := op("v128.and", op("f64x2.le", op("f64x2.sub", x, M), f64x2(-38)), op("f64x2.ge", S, ex.one))
			f.when(op("i32.eqz", op("i64x2.all_true", idle)), func() {
				d := op("f64x2.pmin", op("f64x2.sub", x, M), op("f64x2.sub", M, x))
				e := let(ex.exp(f, op("v128.and", d, op("f64x2.ne", x, M))))
				below := let(op("v128.and", op("f64x2.le", x, M), op("f64x2.ne", S, zero)))
				sum := op("v128.bitselect", op("f64x2.add", S, e), op("f64x2.add", op("f64x2.mul", S, e), ex.one), below)
				some := let(op("f64x2.ge", x, most)) // e**-Inf is nothing
				nan := let(op("v128.or", op("f64x2.ne", x, x), op("f64x2.ne", S, S)))
				put(s, op("v128.or", op("v128.bitselect", sum, S, some), nan), nil)
				put(m, op("v128.or", op("v128.bitselect", op("v128.bitselect", M, x, below), M, some), nan), nil)
			})
		})
		f.set(xs, op("i32.add", xs, op("i32.shl", count, num32(3))))
		f.set(shifts, op("i32.add", shifts, num32(8)))
		f.set(ms, op("i32.add", ms, num32(4)))
		f.set(ss, op("i32.add", ss, num32(4)))
	})
	return f
}
