package gpc

import (
	"math"

	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/models"
)

// siteFit is a normal approximation of the posterior of x: the prior times the sites exp(-tau_i x_i^2 / 2 + nu_i x_i),
// one in place of each likelihood p(y_i x_i). For the probit likelihood the sites come from expectation propagation
// ([Rasmussen2006] alg. 3.5), which also gives an approximation of log Z whose error may have either sign. For the
// logistic likelihood they come from fitBound, which gives a lower bound only.
type siteFit struct {
	tau, nu    []float64
	logZ       float64 // approximation of log Z, in nats; 0 for the logistic likelihood
	correction float64 // second-order correction of logZ in nats, see Classifier.correction
	elbo       float64 // lower bound of log Z in nats, see Classifier.elbo
	sweeps     int     // sweeps over the data
	converged  bool    // logZ converged; false for the logistic likelihood
}

const (
	maxEPSweeps = 200   // limit of the number of sweeps
	epPrecision = 1e-10 // relative change of log Z from sweep to sweep at convergence
)

// fitEP runs expectation propagation: it updates one site after another until log Z converges or maxEPSweeps sweeps are
// done.
func (m *Classifier) fitEP() *siteFit {
	n := m.n
	f := &siteFit{tau: make([]float64, n), nu: make([]float64, n)}
	q := newPosterior(n)
	s, mu := q.s, q.mu
	copy(s, m.k)
	column := make([]float64, n)
	previous := math.Inf(1)
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
		f.converged = math.Abs(sum-previous) < epPrecision*max(1, math.Abs(sum))
		if f.converged || f.sweeps == maxEPSweeps {
			f.elbo = m.elbo(f, q)
		}
		if f.converged {
			f.correction = m.correction(f, q)
			return f
		}
		previous = sum
	}
	f.sweeps--
	return f
}

// posterior is the normal distribution N(mu, S) proportional to prior times sites:
//
//	S = (K^-1 + diag tau)^-1 = K - V'V, V = R^-1 diag(tau)^(1/2) K, mu = S nu,
//	R R' = B = I + diag(tau)^(1/2) K diag(tau)^(1/2).
type posterior struct {
	s, mu  []float64 // S (N x N, by rows) and mu
	b, v   []float64 // R and V, N x N by rows
	logDet float64   // log |B|
}

// newPosterior returns a posterior of n data, without values.
func newPosterior(n int) *posterior {
	return &posterior{s: make([]float64, n*n), mu: make([]float64, n), b: make([]float64, n*n), v: make([]float64, n*n)}
}

// set computes the distribution for the sites of f.
func (q *posterior) set(m *Classifier, f *siteFit) {
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

// cavity returns the precision t and the shift h (precision times mean) of the cavity of datum i: the marginal of x_i
// under N(mu, S) divided by the site of i.
func (q *posterior) cavity(f *siteFit, i int) (t, h float64) {
	sii := q.s[i*len(q.mu)+i]
	return 1/sii - f.tau[i], q.mu[i]/sii - f.nu[i]
}

// epLogZ returns the approximation of log Z in nats, by [Rasmussen2006] eqs. 3.65, 3.73 and 3.74.
func (m *Classifier) epLogZ(f *siteFit, q *posterior) float64 {
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

// elbo returns the lower bound E_q[sum_i log p(y_i x_i)] - KL(q, N(0, K)) of log Z in nats, with q = N(mu, S) and
//
//	2 KL = mu.nu - sum_i tau_i (S_ii + mu_i^2) + log |B|.
//
// Each expectation of log p is a weighted mean over a grid of step at most 0.25, because the curvature of log p is at
// most 1.
func (m *Classifier) elbo(f *siteFit, q *posterior) float64 {
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

// Floor returns the lower bound of log Z by the fitted normal distribution in nats, or NaN for more than
// maxDiagnosedData data.
func (m *Classifier) Floor(func() bool) (float64, string) {
	if m.n > maxDiagnosedData {
		return math.NaN(), ""
	}
	return m.fitSites().elbo, models.FloorGaussian
}

// matchMoments returns the site for the likelihood Phi(y x): cavity times site has the mean and the variance of cavity
// times likelihood. The cavity has precision t and shift h.
func matchMoments(y, t, h float64) (tau, nu float64) {
	s2 := 1 / t
	m := h / t
	root := math.Sqrt(1 + s2)
	z := num.Mul(y, m) / root
	r := num.Mills(z)
	mean := m + num.Mul(y, s2*r)/root
	reduction := num.Mul(s2, s2*num.Mul(r, z+r)) / (1 + s2)
	variance := s2 - reduction
	return max(1/variance-t, 0), mean/variance - h
}

// solveRows replaces the n x n matrix v by L^-1 v, for a lower triangular matrix l; both by rows.
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
