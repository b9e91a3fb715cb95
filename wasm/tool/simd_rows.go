package main

// tileSums adds weights to the sums of a tile, which it holds in registers.
type tileSums struct {
	f      *fn
	w      expr // the weights of the tile
	p, end expr // a list of offsets from w
	sum    [tileBytes / 16]expr
	from   [2]expr
}

func newTileSums(f *fn) *tileSums {
	t := &tileSums{f: f, w: f.local(tI32), p: f.local(tI32), end: f.local(tI32)}
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

// list adds (i64x2.add) or subtracts (i64x2.sub) the weights of the list, rows at
// once while there are so many.
func (t *tileSums) list(name string, rows int) {
	f := t.f
	last := f.let(tI32, op("i32.sub", t.end, num32(4*(rows-1))))
	f.when(op("i32.lt_u", t.p, last), func() {
		f.loop(func() {
			for r := range rows {
				f.set(t.from[r], op("i32.add", t.w, load("i32.load", t.p, 4*r)))
			}
			for k, sum := range t.sum {
				x := load("v128.load", t.from[0], 16*k)
				if rows == 2 {
					x = op("i64x2.add", x, load("v128.load", t.from[1], 16*k))
				}
				f.set(sum, op(name, sum, x))
			}
			f.set(t.p, op("i32.add", t.p, num32(4*rows)))
		}, func() expr { return op("i32.lt_u", t.p, last) })
	})
}

// addRows(job, half, row, n) is Matrix.Update of rows row..row+n-1: it adds to the
// sums of the other layer what their lists name, or makes the sums anew.
func addRows() *fn {
	f, p := begin(4)
	job, half, row, n := p[0], p[1], p[2], p[3]
	field := func(offset int) expr { return f.let(tI32, load("i32.load", half, offset)) }
	outStride := field(halfOutStride)
	out := f.let(tI32, at(field(halfOut), row, outStride))
	lists, listBytes := f.let(tI32, load("i32.load", job, jobLists)), f.let(tI32, load("i32.load", job, jobListBytes))
	w, wStride, quads, quadStride, start := field(halfW), field(halfWStride), field(halfQuads), field(halfQuadStride), field(halfStart)
	tile, tiles := f.local(tI32), field(halfTiles)
	i, acc, list, anew := f.local(tI32), f.local(tI32), f.local(tI32), f.local(tI32)
	t := newTileSums(f)
	some, line, sink := f.local(tI32), f.local(tI32), f.local(tI32)
	f.set(list, lists)
	f.count(i, num32(0), n, 1, func() {
		f.set(some, op("i32.or", some, load("i32.load", list, listAnew)))
		f.set(list, op("i32.add", list, listBytes))
	})
	f.count(tile, num32(0), tiles, 1, func() {
		// Rows pick from the sums of quads here and there. Read from end to end beforehand,
		// a tile of them comes from the third-level cache at full speed.
		f.when(some, func() {
			const lines = 8
			f.count(line, quads, op("i32.add", quads, quadStride), 64*lines, func() {
				for k := range lines {
					f.set(sink, op("i32.or", sink, load("i32.load", line, 64*k)))
				}
			})
		})
		f.set(acc, out)
		f.set(list, lists)
		f.count(i, num32(0), n, 1, func() {
			f.set(anew, load("i32.load", list, listAnew))
			f.set(t.w, op("select", quads, w, anew))
			t.read(op("select", start, acc, anew))
			f.set(t.p, op("i32.add", list, num32(listBody)))
			f.set(t.end, load("i32.load", list, listEnd))
			t.list("i64x2.add", 2)
			t.list("i64x2.add", 1)
			f.set(t.p, load("i32.load", list, listBegin))
			f.set(list, op("i32.add", list, listBytes))
			f.set(t.end, list)
			t.list("i64x2.sub", 2)
			t.list("i64x2.sub", 1)
			t.write(acc)
			f.set(acc, op("i32.add", acc, outStride))
		})
		for _, x := range [][2]expr{{out, num32(tileBytes)}, {w, wStride}, {quads, quadStride}, {start, num32(tileBytes)}} {
			f.set(x[0], op("i32.add", x[0], x[1]))
		}
	})
	return f
}

// listQuads is the rest of drawLayer for a row of which many units flipped, from bits
// to a list of the quads that are not off. It has an even number of them, to save a
// jump: the first quad may stand there though it is off.
func listQuads(f *fn, list, listBytes, units, states expr) {
	end := f.let(tI32, op("i32.add", list, num32(listBody)))
	i, bits, subset := f.local(tI32), f.local(tI32), f.local(tI32)
	f.count(i, num32(0), units, 32, func() {
		f.set(bits, load("i32.load", op("i32.add", states, op("i32.shr_u", i, num32(3))), 0))
		for q := range 8 {
			f.set(subset, op("i32.and", op("i32.shr_u", bits, num32(4*q)), num32(15)))
			f.store("i32.store", end, 0, op("i32.shl", op("i32.add", op("i32.add", op("i32.shl", i, num32(2)), num32(16*q)), subset), num32(6)))
			f.set(end, op("i32.add", end, op("i32.shl", op("i32.gt_u", subset, num32(0)), num32(2))))
		}
	})
	f.store("i32.store", end, 0, num32(0))
	f.store("i32.store", list, listEnd, op("i32.add", end, op("i32.and", op("i32.sub", end, list), num32(4))))
	f.store("i32.store", list, listBegin, op("i32.add", list, listBytes))
}
