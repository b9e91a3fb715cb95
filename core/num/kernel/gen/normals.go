package main

import "math"

// Offsets of the fields of filterRoom in core/num/kernel/simd_filter.go.
const (
	filterCentre = 8 * iota
	filterPhi
	filterSD
	filterFirst
	filterFields
)
const (
	filterData = filterFields + 4*iota
	filterParticles
	filterY
	filterTop
	filterSum
	filterX
	filterOld
	filterW
	filterFrom
	filterKey0
	filterKey1
	filterBlock
	filterStep
	filterSlot
	filterPhase
	filterPosition
	filterDone
	_
	filterNumber
)

// pairs is the stream of a filter. Its position runs over all pairs of words in the working memory.
type pairs struct {
	f                     *fn
	room, place, end      expr
	normals, words, edges int // offsets
}

func newPairs(f *fn, c constants, room expr) *pairs {
	n := 8 * int(c.long("filterPairs"))
	p := &pairs{f: f, room: room, normals: filterNumber + 16}
	p.words, p.edges = p.normals+n, p.normals+2*n
	p.place, p.end = f.local(tI32), f.let(tI32, op("i32.add", room, num32(n)))
	return p
}

// next advances by a pair.
func (p *pairs) next() {
	p.f.set(p.place, op("i32.add", p.place, num32(8)))
	p.f.when(op("i32.eq", p.place, p.end), func() {
		p.f.call(fnFillPairs, p.room)
		p.f.set(p.place, p.room)
	})
}

// word returns the current pair, the second word in the lower half.
func (p *pairs) word() expr { return load("i64.load", p.place, p.words) }

// middle returns the midpoint of the cell of the current pair, see rng.Stream.Float64, times 2^52.
func (p *pairs) middle() expr {
	return op("f64.add", op("f64.convert_i64_s", op("i64.shr_u", p.word(), num64(12))), f64(.5))
}

// uniform is rng.Stream.Float64, applied to the current pair.
func (p *pairs) uniform() expr { return op("f64.mul", p.middle(), f64(1./(1<<52))) }

// normal sets z to rng.Stream.Normal and advances.
func (p *pairs) normal(z expr) {
	f := p.f
	f.set(z, load("f64.load", p.place, p.normals))
	f.when(op("f64.ne", z, z), func() {
		f.store("i32.store", p.room, filterPosition, p.place)
		f.call(fnRareNormal, p.room)
		f.set(p.place, load("i32.load", p.room, filterPosition))
		f.set(z, load("f64.load", p.room, filterNumber))
	})
	p.next()
}

// fillPairs(room) draws the next pairs of words, and computes rng.Stream.Normal for each that needs no more words.
func fillPairs(c constants) *fn {
	f, arg := begin(1)
	p := newPairs(f, c, arg[0])
	field := func(offset int) expr { return f.let(tV128, load("v128.load32_splat", p.room, offset)) }
	random := newPhilox(f, c, [2]expr{field(filterKey0), field(filterKey1)}, field(filterPhase), field(filterSlot),
		field(filterStep))
	block := f.let(tV128, op("i32x4.add", field(filterBlock), vec(1<<32, 3<<32|2)))
	layer := vec64(uint64(c.long("Layers") - 1))
	// Words as the last bits of numbers in [2, 4): all but the product with an edge is exact.
	two, three, half := f64x2(2), f64x2(3), f64x2(1./(1<<52))
	f.count(p.place, p.room, p.end, 64, func() {
		for i, words := range random.words(f, block, func(int) {}) {
			words = f.let(tV128, shuffle(words, words, 1, 0, 3, 2))
			f.store("v128.store", p.place, p.words+16*i, words)
			layers := f.let(tV128, op("i64x2.shl", op("v128.and", words, layer), num32(3)))
			edges := func(i byte) expr {
				return f.let(tV128, load("v128.load", op("i32.add", p.room, lane32(layers, i)), p.edges))
			}
			a, b := edges(0), edges(2)
			x := op("v128.or", op("i64x2.shr_u", words, num32(12)), two)
			x = op("f64x2.mul", op("f64x2.add", op("f64x2.sub", x, three), half), shuffle(a, b, 0, 1, 4, 5))
			x = f.let(tV128, x)
			x = op("v128.or", x, op("f64x2.ge", op("f64x2.abs", x), shuffle(a, b, 2, 3, 6, 7)))
			f.store("v128.store", p.place, p.normals+16*i, x)
		}
		f.set(block, op("i32x4.add", block, i32x4(4)))
	})
	f.store("i32.store", p.room, filterBlock, lane32(block, 0))
	return f
}

