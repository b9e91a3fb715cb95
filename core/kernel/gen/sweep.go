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
)

// Offsets of the fields of job, half and sums in core/kernel/simd.go.
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

// sweep(job) is Rows.Sweep. Some rows go through both layers together: their
// weights are added tile by tile, so that a tile stays in cache.
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
				f.count(i, num32(0), n, 1, func() { f.call(fnDraw, job, half, op("i32.add", row, i), i) })
				narrow := load("i32.load", half, halfNarrow)
				f.when(narrow, func() { f.call(fnAddNarrow, job, half, row, n) })
				f.when(op("i32.eqz", narrow), func() { f.call(fnAdd, job, half, row, n) })
				f.set(half, op("i32.add", half, num32(halfBytes)))
			}
		})
	})
	return f
}

// at is p + i*stride.
func at(p, i, stride expr) expr { return op("i32.add", p, op("i32.mul", i, stride)) }
