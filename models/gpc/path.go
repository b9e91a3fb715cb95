package gpc

import (
	"math"
	"slices"

	"logzlab/core/lazy"
	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/core/problem"
	"logzlab/core/wire"
	"logzlab/models"
)

// temperedPath is the path of densities f_b, b in [0, 1], that tempers the likelihood of a Classifier. If the parameter
// base is "prior", f_0 is the prior:
//
//	log f_b(x) = log N(x; 0, K) + b sum_i log p(y_i x_i)                      ([ARM] eq. 12).
//
// If base is "ep", f_0 is the normal distribution q(x) fitted by expectation propagation:
//
//	log f_b(x) = b [log N(x; 0, K) + sum_i log p(y_i x_i)] + (1-b) log q(x)     (eq. 11).
//
// Rows store v, with x = mean + A v and A A' the covariance of f_0. In these coordinates f_0 is N(0, I), and
//
//	log f_b - log f_0 = b gain(x),
//	gain(x) = shift + sum_i [log p(y_i x_i) + tau_i x_i^2 / 2 - nu_i x_i],
//
// where shift, tau and nu are 0 for base = prior. Let K = L L'. Then A = L for base = prior, and A = L C'^-1 with C C'
// = I + L' diag(tau) L for base = ep. If K has no Cholesky factor in floating point, each diagonal entry is multiplied
// by 1 + jitter (jitteredCholesky).
type temperedPath struct {
	m          *Classifier
	sampler    string
	eps        float64               // step; 0 means the default of the sampler
	leaps      int                   // leapfrog steps of a transition; 0 means the default of the sampler
	cachedL    lazy.Value[[]float64] // L, see the method l
	cachedGram lazy.Value[[]float64] // lower triangle of A'A, see the method gram
	ep         *siteFit              // nil for base = prior
	epChol     []float64             // C, lower triangular; nil for base = prior
	mean       []float64             // L^-1 times the mean of q; nil for base = prior
	shift      float64               // shift in gain(x)
}

// Largest numbers of data for sampler = rmhmc and for base = ep, whose times grow with the cube of this number.
const (
	maxRMHMCData = 800
	maxEPData    = 800
)

// newPath returns the path of m for the parameters in set. hasMatrix is true if the file gave K itself, so K may not be
// positive semidefinite. The error says which parameter does not fit the model.
func newPath(m *Classifier, set settings, hasMatrix bool) (*temperedPath, error) {
	p := &temperedPath{m: m, sampler: set.Sampler, eps: set.Eps, leaps: set.Leaps}
	if p.sampler == "" {
		p.sampler = "hmc"
	}
	if p.sampler == "rmhmc" && m.n > maxRMHMCData {
		return nil, problem.New("gpc: sampler = rmhmc factorises an N x N metric at every step, so it takes at most %d "+
			"data, not %d; choose hmc or ess", maxRMHMCData, m.n)
	}
	if (hasMatrix || m.noiseless) && p.l() == nil {
		return nil, problem.New("gpc: K is not positive semidefinite: raising its diagonal by 1e-8 of itself does not " +
			"help; a covariance has no negative eigenvalues")
	}
	if set.Base == "ep" {
		if m.logistic {
			return nil, problem.New("gpc: expectation propagation is for the probit likelihood; choose base = prior, or " +
				"likelihood = probit")
		}
		if m.n > maxEPData {
			return nil, problem.New("gpc: base = ep is for at most %d data, not %d; choose base = prior", maxEPData, m.n)
		}
		p.ep = m.fitSites()
		if !p.ep.converged {
			return nil, problem.New("gpc: expectation propagation did not converge in %d sweeps; choose base = prior",
				maxEPSweeps)
		}
		p.centreOnEP()
	}
	return p, nil
}

// jitteredCholesky returns the lower Cholesky factor of the n x n covariance matrix k. If k has none in floating point,
// each diagonal entry is multiplied by 1 + jitter, with the first jitter of 1e-14, 1e-13, ..., 1e-8 that gives a
// factor; it returns nil if none does. The jitter is relative to each entry, because an absolute one would change the
// model of latent values with a small variance. A diagonal entry of 0 is replaced by jitter times the smallest positive
// entry.
func jitteredCholesky(k []float64, n int) []float64 {
	l := make([]float64, n*n)
	minVariance := math.Inf(1)
	for i := range n {
		if x := k[i*n+i]; x > 0 {
			minVariance = min(minVariance, x)
		}
	}
	if math.IsInf(minVariance, 1) { // zero variances allow no covariances
		if slices.ContainsFunc(k, func(x float64) bool { return x != 0 }) {
			return nil
		}
		return l
	}
	meter.ExpectPulses(float64(n) * float64(n) * float64(n) / 6)
	for jitter := 0.0; jitter < 2e-8; jitter = max(10*jitter, 1e-14) {
		copy(l, k)
		for i := range n {
			x := k[i*n+i]
			if x == 0 {
				x = minVariance
			}
			l[i*n+i] += num.Mul(jitter, x)
		}
		if num.Cholesky(l, n, meter.Pulse) {
			return l
		}
	}
	return nil
}

