package ising

import (
	"math"

	"logzlab/core/num"
	"logzlab/models"
)

// FloorFrom returns the mean-field lower bound in nats reached by an ascent from a state. With independent spins of means
// m,
//
//	log Z >= K sum_<ij> m_i m_j + H(m),  K = beta J.
//
// A state and its negative are equally likely, so Z is twice the sum over the states with spin 0 up: spin 0 is fixed,
// and the bound increases by log 2. Setting m_i = tanh(K sum_j m_j) site by site never decreases it.
func (m *Lattice) FloorFrom(state []uint8) float64 {
	s := make([]float64, len(m.neighbours))
	for i := range s {
		s[i] = num.Mul(2, float64(state[i])) - 1
	}
	return m.climb(s)
}

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

// neighbourSum returns the sum of the neighbours' means.
func (m *Lattice) neighbourSum(s []float64, i int32) float64 {
	sum := 0.0
	for _, j := range m.neighbours[i] {
		sum += s[j]
	}
	return sum
}

// Floor returns the best bound of ascents from all spins up, a checkerboard, and stripes in both directions.
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
