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

// temperedPath is the path of tempered likelihoods. With base = prior,
//
//	log f_b(x) = log N(x; 0, K) + b sum_i log p(y_i x_i)                      ([ARM] eq. 12),
//
// with base = ep and the Gaussian q(x) of expectation propagation,
//
//	log f_b(x) = b [log N(x; 0, K) + sum_i log p(y_i x_i)] + (1-b) log q(x)     (eq. 11).
//
// Rows are stored as v with x = mean + A v, where A A' is the covariance of the base, so that f_0 is N(0, I) and
// log f_b - log f_0 = b gain(x), a sum over data:
//
//	gain(x) = c + sum_i [log p(y_i x_i) + tau_i x_i^2 / 2 - nu_i x_i];
//
// tau, nu and c are 0 for the prior. A = L, or L C'^-1 for ep, with K = L L' and C C' = I + L' diag(tau) L. If K has no
// Cholesky factor in floating point, its diagonal is multiplied by 1 + 10^-t, with the largest t in 14..8 that gives
// one.
type temperedPath struct {
	m       *Classifier
	sampler string
	eps     float64 // 0: the default of the sampler
	leaps   int
	root    lazy.Value[[]float64] // L
	gramA   lazy.Value[[]float64] // A'A, lower triangle
	ep      *epFit                // nil for base = prior
	c       []float64             // C of base = ep
	mean    []float64             // mean of q in the coordinates L^-1 x
	shift   float64               // c
}

// Largest numbers of data for methods whose work grows with the cube of their number.
const (
	maxRMHMC = 800
	maxEP    = 800
)

func newPath(m *Classifier, set settings, given bool) (*temperedPath, error) {
	p := &temperedPath{m: m, sampler: set.Sampler, eps: set.Eps, leaps: set.Leaps}
	if p.sampler == "" {
		p.sampler = "hmc"
	}
	if p.sampler == "rmhmc" && m.n > maxRMHMC {
		return nil, problem.New("gpc: sampler = rmhmc factorises an N x N metric at every step, so it takes at most %d "+
			"data, not %d; choose hmc or ess", maxRMHMC, m.n)
	}
	if (given || m.noiseless) && p.l() == nil {
		return nil, problem.New("gpc: K is not positive semidefinite: raising its diagonal by 1e-8 of itself does not " +
			"help; a covariance has no negative eigenvalues")
	}
	if set.Base == "ep" {
		if m.logistic {
			return nil, problem.New("gpc: expectation propagation is for the probit likelihood; choose base = prior, or " +
				"likelihood = probit")
		}
		if m.n > maxEP {
			return nil, problem.New("gpc: base = ep is for at most %d data, not %d; choose base = prior", maxEP, m.n)
		}
		p.ep = m.sites()
		if !p.ep.converged {
			return nil, problem.New("gpc: expectation propagation did not converge in %d sweeps; choose base = prior",
				maxEPSweeps)
		}
		p.centreOnEP()
	}
	return p, nil
}

// jitteredCholesky returns the Cholesky factor of k, with each diagonal entry raised by a share of itself if necessary;
// nil if that is not enough. A share of the largest entry would change the model of latent values with smaller
// variance. Zero diagonal entries (latent values that are 0) are raised by a share of the smallest positive one.
func jitteredCholesky(k []float64, n int) []float64 {
	l := make([]float64, n*n)
	least := math.Inf(1)
	for i := range n {
		if x := k[i*n+i]; x > 0 {
			least = min(least, x)
		}
	}
	if math.IsInf(least, 1) { // zero variances allow no covariances
		if slices.ContainsFunc(k, func(x float64) bool { return x != 0 }) {
			return nil
		}
		return l
	}
	meter.ExpectPulses(float64(n) * float64(n) * float64(n) / 6)
	for raise := 0.0; raise < 2e-8; raise = max(10*raise, 1e-14) {
		copy(l, k)
		for i := range n {
			x := k[i*n+i]
			if x == 0 {
				x = least
			}
			l[i*n+i] += num.Mul(raise, x)
		}
		if num.Cholesky(l, n, meter.Pulse) {
			return l
		}
	}
	return nil
}

// l returns L, or nil if K has none.
func (p *temperedPath) l() []float64 {
	return p.root.Get(func() []float64 { return jitteredCholesky(p.m.k, p.m.n) })
}

// gram returns the lower triangle of A'A.
func (p *temperedPath) gram() []float64 {
	return p.gramA.Get(p.computeGram)
}