// rareNormal(room) is rng.Stream.Normal if the current pair is not enough. It ends at the last pair that is used.
func rareNormal(c constants) *fn {
	f, arg := begin(1)
	p := newPairs(f, c, arg[0])
	f.set(p.place, load("i32.load", p.room, filterPosition))
	word, edge, x, square, done := f.local(tI32), f.local(tI32), f.local(tF64), f.local(tF64), f.local(tI32)
	y, u := f.local(tF64), f.local(tF64)

	// Two numbers at a time go through memory.
	numbers := func(a, b expr) {
		f.store("f64.store", p.room, filterNumber, a)
		f.store("f64.store", p.room, filterNumber+8, b)
	}
	number := func(i int) expr { return load("f64.load", p.room, filterNumber+8*i) }

	// A layer of the ziggurat, and a position in the layer.
	f.loop(func() {
		f.set(word, op("i32.shl", op("i32.and", op("i32.wrap_i64", p.word()), num32(int(c.long("Layers")-1))), num32(3)))
		f.set(edge, op("i32.add", p.room, word))
		f.set(x, op("f64.mul", op("f64.sub", op("f64.mul", p.middle(), f64(1./(1<<51))), f64(1)),
			load("f64.load", edge, p.edges)))
		p.next()
		f.when(op("i32.eqz", word), func() { // the tail
			f.loop(func() {
				f.set(u, p.uniform())
				p.next()
				numbers(u, p.uniform())
				logs := f.let(tV128, logOf(f, c, load("v128.load", p.room, filterNumber)))
				f.set(y, op("f64.div", op("f64.neg", lane(logs, 0)), f64(c.double("ziggurat"))))
				f.set(u, op("f64.neg", lane(logs, 1)))
				f.set(done, op("f64.gt", op("f64.add", u, u), op("f64.mul", y, y)))
				f.when(op("i32.eqz", done), p.next)
			}, func() expr { return op("i32.eqz", done) })
			f.set(x, op("f64.copysign", op("f64.add", f64(c.double("ziggurat")), y), x))
		})

		// At the rim of a layer the density decides.
		f.when(word, func() {
			f.set(square, op("f64.mul", x, x))
			over := func(i int) expr { // half of the square of x minus that of an edge
				e := f.let(tF64, load("f64.load", edge, p.edges+8*i))
				return op("f64.mul", op("f64.sub", square, op("f64.mul", e, e)), f64(.5))
			}
			numbers(over(0), over(1))
			f.call(fnExps, p.room)
			y := op("f64.mul", p.uniform(), op("f64.sub", number(0), number(1)))
			f.set(done, op("f64.lt", op("f64.add", number(1), y), f64(1)))
			f.when(op("i32.eqz", done), func() {
				p.next()
				f.set(x, load("f64.load", p.place, p.normals))
				f.set(done, op("f64.eq", x, x))
			})
		})
	}, func() expr { return op("i32.eqz", done) })

	// The normal number, and the pairs used.
	f.store("i32.store", p.room, filterPosition, p.place)
	f.store("f64.store", p.room, filterNumber, x)
	return f
}

// exps(room) is num.Exp of two numbers, in place.
func exps(c constants) *fn {
	f, arg := begin(1)
	x := f.let(tV128, load("v128.load", arg[0], filterNumber))
	over := f.let(tV128, op("f64x2.lt", f64x2(c.double("expOver")), x))
	e := op("v128.andnot", newExp(f, c).whole(f, c, x), over)
	f.store("v128.store", arg[0], filterNumber, op("v128.or", e, op("v128.and", over, f64x2(math.Inf(1)))))
	return f
}
