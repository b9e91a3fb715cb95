package kernel

import "runtime"

// productsCall has the arguments of a call of the module's products.
type productsCall struct {
	units, states, blocks, group uint32
	p, q, acc, power             uint32
}

// simdProducts implements Products.Multiply by the module.
type simdProducts struct{ shared[productsCall] }

func newSIMDProducts(s *simd) *simdProducts {
	v := &simdProducts{}
	v.init(s, "products")
	return v
}

func (v *simdProducts) multiply(p *Products) {
	v.turn.Lock()
	defer v.turn.Unlock()
	*v.call = productsCall{uint32(p.Units), uint32(p.States), uint32(p.Blocks), uint32(p.Group), at(v.s, p.P),
		at(v.s, p.Q), at(v.s, p.Acc), at(v.s, p.Power)}
	v.run()
	runtime.KeepAlive(p)
}
