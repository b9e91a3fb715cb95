package main

// tileSums adds weights to the sums of a tile, which it holds in registers.
type tileSums struct {
	f      *fn
	w      expr // the weights of the tile
	p, end expr // a list of offsets from w
	sum    [tileBytes / 16]expr
	from   [2]expr
}

func newTileSums(f *fn, w expr) *tileSums {
	t := &tileSums{f: f, w: w, p: f.local(tI32), end: f.local(tI32)}
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

// list adds (i64x2.add) or subtracts (i64x2.sub) all weights of the list.
func (t *tileSums) list(name string) {
	f := t.f
	for _, rows := range []int{2, 1} { // that many at once
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
}

// overTiles runs row for every tile of the sums out of half and for rows
// row..row+n-1 of each: acc is where the row's sums are, list its list. Before the
// rows of a tile comes begin, after them end.
func overTiles(f *fn, p []expr, begin func(), each func(acc, list, listBytes expr), end func()) {
	job, half, row, n := p[0], p[1], p[2], p[3]
	outStride := f.let(tI32, load("i32.load", half, halfOutStride))
	out := f.let(tI32, at(load("i32.load", half, halfOut), row, outStride))
	lists, listBytes := f.let(tI32, load("i32.load", job, jobLists)), f.let(tI32, load("i32.load", job, jobListBytes))
	tile, tiles := f.local(tI32), f.let(tI32, load("i32.load", half, halfTiles))
	i, acc, list := f.local(tI32), f.local(tI32), f.local(tI32)
	f.count(tile, num32(0), tiles, 1, func() {
		begin()
		f.set(acc, out)
		f.set(list, lists)
		f.count(i, num32(0), n, 1, func() {
			each(acc, list, listBytes)
			f.set(list, op("i32.add", list, listBytes))
			f.set(acc, op("i32.add", acc, outStride))
		})
		f.set(out, op("i32.add", out, num32(tileBytes)))
		end()
	})
}

// addFlips(job, half, row, n) is Matrix.Update of rows row..row+n-1: it adds to
// the sums of the other layer the weights of the units that their lists name.
func addFlips() *fn {
	f, p := begin(4)
	t := newTileSums(f, f.let(tI32, load("i32.load", p[1], halfW)))
	stride := f.let(tI32, load("i32.load", p[1], halfWStride))
	overTiles(f, p, func() {}, func(acc, list, listBytes expr) {
		t.read(acc)
		f.set(t.p, op("i32.add", list, num32(8)))
		f.set(t.end, load("i32.load", list, 0))
		t.list("i64x2.add")
		f.set(t.p, load("i32.load", list, 4))
		f.set(t.end, op("i32.add", list, listBytes))
		t.list("i64x2.sub")
		t.write(acc)
	}, func() { f.set(t.w, op("i32.add", t.w, stride)) })
	return f
}

// addQuads(job, half, row, n) does the same by making the sums anew: start, and the
// sums of the quads that the lists name.
func addQuads() *fn {
	f, p := begin(4)
	t := newTileSums(f, f.let(tI32, load("i32.load", p[1], halfQuads)))
	stride := f.let(tI32, load("i32.load", p[1], halfQuadStride))
	start := f.let(tI32, load("i32.load", p[1], halfStart))
	i, sink := f.local(tI32), f.local(tI32)
	overTiles(f, p, func() {
		// The lists pick from a tile here and there. Read from end to end beforehand it
		// comes from the third-level cache at full speed.
		const lines = 8
		f.count(i, t.w, op("i32.add", t.w, stride), 64*lines, func() {
			for k := range lines {
				f.set(sink, op("i32.or", sink, load("i32.load", i, 64*k)))
			}
		})
	}, func(acc, list, listBytes expr) {
		t.read(start)
		f.set(t.p, op("i32.add", list, num32(8)))
		f.set(t.end, load("i32.load", list, 0))
		t.list("i64x2.add")
		t.write(acc)
	}, func() {
		f.set(t.w, op("i32.add", t.w, stride))
		f.set(start, op("i32.add", start, num32(tileBytes)))
	})
	return f
}

// listQuads is the rest of drawLayer with quads, from bits to a list of the quads
// that are not off, which begins with its end. It makes the linear forms anew.
func listQuads(f *fn, c constants, job, half, row, place, units, states expr) {
	list := f.let(tI32, at(load("i32.load", job, jobLists), place, load("i32.load", job, jobListBytes)))
	end := f.let(tI32, op("i32.add", list, num32(8)))
	forms := f.let(tI32, load("i32.load", half, halfForms))
	i, bits, subset, quad := f.local(tI32), f.local(tI32), f.local(tI32), f.local(tI32)
	sums := f.let(tV128, vec64(0))
	listed := int(c.long("listed"))
	f.count(i, num32(0), units, 4*listed, func() {
		f.set(bits, load("i32.load", op("i32.add", states, op("i32.shr_u", i, num32(3))), 0))
		f.when(bits, func() {
			for q := range listed {
				f.set(subset, op("i32.and", op("i32.shr_u", bits, num32(4*q)), num32(15)))
				f.set(quad, op("i32.add", op("i32.add", op("i32.shl", i, num32(2)), num32(16*q)), subset))
				f.store("i32.store", end, 0, op("i32.shl", quad, num32(6)))
				f.set(end, op("i32.add", end, op("i32.shl", op("i32.gt_u", subset, num32(0)), num32(2))))
				f.when(forms, func() {
					f.set(sums, op("i64x2.add", sums, load("v128.load", op("i32.add", forms, op("i32.shl", quad, num32(4))), 0)))
				})
			}
		})
	})
	f.store("i32.store", list, 0, end)
	f.when(forms, func() {
		f.store("i64.store", at(load("i32.load", half, halfLinC), row, num32(8)), 0, lane64(sums, 0))
		f.store("i64.store", at(load("i32.load", half, halfLinG), row, num32(8)), 0, lane64(sums, 1))
	})
}
