package ising

import (
	"math"

	"logzlab/core/num"
	"logzlab/models"
)

// FloorFrom returns the mean-field lower bound of log Z in nats that an ascent from a state reaches. For independent
// spins with means m_i and entropy H(m),
//
//	log Z >= K sum_<ij> m_i m_j + H(m),  K = beta J.
//
// A state and its negative have the same weight, so Z is twice the sum over the states with spin 0 up. Therefore the
// mean of spin 0 is fixed at 1 and log 2 is added to the bound. Each step sets m_i = tanh(K sum_j m_j), with the sum
// over the neighbours j of i, site by site; this never decreases the bound.
func (m *Lattice) FloorFrom(state []uint8) float64 {
	s := make([]float64, len(m.neighbours))
	for i := range s {
		s[i] = num.Mul(2, float64(state[i])) - 1
	}
	return m.climb(s)
}

// climb returns the bound that the ascent from the means s reaches; it changes s.
func (m *Lattice) climb(s []float64) float64 {
	if s[0] < 0 {
		for i := range s {
			s[i] = -s[i]
		}
	}
	s[0] = 1
	return models.Ascend(models.MaxAscentSteps, func() float64 {
		bonds, h := 0.0, math.Ln2
		for _, i := range m.order {
			if i != 0 {
				s[i] = num.Mul(2, num.Sigmoid(num.Mul(2*m.k, m.neighbourSum(s, i)))) - 1
				h += models.Entropy((1 + s[i]) / 2)
			}
		}
		for i, x := range s {
			bonds += num.Mul(x, m.neighbourSum(s, int32(i)))
		}
		return num.Mul(m.k, num.Mul(.5, bonds)+float64(m.selfBonds)) + h
	})
}

// neighbourSum returns the sum of the means s of the neighbours of site i.
func (m *Lattice) neighbourSum(s []float64, i int32) float64 {
	sum := 0.0
	for _, j := range m.neighbours[i] {
		sum += s[j]
	}
	return sum
}

// Floor returns the best lower bound in nats of four ascents, from all spins up, a checkerboard, and stripes in both
// directions, and its kind. It calls proceed between ascents and stops if it returns false.
func (m *Lattice) Floor(proceed func() bool) (float64, string) {
	best := math.Inf(-1)
	for k := range 4 {
		s := make([]float64, len(m.neighbours))
		for i := range s {
			s[i] = float64(1 - (i/m.L2*(k&1)+i%m.L2*(k>>1))%2*2)
		}
		best = max(best, m.climb(s))
		if !proceed() {
			break
		}
	}
	return best, models.FloorMeanField
}