// l returns L, the lower Cholesky factor of K (N x N, by rows), or nil if K has none.
func (p *temperedPath) l() []float64 {
	return p.cachedL.Get(func() []float64 { return jitteredCholesky(p.m.k, p.m.n) })
}

// gram returns the lower triangle of A'A (N x N, by rows), computed on first use.
func (p *temperedPath) gram() []float64 {
	return p.cachedGram.Get(p.computeGram)
}

// computeGram computes the result of gram.
func (p *temperedPath) computeGram() []float64 {
	n := p.m.n
	a := slices.Clone(p.l())
	if p.ep != nil { // A' = C^-1 L', all columns at once
		for i := range n {
			for j := range i {
				a[j*n+i], a[i*n+j] = a[i*n+j], 0
			}
		}
		solveRows(p.epChol, a, n)
		g := make([]float64, n*n)
		for i := range n {
			meter.Pulse(float64(i) * float64(n))
			for j := range i + 1 {
				g[i*n+j] = num.Dot(a[i*n:(i+1)*n], a[j*n:])
			}
		}
		return g
	}
	return weightedGram(a, n, func(int) float64 { return 1 })
}

// weightedGram returns the lower triangle of L' diag(d) L (n x n, by rows), with d_i = d(i).
func weightedGram(l []float64, n int, d func(i int) float64) []float64 {
	g := make([]float64, n*n)
	for i := range n {
		meter.Pulse(float64(i) * float64(i) / 2)
		row, di := l[i*n:i*n+i+1], d(i)
		for j, a := range row {
			num.Axpy(num.Mul(di, a), row[:j+1], g[j*n:])
		}
	}
	return g
}

// mulLower sets x = L u, for a lower triangular n x n matrix l by rows. It computes four elements at a time.
func mulLower(l, u, x []float64) {
	n := len(u)
	i := 0
	for ; i+4 <= n; i += 4 {
		x[i], x[i+1], x[i+2], x[i+3] = num.Dot4(u[:i+1], l[i*n:], l[(i+1)*n:], l[(i+2)*n:], l[(i+3)*n:])
		for j := i + 1; j < i+4; j++ {
			for t := i + 1; t <= j; t++ {
				x[j] += num.Mul(l[j*n+t], u[t])
			}
		}
	}
	for ; i < n; i++ {
		x[i] = num.Dot(u[:i+1], l[i*n:])
	}
}

// mulLowerT sets u = L' g, for a lower triangular n x n matrix l by rows.
func mulLowerT(l, g, u []float64) {
	n := len(g)
	clear(u)
	for i, v := range g {
		for j, a := range l[i*n : i*n+i+1] {
			u[j] += num.Mul(a, v)
		}
	}
}

// centreOnEP computes epChol, mean and shift from the fit of expectation propagation.
func (p *temperedPath) centreOnEP() {
	n, l := p.m.n, p.l()
	p.epChol = weightedGram(l, n, func(i int) float64 { return p.ep.tau[i] }) // I + L' diag(tau) L
	p.mean = make([]float64, n)
	for i := range n {
		p.epChol[i*n+i]++
	}
	num.Cholesky(p.epChol, n, meter.Pulse) // cannot fail: the eigenvalues are at least 1
	mulLowerT(l, p.ep.nu, p.mean)
	num.SolveLower(p.epChol, n, p.mean)
	squares := num.Dot(p.mean, p.mean)
	num.SolveUpperT(p.epChol, n, p.mean)
	// shift is log N(x; 0, K) / q(x) at x = 0.
	p.shift = num.Mul(0.5, squares) - num.Mul(0.5, num.CholLogDet(p.epChol, n))
}

