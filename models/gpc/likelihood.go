package gpc

import (
	"math"

	"logzlab/core/num"
)

// Likelihoods of a label y = -1 or 1 given the latent value x: p(s) with s = y x.
const (
	Probit   = "probit"   // p(s) = Phi(s)
	Logistic = "logistic" // p(s) = 1/(1 + e^-s)
)

// logP returns log p(s), in nats.
func (m *Classifier) logP(s float64) float64 {
	if m.logistic {
		return -num.Softplus(-s)
	}
	return num.LogPhi(s)
}

// gradLogP returns the derivative of log p(s).
func (m *Classifier) gradLogP(s float64) float64 {
	if m.logistic {
		return num.Sigmoid(-s)
	}
	return num.Mills(s)
}

// labelProb returns the probability of label 1 for x ~ N(mean, v): the mean of p(x). For the logistic likelihood it
// returns the approximation p(mean/sqrt(1 + pi v/8)), which is accurate enough for pictures.
func (m *Classifier) labelProb(mean, v float64) float64 {
	if m.logistic {
		return num.Sigmoid(mean / math.Sqrt(1+num.Mul(math.Pi/8, v)))
	}
	return num.Phi(mean / math.Sqrt(1+v))
}

// massCurvature returns the constant that the mass matrix of the sampler hmc assumes for the curvature of -log p: half
// of the upper bound of this curvature. The bound is 1 for the probit likelihood, whose curvature is 2/pi at s = 0 and
// tends to 0 for large s; it is 1/4 for the logistic likelihood.
func (m *Classifier) massCurvature() float64 {
	if m.logistic {
		return .125
	}
	return .5
}

// information returns the Fisher information p'(x)^2 / (p(x) p(-x)) of a label about x, and its derivative.
func (m *Classifier) information(x float64) (info, slope float64) {
	a, b := m.gradLogP(x), m.gradLogP(-x) // probit: phi/Phi(x), phi/Phi(-x); logistic: p(-x), p(x)
	info = num.Mul(a, b)
	if m.logistic {
		return info, num.Mul(info, a-b)
	}
	return info, num.Mul(info, num.Mul(-2, x)+b-a)
}

// fitBound fits the sites of a lower bound of log Z for the logistic likelihood. With l(c) = tanh(c/2)/(4 c),
//
//	log p(s) >= log p(c_i) + (s - c_i)/2 - l(c_i) (s^2 - c_i^2)                       ([Jaakkola2000]),
//
// so tau_i = 2 l(c_i) and nu_i = y_i/2. Each sweep sets c_i^2 = E[x_i^2] under the current normal approximation, which
// never lowers the bound. The bound holds for any c, so the iteration need not converge.
func (m *Classifier) fitBound() *siteFit {
	n := m.n
	f := &siteFit{tau: make([]float64, n), nu: make([]float64, n)}
	for i, y := range m.y {
		f.tau[i], f.nu[i] = .25, .5*y
	}
	q := newPosterior(n)
	for f.sweeps = 1; f.sweeps <= maxBoundSweeps; f.sweeps++ {
		q.set(m, f)
		change := 0.0
		for i, mean := range q.mu {
			c := math.Sqrt(max(q.s[i*n+i], 0) + num.Mul(mean, mean))
			if c < 1e-6 { // l(c) tends to 1/8
				c = 1e-6
			}
			tau := (.5 - num.Sigmoid(-c)) / c
			change = max(change, math.Abs(tau-f.tau[i]))
			f.tau[i] = tau
		}
		if change < 1e-4 {
			break
		}
	}
	q.set(m, f)
	f.elbo = m.elbo(f, q)
	return f
}

// maxBoundSweeps limits the number of sweeps of fitBound.
const maxBoundSweeps = 50
