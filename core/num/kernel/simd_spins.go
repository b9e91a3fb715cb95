package kernel

import (
	"runtime"

	"logzlab/core/num/rng"
)

// spinsCall has the arguments of a call of the module's spins.
type spinsCall struct {
	state, constant, first, edges, limits, base, index, stride, rows uint32

	key               [2]uint32
	step, slot, phase uint32
	count             uint32 // number of colours
	colours           [mostColours][2]uint32
}

// mostColours is the largest number of colours of a call; Go draws spins with more.
const mostColours = 64

// simdSpins implements Spins.Sweep by the module.
type simdSpins struct{ shared[spinsCall] }

func newSIMDSpins(s *simd) *simdSpins {
	v := &simdSpins{}
	v.init(s, "spins")
	return v
}

func (v *simdSpins) sweep(p *Spins, to rng.At, n int, back bool) (done bool) {
	if len(p.Colour) == 0 || len(p.Colour) > mostColours {
		return false
	}
	v.turn.Lock()
	defer v.turn.Unlock()
	c := v.call
	c.state, c.constant, c.first, c.edges = at(v.s, p.State), at(v.s, p.Const), at(v.s, p.First), at(v.s, p.Edges)
	c.limits, c.base, c.index = at(v.s, p.Limits), at(v.s, p.Base), at(v.s, p.index)
	c.stride, c.rows, c.count = uint32(p.Stride), uint32(n), uint32(len(p.Colour))
	c.key, c.step, c.slot, c.phase = to.Key, to.Step, to.Slot, to.Phase
	for i, of := range p.Colour {
		if back {
			i = len(p.Colour) - 1 - i
		}
		c.colours[i] = [2]uint32{uint32(of.From), uint32(of.N+3) / 4}
	}
	v.run()
	runtime.KeepAlive(p)
	return true
}
