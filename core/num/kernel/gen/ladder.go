package main

import "math"

// Offsets of the fields of ladderCall in core/num/kernel/simd_ladder.go.
const (
	rungsUnit = 4 * iota // a float64
	_
	rungsRows
	rungsUnits
	rungsAct
	rungsActStride
	rungsLog0
	rungsLog1
	rungsGrids
	rungsLo
	rungsStride
	rungsCount
	rungsOut
	rungsDone
	rungsProducts
	rungsY
)

// ladder(call) is Rows.Ladder. Rows whose grid is missing are skipped; done reports which rows were computed.
func ladder(c constants) *fn {
	f, p := begin(1)
	minPairs, maxPairs := int(c.long("minPairs")), int(c.long("maxPairs"))
	lanes, free := int(c.long("lanes")), int(c.long("freeRows"))
	field := func(offset int) expr { return f.let(tI32, load("i32.load", p[0], offset)) }
	rows, units, act, stride := field(rungsRows), field(rungsUnits), field(rungsAct), field(rungsActStride)
	log0, log1, done, out, y := field(rungsLog0), field(rungsLog1), field(rungsDone), field(rungsOut), field(rungsY)
	grids, products := field(rungsGrids), field(rungsProducts)
	unit := f.let(tF64, load("f64.load", p[0], rungsUnit))
	l := &ladderParts{f: f, act: act, low: f.let(tV128, vec64(1<<31)), ex: newExp32(f, c)}
	row, j, end := f.local(tI32), f.local(tI32), f.local(tI32)
	at, pairs, weights := f.local(tI32), f.local(tI32), f.local(tI32)
	top, pos, abs, zero := f.local(tV128), f.local(tV128), f.local(tV128), f.let(tV128, vec64(0))
	limit, scale, largest, shrink := f.local(tF64), f.local(tF64), f.local(tF64), f.local(tV128)
	wide := func(x expr) expr {
		return op("i64x2.add", op("i64x2.extend_low_i32x4_u", x), op("i64x2.extend_high_i32x4_u", x))
	}
	whole := func(x expr) expr { return op("f64.convert_i64_s", op("i64.add", lane64(x, 0), lane64(x, 1))) }

	// Row by row.
	f.count(row, num32(0), rows, 1, func() {
		// Extent.
		for _, x := range []expr{top, pos, abs} {
			f.set(x, zero)
		}
		f.count(j, num32(0), units, 4, func() {
			x := f.let(tV128, l.sums(j, 0))
			f.set(pos, op("i64x2.add", pos, wide(f.let(tV128, op("i32x4.max_s", x, zero)))))
			x = f.let(tV128, op("i32x4.abs", x))
			f.set(abs, op("i64x2.add", abs, wide(x)))
			f.set(top, op("i32x4.max_s", top, x))
		})
		f.set(top, op("i32x4.max_s", top, shuffle(top, top, 2, 3, 0, 1)))
		f.set(top, op("i32x4.max_s", top, shuffle(top, top, 1, 0, 3, 2)))

		// The grid reaches the largest sum.
		f.set(largest, op("f64.mul", op("f64.convert_i64_s", op("i64.and", lane64(top, 0), num64(1<<32-1))), unit))
		f.set(pairs, num32(minPairs-1))
		f.set(limit, f64(float64(int(1)<<(minPairs-1))))
		f.loop(func() {
			f.set(pairs, op("i32.add", pairs, num32(1)))
			f.set(limit, op("f64.add", limit, limit))
		}, func() expr {
			return op("i32.and", op("f64.gt", largest, limit), op("i32.lt_u", pairs, num32(maxPairs+1)))
		})

		// The table has a 0 beyond maxPairs.
		f.set(weights, load("i32.load", op("i32.add", grids, op("i32.shl", pairs, num32(2))), 0))
		f.store("i32.store", done, 0, weights)
		f.when(weights, func() {
			f.set(scale, op("f64.div", unit, limit))
			f.store("f64.store", y, 0, load("f64.load", log0, 0))
			f.store("f64.store", y, 8, op("f64.add", load("f64.load", log1, 0), op("f64.mul", whole(pos), unit)))
			f.store("f64.store", y, 16, op("f64.mul", op("f64.convert_i64_s", op("i64.extend_i32_u", units)), f64(math.Ln2)))
			f.store("f64.store", y, 24, op("f64.mul", whole(abs), scale))
			nodes := f.let(tI32, op("i32.add", y, num32(8*free)))
			last := f.let(tI32, op("i32.add", nodes, op("i32.shl", pairs, num32(4)))) // two nodes a pair
			f.count(at, nodes, last, 8, func() { f.store("f64.store", at, 0, f64(0)) })
			f.set(j, num32(0))
			f.loop(func() { // over chunks
				f.set(end, op("i32.sub", units, j))
				f.set(end, op("i32.add", j, op("select", end, num32(120*lanes), op("i32.lt_u", end, num32(120*lanes)))))
				l.powers(products, pairs, j, end, op("f32x4.neg", op("f32x4.splat", op("f32.demote_f64", scale))))
				// Units of the padding have sums 0 and are factors of exactly 2.
				f.set(shrink, power2(op("i32.sub", end, j)))
				l.addLogs(c, products, at, nodes, last, shrink)
			}, func() expr { return op("i32.lt_u", j, units) })
			l.combine(out, op("i32.add", weights, load("i32.load", p[0], rungsLo)),
				load("i32.load", p[0], rungsStride), load("i32.load", p[0], rungsCount), y, last)
		})
		f.set(act, op("i32.add", act, stride))
		for _, x := range []expr{log0, log1} {
			f.set(x, op("i32.add", x, num32(8)))
		}
		f.set(done, op("i32.add", done, num32(4)))
		f.set(out, op("i32.add", out, op("i32.shl", load("i32.load", p[0], rungsCount), num32(3))))
	})
	return f
}

