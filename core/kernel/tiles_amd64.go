package kernel

import (
	"math/bits"

	"logzlab/core/rng"
)

func init() {
	newMachine = func(p *Rows) machine {
		if !avx2 {
			return nil
		}
		return &sweeper{p: p}
	}
}

// sweeper is the machine of AVX2 and AVX-512. It draws a layer of some rows, lists the units that flip, and adds their
// weights to the sums of the other layer tile by tile, so that a tile stays in the first-level cache.
type sweeper struct {
	p      *Rows
	flips  []uint32  // of each 32 units those that turn on, those that turn off
	lists  []int32   // of each row: eight times the units that turn on, from its front; those that turn off, to its end
	length int       // of the list of a row
	pairs  []int32   // lengths of both parts of each list, in pairs
	base   []float32 // Base, padded
}

//go:noescape
func addTilesAVX2(acc *int64, accStride, rows int, w *int64, wStride, tiles int, lists *int32, listStride int,
	pairs *int32, ahead, shift int)

//go:noescape
func addTilesAVX512(acc *int64, accStride, rows int, w *int64, wStride, tiles int, lists *int32, listStride int,
	pairs *int32, ahead, shift int)

//go:noescape
func addNarrowTilesAVX2(acc *int64, accStride, rows int, w *int64, wStride, tiles int, lists *int32, listStride int,
	pairs *int32, ahead, shift int)

//go:noescape
func addNarrowTilesAVX512(acc *int64, accStride, rows int, w *int64, wStride, tiles int, lists *int32, listStride int,
	pairs *int32, ahead, shift int)

// fewRows (fewNarrow of narrow tiles) and fewUnits are those up to which whole rows of weights are added: then a tile
// would be read for too little.
const fewRows, fewNarrow, fewUnits = 30, 3, 32

// wide is the number of units that drawWide draws at a time.
const wide = 32

func (s *sweeper) init() {
	n := max(s.p.VH.Rows, s.p.VH.Cols)
	s.flips = make([]uint32, 2*(n/wide+2))
	s.length = n + 4
	rows := min(len(s.p.Scale), blockRows)
	s.lists, s.pairs = make([]int32, rows*s.length), make([]int32, 2*rows)
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
	keys := at.Key.Rounds()
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

// half draws the visible or the hidden units of rows lo to lo+n-1, and changes the sums of the other layer.
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
	stride, outStride, stateStride := Words(m.Rows), Words(m.Cols), Padded(m.Rows)
	ctr := [4]uint32{block, at.Step, 0, at.Phase}
	byTile := n > fewNarrow && m.Rows > fewUnits && (n > fewRows || m.lines().narrow)
	for i := range n {
		r := lo + i
		ctr[2] = at.Slot + uint32(r)
		l := Layer{Scale: p.Scale[r], BaseScale: p.BaseScale[r], Flip: ofV && p.Flip}
		drawWide(&s.flips[0], (units+wide-1)/wide, &sums[r*stride], base, &state[r*stateStride], l, &keys[0][0], &ctr[0])
		list := s.lists[i*s.length : (i+1)*s.length]
		on, off := s.list(list, units, state[r*stateStride:])
		if ofV && len(p.C) > 0 {
			s.linear(r, list[:on], list[off:])
		}
		if byTile {
			s.even(list, on, off, i, m)
			continue
		}
		acc := &other[r*outStride]
		addRows(acc, tiles*tileWords, &m.w[0], m.words/8, list[:on])
		subRows(acc, tiles*tileWords, &m.w[0], m.words/8, list[off:])
	}
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

// list makes the list of the units that flips names, and turns them. It returns where the part of those that turn on
// ends, and where the other part begins.
func (s *sweeper) list(list []int32, units int, state []uint8) (on, off int) {
	off = len(list)
	state = state[:units]
	for i := 0; i < units; i += 64 {
		f := (*[4]uint32)(s.flips[i/16:])
		now := uint64(f[0]) | uint64(f[2])<<32
		flips := now | uint64(f[1]) | uint64(f[3])<<32
		if left := units - i; left < 64 {
			flips &= 1<<left - 1
		}
		for ; flips != 0; flips &= flips - 1 {
			// Both parts are written every time and advanced only on a change: no branch predictor can learn random flips.
			t := bits.TrailingZeros64(flips)
			bit := int(now >> t & 1)
			state[i+t] = uint8(bit)
			list[on] = int32(8 * (i + t))
			list[off-1] = int32(8 * (i + t))
			on += bit
			off += bit - 1
		}
	}
	return on, off
}

// linear is the change of the linear forms of row r.
func (s *sweeper) linear(r int, on, off []int32) {
	var c, g int64
	for _, i := range on {
		c += int64(s.p.C[i/8])
		g += int64(s.p.G[i/8])
	}
	for _, i := range off {
		c -= int64(s.p.C[i/8])
		g -= int64(s.p.G[i/8])
	}
	s.p.LinC[r] += c
	s.p.LinG[r] += g
}

// even makes both parts of list i even, by a row of zeros, the last of a tile.
func (s *sweeper) even(list []int32, on, off, i int, m *Matrix) {
	zeros := int32(8 * (tiledRows(m.Rows) - 1))
	if on%2 != 0 {
		list[on] = zeros
	}
	if (len(list)-off)%2 != 0 {
		off--
		list[off] = zeros
	}
	s.pairs[2*i], s.pairs[2*i+1] = int32(on+1)/2, int32(len(list)-off)/2
}