func (p *temperedPath) computeGram() []float64 {
	n := p.m.n
	a := slices.Clone(p.l())
	if p.ep != nil { // A' = C^-1 L', all columns at once
		for i := range n {
			for j := range i {
				a[j*n+i], a[i*n+j] = a[i*n+j], 0
			}
		}
		solveRows(p.c, a, n)
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

// weightedGram returns the lower triangle of L' diag(d) L.
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

// mulLower sets x = L u.
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

// mulLowerT sets u = L' g.
func mulLowerT(l, g, u []float64) {
	n := len(g)
	clear(u)
	for i, v := range g {
		for j, a := range l[i*n : i*n+i+1] {
			u[j] += num.Mul(a, v)
		}
	}
}

// centreOnEP computes C, the mean and the shift of base = ep.
func (p *temperedPath) centreOnEP() {
	n, l := p.m.n, p.l()
	p.c = weightedGram(l, n, func(i int) float64 { return p.ep.tau[i] }) // I + L' diag(tau) L
	p.mean = make([]float64, n)
	for i := range n {
		p.c[i*n+i]++
	}
	num.Cholesky(p.c, n, meter.Pulse) // cannot fail: the eigenvalues are at least 1
	mulLowerT(l, p.ep.nu, p.mean)
	num.SolveLower(p.c, n, p.mean)
	half := num.Dot(p.mean, p.mean)
	num.SolveUpperT(p.c, n, p.mean)
	// shift is log N(x; 0, K) / q(x) at x = 0.
	p.shift = num.Mul(0.5, half) - num.Mul(0.5, num.CholLogDet(p.c, n))
}

// toLatent sets x to the latent values of v.
func (p *temperedPath) toLatent(v, x, tmp []float64) {
	copy(tmp, v)
	if p.ep != nil {
		p.fromEPBase(tmp)
	}
	mulLower(p.l(), tmp, x)
}

// fromEPBase converts v to L^-1 x, for base = ep.
func (p *temperedPath) fromEPBase(v []float64) {
	num.SolveUpperT(p.c, p.m.n, v)
	for i, m := range p.mean {
		v[i] += m
	}
}

// pullBack sets out to the gradient with respect to v of a function with gradient g with respect to x.
func (p *temperedPath) pullBack(g, out []float64) {
	mulLowerT(p.l(), g, out)
	if p.ep != nil {
		num.SolveLower(p.c, p.m.n, out)
	}
}

// gain returns log f_1 - log f_0 at x, and sets slope, unless nil, to its gradient.
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

// chains implements models.Population.
type chains struct {
	*temperedPath
	ladder []float64
	v      []float64 // rows of N numbers
	gains  []float64
	s      scratch
	view   view
	metric *metric // for rmhmc

	massAt   float64 // beta of massRoot, for hmc
	massRoot []float64
}

// scratch is the work space of a sampler: N numbers each.
type scratch struct{ v, x, p, grad, force, tmp, x0 []float64 }

// New returns n rows of the tempered path over a ladder.
func (m *Classifier) New(n int, ladder []float64) models.Population {
	c := &chains{temperedPath: m.path, ladder: ladder, v: make([]float64, n*m.n), gains: make([]float64, n)}
	for _, x := range []*[]float64{&c.s.v, &c.s.x, &c.s.p, &c.s.grad, &c.s.force, &c.s.tmp, &c.s.x0} {
		*x = make([]float64, m.n)
	}
	for r := range c.gains {
		c.refresh(r)
	}
	return c
}

func (c *chains) row(r int) []float64 { return c.v[r*c.m.n : (r+1)*c.m.n] }

func (c *chains) refresh(r int) {
	c.toLatent(c.row(r), c.s.x, c.s.tmp)
	c.gains[r] = c.gain(c.s.x, nil)
}

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

// LogF writes log N(v; 0, I) + b gain.
func (c *chains) LogF(lo, n int, out []float64) {
	for r, gain := range c.gains {
		v := c.row(r)
		base := num.Mul(-0.5, num.Dot(v, v)) - num.Mul(float64(c.m.n), 0.5*num.Log2Pi)
		for k, b := range c.ladder[lo : lo+n] {
			out[r*n+k] = base + num.Mul(b, gain)
		}
	}
}

func (c *chains) Copy(dst, src int) {
	copy(c.row(dst), c.row(src))
	c.gains[dst] = c.gains[src]
}

func (c *chains) Append(r int, w *wire.Writer) {
	for _, v := range c.row(r) {
		w.Float(v)
	}
}

func (c *chains) Load(r int, in *wire.Reader) {
	v := c.row(r)
	for i := range v {
		v[i] = in.Float()
	}
	c.refresh(r)
}
