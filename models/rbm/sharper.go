package rbm

import (
	"math"
	"slices"

	"logzlab/core/num"
	"logzlab/core/num/kernel"
	"logzlab/models"
)

// summedUnits is the number of visible units that are summed exactly for each hidden unit.
const summedUnits = 6

// sharperBound is a mean-field bound that applies Jensen's inequality to fewer visible units. For hidden unit j the set
// S of the visible units with the largest w_ij^2 v_i (1-v_i) is summed over its states s, and only the others are
// replaced by their means v:
//
//	E softplus(x_j) >= E_j = sum_s p(s) softplus(b_j + sum_{i in S} w_ij s_i + sum_{others} w_ij v_i)
//	                >= softplus(E x_j),
//	log Z >= c.v + H(v) + sum_j E_j.
//
// At its maximum v_i = sigmoid(c_i + sum_j dE_j/dv_i).
type sharperBound struct {
	m       *Model
	v, y    []float64 // means, and c_i + sum_j dE_j/dv_i in units of the weights, padded
	g       []float64 // E sigmoid(x_j)
	x, p, f [1 << summedUnits]float64
	least   float64 // smallest variance of a unit in S; below it, Jensen's inequality costs less than 1e-4 nats
	inputs  [parallelUnits]inputs
}

// parallelUnits is the number of hidden units whose inputs are computed together, which hides the latency of additions.
// It must be a power of two.
const parallelUnits = 8

// inputs describes the input of a hidden unit: sum is its value at the visible means, and the first n elements of
// strongest are the visible units with the largest variances above least, largest first.
type inputs struct {
	sum, least float64
	n          int
	strongest  [summedUnits + 1]input
}

// insert inserts an input, and drops the smallest one if there are more than summedUnits.
func (s *inputs) insert(in input) {
	k := s.n
	for ; k > 0 && s.strongest[k-1].variance < in.variance; k-- {
		s.strongest[k] = s.strongest[k-1]
	}
	s.strongest[k] = in
	if s.n = min(s.n+1, summedUnits); s.n == summedUnits {
		s.least = s.strongest[summedUnits-1].variance
	}
}

// input is a visible unit and its contribution to the variance of the input of a hidden unit.
type input struct {
	i        int
	w        float64
	variance float64
}

// An ascent of sharperBound has at most sharperSteps steps. Modes more than sharperRange nats below the best mode are
// dropped before the first step, and modes more than sharperFinalRange nats below it after the first step, because they
// contribute little to the mixture.
const (
	sharperSteps      = 10
	sharperRange      = 8
	sharperFinalRange = 3
)

// tighten returns the best bound of some steps from means v, and sets v to the means of that bound.
func (m *Model) tighten(v []float64, steps int) float64 {
	c := &sharperBound{m: m, v: slices.Clone(v), y: make([]float64, kernel.Padded(m.M)), g: make([]float64, m.J),
		least: 1e-3 / num.Mul(m.unit, m.unit)}
	best := math.Inf(-1)
	models.Ascend(steps, func() float64 {
		f := c.bound()
		if f > best {
			best = f
			copy(v, c.v)
		}
		for i := range c.v {
			c.v[i] = num.Sigmoid(num.Mul(c.y[i], m.unit))
		}
		return f
	})
	return best
}

// bound returns the bound at the means and computes y.
func (c *sharperBound) bound() float64 {
	f := 0.0
	clear(c.y)
	for i, p := range c.v {
		f += num.Mul(num.Mul(p, float64(c.m.c[i])), c.m.unit) + models.Entropy(p)
		c.y[i] = float64(c.m.c[i])
	}
	for j := 0; j < c.m.J; j += parallelUnits {
		n := min(parallelUnits, c.m.J-j)
		c.findInputs(j, n)
		for k := range n {
			f += c.expectedSoftplus(j+k, &c.inputs[k])
		}
	}
	c.m.net.HV.Means(c.g, c.y)
	return f
}

// findInputs finds the inputs of n hidden units from j on.
func (c *sharperBound) findInputs(j, n int) {
	for k := range n {
		c.inputs[k].sum, c.inputs[k].least, c.inputs[k].n = float64(c.m.b[j+k]), c.least, 0
	}
	for i, p := range c.v {
		variance := num.Mul(p, 1-p)
		for k, x := range c.m.w[i*c.m.J+j : i*c.m.J+j+n] {
			w, s := float64(x), &c.inputs[k&(parallelUnits-1)] // k, within the bounds for the compiler
			s.sum += num.Mul(w, p)
			if part := num.Mul(num.Mul(w, w), variance); part > s.least {
				s.insert(input{i, w, part})
			}
		}
	}
}

// expectedSoftplus returns E_j and sets g_j. For the units i of S it adds dE_j/dv_i - w_ij g_j to y_i; bound adds
// w_ij g_j for all units.
func (c *sharperBound) expectedSoftplus(j int, in *inputs) (mean float64) {
	s, n, x := in.strongest[:in.n], in.n, in.sum

	// The states of S: bit k is unit k.
	for _, u := range s {
		x -= num.Mul(u.w, c.v[u.i])
	}
	c.x[0], c.p[0] = x, 1
	for k, u := range s {
		on := c.v[u.i]
		for at := range 1 << k {
			c.x[1<<k+at], c.p[1<<k+at] = c.x[at]+u.w, num.Mul(c.p[at], on)
			c.p[at] = num.Mul(c.p[at], 1-on)
		}
	}

	// The means over the states, and the derivative by the mean of unit k.
	c.g[j] = 0
	for at := range 1 << n {
		f, slope := num.SoftplusSlope(num.Mul(c.x[at], c.m.unit))
		c.f[at] = f
		mean += num.Mul(c.p[at], f)
		c.g[j] += num.Mul(c.p[at], slope)
	}
	for k, u := range s {
		on := 0.0
		for at := range 1 << n {
			if at>>k&1 == 1 {
				on += num.Mul(c.p[at], c.f[at])
			}
		}
		p := c.v[u.i]
		c.y[u.i] += (on/p-(mean-on)/(1-p))/c.m.unit - num.Mul(u.w, c.g[j])
	}
	return mean
}
