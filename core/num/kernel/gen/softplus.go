package main

import "fmt"

// softplus(sums) is Rows.Softplus.
func softplus(c constants, single bool) *fn {
	f, p := begin(1)
	field := func(offset int) expr { return load("i32.load", p[0], offset) }
	rows, stride := f.let(tI32, field(sumsRows)), f.let(tI32, field(sumsActStride))
	scales := f.let(tI32, op("i32.shl", field(sumsScales), num32(3)))
	s := &softplusParts{f: f, c: c, single: single, units: f.let(tI32, field(sumsUnits)), act: f.let(tI32, field(sumsAct)),
		scale: f.let(tI32, field(sumsScale)), out: f.let(tI32, field(sumsOut)), j: f.local(tI32), pos: f.local(tF64),
		low: f.let(tV128, vec64(1<<31)), zero: f.let(tV128, vec64(0)), ex: newExp(f, c), ex32: newExp32(f, c)}
	row, q, x := f.local(tI32), f.local(tV128), f.local(tV128)
	f.when(op("i32.mul", rows, scales), func() {
		f.count(row, num32(0), rows, 1, func() {
			// Positive: two sums at a time, as 64-bit numbers.
			f.set(q, s.zero)
			f.count(s.j, num32(0), s.units, 4, func() {
				f.set(x, op("i32x4.max_s", s.sums(), s.zero))
				f.set(q, op("i64x2.add", q, op("i64x2.add", op("i64x2.extend_low_i32x4_u", x), op("i64x2.extend_high_i32x4_u", x))))
			})
			f.set(s.pos, op("f64.convert_i64_s", op("i64.add", lane64(q, 0), lane64(q, 1))))
			if two := op("i32.gt_u", scales, num32(8)); single {
				f.when(two, func() { s.by(2, scales) })
				f.when(op("i32.eqz", two), func() { s.by(1, scales) })
			} else {
				s.by(1, scales)
			}
			f.set(s.out, op("i32.add", s.out, scales))
			f.set(s.act, op("i32.add", s.act, stride))
		})
	})
	return f
}

// softplusParts is shared by the parts of softplus.
type softplusParts struct {
	f                           *fn
	c                           constants
	single                      bool
	units, act, scale, out, pos expr
	j, low, zero                expr
	ex                          exp64
	ex32                        exp32
}

// sums returns four of the sums, see drawLayer.
func (s *softplusParts) sums() expr {
	return unpacked(op("i32.add", s.act, op("i32.shl", s.j, num32(2))), 0, s.low)
}

