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

// setRow sets row r to the coordinates v, whose gain is known.
func (c *chains) setRow(r int, v []float64, gain float64) {
	copy(c.row(r), v)
	c.gains[r] = gain
}

// ellipticalSlice is elliptical slice sampling ([Murray2010]) with the prior N(0, I) of v and the log likelihood b
// gain. It needs no tuning.
func (c *chains) ellipticalSlice(s *rng.Stream, r int, beta float64) {
	s.Norms(c.scratch.p)
	gain := 0.0
	found := density.EllipticalSlice(s, c.row(r), c.scratch.p, c.scratch.v, num.Mul(beta, c.gains[r]), func(v []float64) float64 {
		c.toLatent(v, c.scratch.x, c.scratch.tmp)
		gain = c.gain(c.scratch.x, nil)
		return num.Mul(beta, gain)
	})
	if found {
		c.setRow(r, c.scratch.v, gain)
	}
}

// mass returns the Cholesky factor of the mass matrix in the coordinates v. For hmc the matrix is I + beta
// massCurvature A'A, about the curvature of -log f_beta; the factor of the last beta is cached, because most rows move
// at the same rung. For hmc_plain the matrix is A'A, which is the identity in x = mean + A v.
func (c *chains) mass(beta float64) []float64 {
	n := c.m.n
	switch {
	case c.massChol != nil && (c.sampler == "hmc_plain" || c.massBeta == beta):
	case c.sampler == "hmc_plain":
		c.massChol = jitteredCholesky(c.gram(), n)
	default:
		c.massBeta, c.massChol = beta, num.Sized(c.massChol, n*n)
		t := num.Mul(beta, c.m.massCurvature())
		for i, g := range c.gram() {
			c.massChol[i] = num.Mul(t, g)
		}
		for i := range n {
			c.massChol[i*n+i]++
		}
		num.Cholesky(c.massChol, n, meter.Pulse) // cannot fail: the eigenvalues are at least 1
	}
	return c.massChol
}

// hmc is Hamiltonian Monte Carlo in the coordinates v. With the mass matrix of the sampler hmc the ratio of curvature to
// mass is at most 2, so the defaults
//
//	eps = min(0.7, 1.2 N^(-1/4)), leaps = ceil(2 / eps)
//
// are stable for every amplitude; a trajectory covers about a third of a period. For hmc_plain the defaults are those of
// [ARM], eps = 0.02 and 200 steps; the smallest eigenvalue of the covariance of f_0 limits its step.
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
	v, x, p, speed := c.scratch.v, c.scratch.x, c.scratch.p, c.scratch.velocity
	copy(v, c.row(r))
	s.Norms(c.scratch.tmp)
	start := num.Mul(0.5, num.Dot(c.scratch.tmp, c.scratch.tmp))
	mulLower(mass, c.scratch.tmp, p)
	c.toLatent(v, x, c.scratch.tmp)
	gain := c.gain(x, c.scratch.grad)
	start += num.Mul(0.5, num.Dot(v, v)) - num.Mul(beta, gain)

	// Leapfrog steps.
	kick := func(h float64) {
		c.pullBack(c.scratch.grad, c.scratch.force)
		for i, f := range c.scratch.force {
			p[i] += num.Mul(h, num.Mul(beta, f)-v[i])
		}
	}
	kick(0.5 * eps)
	for t := leaps; t > 0; t-- {
		meter.Pulse(4 * float64(n) * float64(n))
		copy(speed, p)
		num.SolveLower(mass, n, speed)
		num.SolveUpperT(mass, n, speed)
		num.Axpy(eps, speed, v)
		c.toLatent(v, x, c.scratch.tmp)
		gain = c.gain(x, c.scratch.grad)
		if t > 1 {
			kick(eps)
		}
	}
	kick(0.5 * eps)

	// Accept or reject.
	num.SolveLower(mass, n, p)
	end := num.Mul(0.5, num.Dot(p, p)+num.Dot(v, v)) - num.Mul(beta, gain)
	if num.Log(s.Float64()) < start-end { // false for NaN
		c.setRow(r, v, gain)
	}
}
