package gpc

import (
	"cmp"
	"math"

	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/models/density"
)

// Move applies one transition of the sampler to each row. All samplers are reversible, so the reversed kernel is the
// same.
func (c *chains) Move(at rng.At, rung []int32, _ bool) {
	for r, k := range rung {
		meter.Pulse(float64(c.m.n) * float64(c.m.n))
		s := at.Row(r)
		beta := c.ladder[k]
		switch c.sampler {
		case "ess":
			c.ellipticalSlice(&s, r, beta)
		case "rmhmc":
			c.rmhmc(&s, r, beta)
		default:
			c.hmc(&s, r, beta)
		}
	}
}

// setRow sets row r to v with its gain.
func (c *chains) setRow(r int, v []float64, gain float64) {
	copy(c.row(r), v)
	c.gains[r] = gain
}

// ellipticalSlice is elliptical slice sampling with the log likelihood b gain and the Gaussian N(0, I). It needs no
// tuning.
func (c *chains) ellipticalSlice(s *rng.Stream, r int, beta float64) {
	s.Norms(c.s.p)
	gain := 0.0
	found := density.EllipticalSlice(s, c.row(r), c.s.p, c.s.v, num.Mul(beta, c.gains[r]), func(v []float64) float64 {
		c.toLatent(v, c.s.x, c.s.tmp)
		gain = c.gain(c.s.x, nil)
		return num.Mul(beta, gain)
	})
	if found {
		c.setRow(r, c.s.v, gain)
	}
}

// mass returns the Cholesky factor of the mass matrix in v. For hmc the matrix is I + b A'A stiffness, about the
// curvature of -log f_b; the last one is cached, since most rows move at the same rung. For hmc_plain it is A'A, the
// identity in x = mean + A v.
func (c *chains) mass(beta float64) []float64 {
	n := c.m.n
	switch {
	case c.massRoot != nil && (c.sampler == "hmc_plain" || c.massAt == beta):
	case c.sampler == "hmc_plain":
		c.massRoot = jitteredCholesky(c.gram(), n)
	default:
		c.massAt, c.massRoot = beta, num.Sized(c.massRoot, n*n)
		t := num.Mul(beta, c.m.stiffness())
		for i, g := range c.gram() {
			c.massRoot[i] = num.Mul(t, g)
		}
		for i := range n {
			c.massRoot[i*n+i]++
		}
		num.Cholesky(c.massRoot, n, meter.Pulse) // cannot fail: the eigenvalues are at least 1
	}
	return c.massRoot
}

// hmc is Hamiltonian Monte Carlo in v, whose base is N(0, I). With the mass of sampler hmc the ratio of curvature and
// mass is at most 2, so the defaults
//
//	eps = min(0.7, 1.2 N^(-1/4)), leaps = ceil(2 / eps)
//
// are stable for every amplitude; a trajectory covers about a third of a period. For hmc_plain the defaults are those
// of the paper, eps = 0.02 with 200 steps; its step is limited by the smallest eigenvalue of the base's covariance.
func (c *chains) hmc(s *rng.Stream, r int, beta float64) {
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
	c.toLatent(v, x, c.s.tmp)
	gain := c.gain(x, c.s.grad)
	start += num.Mul(0.5, num.Dot(v, v)) - num.Mul(beta, gain)

	// Leapfrog steps.
	push := func(h float64) {
		c.pullBack(c.s.grad, c.s.force)
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
		c.toLatent(v, x, c.s.tmp)
		gain = c.gain(x, c.s.grad)
		if t > 1 {
			push(eps)
		}
	}
	push(0.5 * eps)

	// Accept or reject.
	num.SolveLower(mass, n, p)
	end := num.Mul(0.5, num.Dot(p, p)+num.Dot(v, v)) - num.Mul(beta, gain)
	if num.Log(s.Float64()) < start-end { // false for NaN
		c.setRow(r, v, gain)
	}
}