// by processes width scales at a time; scales is their total size in bytes. If width does not divide their number, the
// last ones are computed twice. Two scales at a time share their sums and keep the processor busy, which a single chain
// of products does not.
func (s *softplusParts) by(width int, scales expr) {
	f, c := s.f, s.c
	chunk := int(c.long("chunk"))
	k, at, end, x := f.local(tI32), f.local(tI32), f.local(tI32), f.local(tV128)
	top := f.let(tI32, op("i32.sub", scales, num32(8*width)))
	total := f.local(tV128)
	var scale, p01, p23 [2]expr
	for i := range width {
		scale[i], p01[i], p23[i] = f.local(tV128), f.local(tV128), f.local(tV128)
	}

	// Some scales at a time.
	f.set(k, num32(0))
	f.loop(func() {
		f.set(k, op("select", k, top, op("i32.lt_u", k, top)))
		f.set(at, op("i32.add", s.scale, k))
		for i := range width {
			if s.single {
				f.set(scale[i], op("f32x4.splat", op("f32.demote_f64", load("f64.load", at, 8*i))))
			} else {
				f.set(scale[i], load("v128.load64_splat", at, 8*i))
			}
		}
		f.set(total, f64x2(0))
		f.set(s.j, num32(0))
		f.loop(func() { // over chunks
			for i := range width {
				f.set(p01[i], f64x2(1))
				f.set(p23[i], f64x2(1))
			}
			f.set(end, op("i32.sub", s.units, s.j))
			f.set(end, op("i32.add", s.j, op("select", end, num32(chunk), op("i32.lt_u", end, num32(chunk)))))

			// The products over a chunk of units.
			f.loop(func() {
				f.set(x, s.sums())
				f.set(x, op("i32x4.min_s", x, op("i32x4.neg", x)))
				if s.single {
					f.set(x, op("f32x4.convert_i32x4_s", x))
				}
				for i := range width {
					four := x
					if s.single {
						y, _ := s.ex32.exp(f, op("f32x4.mul", x, scale[i]))
						four = f.let(tV128, y)
					}
					for h, p := range []expr{p01[i], p23[i]} {
						half := four
						if h == 1 {
							half = shuffle(four, four, 2, 3, 2, 3)
						}
						e := op("f64x2.promote_low_f32x4", half)
						if !s.single {
							e = s.ex.exp(f, op("f64x2.mul", op("f64x2.convert_low_i32x4_s", half), scale[i]))
						}
						f.set(p, op("f64x2.add", p, op("f64x2.mul", p, e)))
					}
				}
				f.set(s.j, op("i32.add", s.j, num32(4)))
			}, func() expr { return op("i32.lt_u", s.j, end) })

			// Units of the padding have sums 0 and are factors of exactly 2.
			shrink := power2(op("i32.sub", end, s.j))
			both := func(p [2]expr) expr { // the product of both halves of each
				a, b := p[0], p[width-1]
				return op("f64x2.mul", shuffle(a, b, 0, 1, 4, 5), shuffle(a, b, 2, 3, 6, 7))
			}
			f.set(total, op("f64x2.add", total, logOf(f, c, op("f64x2.mul", op("f64x2.mul", both(p01), both(p23)), shrink))))
		}, func() expr { return op("i32.lt_u", s.j, s.units) })

		// The sums of the scales.
		for i := range width {
			f.store("f64.store", op("i32.add", s.out, k), 8*i,
				op("f64.add", lane(total, byte(i)), op("f64.mul", s.pos, load("f64.load", at, 8*i))))
		}
		f.set(k, op("i32.add", k, num32(8*width)))
	}, func() expr { return op("i32.lt_u", k, op("i32.add", top, num32(8*width))) })
}

// power2 returns 2^n in both halves of a vector.
func power2(n expr) expr {
	return op("i64x2.splat", op("i64.shl", op("i64.extend_i32_u", op("i32.add", num32(1023), n)), num64(52)))
}

// exp64 is num.Exp.
type exp64 struct {
	log2E, magic, ln2Hi, ln2Lo, min, one expr
	c                                    [11]expr
}

func newExp(f *fn, c constants) (e exp64) {
	v := func(name string) expr { return f.let(tV128, f64x2(c.double(name))) }
	e = exp64{log2E: v("log2E"), magic: v("roundMagic"), ln2Hi: v("ln2Hi"), ln2Lo: v("ln2Lo"),
		min: f.let(tV128, f64x2(-c.double("expFast"))), one: f.let(tV128, f64x2(1))}
	for i := range e.c {
		e.c[i] = v(fmt.Sprint("expC", i))
	}
	return e
}

// exp returns e**x for x <= 0; below min the result is negligible compared with 1.
func (e exp64) exp(f *fn, x expr) expr { return e.exps(f, x)[0] }

// exps returns several exponentials, interleaved to hide latency, with shared constants.
func (e exp64) exps(f *fn, x ...expr) []expr {
	least := make([]expr, len(x))
	for i := range x {
		least[i] = f.let(tV128, op("f64x2.pmax", x[i], e.min))
	}
	y, t := e.parts(f, least...)
	for i := range y {
		y[i] = f.let(tV128, op("i64x2.add", y[i], op("i64x2.shl", t[i], num32(52))))
	}
	return y
}

