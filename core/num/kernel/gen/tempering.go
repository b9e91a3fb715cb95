package main

import "math"

// Offsets of the fields of temperingCall in core/num/kernel/simd_tempering.go.
const (
	temperRows = 4 * iota
	temperCount
	temperX
	temperY
	temperQ
	temperTop
	temperSum
	temperU
	temperRung
	temperC
	temperFaint
	temperD
)

// numbers iterates over vectors of count numbers: four at a time, in two vectors, and then up to three single numbers,
// each twice in a vector.
type numbers struct {
	f    *fn
	at   expr // offset in bytes
	rest int  // 0: four numbers; 1 to 3: a single number
}

// each runs body for all of count numbers.
func (n *numbers) each(count expr, body func()) {
	f := n.f
	whole := f.let(tI32, op("i32.shl", op("i32.shr_u", count, num32(2)), num32(5)))
	n.rest = 0
	f.set(n.at, num32(0))
	f.when(whole, func() { f.count(n.at, num32(0), whole, 32, body) })
	for n.rest++; n.rest < 4; n.rest++ { // wazero compiles a constant first operand wrongly
		f.when(op("i32.gt_u", op("i32.and", count, num32(3)), num32(n.rest-1)), func() {
			body()
			f.set(n.at, op("i32.add", n.at, num32(8)))
		})
	}
}

// get returns the current vectors.
func (n *numbers) get(from expr) []expr {
	from = n.f.let(tI32, op("i32.add", from, n.at))
	if n.rest > 0 {
		return []expr{n.f.let(tV128, load("v128.load64_splat", from, 0))}
	}
	return []expr{n.f.let(tV128, load("v128.load", from, 0)), n.f.let(tV128, load("v128.load", from, 16))}
}

// put stores the vectors, or the single number.
func (n *numbers) put(to expr, values []expr) {
	to = n.f.let(tI32, op("i32.add", to, n.at))
	if n.rest > 0 {
		n.f.store("f64.store", to, 0, lane(values[0], 0))
		return
	}
	for i, v := range values {
		n.f.store("v128.store", to, 16*i, v)
	}
}

// let returns vectors computed from the current ones.
func (n *numbers) let(of func(i int) expr) (y []expr) {
	y = append(y, n.f.let(tV128, of(0)))
	if n.rest == 0 {
		y = append(y, n.f.let(tV128, of(1)))
	}
	return
}

