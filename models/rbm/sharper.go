package rbm

import (
	"math"
	"slices"

	"logzlab/core/kernel"
	"logzlab/core/num"
	"logzlab/models"
)

// summed is how many visible units sharper sums over, for each hidden one.
const summed = 6

// sharper is a floor with Jensen's inequality for fewer visible units. For hidden unit j the set S of those with the
// largest w_ij^2 v_i (1-v_i) is summed over its states s, and only the others stay at their means v:
//
//	E softplus(x_j) >= E_j = sum_s p(s) softplus(b_j + sum_{i in S} w_ij s_i + sum_{others} w_ij v_i)
//	                >= softplus(E x_j),
//	log Z >= c.v + H(v) + sum_j E_j.
//
// At its maximum v_i = sigmoid(c_i + sum_j dE_j/dv_i).
type sharper struct {
	m         *Machine
	v, y      []float64 // means, and c_i + sum_j dE_j/dv_i in units of the weights, padded
	g         []float64 // E sigmoid(x_j)
	x, p, f   [1 << summed]float64
	strongest [summed + 1]input
	least     float64 // smallest part to sum over: below it Jensen's inequality costs less than 1e-4 nats
}

// input is a visible unit of a hidden one, with its part in the variance of the sum.
type input struct {
	i    int
	w    float64
	part float64
}

// An ascent has sharperSteps steps at most. Modes sharperNear nats below the best one are left out.
const (
	sharperSteps = 10
	sharperNear  = 8
)

// sharpen is the best bound of some steps from means v, which become those of the bound.
func (m *Machine) sharpen(v []float64, steps int) float64 {
	c := &sharper{m: m, v: slices.Clone(v), y: make([]float64, kernel.Padded(m.M)), g: make([]float64, m.J),
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

// bound is the bound at the means, and sets y.
func (c *sharper) bound() float64 {
	f := 0.0
	clear(c.y)
	for i, p := range c.v {
		f += num.Mul(num.Mul(p, float64(c.m.c[i])), c.m.unit) + models.Entropy(p)
		c.y[i] = float64(c.m.c[i])
	}
	for j := range c.m.b {
		f += c.unit(j)
	}
	c.m.net.HV.Means(c.g, c.y)
	return f
}

// unit is E_j. It sets g_j, and adds to y what the derivatives by the means of S have beside w_ij g_j.
func (c *sharper) unit(j int) (mean float64) {
	// S, the strongest first.
	n, x := 0, float64(c.m.b[j])
	for i, p := range c.v {
		w := float64(c.m.w[i*c.m.J+j])
		x += num.Mul(w, p)
		part := num.Mul(num.Mul(w, w), num.Mul(p, 1-p))
		if part <= c.least || n == summed && part <= c.strongest[n-1].part {
			continue
		}
		k := n
		for ; k > 0 && c.strongest[k-1].part < part; k-- {
			c.strongest[k] = c.strongest[k-1]
		}
		c.strongest[k] = input{i, w, part}
		n = min(n+1, summed)
	}
	s := c.strongest[:n]

	// Its states: bit k is unit k of S.
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

	// The means over them, and what unit k adds when it is on.
	c.g[j] = 0
	for at := range 1 << n {
		l := num.Mul(c.x[at], c.m.unit)
		c.f[at] = num.Softplus(l)
		mean += num.Mul(c.p[at], c.f[at])
		c.g[j] += num.Mul(c.p[at], num.Sigmoid(l))
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