// ladderParts is shared by the parts of ladder.
type ladderParts struct {
	f        *fn
	act, low expr
	ex       exp32
}

// sums returns four of the sums from unit j + 4 i on, see drawLayer.
func (l *ladderParts) sums(j expr, i int) expr {
	return unpacked(op("i32.add", l.act, op("i32.shl", j, num32(2))), 16*i, l.low)
}

// powers is powersGo over the units from j to end, a multiple of sixteen, starting with products of 1. It moves j past
// end.
func (l *ladderParts) powers(products, pairs, j, end, scale expr) {
	f := l.f
	scale = f.let(tV128, scale)
	q := f.local(tI32)
	top := f.let(tI32, op("i32.add", products, op("i32.shl", pairs, num32(6)))) // 2 nodes of 8 lanes
	f.count(q, products, top, 16, func() { f.store("v128.store", q, 0, l.ex.one) })

	// Sixteen units at a time.
	var a, b [4]expr // powers of units j + 4 i
	for i := range a {
		a[i], b[i] = f.local(tV128), f.local(tV128)
	}
	f.loop(func() {
		for i := range a {
			x := op("f32x4.mul", op("f32x4.convert_i32x4_s", op("i32x4.abs", l.sums(j, i))), scale)
			e, _ := l.ex.exp(f, x)
			t := f.let(tV128, e)
			f.set(a[i], op("f32x4.mul", t, t))
			f.set(b[i], op("f32x4.mul", a[i], t))
		}

		// Every pair of nodes squares the powers of the pair before.
		f.count(q, products, top, 64, func() {
			for i, x := range [4][2]expr{{a[0], a[2]}, {a[1], a[3]}, {b[0], b[2]}, {b[1], b[3]}} {
				p := load("v128.load", q, 16*i)
				for _, t := range x { // one after the other: units share a product, as in Go
					p = op("f32x4.mul", p, op("f32x4.add", l.ex.one, t))
				}
				f.store("v128.store", q, 16*i, p)
				for _, t := range x {
					f.set(t, op("f32x4.mul", t, t))
				}
			}
		})
		f.set(j, op("i32.add", j, num32(16)))
	}, func() expr { return op("i32.lt_u", j, end) })
}

// addLogs adds the log of its products times shrink to each node from nodes to last.
func (l *ladderParts) addLogs(c constants, products, at, nodes, last, shrink expr) {
	f, lanes := l.f, int(c.long("lanes"))
	q := f.let(tI32, products)
	f.count(at, nodes, last, 16, func() { // two nodes
		four := func(i int) expr { // product of four elements of each node
			a, b := load("v128.load", q, 4*i), load("v128.load", q, 4*(i+lanes))
			x := func(e expr) expr {
				e = f.let(tV128, e)
				return op("f64x2.mul", op("f64x2.promote_low_f32x4", e),
					op("f64x2.promote_low_f32x4", shuffle(e, e, 2, 3, 2, 3)))
			}
			return op("f64x2.mul", x(shuffle(a, b, 0, 4, 1, 5)), x(shuffle(a, b, 2, 6, 3, 7)))
		}
		product := op("f64x2.mul", op("f64x2.mul", four(0), four(4)), shrink)
		f.store("v128.store", at, 0, op("f64x2.add", load("v128.load", at, 0), logOf(f, c, product)))
		f.set(q, op("i32.add", q, num32(8*lanes)))
	})
}

// combine is combineGo.
func (l *ladderParts) combine(out, weights, stride, count, y, last expr) {
	f := l.f
	weights, stride = f.let(tI32, weights), f.let(tI32, stride)
	few := op("i32.lt_u", count, num32(8))
	f.when(few, func() { l.combineBy(2, out, weights, stride, count, y, last) })
	f.when(op("i32.eqz", few), func() { l.combineBy(8, out, weights, stride, count, y, last) })
}

// combineBy computes rungs rungs at a time, two in a vector; if that does not divide count, the last ones are computed
// twice.
func (l *ladderParts) combineBy(rungs int, out, weights, stride, count, y, last expr) {
	f := l.f
	k, w, at, number := f.local(tI32), f.local(tI32), f.local(tI32), f.local(tV128)
	sums := make([]expr, rungs/2)
	for i := range sums {
		sums[i] = f.local(tV128)
	}
	top := f.let(tI32, op("i32.shl", op("i32.sub", count, num32(rungs)), num32(3)))
	term := func(i int) expr { return op("f64x2.mul", number, load("v128.load", w, 16*i)) }
	f.set(k, num32(0))
	f.loop(func() {
		f.set(k, op("select", k, top, op("i32.lt_u", k, top)))
		f.set(w, op("i32.add", weights, k))
		f.set(number, load("v128.load64_splat", y, 0))
		for i, sum := range sums {
			f.set(sum, term(i))
		}
		f.count(at, op("i32.add", y, num32(8)), last, 8, func() {
			f.set(w, op("i32.add", w, stride))
			f.set(number, load("v128.load64_splat", at, 0))
			for i, sum := range sums {
				f.set(sum, op("f64x2.add", sum, term(i)))
			}
		})
		for i, sum := range sums {
			f.store("v128.store", op("i32.add", out, k), 16*i, sum)
		}
		f.set(k, op("i32.add", k, num32(8*rungs)))
	}, func() expr { return op("i32.lt_u", k, op("i32.add", top, num32(8*rungs))) })
}