// whole returns e**x for x <= 0, down to 0, as num.expEdge.
func (e exp64) whole(f *fn, c constants, x expr) expr {
	y, t := e.parts(f, x)
	k := f.let(tV128, op("i64x2.sub", t[0], e.magic))
	half := f.let(tV128, op("i64x2.shr_s", k, num32(1)))
	pow2 := func(k expr) expr { return op("i64x2.shl", op("i64x2.add", k, vec64(1023)), num32(52)) }
	z := op("f64x2.mul", op("f64x2.mul", y[0], pow2(half)), pow2(op("i64x2.sub", k, half)))
	return op("v128.andnot", z, op("f64x2.lt", x, f64x2(c.double("expUnder"))))
}

// parts returns y and t: e**x is y 2^k with k in the lowest bits of t.
func (e exp64) parts(f *fn, x ...expr) (y, t []expr) {
	let := func(of func(i int) expr) (y []expr) {
		for i := range x {
			y = append(y, f.let(tV128, of(i)))
		}
		return
	}
	add := func(a, b expr) expr { return op("f64x2.add", a, b) }
	sub := func(a, b expr) expr { return op("f64x2.sub", a, b) }
	mul := func(a, b expr) expr { return op("f64x2.mul", a, b) }
	t = let(func(i int) expr { return add(mul(x[i], e.log2E), e.magic) })
	k := let(func(i int) expr { return sub(t[i], e.magic) })
	hi := let(func(i int) expr { return sub(x[i], mul(k[i], e.ln2Hi)) })
	lo := let(func(i int) expr { return mul(k[i], e.ln2Lo) })
	r := let(func(i int) expr { return sub(hi[i], lo[i]) })
	r2 := let(func(i int) expr { return mul(r[i], r[i]) })
	pair := func(n int) []expr {
		return let(func(i int) expr { return add(e.c[n], mul(e.c[n+1], r[i])) })
	}
	a, b := pair(0), pair(2)
	a = let(func(i int) expr { return add(a[i], mul(b[i], r2[i])) })
	c, d := pair(4), pair(6)
	c = let(func(i int) expr { return add(c[i], mul(d[i], r2[i])) })
	d = pair(8)
	d = let(func(i int) expr { return add(d[i], mul(e.c[10], r2[i])) })
	r4 := let(func(i int) expr { return mul(r2[i], r2[i]) })
	c = let(func(i int) expr { return add(c[i], mul(d[i], r4[i])) })
	q := let(func(i int) expr { return mul(add(a[i], mul(c[i], r4[i])), r2[i]) })
	return let(func(i int) expr { return add(e.one, add(hi[i], sub(q[i], lo[i]))) }), t
}

// logOf is num.Log of two positive normal numbers.
func logOf(f *fn, c constants, x expr) expr {
	let := func(e expr) expr { return f.let(tV128, e) }
	add := func(a, b expr) expr { return op("f64x2.add", a, b) }
	sub := func(a, b expr) expr { return op("f64x2.sub", a, b) }
	mul := func(a, b expr) expr { return op("f64x2.mul", a, b) }
	v := func(name string) expr { return f64x2(c.double(name)) }
	// The exponent plus 1024, above the other bits.
	least := uint64(c.long("sqrtHalfBits"))
	bits := let(op("i64x2.sub", x, vec64(least-1024<<52)))
	m := op("i64x2.add", op("v128.and", bits, vec64(1<<52-1)), vec64(least))
	k := op("v128.or", op("i64x2.shr_u", bits, num32(52)), f64x2(1<<52))
	k = let(sub(k, f64x2(1<<52+1024)))
	t := let(sub(m, f64x2(1)))
	s := let(op("f64x2.div", t, add(f64x2(2), t)))
	z := let(mul(s, s))
	w := let(mul(z, z))
	odd := add(v("logC1"), mul(w, add(v("logC3"), mul(w, v("logC5")))))
	even := add(v("logC0"), mul(w, add(v("logC2"), mul(w, add(v("logC4"), mul(w, v("logC6")))))))
	r := mul(z, add(even, mul(z, odd)))
	h := let(mul(f64x2(0.5), mul(t, t)))
	return sub(mul(k, v("ln2Hi")), sub(sub(h, add(mul(s, add(h, r)), mul(k, v("ln2Lo")))), t))
}
