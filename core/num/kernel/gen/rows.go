package main

import "math/bits"

// tileSums adds weights to the sums of a tile, which are kept in registers.
type tileSums struct {
	f      *fn
	p, end expr // a list of offsets
	sum    [tileBytes / 16]expr
	from   [2]expr

	// Narrow tiles (tiling in tiles.go): the sums of the other 16 units, whether these are used, and the shift.
	narrow      bool
	second      [tileBytes / 16]expr
	both, shift expr
}

func newTileSums(f *fn, narrow bool) *tileSums {
	t := &tileSums{f: f, p: f.local(tI32), end: f.local(tI32), narrow: narrow}
	for k := range t.sum {
		t.sum[k] = f.local(tV128)
		if narrow {
			t.second[k] = f.local(tV128)
		}
	}
	for r := range t.from {
		t.from[r] = f.local(tI32)
	}
	return t
}

// begin loads the sums at an address. Narrow sums start from 2^15, so that none borrows from the next, and write adds
// those at the address.
func (t *tileSums) begin(at expr) {
	for k, sum := range t.sum {
		if t.narrow {
			t.f.set(sum, vec64(0x8000800080008000))
		} else {
			t.f.set(sum, load("v128.load", at, 16*k))
		}
	}
}

// write stores the sums at an address; narrow sums are separated and added to those at from before. done, if not nil,
// transforms the sums before they are stored.
func (t *tileSums) write(from, to expr, done func(sums []expr)) {
	write := func(sums []expr, offset int) {
		for k, sum := range sums {
			if t.narrow {
				x := op("i64x2.shl", op("i64x2.sub", sum, vec64(0x0000800000008000)), t.shift)
				t.f.set(sum, op("i64x2.add", x, load("v128.load", from, offset+16*k)))
			}
		}
		if done != nil {
			done(sums)
		}
		for k, sum := range sums {
			t.f.store("v128.store", to, offset+16*k, sum)
		}
	}
	if t.narrow {
		low := vec64(0x0000FFFF0000FFFF)
		for k, sum := range t.sum {
			t.f.set(t.second[k], op("v128.and", op("i64x2.shr_u", sum, num32(16)), low))
			t.f.set(sum, op("v128.and", sum, low))
		}
		t.f.when(t.both, func() { write(t.second[:], tileBytes) })
	}
	write(t.sum[:], 0)
}

// add adds (i64x2.add) or subtracts (i64x2.sub) the lines of a table that the list from p to end names, two at a time:
// with more, V8 loads all of them first and runs out of registers. The list must have even length.
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

// addRows(job, half, row, n) is Matrix.Update of rows row..row+n-1: it adds the weights of their lists to the sums of
// the other layer, or recomputes the sums. narrow is for narrow tiles.
func addRows(c constants, narrow bool) *fn {
	f, p := begin(4)
	job, half, row, n := p[0], p[1], p[2], p[3]
	field := func(offset int) expr { return f.let(tI32, load("i32.load", half, offset)) }
	outStride := field(halfOutStride)
	out := f.let(tI32, at(field(halfOut), row, outStride))
	w, wStride, start := field(halfW), field(halfWStride), field(halfStart)
	tile, tiles := f.local(tI32), field(halfTiles)
	list, listBytes := f.let(tI32, load("i32.load", job, jobLists)), f.let(tI32, load("i32.load", job, jobListBytes))

	// Lists of sums to be recomputed come first.
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

	// The loop over some of the lists.
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

	// Tile by tile: lists of flips, then sums to be recomputed.
	t, wide := newTileSums(f, narrow), 1 // number of tiles at a time
	if narrow {
		t.shift, t.both, wide = field(halfShift), f.local(tI32), 2
	}
	f.count(tile, num32(0), tiles, wide, func() {
		if narrow {
			f.set(t.both, op("i32.lt_u", op("i32.add", tile, num32(1)), tiles))
		}
		each(flips, end, func() {
			t.begin(acc)
			f.set(t.p, op("i32.add", list, num32(listBody)))
			f.set(t.end, load("i32.load", list, listEnd))
			t.add("i64x2.add", w)
			f.set(t.p, load("i32.load", list, listBegin))
			f.set(t.end, op("i32.add", list, listBytes))
			t.add("i64x2.sub", w)
			t.write(acc, acc, nil)
		})
		f.when(op("i32.lt_u", anew, mid), func() {
			t.quints(c, half, w, start, func(body func()) { each(anew, mid, body) }, list, acc)
		})
		for _, x := range [][2]expr{{out, num32(wide * tileBytes)}, {w, wStride}, {start, num32(wide * tileBytes)}} {
			f.set(x[0], op("i32.add", x[0], x[1]))
		}
	})
	return f
}