// toLatent sets x to the latent values mean + A v; tmp is work space for N numbers.
func (p *temperedPath) toLatent(v, x, tmp []float64) {
	copy(tmp, v)
	if p.ep != nil {
		p.fromEPBase(tmp)
	}
	mulLower(p.l(), tmp, x)
}

// fromEPBase replaces v by L^-1 x, for base = ep.
func (p *temperedPath) fromEPBase(v []float64) {
	num.SolveUpperT(p.epChol, p.m.n, v)
	for i, m := range p.mean {
		v[i] += m
	}
}

// pullBack converts a gradient with respect to x into the gradient with respect to v: out = A' g.
func (p *temperedPath) pullBack(g, out []float64) {
	mulLowerT(p.l(), g, out)
	if p.ep != nil {
		num.SolveLower(p.epChol, p.m.n, out)
	}
}

// gain returns log f_1(x) - log f_0(x) in nats. If slope is not nil, it sets slope to the gradient with respect to x.
func (p *temperedPath) gain(x, slope []float64) float64 {
	sum := p.shift
	for i, x := range x {
		y := p.m.y[i]
		s := num.Mul(y, x)
		sum += p.m.logP(s)
		if slope != nil {
			slope[i] = num.Mul(y, p.m.gradLogP(s))
		}
		if p.ep != nil {
			tx := num.Mul(p.ep.tau[i], x)
			sum += num.Mul(x, num.Mul(0.5, tx)-p.ep.nu[i])
			if slope != nil {
				slope[i] += tx - p.ep.nu[i]
			}
		}
	}
	return sum
}

// chains are the rows of a temperedPath (models.Population): each row holds the coordinates v of one state.
type chains struct {
	*temperedPath
	ladder  []float64
	v       []float64 // N numbers for each row
	gains   []float64 // log f_1 - log f_0 of each row, in nats
	scratch scratch
	view    view
	metric  *metric // work space of rmhmc; nil for other samplers

	massBeta float64   // inverse temperature for which massChol was computed
	massChol []float64 // Cholesky factor of the mass matrix, see the method mass
}

// scratch is the work space of a transition: vectors of N numbers.
type scratch struct{ v, x, p, grad, force, tmp, velocity []float64 }

// New returns n rows, all at v = 0, over a ladder of inverse temperatures.
func (m *Classifier) New(n int, ladder []float64) models.Population {
	c := &chains{temperedPath: m.path, ladder: ladder, v: make([]float64, n*m.n), gains: make([]float64, n)}
	for _, x := range []*[]float64{&c.scratch.v, &c.scratch.x, &c.scratch.p, &c.scratch.grad, &c.scratch.force, &c.scratch.tmp, &c.scratch.velocity} {
		*x = make([]float64, m.n)
	}
	for r := range c.gains {
		c.refresh(r)
	}
	return c
}

// row returns the coordinates v of row r.
func (c *chains) row(r int) []float64 { return c.v[r*c.m.n : (r+1)*c.m.n] }

// refresh recomputes the gain of row r from its coordinates.
func (c *chains) refresh(r int) {
	c.toLatent(c.row(r), c.scratch.x, c.scratch.tmp)
	c.gains[r] = c.gain(c.scratch.x, nil)
}

// Draw sets every row to an independent sample of f_0.
func (c *chains) Draw(at rng.At) {
	for r := range c.gains {
		s := at.Row(r)
		v := c.row(r)
		for i := range v {
			v[i] = s.Norm()
		}
		c.refresh(r)
	}
}

// LogF writes log f_b = log N(v; 0, I) + b gain for the rungs lo..lo+n-1, in nats.
func (c *chains) LogF(lo, n int, out []float64) {
	for r, gain := range c.gains {
		v := c.row(r)
		base := num.Mul(-0.5, num.Dot(v, v)) - num.Mul(float64(c.m.n), 0.5*num.Log2Pi)
		for k, b := range c.ladder[lo : lo+n] {
			out[r*n+k] = base + num.Mul(b, gain)
		}
	}
}

// Copy makes row dst a copy of row src.
func (c *chains) Copy(dst, src int) {
	copy(c.row(dst), c.row(src))
	c.gains[dst] = c.gains[src]
}

// Append encodes the coordinates of row r.
func (c *chains) Append(r int, w *wire.Writer) {
	for _, v := range c.row(r) {
		w.Float(v)
	}
}

// Load decodes row r as Append encoded it.
func (c *chains) Load(r int, in *wire.Reader) {
	v := c.row(r)
	for i := range v {
		v[i] = in.Float()
	}
	c.refresh(r)
}
