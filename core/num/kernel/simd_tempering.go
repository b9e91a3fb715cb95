package kernel

import (
	"runtime"
	"sync"
	"unsafe"
)

// temperingCall has the arguments of a call of the module's temper.
type temperingCall struct {
	rows, count uint32
	x, y, q     uint32
	top, sum    uint32
	u, rung     uint32
	c, faint    uint32 // c, d: tables of addresses, or 0
	d           uint32
}

// shared is a function of the module that does not work on Rows, with memory for its arguments. A mutex serialises its
// calls.
type shared[T any] struct {
	turn sync.Mutex
	s    *simd
	call *T
	run  func()
}

func (v *shared[T]) init(s *simd, export string) {
	var size T
	v.s, v.call = s, (*T)(unsafe.Pointer(&s.room(int(unsafe.Sizeof(size)+7) / 8)[0]))
	v.run = s.bind(export, s.address(unsafe.Pointer(v.call)))
}

// simdTempering implements Tempering.Step by the module.
type simdTempering struct {
	shared[temperingCall]
	c, d []uint32 // memory for tables of addresses
}

func newSIMDTempering(s *simd) *simdTempering {
	v := &simdTempering{}
	v.init(s, "temper")
	return v
}

func (v *simdTempering) step(t *Tempering) {
	v.turn.Lock()
	defer v.turn.Unlock()
	s := v.s
	rows := len(t.U)
	*v.call = temperingCall{rows: uint32(rows), count: uint32(len(t.Y)), x: at(s, t.X), y: at(s, t.Y), q: at(s, t.Q),
		top: at(s, t.Top), sum: at(s, t.Sum), u: at(s, t.U), rung: at(s, t.Rung), faint: at(s, t.Faint)}
	v.call.c, v.call.d = tabled(s, &v.c, t.C), tabled(s, &v.d, t.D)
	v.run()
	runtime.KeepAlive(t)
}

// tabled returns the address of a table of the addresses of x, 0 if x is nil.
func tabled(s *simd, table *[]uint32, x [][]float64) uint32 {
	if x == nil {
		return 0
	}
	if len(*table) < len(x) {
		room := s.room((len(x) + 1) / 2)
		*table = unsafe.Slice((*uint32)(unsafe.Pointer(&room[0])), len(x))
	}
	for r, row := range x {
		(*table)[r] = at(s, row)
	}
	return at(s, *table)
}
