package main

import "math/bits"

// tileSums adds weights to the sums of a tile, which it holds in registers.
type tileSums struct {
	f      *fn
	p, end expr // a list of offsets
	sum    [tileBytes / 16]expr
	from   [2]expr
}

func newTileSums(f *fn) *tileSums {
	t := &tileSums{f: f, p: f.local(tI32), end: f.local(tI32)}
	for k := range t.sum {
		t.sum[k] = f.local(tV128)
	}
	for r := range t.from {
		t.from[r] = f.local(tI32)
	}
	return t
}

// read and write are the sums at an address.
func (t *tileSums) read(at expr) {
	for k, sum := range t.sum {
		t.f.set(sum, load("v128.load", at, 16*k))
	}
}

func (t *tileSums) write(at expr) {
	for k, sum := range t.sum {
		t.f.store("v128.store", at, 16*k, sum)
	}
}

// add adds (i64x2.add) or subtracts (i64x2.sub) the lines of a table that the list from p
// to end names, two at a time: with more, V8 loads all of them first and runs out of
// registers. The list must be even.
func (t *tileSums) add(name string, table expr) {
	f := t.f
	f.when(op("i32.lt_u", t.p, t.end), func() {
		f.loop(func() {
			for r := range t.from {
				f.set(t.from[r], op("i32.add", table, load("i32.load", t.p, 4*r)))
			}
			for k, sum := range t.sum {
				x := func(r int) expr { return load("v128.load", t.from[r], 16*k) }
				f.set(sum, op(name, sum, op("i64x2.add", x(0), x(1))))
			}
			f.set(t.p, op("i32.add", t.p, num32(8)))
		}, func() expr { return op("i32.lt_u", t.p, t.end) })
	})
}

// addRows(job, half, row, n) is Matrix.Update of rows row..row+n-1: it adds to the
// sums of the other layer what their lists name, or makes the sums anew.
func addRows(c constants) *fn {
	f, p := begin(4)
	job, half, row, n := p[0], p[1], p[2], p[3]
	field := func(offset int) expr { return f.let(tI32, load("i32.load", half, offset)) }
	outStride := field(halfOutStride)
	out := f.let(tI32, at(field(halfOut), row, outStride))
	w, wStride, start := field(halfW), field(halfWStride), field(halfStart)
	tile, tiles := f.local(tI32), field(halfTiles)
	list, listBytes := f.let(tI32, load("i32.load", job, jobLists)), f.let(tI32, load("i32.load", job, jobListBytes))
	// Lists of sums to be made anew come first.
	anew := f.let(tI32, load("i32.load", job, jobOrder))
	end := f.let(tI32, op("i32.add", anew, op("i32.shl", n, num32(2))))
	mid, flips, acc := f.let(tI32, anew), f.let(tI32, end), f.let(tI32, num32(0))
	f.count(tile, num32(0), n, 1, func() {
		f.store("i32.store", list, listOut, acc)
		many := load("i32.load", list, listAnew)
		f.when(many, func() {
			f.store("i32.store", mid, 0, list)
			f.set(mid, op("i32.add", mid, num32(4)))
		})
		f.when(op("i32.eqz", many), func() {
			f.set(flips, op("i32.sub", flips, num32(4)))
			f.store("i32.store", flips, 0, list)
		})
		f.set(list, op("i32.add", list, listBytes))
		f.set(acc, op("i32.add", acc, outStride))
	})
	i := f.local(tI32)
	each := func(from, to expr, body func()) {
		f.when(op("i32.lt_u", from, to), func() {
			f.count(i, from, to, 4, func() {
				f.set(list, load("i32.load", i, 0))
				f.set(acc, op("i32.add", out, load("i32.load", list, listOut)))
				body()
			})
		})
	}
	t := newTileSums(f)
	f.count(tile, num32(0), tiles, 1, func() {
		each(flips, end, func() {
			t.read(acc)
			f.set(t.p, op("i32.add", list, num32(listBody)))
			f.set(t.end, load("i32.load", list, listEnd))
			t.add("i64x2.add", w)
			f.set(t.p, load("i32.load", list, listBegin))
			f.set(t.end, op("i32.add", list, listBytes))
			t.add("i64x2.sub", w)
			t.write(acc)
		})
		f.when(op("i32.lt_u", anew, mid), func() { t.quads(c, half, w, start, func(body func()) { each(anew, mid, body) }, list, acc) })
		for _, x := range [][2]expr{{out, num32(tileBytes)}, {w, wStride}, {start, num32(tileBytes)}} {
			f.set(x[0], op("i32.add", x[0], x[1]))
		}
	})
	return f
}

