package gpc

import (
	"math"

	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/models"
)

// epFit is what expectation propagation finds ([Rasmussen2006]
// alg. 3.5): sites exp(-tau_i x_i^2 / 2 + nu_i x_i) in place of Phi(y_i x_i), and its
// approximation of log Z, which can be off either way and is no truth. With the
// logistic likelihood the sites are those of bound, and there is no approximation.
type epFit struct {
	tau, nu   []float64
	logZ      float64
	second    float64 // what the second order adds to logZ, see Classifier.correction
	elbo      float64 // a lower bound of log Z, see Classifier.Floor
	sweeps    int
	converged bool
}

const (
	maxEPSweeps = 200
	epPrecision = 1e-10 // of log Z, from sweep to sweep
)

// ep fits the sites, each in turn with the rest held fixed, until log Z stands.
func (m *Classifier) ep() *epFit {
	n := m.n
	f := &epFit{tau: make([]float64, n), nu: make([]float64, n)}
	q := newPosterior(n)
	s, mu := q.s, q.mu
	copy(s, m.k)
	column := make([]float64, n)
	last := math.Inf(1)
	for f.sweeps = 1; f.sweeps <= maxEPSweeps; f.sweeps++ {
		for i := range n {
			meter.Pulse(float64(n) * float64(n))
			row := s[i*n : (i+1)*n]
			if row[i] == 0 { // a latent value that is 0 for certain
				continue
			}

			// The cavity of site i, and the site that matches its moments ([Rasmussen2006] eqs. 3.56 to 3.59).
			t := 1/row[i] - f.tau[i]
			h := mu[i]/row[i] - f.nu[i]
			tau, nu := site(m.y[i], t, h)
			dt, dn := tau-f.tau[i], nu-f.nu[i]
			f.tau[i], f.nu[i] = tau, nu

			// S loses d q q', q = S e_i its column; mu = S nu follows.
			d := dt / (1 + num.Mul(dt, row[i]))
			gain := dn - num.Mul(d, mu[i]+num.Mul(row[i], dn))
			num.Axpy(gain, row, mu)
			copy(column, row)
			for j, qj := range column {
				num.Axpy(-num.Mul(d, qj), column, s[j*n:(j+1)*n])
			}
		}

		// Recompute S and mu, so that rounding does not add up.
		q.set(m, f)
		sum := m.epLogZ(f, q)

		// It ends where log Z stands.
		f.logZ = sum
		f.converged = math.Abs(sum-last) < epPrecision*max(1, math.Abs(sum))
		if f.converged || f.sweeps == maxEPSweeps {
			f.elbo = m.elbo(f, q)
		}
		if f.converged {
			f.second = m.correction(f, q)
			return f
		}
		last = sum
	}
	f.sweeps--
	return f
}

// posterior is N(mu, S), which the sites of a fit make of the prior: S = (K^-1 + diag tau)^-1 = K - V'V with V = R^-1
// diag(tau)^(1/2) K, R R' = B = I + diag(tau)^(1/2) K diag(tau)^(1/2), and mu = S nu.
type posterior struct {
	s, mu  []float64
	b, v   []float64
	logDet float64 // log |B|
}

func newPosterior(n int) *posterior {
	return &posterior{s: make([]float64, n*n), mu: make([]float64, n), b: make([]float64, n*n), v: make([]float64, n*n)}
}

func (q *posterior) set(m *Classifier, f *epFit) {
	n := m.n
	for i := range n {
		root := math.Sqrt(f.tau[i])
		for j := range i + 1 {
			q.b[i*n+j] = num.Mul(root*math.Sqrt(f.tau[j]), m.k[i*n+j])
		}
		q.b[i*n+i]++
		for j := range n {
			q.v[i*n+j] = num.Mul(root, m.k[i*n+j])
		}
	}
	num.Cholesky(q.b, n, meter.Pulse) // its eigenvalues are at least 1
	q.logDet = num.CholLogDet(q.b, n)
	solveRows(q.b, q.v, n)
	copy(q.s, m.k)
	for i := range n {
		meter.Pulse(float64(n) * float64(n))
		for j := range n {
			num.Axpy(-q.v[i*n+j], q.v[i*n:(i+1)*n], q.s[j*n:(j+1)*n])
		}
	}
	for i := range n {
		q.mu[i] = num.Dot(q.s[i*n:(i+1)*n], f.nu)
	}
}