// A list of quints has a part for each table, which begins with the end of the entries to add and the start of the
// entries to subtract.
const (
	partEnd = 4 * iota
	partBegin
	partBody
)

// partBytes is the size of a part, with at most two lines of zeros.
func partBytes(c constants) int { return partBody + 4*(int(c.long("someQuints"))+2) }

// quints recomputes the sums acc of each list from start: alternately, the signed sums of some quints, and one of each
// quint for every list. The results are twice the sums.
func (t *tileSums) quints(c constants, half, w, start expr, each func(body func()), list, acc expr) {
	f := t.f
	const quintBytes = 5 * tileBytes
	some, sums := int(c.long("someQuints")), int(c.long("signedSums"))
	table := f.let(tI32, load("i32.load", half, halfTable))
	all := op("i32.mul", quintsOf(load("i32.load", half, halfUnits)), num32(quintBytes))
	stop := f.let(tI32, op("i32.add", w, all))
	from, to, last, part := f.let(tI32, w), f.local(tI32), f.local(tI32), f.let(tI32, num32(listBody))

	// The signed sums of some quints.
	f.loop(func() {
		f.set(last, op("i32.add", from, num32(some*quintBytes)))
		f.set(last, op("select", last, stop, op("i32.lt_u", last, stop)))
		f.set(to, table)
		f.count(from, from, last, quintBytes, func() {
			// Half a line at a time, each sum from one that differs in one unit: stores that fill consecutive cache
			// lines take half the time of stores that return to sixteen lines.
			for side := 0; side < tileBytes; side += tileBytes / 2 {
				var double [4][2]expr // twice the lines of the first units
				var sum [2]expr
				for k := range sum {
					x := func(unit int) expr { return load("v128.load", from, unit*tileBytes+side+16*k) }
					s := x(4) // the last unit is on
					for unit := range double {
						x := f.let(tV128, x(unit))
						s = op("i64x2.sub", s, x)
						double[unit][k] = f.let(tV128, op("i64x2.add", x, x))
					}
					sum[k] = f.let(tV128, s)
				}

				// All signs, by a Gray code.
				for i := range sums {
					on, name := i^i>>1, "i64x2.sub" // Gray code: units that are on
					unit := bits.TrailingZeros(uint(i))
					if on>>unit&1 != 0 {
						name = "i64x2.add"
					}
					for k := range sum {
						if i > 0 {
							f.set(sum[k], op(name, sum[k], double[unit][k]))
						}
						f.store("v128.store", to, on*tileBytes+side+16*k, sum[k])
					}
				}
			}
			f.set(to, op("i32.add", to, num32(sums*tileBytes)))
		})

		// The quints of each list.
		each(func() {
			f.set(last, op("i32.add", list, part))
			f.set(to, op("select", acc, start, op("i32.gt_u", part, num32(listBody))))
			t.begin(to)
			f.set(t.p, op("i32.add", last, num32(partBody)))
			f.set(t.end, load("i32.load", last, partEnd))
			t.add("i64x2.add", table)
			f.set(t.p, load("i32.load", last, partBegin))
			f.set(t.end, op("i32.add", last, num32(partBytes(c))))
			t.add("i64x2.sub", table)
			t.write(to, acc, func(sums []expr) {
				f.when(op("i32.eqz", op("i32.lt_u", from, stop)), func() { f.halve(sums) })
			})
		})
		f.set(part, op("i32.add", part, num32(partBytes(c))))
	}, func() expr { return op("i32.lt_u", from, stop) })
}

