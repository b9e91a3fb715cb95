package kernel

import "logzlab/core/num/rng"

func init() {
	newAccelerator = func(p *Rows) accelerator {
		if !avx2 || max(p.VH.Rows, p.VH.Cols) > mostUnits {
			return nil
		}
		return &sweeper{p: p}
	}
}

// sweeper is the accelerator with AVX2 and AVX-512. It draws a layer of some rows, lists the units that flip, and adds
// their weights to the sums of the other layer tile by tile, so that a tile stays in the first-level cache.
type sweeper struct {
	p      *Rows
	flips  []uint32  // for each 32 units, those that turn on and those that turn off
	lists  []uint16  // for each row, the units that turn on; the second half has the units that turn off
	length int       // length of half of a row's list
	pairs  []int32   // lengths of both halves of each list, in pairs of units
	base   []float32 // Base, padded
}

//go:noescape
func listAVX2(on, off *uint16, flips *uint32, units int, state *uint8, positions *[256]uint64) (ons, offs int)

//go:noescape
func addTilesAVX2(acc *int64, accStride, rows int, w *int64, wStride, tiles int, lists *uint16, listStride int,
	pairs *int32, ahead, shift int)

//go:noescape
func addTilesAVX512(acc *int64, accStride, rows int, w *int64, wStride, tiles int, lists *uint16, listStride int,
	pairs *int32, ahead, shift int)

//go:noescape
func addNarrowTilesAVX2(acc *int64, accStride, rows int, w *int64, wStride, tiles int, lists *uint16, listStride int,
	pairs *int32, ahead, shift int)

//go:noescape
func addNarrowTilesAVX512(acc *int64, accStride, rows int, w *int64, wStride, tiles int, lists *uint16, listStride int,
	pairs *int32, ahead, shift int)

// Up to fewRows rows (fewNarrow with narrow tiles) or fewUnits units, whole rows of weights are added instead of tiles,
// as a tile would be read for too few additions.
const fewRows, fewNarrow, fewUnits = 30, 3, 32

// mostUnits is the largest number of units for assembly: the numbers of the units, and of the line of zeros that ends a
// tile, must fit 16 bits.
const mostUnits = 1<<16 - 8

// wide is the number of units that drawWide draws at a time.
const wide = 32

func (s *sweeper) init() {
	n := max(s.p.VH.Rows, s.p.VH.Cols)
	s.flips = make([]uint32, 2*(n/wide+2))
	s.length = n + 2*tile // listAVX2 writes up to eight numbers at a time
	rows := min(len(s.p.Scale), blockRows)
	s.lists, s.pairs = make([]uint16, 2*rows*s.length), make([]int32, 2*rows)
	s.base = make([]float32, n+wide)
	copy(s.base, s.p.Base)
}

func (s *sweeper) rebuild(r int) { s.p.addOnes(r) }

func (s *sweeper) softplus(lo, hi int, scale, out []float64, single bool) {
	s.p.softplusGo(lo, hi, scale, out, single)
}

func (s *sweeper) ladder(l *Ladder, lo, n int, log0, log1, out []float64) {
	s.p.ladderGo(l, lo, n, log0, log1, out)
}

func (s *sweeper) sweep(at rng.At, lo, hi, visible int, back bool) {
	if s.flips == nil {
		s.init()
	}
	keys := at.Key.RoundKeys()
	first := uint32(s.p.VH.Cols+3) / 4
	if back {
		first = uint32(visible+3) / 4
	}
	for ; lo < hi; lo += blockRows {
		n := min(hi-lo, blockRows)
		s.half(at, &keys, lo, n, visible, back, 0)
		s.half(at, &keys, lo, n, visible, !back, first)
	}
}

// half draws the visible or the hidden units of rows lo to lo+n-1, and updates the sums of the other layer.
func (s *sweeper) half(at rng.At, keys *[10]rng.Key, lo, n, visible int, ofV bool, block uint32) {
	p := s.p
	units, sums, other, state, m := p.VH.Cols, p.actH, p.actV, p.h, p.HV
	tiles := Padded(visible) / tile
	var base *float32
	if ofV {
		units, sums, other, state, m = visible, p.actV, p.actH, p.v, p.VH
		tiles = Padded(p.VH.Cols) / tile
		base = &s.base[0]
	}

	// The distances of rows, and whether sums are updated by tiles.
	stride, outStride, stateStride := Words(m.Rows), Words(m.Cols), Padded(m.Rows)
	ctr := [4]uint32{block, at.Step, 0, at.Phase}
	byTile := n > fewNarrow && m.Rows > fewUnits && (n > fewRows || m.lines().narrow)

	// Draw each row and list its flips.
	for i := range n {
		r := lo + i
		ctr[2] = at.Slot + uint32(r)
		l := Layer{Scale: p.Scale[r], BaseScale: p.BaseScale[r], Flip: ofV && p.Flip[r]}
		drawWide(&s.flips[0], (units+wide-1)/wide, &sums[r*stride], base, &state[r*stateStride], l, &keys[0][0], &ctr[0])
		on, off := s.lists[2*i*s.length:][:s.length], s.lists[(2*i+1)*s.length:][:s.length]
		ons, offs := listAVX2(&on[0], &off[0], &s.flips[0], units, &state[r*stateStride], &positions)
		if ofV && len(p.C) > 0 {
			s.linear(r, on[:ons], off[:offs])
		}

		// Flips are listed for the tiles, or change the sums at once.
		if byTile {
			zeros := uint16(tiledRows(m.Rows) - 1)
			on[ons], off[offs] = zeros, zeros // pad the lists to even length
			s.pairs[2*i], s.pairs[2*i+1] = int32(ons+1)/2, int32(offs+1)/2
			continue
		}
		if acc := other[r*outStride:][:tiles*tileWords]; len(acc) > 0 {
			addRows(acc, m, on[:ons])
			subRows(acc, m, off[:offs])
		}
	}

	// Tile by tile, for all rows.
	if byTile && tiles > 0 {
		rows, t := tiledRows(m.Rows), m.lines()
		add := addTilesAVX2
		switch {
		case t.narrow && avx512:
			add = addNarrowTilesAVX512
		case t.narrow:
			add = addNarrowTilesAVX2
		case avx512:
			add = addTilesAVX512
		}
		add(&other[lo*outStride], 8*outStride, n, &t.w[0], 8*tileWords*rows, tiles, &s.lists[0], 4*s.length, &s.pairs[0],
			(rows+n-1)/n, t.shift)
	}
}

// linear updates the linear forms of row r.
func (s *sweeper) linear(r int, on, off []uint16) {
	var c, g int64
	for _, i := range on {
		c += int64(s.p.C[i])
		g += int64(s.p.G[i])
	}
	for _, i := range off {
		c -= int64(s.p.C[i])
		g -= int64(s.p.G[i])
	}
	s.p.LinC[r] += c
	s.p.LinG[r] += g
}

// positions lists, for each value of a byte, the positions of its set bits, one byte each.
var positions = func() (x [256]uint64) {
	for i := range x {
		n := 0
		for bit := range 8 {
			if i>>bit&1 != 0 {
				x[i] |= uint64(bit) << (8 * n)
				n++
			}
		}
	}
	return x
}()