// quads makes the sums acc of each list anew from start: in turn, the sums of the
// subsets of some quads, and one of each quad for every list.
func (t *tileSums) quads(c constants, half, w, start expr, each func(body func()), list, acc expr) {
	f := t.f
	const quadBytes = 4 * tileBytes
	some, subsets := int(c.long("someQuads")), int(c.long("subsets"))
	table := f.let(tI32, load("i32.load", half, halfTable))
	quads := op("i32.shr_u", op("i32.add", load("i32.load", half, halfUnits), num32(3)), num32(2))
	stop := f.let(tI32, op("i32.add", w, op("i32.mul", quads, num32(quadBytes))))
	from, to, last, offsets := f.let(tI32, w), f.local(tI32), f.local(tI32), f.let(tI32, num32(listBody))
	f.loop(func() {
		f.set(last, op("i32.add", from, num32(some*quadBytes)))
		f.set(last, op("select", last, stop, op("i32.lt_u", last, stop)))
		f.set(to, table)
		f.count(from, from, last, quadBytes, func() {
			for k := 0; k < tileBytes; k += 16 {
				sums := make([]expr, subsets)
				for s := 1; s < subsets; s++ {
					low := s & -s
					if s == low {
						sums[s] = f.let(tV128, load("v128.load", from, k+tileBytes*bits.TrailingZeros(uint(s))))
					} else {
						sums[s] = f.let(tV128, op("i64x2.add", sums[s-low], sums[low]))
					}
					f.store("v128.store", to, k+s*tileBytes, sums[s])
				}
			}
			f.set(to, op("i32.add", to, num32(subsets*tileBytes)))
		})
		each(func() {
			f.set(t.p, op("i32.add", list, offsets))
			f.set(t.end, op("i32.add", t.p, op("i32.shr_u", op("i32.sub", to, table), num32(8)))) // 4 bytes a quad
			t.read(op("select", acc, start, op("i32.gt_u", offsets, num32(listBody))))
			t.add("i64x2.add", table) // a quad too many is off: zeros
			t.write(acc)
		})
		f.set(offsets, op("i32.add", offsets, num32(4*some)))
	}, func() expr { return op("i32.lt_u", from, stop) })
}

// listQuads is the rest of drawLayer for a row of which many units flipped: from bits
// to a list of where the sum of the subset of each quad that is on stands in its table.
func listQuads(c constants, f *fn, list, units, states expr) {
	to := f.let(tI32, op("i32.add", list, num32(listBody)))
	i, bits, first := f.local(tI32), f.local(tI64), f.local(tI32)
	f.count(i, num32(0), units, 64, func() {
		f.set(bits, load("i64.load", op("i32.add", states, op("i32.shr_u", i, num32(3))), 0))
		// 16 entries of 64 bytes a quad, in a table of some quads.
		f.set(first, op("i32.shl", op("i32.and", i, num32(4*int(c.long("someQuads"))-1)), num32(8)))
		for q := range 16 {
			at := op("i64.shl", bits, num64(6))
			if q > 1 {
				at = op("i64.shr_u", bits, num64(int64(4*q-6)))
			} else if q == 1 {
				at = op("i64.shl", bits, num64(2))
			}
			at = op("i32.and", op("i32.wrap_i64", at), num32(15<<6))
			f.store("i32.store", to, 4*q, op("i32.add", at, op("i32.add", first, num32(1024*q))))
		}
		f.set(to, op("i32.add", to, num32(64)))
	})
}