// cavity is the precision and the shift of q's marginal of datum i without its site.
func (q *posterior) cavity(f *epFit, i int) (t, h float64) {
	sii := q.s[i*len(q.mu)+i]
	return 1/sii - f.tau[i], q.mu[i]/sii - f.nu[i]
}

// epLogZ is log Z of the sites by [Rasmussen2006] eqs. 3.65, 3.73 and 3.74.
func (m *Classifier) epLogZ(f *epFit, q *posterior) float64 {
	n, mu := m.n, q.mu
	sum := -num.Mul(0.5, q.logDet)
	for i := range n {
		sii := q.s[i*n+i]
		if sii <= 0 {
			sum -= math.Ln2
			continue
		}
		tau, nu := f.tau[i], f.nu[i]
		t, h := q.cavity(f, i)
		mean := h / t
		sum += num.LogPhi(num.Mul(m.y[i], mean)/math.Sqrt(1+1/t)) + num.Mul(0.5, num.Log1p(tau/t))
		sum += num.Mul(0.5, mu[i]*nu)
		sum += num.Mul(0.5, num.Mul(h, num.Mul(tau, mean)-num.Mul(2, nu))-num.Mul(nu, nu)) / (t + tau)
	}
	return sum
}

// elbo is E_q[log prod p(y_i x_i)] - KL(q, N(0, K)), where
//
//	2 KL = mu.nu - sum_i tau_i (S_ii + mu_i^2) + log |B|.
//
// The integrals are sums over a grid finer than the bend of log p.
func (m *Classifier) elbo(f *epFit, q *posterior) float64 {
	sum := num.Mul(-.5, q.logDet) - num.Mul(.5, num.Dot(q.mu, f.nu))
	for i, mean := range q.mu {
		sii := max(q.s[i*m.n+i], 0)
		sum += num.Mul(.5, f.tau[i]*(sii+num.Mul(mean, mean)))
		sd := math.Sqrt(sii)
		width := min(.1, .25/sd)
		total, weight := 0.0, 0.0
		for k := -math.Ceil(8 / width); num.Mul(k, width) <= 8; k++ {
			t := num.Mul(k, width)
			w := num.Exp(num.Mul(-.5, t*t))
			total += num.Mul(w, m.logP(num.Mul(m.y[i], mean+num.Mul(sd, t))))
			weight += w
		}
		sum += total / weight
	}
	return sum
}

// Floor is the bound of the fitted normal distribution, for as many data as the fit takes little time for.
func (m *Classifier) Floor(func() bool) (float64, string) {
	if m.n > maxDiagnosed {
		return math.NaN(), ""
	}
	return m.sites().elbo, models.FloorGaussian
}

// site matches the moments of Phi(y x) and the cavity of precision t and shift h.
func site(y, t, h float64) (tau, nu float64) {
	s2 := 1 / t
	m := h / t
	root := math.Sqrt(1 + s2)
	z := num.Mul(y, m) / root
	r := num.Mills(z)
	mean := m + num.Mul(y, s2*r)/root
	gone := num.Mul(s2, s2*num.Mul(r, z+r)) / (1 + s2)
	left := s2 - gone
	return max(1/left-t, 0), mean/left - h
}

// solveRows is V <- L^-1 V, all columns at once.
func solveRows(l, v []float64, n int) {
	for i := range n {
		meter.Pulse(float64(i) * float64(n))
		row := v[i*n : (i+1)*n]
		for j := range i {
			num.Axpy(-l[i*n+j], v[j*n:(j+1)*n], row)
		}
		for j := range row {
			row[j] /= l[i*n+i]
		}
	}
}
