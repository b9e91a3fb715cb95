package main

// Indices of the functions.
const (
	fnDraw = iota
	fnDrawExactly
	fnAdd
	fnAddNarrow
	fnFillPairs
	fnRareNormal
	fnExps
	fnFlip
)

// Offsets of the fields of job, half and sums in core/num/kernel/simd.go.
const (
	jobRows = 4 * iota
	jobScale
	jobBaseScale
	jobKey0
	jobKey1
	jobStep
	jobSlot
	jobPhase
	jobChanged
	jobStates
	jobLists
	jobListBytes
	jobOrder
	jobWanting
	jobWanted
	jobHalves
)
const (
	halfUnits = 4 * iota
	halfBlock
	halfAct
	halfActStride
	halfState
	halfStateStride
	halfBase
	halfW
	halfWStride
	halfOut
	halfOutStride
	halfTiles
	halfC
	halfG
	halfLinC
	halfLinG
	halfTable
	halfStart
	halfMany
	halfNarrow
	halfShift
	halfFlip
	halfBytes
)
const (
	sumsRows = 4 * iota
	sumsUnits
	sumsAct
	sumsActStride
	sumsScale
	sumsScales
	sumsOut
)

const tileBytes = 64 // 16 units

// sweep(job) is Rows.Sweep. Some rows pass through both layers together: their weights are added tile by tile, so that
// a tile stays in cache.
func sweep(c constants) *fn {
	f, p := begin(1)
	blockRows := int(c.long("blockRows"))
	job := p[0]
	row, n, i, half := f.local(tI32), f.local(tI32), f.local(tI32), f.local(tI32)
	rows := f.let(tI32, load("i32.load", job, jobRows))
	f.when(rows, func() {
		f.count(row, num32(0), rows, blockRows, func() {
			f.set(n, op("i32.sub", rows, row))
			f.set(n, op("select", n, num32(blockRows), op("i32.lt_u", n, num32(blockRows))))
			f.set(half, op("i32.add", job, num32(jobHalves)))
			f.store("i32.store", job, jobWanted, load("i32.load", job, jobWanting))
			f.store("i32.store", job, jobWanting, num32(0))
			for range 2 {
				f.count(i, num32(0), n, 1, func() {
					at := op("i32.add", row, i)
					f.when(flips(half, at), func() { f.call(fnFlip, job, half, at, i) })
					f.when(op("i32.eqz", flips(half, at)), func() { f.call(fnDraw, job, half, at, i) })
				})
				add(f, job, half, row, n)
				f.set(half, op("i32.add", half, num32(halfBytes)))
			}
		})
	})
	return f
}

// rebuild(job) is Rows.addOnes of one row.
func rebuild() *fn {
	f, p := begin(1)
	job := p[0]
	field := func(offset int) expr { return load("i32.load", job, offset) }
	list := f.let(tI32, field(jobLists))
	changed, states := f.let(tI32, field(jobChanged)), f.let(tI32, field(jobStates))
	half, units, state, i := f.local(tI32), f.local(tI32), f.local(tI32), f.local(tI32)
	for n := range 2 {
		f.set(half, op("i32.add", job, num32(jobHalves+n*halfBytes)))
		f.set(units, load("i32.load", half, halfUnits))
		f.set(state, load("i32.load", half, halfState))
		f.count(i, num32(0), units, 16, func() {
			on := f.let(tI32, op("i8x16.bitmask", op("i8x16.neg", load("v128.load", op("i32.add", state, i), 0))))
			for _, bits := range []expr{changed, states} {
				f.store("i32.store16", op("i32.add", bits, op("i32.shr_u", i, num32(3))), 0, on)
			}
		})
		markEnd(f, changed, states, i)
		f.store("i32.store", list, listAnew, num32(0))
		listFlips(f, job, half, num32(0), list, units, changed, states)
		add(f, job, half, num32(0), num32(1))
	}
	return f
}

// flips returns 1 if the units of a row of a half flip, otherwise 0.
func flips(half, row expr) expr {
	return load("i32.load8_u", op("i32.add", load("i32.load", half, halfFlip), row), 0)
}

// add calls addRows for the tiles of a half.
func add(f *fn, job, half, row, n expr) {
	narrow := load("i32.load", half, halfNarrow)
	f.when(narrow, func() { f.call(fnAddNarrow, job, half, row, n) })
	f.when(op("i32.eqz", narrow), func() { f.call(fnAdd, job, half, row, n) })
}

// at returns p + i*stride.
func at(p, i, stride expr) expr { return op("i32.add", p, op("i32.mul", i, stride)) }
