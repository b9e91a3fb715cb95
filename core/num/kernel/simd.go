package kernel

import (
	"runtime"
	"unsafe"

	"logzlab/core/num/rng"
)

//go:generate go run ./gen

// simd is the accelerator of the SIMD module simd.wasm, which gen assembles. The module works in place on the memory of
// Rows; a call takes the address of a job or sums in that memory.
type simd struct {
	p    *Rows
	base uintptr                                    // start of the module's memory
	room func(words int) []uint64                   // allocates in it
	bind func(export string, address uint32) func() // binds an export to its argument

	job                  *job
	sums                 *sums
	hidden, visible      half
	whole                *ladderRoom
	done                 []uint32 // 1 for each row whose ladder the module has computed
	runSweep, runRebuild func()
	runLadder            func()
	runSums              [2]func() // in float64, and with exponentials in float32
}

// job has the arguments of a call of sweep, read by the module: addresses and numbers.
type job struct {
	rows             uint32
	scale, baseScale uint32
	key              [2]uint32
	step, slot       uint32
	phase            uint32
	changed, states  uint32 // memory for a bit of each unit
	lists, listBytes uint32 // memory for the lists of blockRows rows
	order            uint32 // memory for their addresses
	wanting, wanted  uint32 // number of rows that would use recomputed sums, in this block and in the previous one
	halves           [2]half
}

// half is one layer of a sweep: its units are drawn from the sums act, and the weights of those that flip are added to
// the sums out of the other layer.
type half struct {
	units, block     uint32 // block is the draw counter of the first four units
	act, actStride   uint32
	state, stateSize uint32
	base             uint32
	w, wStride       uint32 // wStride is the distance of tiles
	out, outStride   uint32
	tiles            uint32 // number of tiles of out that are kept up to date
	c, g, linC, linG uint32 // c = 0: the layer has no linear forms

	// If more than many units of a row flip, its sums out are recomputed from start (Matrix.twice) and the sums of quints
	// in table. Only hidden layers have a table: few visible units are on, and fewer flip.
	table, start, many uint32 // many = 0: never

	narrow, shift uint32 // see tiling
	flip          uint32 // by row: units flip, see Layer.Flip
}

// sums has the arguments of a call of softplus.
type sums struct {
	rows, units    uint32
	act, actStride uint32
	scale, scales  uint32
	out            uint32
}

// The module decides most draws by 2^y, y = x log2 e between powerMin and powerMax: a power of two times a polynomial
// in y minus the nearest integer, with a relative error of 2.7e-6. Including the rounding of y, the relative error of 1
// + e^x, or of e^x for flips, is below 5e-6. Below powerMin the value at powerMin is used. Above powerMax a unit does
// not turn on, or flip, unless the first 24 bits of its random number are 0, in which case the exact rule decides. Let
// p be those 24 bits times 1 + e^x, or e^x: the unit does not turn on or flip if p >= powerMaybe, and does if the sum
// of p and this factor is below powerSurely; in between the exact rule decides.
const (
	powerMaybe  float32 = 16777344 // 2^24 + 2^7
	powerSurely float32 = 16777088 // 2^24 - 2^7

	powerMin float32 = -30
	powerMax float32 = 40
	powerC0  float32 = 0.999999285
	powerC1  float32 = 0.693121791
	powerC2  float32 = 0.240247443
	powerC3  float32 = 0.0559178591
	powerC4  float32 = 0.00957010221
)

// blockRows is the number of rows whose flips the module lists at a time.
const blockRows = 112

// listBytes returns the size of one row's list for a layer of n units: four header numbers, one for each unit, and two
// that make the lists even. A list of quints needs less: for each someQuints two numbers and two that make it even.
func listBytes(n int) int { return 24 + 4*max(n, (quints(n)/someQuints+1)*(someQuints+4)) }

