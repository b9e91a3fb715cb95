package kernel

import (
	"runtime"
	"sync"
	"unsafe"
)

// productsCall is one call of the module's products.
type productsCall struct {
	units, states, blocks, group uint32
	p, q, acc, power             uint32
}

// simdProducts is Products.Multiply by the module; goroutines take turns.
type simdProducts struct {
	turn sync.Mutex
	s    *simd
	call *productsCall
	run  func()
}

func newSIMDProducts(s *simd) *simdProducts {
	v := &simdProducts{s: s, call: (*productsCall)(unsafe.Pointer(&s.room(int(unsafe.Sizeof(productsCall{})) / 8)[0]))}
	v.run = s.bind("products", s.address(unsafe.Pointer(v.call)))
	return v
}

func (v *simdProducts) multiply(p *Products) {
	v.turn.Lock()
	defer v.turn.Unlock()
	*v.call = productsCall{uint32(p.Units), uint32(p.States), uint32(p.Blocks), uint32(p.Group), at(v.s, p.P), at(v.s, p.Q), at(v.s, p.Acc), at(v.s, p.Power)}
	v.run()
	runtime.KeepAlive(p)
}
