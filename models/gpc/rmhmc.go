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

// metric is the metric of Riemannian Hamiltonian Monte Carlo at one point x. It is G = K^-1 + D with D_ii = b I(x_i) +
// (1-b) tau_i, where I(x) is the Fisher information of a label (Classifier.information) and tau_i is 0 for base =
// prior. In the coordinates u = L^-1 x the dynamics are the same, and K need not be inverted:
//
//	G_u = I + L' D L, G_u^-1 p = p - L' h B^-1 h L p, log|G_u| = log|B|,
//	h = D^(1/2), B = I + h K h, diag(L G_u^-1 L') = diag(K - K h B^-1 h K).
type metric struct {
	rootD, infoGrad []float64 // h as a vector, and b I'(x_i)
	cholB           []float64 // Cholesky factor R of B, N x N by rows
	logDet          float64   // log|B|
	v               []float64 // R^-1 h K with B = R R', N x N by rows; only setVariances computes it
	variance        []float64 // diag(L G_u^-1 L')

	u, x, p                    []float64 // position u = L^-1 x, latent values x, and momentum
	likGrad                    []float64 // gradient with respect to x of log f_b - log N(x; 0, K)
	endVelocity, startVelocity []float64 // velocities at the end and at the start of a leapfrog step
	normals, iterate           []float64 // standard normal numbers; next iterate of fixedPoint
	tmp                        []float64
}

// newMetric returns the work space for n data.
func newMetric(n int) *metric {
	m := &metric{cholB: make([]float64, n*n), v: make([]float64, n*n)}
	for _, x := range []*[]float64{&m.rootD, &m.infoGrad, &m.variance, &m.u, &m.x, &m.p, &m.normals, &m.iterate, &m.endVelocity, &m.startVelocity, &m.tmp,
		&m.likGrad} {
		*x = make([]float64, n)
	}
	return m
}

// moveTo computes the metric at u for inverse temperature beta.
func (g *metric) moveTo(c *chains, u []float64, beta float64) {
	n, k := c.m.n, c.m.k
	mulLower(c.l(), u, g.x)
	for i, x := range g.x {
		info, slope := c.m.information(x)
		d := num.Mul(beta, info)
		if c.ep != nil {
			d += num.Mul(1-beta, c.ep.tau[i])
		}
		g.rootD[i], g.infoGrad[i] = math.Sqrt(d), num.Mul(beta, slope)
	}
	for i, hi := range g.rootD {
		row := g.cholB[i*n : (i+1)*n]
		for j, hj := range g.rootD[:i+1] {
			row[j] = num.Mul(hi*hj, k[i*n+j])
		}
		row[i]++
	}
	num.Cholesky(g.cholB, n, meter.Pulse)
	g.logDet = num.CholLogDet(g.cholB, n)
}

// velocity sets out to the velocity G_u^-1 p.
func (g *metric) velocity(c *chains, p, out []float64) {
	n := c.m.n
	mulLower(c.l(), p, g.tmp)
	for i, h := range g.rootD {
		g.tmp[i] = num.Mul(h, g.tmp[i])
	}
	num.SolveLower(g.cholB, n, g.tmp)
	num.SolveUpperT(g.cholB, n, g.tmp)
	for i, h := range g.rootD {
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
	for i, h := range g.rootD {
		for j := range n {
			g.v[i*n+j] = num.Mul(h, k[i*n+j])
		}
	}
	solveRows(g.cholB, g.v, n)
	for j := range n {
		g.variance[j] = k[j*n+j]
	}
	for i := range n {
		for j, v := range g.v[i*n : (i+1)*n] {
			g.variance[j] -= num.Mul(v, v)
		}
	}
}

// energy returns -log f + log|G_u| / 2 + p' G_u^-1 p / 2, up to a constant, and sets endVelocity. The metric must be at
// u.
func (g *metric) energy(c *chains, u, p []float64, beta float64) float64 {
	g.velocity(c, p, g.endVelocity)
	return num.Mul(0.5, num.Dot(u, u)+g.logDet+num.Dot(p, g.endVelocity)) - c.tempered(g.x, nil, beta)
}

// tempered returns log f_beta(x) - log N(x; 0, K), up to a constant. If slope is not nil, it sets slope to the
// gradient.
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

// force sets out to -dH/du at the current point, for momentum p; H is the energy.
func (g *metric) force(c *chains, u, p, out []float64) {
	g.velocity(c, p, g.endVelocity)
	mulLower(c.l(), g.endVelocity, g.tmp)
	for i, w := range g.tmp {
		g.tmp[i] = g.likGrad[i] + num.Mul(0.5*g.infoGrad[i], num.Mul(w, w)-g.variance[i])
	}
	mulLowerT(c.l(), g.tmp, out)
	for i, v := range u {
		out[i] -= v
	}
}

// Settings of the generalised leapfrog: the largest number of fixed-point iterations, the change at which an iteration
// has converged, the change above which a trajectory is rejected, and the energy error from which on it is rejected.
const (
	maxFixedSteps  = 16
	fixedTol       = 1e-10
	maxFixedError  = 1e-6
	maxEnergyError = 1000
)

// fixedPoint iterates x <- f(x) in place and reports whether the last change was at most maxFixedError.
func (g *metric) fixedPoint(x []float64, f func(x, out []float64)) bool {
	change := math.Inf(1)
	for range maxFixedSteps {
		f(x, g.iterate)
		change = 0
		for i, v := range g.iterate {
			change = max(change, math.Abs(v-x[i]))
		}
		copy(x, g.iterate)
		if !(change > fixedTol) {
			break
		}
	}
	return change <= maxFixedError
}

// leapfrog applies one step of the generalised leapfrog, of size eps, to (u, p). It returns false if a fixed-point
// iteration did not converge. The metric must be at u before the call and is at the new u after it.
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
	g.velocity(c, p, g.startVelocity)
	u0 := append([]float64(nil), u...)
	ok := g.fixedPoint(u, func(u, out []float64) {
		g.moveTo(c, u, beta)
		g.velocity(c, p, out)
		for i, v := range out {
			out[i] = u0[i] + num.Mul(0.5*eps, g.startVelocity[i]+v)
		}
	})

	// Explicit half step of p.
	g.moveWithForces(c, u, beta)
	copy(p0, p)
	kick(p0)(p0, g.iterate)
	copy(p, g.iterate)
	return ok
}