// newSIMD returns the accelerator of p; the parameters are fields of simd.
func newSIMD(p *Rows, base uintptr, room func(words int) []uint64,
	bind func(export string, address uint32) func()) *simd {
	m, j := p.VH.Rows, p.VH.Cols
	n := max(Padded(m), Padded(j))
	s := &simd{p: p, base: base, room: room, bind: bind}
	const jobWords, sumsWords = int(unsafe.Sizeof(job{})+7) / 8, int(unsafe.Sizeof(sums{})+7) / 8

	// Memory for all parts.
	rows := min(len(p.LinC), blockRows)
	table := 0
	if len(p.LinC) >= ManyRows {
		table = (signedSums*someQuints+1)*tileWords + Words(m) // the last line is zero
	}
	never := (len(p.Flip) + 7) / 8
	rest := room(table + jobWords + sumsWords + 2*(n/64+2) + n + rows + never + rows*listBytes(n)/8)
	take := func(words int) unsafe.Pointer {
		at := unsafe.Pointer(&rest[0])
		rest = rest[words:]
		return at
	}

	// The addresses of the parts.
	signed := take(table) // first, to be aligned with cache lines
	s.job = (*job)(take(jobWords))
	s.sums = (*sums)(take(sumsWords))
	words := n/64 + 2 // one more for the end mark of the module
	s.job.changed, s.job.states = s.address(take(words)), s.address(take(words))
	noBase := s.address(take(n / 2))
	logits := take(n / 2)
	copy(unsafe.Slice((*float32)(logits), n), p.Base)
	s.job.order = s.address(take(rows))
	noFlip := s.address(take(never))
	s.job.lists, s.job.listBytes = s.address(unsafe.Pointer(&rest[0])), uint32(listBytes(n))

	// The two halves of a sweep.
	actH, actV := at(s, p.actH), at(s, p.actV)
	s.hidden = half{units: uint32(j), act: actH, actStride: uint32(8 * Words(j)), state: at(s, p.h),
		stateSize: uint32(Padded(j)),
		flip:      noFlip, base: noBase, wStride: uint32(8 * tileWords * tiledRows(j)), out: actV,
		outStride: uint32(8 * Words(m))}
	s.visible = half{act: actV, actStride: uint32(8 * Words(m)), state: at(s, p.v), stateSize: uint32(Padded(m)),
		flip: at(s, p.Flip), base: s.address(logits), wStride: uint32(8 * tileWords * tiledRows(m)), out: actH,
		outStride: uint32(8 * Words(j)),
		tiles:     uint32(Padded(j) / tile)}
	s.hidden.read(s, p.HV.lines())
	s.visible.read(s, p.VH.lines())
	if len(p.C) > 0 {
		s.visible.c, s.visible.g, s.visible.linC, s.visible.linG = at(s, p.C), at(s, p.G), at(s, p.LinC), at(s, p.LinG)
	}

	// The table of signed sums.
	if table > 0 {
		all := unsafe.Slice((*int64)(signed), table)
		start := all[table-Words(m):]
		p.HV.twice(start, p.C0)
		s.hidden.table, s.hidden.start, s.hidden.many = s.address(signed), at(s, start), uint32(quints(j))
	}

	// The functions of the module.
	*s.sums = sums{units: uint32(j), act: actH, actStride: uint32(8 * Words(j))}
	s.runSweep = bind("sweep", s.address(unsafe.Pointer(s.job)))
	s.runRebuild = bind("rebuild", s.address(unsafe.Pointer(s.job)))
	for i, name := range []string{"softplus", "softplus32"} {
		s.runSums[i] = bind(name, s.address(unsafe.Pointer(s.sums)))
	}
	return s
}

// address returns the address of x for the module. Heap objects of Go do not move; x must be one, and the caller keeps
// it alive while the address is in use.
func (s *simd) address(x unsafe.Pointer) uint32 { return uint32(uintptr(x) - s.base) }

func at[T any](s *simd, x []T) uint32 { return s.address(unsafe.Pointer(unsafe.SliceData(x))) }

// read sets the address of the weights of a half.
func (h *half) read(s *simd, t tiling) {
	h.w, h.shift = at(s, t.w), uint32(t.shift)
	if t.narrow {
		h.narrow = 1
	}
}

// from returns the half of the rows from lo on.
func (h half) from(lo uint32) half {
	h.act += lo * h.actStride
	h.state += lo * h.stateSize
	h.out += lo * h.outStride
	h.flip += lo
	h.linC += 8 * lo
	h.linG += 8 * lo
	return h
}

func (s *simd) sweep(row0 rng.At, lo, hi, visible int, back bool) {
	j := s.job
	j.rows = uint32(hi - lo)
	j.key, j.step, j.slot, j.phase = row0.Key, row0.Step, row0.Slot+uint32(lo), row0.Phase
	j.scale, j.baseScale = at(s, s.p.Scale[lo:]), at(s, s.p.BaseScale[lo:])
	s.visible.units, s.hidden.tiles = uint32(visible), uint32(Padded(visible)/tile)
	j.halves = [2]half{s.hidden.from(uint32(lo)), s.visible.from(uint32(lo))}
	if back {
		j.halves[0], j.halves[1] = j.halves[1], j.halves[0]
	}
	j.halves[1].block = (j.halves[0].units + 3) / 4
	s.runSweep()
	runtime.KeepAlive(s)
}

func (s *simd) rebuild(r int) {
	s.visible.units, s.hidden.tiles = uint32(s.p.VH.Rows), uint32(Padded(s.p.VH.Rows)/tile)
	s.job.halves = [2]half{s.hidden.from(uint32(r)), s.visible.from(uint32(r))}
	s.runRebuild()
	runtime.KeepAlive(s)
}

func (s *simd) softplus(lo, hi int, scale, out []float64, single bool) {
	d := s.sums
	d.rows, d.scale, d.scales, d.out = uint32(hi-lo), at(s, scale), uint32(len(scale)), at(s, out)
	d.act = s.hidden.act + uint32(lo)*d.actStride
	if single {
		s.runSums[1]()
	} else {
		s.runSums[0]()
	}
	runtime.KeepAlive(scale)
	runtime.KeepAlive(out)
	runtime.KeepAlive(s)
}
