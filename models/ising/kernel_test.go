package ising

import (
	"fmt"
	"math"
	"testing"

	"logzlab/core/labtest"
	"logzlab/core/labtest/tier"
	"logzlab/core/rng"
)

// heatBath is the exact distribution after one sweep from state: sites in
// order, black (even x + y) before white, or all in the opposite order.
func heatBath(l1, l2 int, torus bool, k float64, state int, back bool) []float64 {
	var order []int
	for colour := range 2 {
		for i := range l1 * l2 {
			if (i/l2+i%l2)%2 == colour {
				order = append(order, i)
			}
		}
	}
	p := make([]float64, 1<<(l1*l2))
	p[state] = 1
	for t := range order {
		i := order[t]
		if back {
			i = order[len(order)-1-t]
		}
		for s := range p {
			if s>>i&1 == 1 {
				continue
			}
			up := s | 1<<i
			gain := k * float64(bonds(l1, l2, torus, up)-bonds(l1, l2, torus, s))
			q := 1 / (1 + math.Exp(-gain))
			mass := p[s] + p[up]
			p[s], p[up] = mass*(1-q), mass*q
		}
	}
	return p
}

// One sweep from a fixed state has exactly the transition probabilities of the
// heat bath, forward and back, at several rungs. It catches double bonds counted
// once, a field that misses neighbours, half the coupling, and a back sweep in the
// order of the forward one. Odd tori, where sites of one colour touch, included.
func TestIsingTransitions(t *testing.T) {
	n := tier.Draws(20000)
	ladder := []float64{0, 0.4, 1}
	for c, l := range []struct {
		l1, l2 int
		torus  bool
	}{{3, 3, true}, {2, 4, true}, {3, 2, false}, {1, 5, true}, {2, 2, true}} {
		const k = 0.6
		size := l.l1 * l.l2
		p := newIsing(t, l.l1, l.l2, l.torus, k).New(n, ladder)
		s := rng.NewKey(3, "start", c).Stream(0, 0, 0)
		for rung, beta := range ladder {
			for _, back := range []bool{false, true} {
				state := s.Intn(1 << size)
				for r := range n {
					labtest.SetBits(p, r, state, size)
				}
				p.Move(rng.At{Key: rng.NewKey(4, "ising", c), Step: uint32(rung)}, labtest.Rungs(n, rung), back)
				count := make([]int, 1<<size)
				for r := range n {
					count[labtest.GetBits(p, r, size)]++
				}
				labtest.Fit(t, fmt.Sprint(l, " rung ", rung, " back ", back), count, heatBath(l.l1, l.l2, l.torus, beta*k, state,
					back))
			}
		}
	}
}

// The same for lattices: an even and an odd torus and an open one. It catches half
// the coupling and double bonds counted once.
func TestIsingInvariance(t *testing.T) {
	n := tier.Draws(20000)
	ladder := []float64{0, 0.6, 1}
	for c, l := range []struct {
		l1, l2 int
		torus  bool
	}{{2, 4, true}, {3, 3, true}, {3, 4, false}, {1, 5, true}} {
		const k = 0.45
		size := l.l1 * l.l2
		pop := newIsing(t, l.l1, l.l2, l.torus, k).New(n, ladder)
		for rung, beta := range ladder {
			pi := exactProbs(l.l1, l.l2, l.torus, beta*k)
			pick := labtest.NewPicker(pi)
			for _, back := range []bool{false, true} {
				for r := range n {
					s := rng.NewKey(5, "exact", r).Stream(uint32(c), uint32(rung), 0)
					labtest.SetBits(pop, r, pick.Draw(&s), size)
				}
				for step := range 20 {
					pop.Move(rng.At{Key: rng.NewKey(6, "ising", c), Phase: uint32(rung), Step: uint32(step)}, labtest.Rungs(n, rung),
						back)
				}
				m := labtest.BitMoments(size, pi, n)
				energy, square := 0.0, 0.0
				for s, q := range pi {
					e := float64(bonds(l.l1, l.l2, l.torus, s))
					energy += q * e
					square += q * e * e
				}
				m.Expect(energy, square-energy*energy, "bond sum")
				for r := range n {
					s := labtest.GetBits(pop, r, size)
					m.AddBits(size, s)
					m.Sum[2*size] += float64(bonds(l.l1, l.l2, l.torus, s))
				}
				m.Test(t, fmt.Sprint(l, " beta ", beta, " back ", back))
			}
		}
	}
}