// halve divides even sums by two. x86 shifts vectors of 64-bit numbers without sign only, so they are made positive
// first.
func (f *fn) halve(sums []expr) {
	for _, sum := range sums {
		x := op("i64x2.shr_u", op("i64x2.add", sum, vec64(1<<63)), num32(1))
		f.set(sum, op("i64x2.sub", x, vec64(1<<62)))
	}
}

// quintsOf returns the number of quints of units.
func quintsOf(units expr) expr {
	return op("i32.div_u", op("i32.add", units, num32(4)), num32(5))
}

// listQuints is the last part of drawLayer for a row with many flips: it turns bits into the offset of the signed sum
// of each quint in its table, and whether it is added or subtracted.
func listQuints(c constants, f *fn, list, units, states expr) {
	some := int(c.long("someQuints"))
	part, end := f.let(tI32, op("i32.add", list, num32(listBody))), f.local(tI32)
	i, stop, line, at := f.let(tI32, num32(0)), f.local(tI32), f.local(tI32), f.local(tI32)
	on, off, bits, unit := f.local(tI32), f.local(tI32), f.local(tI64), f.local(tI32)
	zeros := num32(int(c.long("signedSums")) * tileBytes * some)

	// Some quints at a time.
	f.loop(func() {
		f.set(stop, op("i32.add", i, num32(5*some)))
		f.set(stop, op("select", stop, units, op("i32.lt_u", stop, units)))
		f.set(end, op("i32.add", part, num32(partBytes(c))))
		f.set(on, op("i32.add", part, num32(partBody)))
		f.set(off, end)
		f.set(line, num32(0))

		// Eight quints are five bytes.
		f.count(i, i, stop, 40, func() {
			f.set(bits, load("i64.load", op("i32.add", states, op("i32.shr_u", i, num32(3))), 0))
			for q := range 8 {
				f.set(unit, op("i32.and", op("i32.wrap_i64", op("i64.shr_u", bits, num64(int64(5*q+4)))), num32(1)))
				f.set(at, op("i32.wrap_i64", op("i64.shr_u", bits, num64(int64(5*q)))))
				// If the last unit is off, the index is the complement of the other bits.
				f.set(at, op("i32.and", op("i32.xor", at, op("i32.sub", unit, num32(1))), num32(15)))
				f.set(at, op("i32.add", op("i32.shl", at, num32(6)), op("i32.add", line, num32(1024*q))))
				f.store("i32.store", on, 0, at)
				f.store("i32.store", op("i32.sub", off, num32(4)), 0, at)
				f.set(unit, op("i32.shl", unit, num32(2)))
				f.set(on, op("i32.add", on, unit))
				f.set(off, op("i32.add", off, op("i32.sub", unit, num32(4))))
			}
			f.set(line, op("i32.add", line, num32(8*1024)))
		})

		// Quints beyond the last unit are off, and last in the list.
		f.set(off, op("i32.add", off, op("i32.shl", op("i32.sub", quintsOf(i), quintsOf(stop)), num32(2))))
		f.store("i32.store", on, 0, zeros)
		f.store("i32.store", op("i32.sub", off, num32(4)), 0, zeros)
		f.store("i32.store", part, partEnd, op("i32.add", on, op("i32.and", op("i32.sub", on, part), num32(4))))
		f.store("i32.store", part, partBegin, op("i32.sub", off, op("i32.and", op("i32.sub", end, off), num32(4))))
		f.set(part, end)
	}, func() expr { return op("i32.lt_u", i, units) })
}