// moveWithForces is moveTo; it also computes the variances and the gradient that force needs.
func (g *metric) moveWithForces(c *chains, u []float64, beta float64) {
	g.moveTo(c, u, beta)
	g.setVariances(c)
	c.tempered(g.x, g.likGrad, beta)
}

// rmhmc applies Riemannian manifold Hamiltonian Monte Carlo ([Girolami2011]) to row r. The defaults are eps = 0.1 with
// 10 steps, as in the paper, and eps = 0.3 / s if the largest prior standard deviation s exceeds 3, because the metric
// then changes faster. A trajectory is rejected if its implicit steps do not converge, if its energy error is 1000 or
// more, or if the reversed trajectory does not return to the start. The last rule is necessary because implicit
// equations can have several solutions, and a kernel that is not reversible does not leave f_beta invariant.
func (c *chains) rmhmc(s *rng.Stream, r int, beta float64) {
	n := c.m.n
	if c.metric == nil {
		c.metric = newMetric(n)
	}
	g := c.metric

	// Step.
	maxVariance := 0.0
	for i := range n {
		maxVariance = max(maxVariance, c.m.k[i*n+i])
	}
	defaultEps := 0.1
	if maxVariance > 9 {
		defaultEps = 0.3 / math.Sqrt(maxVariance)
	}
	eps := num.Mul(cmp.Or(c.eps, defaultEps), density.Jitter(s))

	// Start in the coordinates L^-1 x.
	u := g.u
	copy(u, c.row(r))
	if c.ep != nil {
		c.fromEPBase(u)
	}
	g.moveWithForces(c, u, beta)

	// Momentum: p = xi + L' h xi' has covariance G_u.
	s.Norms(g.normals)
	for i, h := range g.rootD {
		g.tmp[i] = num.Mul(h, g.normals[i])
	}
	mulLowerT(c.l(), g.tmp, g.p)
	for i := range g.p {
		g.p[i] += s.Norm()
	}

	// Trajectory, accepted by its energy.
	startEnergy := g.energy(c, u, g.p, beta)
	u0 := append([]float64(nil), u...)
	integrate := func() bool {
		for range cmp.Or(c.leaps, rmhmcLeaps) {
			if !g.leapfrog(c, u, g.p, eps, beta) {
				return false
			}
		}
		return true
	}
	logU := num.Log(s.Float64())
	if !integrate() {
		return
	}
	energyError := g.energy(c, u, g.p, beta) - startEnergy
	if !(math.Abs(energyError) < maxEnergyError && logU < -energyError) {
		return
	}

	// Reject unless the reversed trajectory returns to the start.
	u1 := append([]float64(nil), u...)
	for i, p := range g.p {
		g.p[i] = -p
	}
	if !integrate() {
		return
	}
	for i, v := range u0 {
		if !(math.Abs(u[i]-v) < maxFixedError) {
			return
		}
	}

	if c.ep != nil { // convert back: v = C' (u - mean)
		num.Axpy(-1, c.mean, u1)
		copy(u, u1)
		mulLowerT(c.epChol, u, u1)
	}
	copy(c.row(r), u1)
	c.refresh(r)
}
