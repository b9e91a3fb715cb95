package gpc

import (
	"cmp"
	"math"

	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/models/density"
)

// rmhmcLeaps is the default number of leapfrog steps of rmhmc. Each step factorises the metric five to ten times at
// N^3/3 operations, and the check of reversibility doubles that: a transition of ten steps takes about 0.01 s for 60
// data, 0.17 s for 200 and 10 s for 767.
const rmhmcLeaps = 10

// metric is the metric of Riemannian Hamiltonian Monte Carlo at one point. In x it is G = K^-1 + D with
// D_ii = b I(x_i) + (1-b) tau_i, where I(x) is the Fisher information of a label. The dynamics are the same in the
// coordinates u = L^-1 x, in which K need not be inverted:
//
//	G_u = I + L' D L, G_u^-1 p = p - L' h B^-1 h L p, log|G_u| = log|B|,
//	h = D^(1/2), B = I + h K h, diag(L G_u^-1 L') = diag(K - K h B^-1 h K).
type metric struct {
	h, infoGrad []float64 // D^(1/2), and b I'(x)
	b           []float64 // Cholesky factor of B
	logDet      float64
	v           []float64 // rows of B^-1/2 h K, computed for forces only
	variance    []float64 // diag(L G_u^-1 L')

	u, x, p    []float64 // position L^-1 x, x and momentum
	lik        []float64 // gradient of the tempered likelihood at x
	vel, old   []float64 // velocities at the end and at the start of a step
	half, next []float64 // work space
	tmp        []float64
}

func newMetric(n int) *metric {
	m := &metric{b: make([]float64, n*n), v: make([]float64, n*n)}
	for _, x := range []*[]float64{&m.h, &m.infoGrad, &m.variance, &m.u, &m.x, &m.p, &m.half, &m.next, &m.vel, &m.old, &m.tmp,
		&m.lik} {
		*x = make([]float64, n)
	}
	return m
}

// moveTo computes the metric at x = L u.
func (g *metric) moveTo(c *chains, u []float64, beta float64) {
	n, k := c.m.n, c.m.k
	mulLower(c.l(), u, g.x)
	for i, x := range g.x {
		info, slope := c.m.information(x)
		d := num.Mul(beta, info)
		if c.ep != nil {
			d += num.Mul(1-beta, c.ep.tau[i])
		}
		g.h[i], g.infoGrad[i] = math.Sqrt(d), num.Mul(beta, slope)
	}
	for i, hi := range g.h {
		row := g.b[i*n : (i+1)*n]
		for j, hj := range g.h[:i+1] {
			row[j] = num.Mul(hi*hj, k[i*n+j])
		}
		row[i]++
	}
	num.Cholesky(g.b, n, meter.Pulse)
	g.logDet = num.CholLogDet(g.b, n)
}

// velocity sets out to G_u^-1 p.
func (g *metric) velocity(c *chains, p, out []float64) {
	n := c.m.n
	mulLower(c.l(), p, g.tmp)
	for i, h := range g.h {
		g.tmp[i] = num.Mul(h, g.tmp[i])
	}
	num.SolveLower(g.b, n, g.tmp)
	num.SolveUpperT(g.b, n, g.tmp)
	for i, h := range g.h {
		g.tmp[i] = num.Mul(h, g.tmp[i])
	}
	mulLowerT(c.l(), g.tmp, out)
	for i, v := range p {
		out[i] = v - out[i]
	}
}

// setVariances computes diag(L G_u^-1 L') at the current point.
func (g *metric) setVariances(c *chains) {
	n, k := c.m.n, c.m.k
	for i, h := range g.h {
		for j := range n {
			g.v[i*n+j] = num.Mul(h, k[i*n+j])
		}
	}
	solveRows(g.b, g.v, n)
	for j := range n {
		g.variance[j] = k[j*n+j]
	}
	for i := range n {
		for j, v := range g.v[i*n : (i+1)*n] {
			g.variance[j] -= num.Mul(v, v)
		}
	}
}

// energy returns -log f + log|G_u| / 2 + p' G_u^-1 p / 2 up to a constant, and sets vel.
func (g *metric) energy(c *chains, u, p []float64, beta float64) float64 {
	g.velocity(c, p, g.vel)
	return num.Mul(0.5, num.Dot(u, u)+g.logDet+num.Dot(p, g.vel)) - c.tempered(g.x, nil, beta)
}

// tempered returns log f_b - log N(x; 0, K) up to a constant, and sets slope, unless nil, to its gradient.
func (c *chains) tempered(x, slope []float64, beta float64) float64 {
	sum := num.Mul(beta, c.gain(x, slope))
	for i := range slope {
		slope[i] = num.Mul(beta, slope[i])
	}
	if c.ep != nil {
		for i, x := range x {
			tx := num.Mul(c.ep.tau[i], x)
			sum -= num.Mul(x, num.Mul(0.5, tx)-c.ep.nu[i])
			if slope != nil {
				slope[i] -= tx - c.ep.nu[i]
			}
		}
	}
	return sum
}

