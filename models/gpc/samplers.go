package gpc

import (
	"cmp"
	"math"

	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/models/density"
)

// Move applies one transition of the sampler to each row. All of them are
// reversible, so the reversed kernel is the same.
func (c *chains) Move(at rng.At, rung []int32, _ bool) {
	for r, k := range rung {
		meter.Pulse(float64(c.m.n) * float64(c.m.n))
		s := at.Row(r)
		beta := c.ladder[k]
		switch c.sampler {
		case "ess":
			c.ellipse(&s, r, beta)
		case "rmhmc":
			c.riemann(&s, r, beta)
		default:
			c.hamilton(&s, r, beta)
		}
	}
}

// keep makes v the state of row r.
func (c *chains) keep(r int, v []float64, gain float64) {
	copy(c.row(r), v)
	c.gains[r] = gain
}

// ellipse is elliptical slice sampling: a slice of b gain on the ellipse through v and a
// fresh draw of N(0, I). It needs no tuning.
func (c *chains) ellipse(s *rng.Stream, r int, beta float64) {
	s.Norms(c.s.p)
	gain := 0.0
	found := density.EllipticalSlice(s, c.row(r), c.s.p, c.s.v, num.Mul(beta, c.gains[r]), func(v []float64) float64 {
		c.place(v, c.s.x, c.s.tmp)
		gain = c.gain(c.s.x, nil)
		return num.Mul(beta, gain)
	})
	if found {
		c.keep(r, c.s.v, gain)
	}
}

// mass is the Cholesky factor of the mass in v. Of hmc it is I + b A'A stiffness,
// about the curvature of -log f_b; the one used last is kept, since rows mostly
// move at the same rung. Of hmc_plain it is A'A: the identity in x = mean + A v.
func (c *chains) mass(beta float64) []float64 {
	n := c.m.n
	switch {
	case c.massRoot != nil && (c.sampler == "hmc_plain" || c.massAt == beta):
	case c.sampler == "hmc_plain":
		c.massRoot = rootOf(c.gram(), n)
	default:
		c.massAt, c.massRoot = beta, num.Sized(c.massRoot, n*n)
		t := num.Mul(beta, c.m.stiffness())
		for i, g := range c.gram() {
			c.massRoot[i] = num.Mul(t, g)
		}
		for i := range n {
			c.massRoot[i*n+i]++
		}
		num.Cholesky(c.massRoot, n, meter.Pulse) // its eigenvalues are at least 1
	}
	return c.massRoot
}

// hamilton is Hamiltonian Monte Carlo in v, whose base is N(0, I). With the mass of
// hmc, curvature over mass is at most 2, so that the rules
//
//	eps = min(0.7, 1.2 N^(-1/4)), leaps = ceil(2 / eps)
//
// are stable for every amplitude; a transition goes about a third of an orbit. Of
// hmc_plain the paper's eps = 0.02 with 200 steps is the default; the smallest
// eigenvalue of the base's covariance bounds its step.
func (c *chains) hamilton(s *rng.Stream, r int, beta float64) {
	n := c.m.n

	// Step and number of steps.
	eps := min(0.7, 1.2/math.Sqrt(math.Sqrt(float64(n))))
	leaps := int(math.Ceil(2 / eps))
	if c.sampler == "hmc_plain" {
		eps, leaps = 0.02, 200
	}
	eps, leaps = cmp.Or(c.eps, eps), cmp.Or(c.leaps, leaps)
	eps = num.Mul(eps, density.Jitter(s))

	// Momentum and energy at the start.
	mass := c.mass(beta)
	v, x, p, speed := c.s.v, c.s.x, c.s.p, c.s.x0
	copy(v, c.row(r))
	s.Norms(c.s.tmp)
	start := num.Mul(0.5, num.Dot(c.s.tmp, c.s.tmp))
	mulLower(mass, c.s.tmp, p)
	c.place(v, x, c.s.tmp)
	gain := c.gain(x, c.s.slope)
	start += num.Mul(0.5, num.Dot(v, v)) - num.Mul(beta, gain)

	// Leapfrog steps.
	push := func(h float64) {
		c.pull(c.s.slope, c.s.force)
		for i, f := range c.s.force {
			p[i] += num.Mul(h, num.Mul(beta, f)-v[i])
		}
	}
	push(0.5 * eps)
	for t := leaps; t > 0; t-- {
		meter.Pulse(4 * float64(n) * float64(n))
		copy(speed, p)
		num.SolveLower(mass, n, speed)
		num.SolveUpperT(mass, n, speed)
		num.Axpy(eps, speed, v)
		c.place(v, x, c.s.tmp)
		gain = c.gain(x, c.s.slope)
		if t > 1 {
			push(eps)
		}
	}
	push(0.5 * eps)

	// The end is accepted by its energy.
	num.SolveLower(mass, n, p)
	end := num.Mul(0.5, num.Dot(p, p)+num.Dot(v, v)) - num.Mul(beta, gain)
	if num.Log(s.Float64()) < start-end { // false for NaN
		c.keep(r, v, gain)
	}
}
