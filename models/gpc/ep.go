package gpc

import (
	"math"

	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/models"
)

// epFit is the result of expectation propagation ([Rasmussen2006] alg. 3.5): sites exp(-tau_i x_i^2 / 2 + nu_i x_i) in
// place of Phi(y_i x_i), and an approximation of log Z, which has no known sign of its error. For the logistic
// likelihood the sites come from boundSites, and there is no approximation.
type epFit struct {
	tau, nu    []float64
	logZ       float64
	correction float64 // second-order correction of logZ, see Classifier.correction
	elbo       float64 // a lower bound of log Z, see Classifier.Floor
	sweeps     int
	converged  bool
}

const (
	maxEPSweeps = 200
	epPrecision = 1e-10 // change of log Z from sweep to sweep
)

// ep updates the sites in turn until log Z converges.
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
			if row[i] == 0 { // the latent value is 0 with certainty
				continue
			}

			// Cavity of site i, and the site that matches the moments ([Rasmussen2006] eqs. 3.56 to 3.59).
			t := 1/row[i] - f.tau[i]
			h := mu[i]/row[i] - f.nu[i]
			tau, nu := matchMoments(m.y[i], t, h)
			dt, dn := tau-f.tau[i], nu-f.nu[i]
			f.tau[i], f.nu[i] = tau, nu

			// Rank-one update: S - d q q' with the column q = S e_i, and mu = S nu.
			d := dt / (1 + num.Mul(dt, row[i]))
			gain := dn - num.Mul(d, mu[i]+num.Mul(row[i], dn))
			num.Axpy(gain, row, mu)
			copy(column, row)
			for j, qj := range column {
				num.Axpy(-num.Mul(d, qj), column, s[j*n:(j+1)*n])
			}
		}

		// Recompute S and mu, so that rounding errors do not accumulate.
		q.set(m, f)
		sum := m.epLogZ(f, q)

		// Test for convergence.
		f.logZ = sum
		f.converged = math.Abs(sum-last) < epPrecision*max(1, math.Abs(sum))
		if f.converged || f.sweeps == maxEPSweeps {
			f.elbo = m.elbo(f, q)
		}
		if f.converged {
			f.correction = m.correction(f, q)
			return f
		}
		last = sum
	}
	f.sweeps--
	return f
}

// posterior is the normal distribution N(mu, S) of prior and sites: S = (K^-1 + diag tau)^-1 = K - V'V with V = R^-1
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
	num.Cholesky(q.b, n, meter.Pulse) // cannot fail: the eigenvalues are at least 1
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

// cavity returns the precision and the shift (precision times mean) of the marginal of datum i without its site.
func (q *posterior) cavity(f *epFit, i int) (t, h float64) {
	sii := q.s[i*len(q.mu)+i]
	return 1/sii - f.tau[i], q.mu[i]/sii - f.nu[i]
}

// epLogZ returns log Z of the sites by [Rasmussen2006] eqs. 3.65, 3.73 and 3.74.
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

// elbo returns the lower bound E_q[log prod p(y_i x_i)] - KL(q, N(0, K)) of log Z, where
//
//	2 KL = mu.nu - sum_i tau_i (S_ii + mu_i^2) + log |B|.
//
// The integrals are sums over a grid fine enough for the curvature of log p.
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

// Floor returns the lower bound by the fitted normal distribution, or NaN for more data than maxDiagnosedData.
func (m *Classifier) Floor(func() bool) (float64, string) {
	if m.n > maxDiagnosedData {
		return math.NaN(), ""
	}
	return m.sites().elbo, models.FloorGaussian
}

// matchMoments returns the site for Phi(y x) and a cavity of precision t and shift h.
func matchMoments(y, t, h float64) (tau, nu float64) {
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

// solveRows replaces V by L^-1 V, all columns at once.
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