// force sets out to -dH/du at the current point for momentum p.
func (g *metric) force(c *chains, u, p, out []float64) {
	g.velocity(c, p, g.vel)
	mulLower(c.l(), g.vel, g.tmp)
	for i, w := range g.tmp {
		g.tmp[i] = g.lik[i] + num.Mul(0.5*g.infoGrad[i], num.Mul(w, w)-g.variance[i])
	}
	mulLowerT(c.l(), g.tmp, out)
	for i, v := range u {
		out[i] -= v
	}
}

// Fixed-point iterations of the generalised leapfrog: number of steps, change at convergence, change above which a
// trajectory is rejected, and energy error above which it is rejected.
const (
	fixedSteps     = 16
	fixedTol       = 1e-10
	maxFixedError  = 1e-6
	maxEnergyError = 1000
)

// fixedPoint iterates x <- f(x) in place and reports whether it converged.
func (g *metric) fixedPoint(x []float64, f func(x, out []float64)) bool {
	change := math.Inf(1)
	for range fixedSteps {
		f(x, g.next)
		change = 0
		for i, v := range g.next {
			change = max(change, math.Abs(v-x[i]))
		}
		copy(x, g.next)
		if !(change > fixedTol) {
			break
		}
	}
	return change <= maxFixedError
}

// leapfrog applies a generalised leapfrog step to (u, p); it returns false if an iteration did not converge. The metric
// is at u before and after.
func (g *metric) leapfrog(c *chains, u, p []float64, eps, beta float64) bool {
	kick := func(p0 []float64) func(p, out []float64) {
		return func(p, out []float64) {
			g.force(c, u, p, out)
			for i, f := range out {
				out[i] = p0[i] + num.Mul(0.5*eps, f)
			}
		}
	}

	// Implicit half step of p.
	p0 := append([]float64(nil), p...)
	if !g.fixedPoint(p, kick(p0)) {
		return false
	}

	// Implicit step of u.
	g.velocity(c, p, g.old)
	u0 := append([]float64(nil), u...)
	ok := g.fixedPoint(u, func(u, out []float64) {
		g.moveTo(c, u, beta)
		g.velocity(c, p, out)
		for i, v := range out {
			out[i] = u0[i] + num.Mul(0.5*eps, g.old[i]+v)
		}
	})

	// Explicit half step of p.
	g.moveWithForces(c, u, beta)
	copy(p0, p)
	kick(p0)(p0, g.next)
	copy(p, g.next)
	return ok
}

// moveWithForces is moveTo, and computes what force needs.
func (g *metric) moveWithForces(c *chains, u []float64, beta float64) {
	g.moveTo(c, u, beta)
	g.setVariances(c)
	c.tempered(g.x, g.lik, beta)
}

// rmhmc is Riemannian manifold Hamiltonian Monte Carlo ([Girolami2011]). The default is eps = 0.1 with 10 steps, as in
// the paper. If the largest prior standard deviation s exceeds 3 the metric changes faster, and eps is 0.3 / s. A
// trajectory is rejected if its implicit steps do not converge, if its energy error is 1000 or more, or if the reversed
// trajectory does not return to the start: implicit equations can have several solutions, and a kernel that is not
// reversible would be wrong.
func (c *chains) rmhmc(s *rng.Stream, r int, beta float64) {
	n := c.m.n
	if c.metric == nil {
		c.metric = newMetric(n)
	}
	g := c.metric

	// Step.
	top := 0.0
	for i := range n {
		top = max(top, c.m.k[i*n+i])
	}
	rule := 0.1
	if top > 9 {
		rule = 0.3 / math.Sqrt(top)
	}
	eps := num.Mul(cmp.Or(c.eps, rule), density.Jitter(s))

	// Start in the coordinates L^-1 x.
	u := g.u
	copy(u, c.row(r))
	if c.ep != nil {
		c.fromEPBase(u)
	}
	g.moveWithForces(c, u, beta)

	// Momentum: p = xi + L' h xi' has covariance G_u.
	s.Norms(g.half)
	for i, h := range g.h {
		g.tmp[i] = num.Mul(h, g.half[i])
	}
	mulLowerT(c.l(), g.tmp, g.p)
	for i := range g.p {
		g.p[i] += s.Norm()
	}

	// Trajectory, accepted by its energy.
	start := g.energy(c, u, g.p, beta)
	from := append([]float64(nil), u...)
	travel := func() bool {
		for range cmp.Or(c.leaps, rmhmcLeaps) {
			if !g.leapfrog(c, u, g.p, eps, beta) {
				return false
			}
		}
		return true
	}
	accept := num.Log(s.Float64())
	if !travel() {
		return
	}
	off := g.energy(c, u, g.p, beta) - start
	if !(math.Abs(off) < maxEnergyError && accept < -off) {
		return
	}

	// Reject unless the reversed trajectory returns to the start.
	to := append([]float64(nil), u...)
	for i, p := range g.p {
		g.p[i] = -p
	}
	if !travel() {
		return
	}
	for i, v := range from {
		if !(math.Abs(u[i]-v) < maxFixedError) {
			return
		}
	}

	if c.ep != nil { // convert back: v = C' (u - mean)
		num.Axpy(-1, c.mean, to)
		copy(u, to)
		mulLowerT(c.c, u, to)
	}
	copy(c.row(r), to)
	c.refresh(r)
}
