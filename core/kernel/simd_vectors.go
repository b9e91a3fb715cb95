package kernel

import (
	"runtime"
	"sync"
	"unsafe"
)

// vectorCall is one call of the module's conditionals or absorb.
type vectorCall struct {
	rows, count  uint32
	x, y, q, top uint32
	m, s         uint32 // tables of addresses
}

// simdVectors are Conditionals and AbsorbRows by the module. They belong to no rows,
// so goroutines take turns.
type simdVectors struct {
	turn            sync.Mutex
	s               *simd
	call            *vectorCall
	tables          [2][]uint32
	runConditionals func()
	runAbsorb       func()
}

func newSIMDVectors(s *simd) *simdVectors {
	v := &simdVectors{s: s, call: (*vectorCall)(unsafe.Pointer(&s.room(int(unsafe.Sizeof(vectorCall{})) / 8)[0]))}
	address := s.address(unsafe.Pointer(v.call))
	v.runConditionals, v.runAbsorb = s.bind("conditionals", address), s.bind("absorb", address)
	return v
}

func (v *simdVectors) conditionals(x, y, q, top []float64) {
	v.turn.Lock()
	defer v.turn.Unlock()
	s := v.s
	*v.call = vectorCall{rows: uint32(len(top)), count: uint32(len(y)), x: at(s, x), y: at(s, y), q: at(s, q), top: at(s, top)}
	v.runConditionals()
	runtime.KeepAlive(x)
	runtime.KeepAlive(y)
	runtime.KeepAlive(q)
	runtime.KeepAlive(top)
}

func (v *simdVectors) absorb(m, s [][]float64, x, shift []float64) {
	v.turn.Lock()
	defer v.turn.Unlock()
	rows := len(shift)
	if len(v.tables[0]) < rows {
		room := v.s.room(rows)
		table := unsafe.Slice((*uint32)(unsafe.Pointer(&room[0])), 2*rows)
		v.tables[0], v.tables[1] = table[:rows], table[rows:]
	}
	for r := range rows {
		v.tables[0][r], v.tables[1][r] = at(v.s, m[r]), at(v.s, s[r])
	}
	*v.call = vectorCall{rows: uint32(rows), count: uint32(len(x) / rows), x: at(v.s, x), y: at(v.s, shift), m: at(v.s, v.tables[0]), s: at(v.s, v.tables[1])}
	v.runAbsorb()
	runtime.KeepAlive(m)
	runtime.KeepAlive(s)
	runtime.KeepAlive(x)
	runtime.KeepAlive(shift)
}