// temper(call) is kernel.Tempering.Step.
func temper(c constants) *fn {
	f, p := begin(1)
	field := func(offset int) expr { return f.let(tI32, load("i32.load", p[0], offset)) }
	rows, count, x, y, q := field(temperRows), field(temperCount), field(temperX), field(temperY), field(temperQ)
	row, top, v := f.local(tI32), f.local(tV128), &numbers{f: f, at: f.local(tI32)}
	ex, least := newExp(f, c), f.let(tV128, f64x2(c.double("faintLog")))
	small, zero := f.let(tV128, f64x2(c.double("faintSum"))), f.let(tV128, f64x2(0))
	sums, sum, inverse := [2]expr{f.local(tV128), f.local(tV128)}, f.local(tF64), f.local(tV128)
	to, faint := f.local(tI32), f.local(tV128)
	f.count(row, num32(0), rows, 1, func() {
		of := func(offset, shift int) expr {
			return op("i32.add", load("i32.load", p[0], offset), op("i32.shl", row, num32(shift)))
		}
		f.set(top, f64x2(math.Inf(-1)))
		v.each(count, func() {
			a, b := v.get(x), v.get(y)
			d := v.let(func(i int) expr { return op("f64x2.sub", a[i], b[i]) })
			v.put(x, d)
			for _, d := range d {
				f.set(top, op("f64x2.pmax", top, d))
			}
		})
		f.set(top, op("f64x2.pmax", top, shuffle(top, top, 2, 3, 0, 1)))
		f.store("f64.store", of(temperTop, 3), 0, lane(top, 0))
		for _, s := range sums {
			f.set(s, f64x2(0))
		}
		v.each(count, func() {
			a := v.get(x)
			d := v.let(func(i int) expr { return op("f64x2.sub", a[i], top) })
			e := ex.exps(f, d...)
			e = v.let(func(i int) expr {
				return op("v128.or", op("v128.andnot", e[i], op("f64x2.lt", d[i], least)), op("f64x2.ne", d[i], d[i]))
			})
			v.put(q, e)
			switch v.rest {
			case 0:
				for i, s := range sums {
					f.set(s, op("f64x2.add", s, e[i]))
				}
			case 2:
				f.set(sums[0], op("f64x2.add", sums[0], op("v128.and", e[0], vec(0, 1<<64-1))))
			default:
				s := sums[v.rest/2]
				f.set(s, op("f64x2.add", s, op("v128.and", e[0], vec(1<<64-1, 0))))
			}
		})

		// The sum over rungs, and the draw of a rung.
		both := func(e expr) expr { return op("f64.add", lane(e, 0), lane(e, 1)) }
		f.set(sum, op("f64.add", both(sums[0]), both(sums[1])))
		f.store("f64.store", of(temperSum, 3), 0, sum)
		f.store("i32.store", of(temperRung, 2), 0, pick(f, q, count, op("f64.mul", load("f64.load", of(temperU, 3), 0), sum)))
		f.set(inverse, op("f64x2.splat", op("f64.div", f64(1), sum)))
		f.when(load("i32.load", p[0], temperC), func() {
			f.set(to, load("i32.load", of(temperC, 2), 0))
			f.set(faint, zero)
			v.each(count, func() {
				e, before := v.get(q), v.get(to)
				s := v.let(func(i int) expr { return op("f64x2.add", before[i], op("f64x2.mul", e[i], inverse)) })
				v.put(to, s)
				for i, s := range s {
					f.set(faint, op("v128.or", faint, op("v128.and", op("f64x2.eq", e[i], zero), op("f64x2.lt", s, small))))
				}
			})
			f.store("i32.store8", of(temperFaint, 0), 0, op("v128.any_true", faint))
		})
		f.when(load("i32.load", p[0], temperD), func() {
			f.set(to, load("i32.load", of(temperD, 2), 0))
			v.each(count, func() {
				e, before := v.get(q), v.get(to)
				v.put(to, v.let(func(i int) expr { return op("f64x2.add", before[i], op("f64x2.mul", e[i], inverse)) }))
			})
		})
		for _, a := range []expr{x, q} {
			f.set(a, op("i32.add", a, op("i32.shl", count, num32(3))))
		}
	})
	return f
}

// pick is kernel.pick.
func pick(f *fn, q, count, u expr) expr {
	u = f.let(tF64, u)
	at, sum, next, more := f.let(tI32, q), f.let(tF64, f64(0)), f.local(tF64), f.local(tI32)
	x := func(i int) expr { return load("f64.load", at, 8*i) }
	on := func(step int, last, term expr) { // skips terms while u is not below the sum
		f.when(op("i32.lt_u", at, last), func() {
			f.loop(func() {
				f.set(next, op("f64.add", sum, term))
				f.set(more, op("i32.eqz", op("f64.lt", u, next)))
				f.when(more, func() {
					f.set(sum, next)
					f.set(at, op("i32.add", at, num32(step)))
				})
			}, func() expr { return op("i32.and", more, op("i32.lt_u", at, last)) })
		})
	}
	end := f.let(tI32, op("i32.add", q, op("i32.shl", count, num32(3))))
	last := f.let(tI32, op("i32.sub", end, num32(8)))
	on(32, f.let(tI32, op("i32.sub", end, num32(24))), op("f64.add", op("f64.add", x(0), x(1)), op("f64.add", x(2), x(3))))
	on(8, last, x(0))
	at = op("select", at, last, op("i32.lt_u", at, last))
	return op("i32.shr_u", op("i32.sub", at, q), num32(3))
}
