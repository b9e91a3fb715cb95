package kernel

import (
	"runtime"
	"unsafe"
)

// ladderCall has the arguments of a call of the module's ladder.
type ladderCall struct {
	unit           float64
	rows, units    uint32
	act, actStride uint32
	log0, log1     uint32
	grids          uint32 // addresses of the weights for each number of pairs; 0 if not fitted
	lo             uint32 // byte offset of the first rung
	stride         uint32 // byte distance of rows of the weights
	count          uint32
	out, done      uint32
	products, y    uint32 // working memory
}

// ladderRoom is the memory for whole ladders. It is allocated on first use, because most rows do not need it.
type ladderRoom struct {
	call     ladderCall
	grids    [maxPairs + 2]uint32 // the last element is always 0
	products [2 * maxPairs * lanes]float32
	y        [freeRows + 2*maxPairs]float64
}

func (s *simd) ladder(l *Ladder, lo, n int, log0, log1, out []float64) {
	if s.whole == nil {
		s.newLadder()
	}
	for i := range l.grids {
		s.whole.grids[i] = 0
		if g := l.grids[i].Load(); g != nil {
			s.whole.grids[i] = at(s, g.weight)
		}
	}
	w := &s.whole.call
	w.unit = l.unit
	w.log0, w.log1, w.out = at(s, log0), at(s, log1), at(s, out)
	w.lo, w.stride, w.count = uint32(8*lo), uint32(8*len(l.beta)), uint32(n)
	s.runLadder()
	runtime.KeepAlive(l)
	runtime.KeepAlive(log0)
	runtime.KeepAlive(log1)
	runtime.KeepAlive(out)
	for r, done := range s.done {
		if done == 0 { // the grid is not fitted yet, or the sums exceed every grid
			_, _, actH, _ := s.p.Row(r)
			l.Values(actH, s.p.VH.Cols, log0[r], log1[r], lo, out[r*n:(r+1)*n])
		}
	}
}

func (s *simd) newLadder() {
	const words = int(unsafe.Sizeof(ladderRoom{})+7) / 8
	rows := len(s.p.LinC)
	room := s.room(words + (rows+1)/2)
	s.whole = (*ladderRoom)(unsafe.Pointer(&room[0]))
	s.done = unsafe.Slice((*uint32)(unsafe.Pointer(&room[words])), rows)
	w := s.whole
	w.call = ladderCall{rows: uint32(rows), units: s.sums.units, act: s.hidden.act, actStride: s.sums.actStride,
		grids: at(s, w.grids[:]), done: at(s, s.done), products: at(s, w.products[:]), y: at(s, w.y[:])}
	s.runLadder = s.bind("ladder", s.address(unsafe.Pointer(&w.call)))
}
