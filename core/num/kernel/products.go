package kernel

import "math"

// Products multiplies the factors of an enumeration, for many states of a few blocks:
//
//	Acc_bs 2^Power_bs = prod_u (1 + P_us Q_ub).
//
// After every Group factors (at least one) the power of two is split off, so each factor 1 + P_us Q_ub must be between
// 1 and 2^(1000 / Group).
type Products struct {
	Units, States, Blocks, Group int
	P                            []float64 // units x states
	Q                            []float64 // units x blocks
	Acc                          []float64 // result, blocks x states, in [1, 2)
	Power                        []int64   // result, blocks x states
}

// NewProducts returns memory for blocks of states; p has the P of each unit.
func NewProducts(p []float64, states, blocks, group int) *Products {
	units := len(p) / states
	return &Products{Units: units, States: states, Blocks: blocks, Group: group, P: p, Q: make([]float64, units*blocks),
		Acc: make([]float64, blocks*states), Power: make([]int64, blocks*states)}
}

// productsAccelerator computes Multiply with the bits of the Go code, for a multiple of four states.
type productsAccelerator interface{ multiply(p *Products) }

// products returns the productsAccelerator. It is nil, or returns nil, on platforms without one.
var products func() productsAccelerator

// Multiply computes Acc and Power.
func (p *Products) Multiply() {
	for i := range p.Acc {
		p.Acc[i], p.Power[i] = 1, 0
	}
	if products != nil && !PureGo && p.States%4 == 0 && p.Units > 0 && p.Blocks > 0 {
		if m := products(); m != nil {
			m.multiply(p)
			return
		}
	}
	n := p.States
	for b := range p.Blocks {
		acc, power := p.Acc[b*n:(b+1)*n], p.Power[b*n:(b+1)*n]
		for u := range p.Units {
			multiplyBy(acc, p.P[u*n:(u+1)*n], p.Q[u*p.Blocks+b])
			if (u+1)%p.Group == 0 || u+1 == p.Units {
				splitPowers(acc, power)
			}
		}
	}
}

// multiplyBy sets acc[s] *= 1 + p[s] q. Like splitPowers it is a separate function because browsers switch to optimised
// code only between calls.
//
//go:noinline
func multiplyBy(acc, p []float64, q float64) {
	p = p[:len(acc)]
	s := 0
	for ; s+4 <= len(acc); s += 4 { // unrolled: a loop over single factors took 40 % longer at some addresses
		a, f := acc[s:s+4:s+4], p[s:s+4:s+4]
		a[0] = float64(a[0] * (1 + float64(f[0]*q)))
		a[1] = float64(a[1] * (1 + float64(f[1]*q)))
		a[2] = float64(a[2] * (1 + float64(f[2]*q)))
		a[3] = float64(a[3] * (1 + float64(f[3]*q)))
	}
	for ; s < len(acc); s++ {
		acc[s] = float64(acc[s] * (1 + float64(p[s]*q)))
	}
}

// splitPowers moves the exponents of acc, all at least 1, into power.
//
//go:noinline
func splitPowers(acc []float64, power []int64) {
	for s, a := range acc {
		b := math.Float64bits(a)
		power[s] += int64(b>>52) - 1023
		acc[s] = math.Float64frombits(b&(1<<52-1) | 1023<<52)
	}
}
