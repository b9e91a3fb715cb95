package gpc

import (
	"math"

	"logzlab/core/num"
)

// Likelihoods of a label: functions p(y x) of the latent value x, with y = -1 or 1.
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

// gradLogP returns the derivative of log p.
func (m *Classifier) gradLogP(s float64) float64 {
	if m.logistic {
		return num.Sigmoid(-s)
	}
	return num.Mills(s)
}

// labelProb returns the mean of p(x) for x ~ N(mean, v). For the logistic likelihood it is the approximation
// p(mean/sqrt(1 + pi v/8)), which is for pictures only.
func (m *Classifier) labelProb(mean, v float64) float64 {
	if m.logistic {
		return num.Sigmoid(mean / math.Sqrt(1+num.Mul(math.Pi/8, v)))
	}
	return num.Phi(mean / math.Sqrt(1+v))
}

// stiffness returns the curvature of -log p assumed by the mass of hmc: half of its upper bound. For a probit label the
// curvature is 2/pi at the boundary, smaller if the label is fitted, and below 1 everywhere; for a logistic label it is
// at most 1/4.
func (m *Classifier) stiffness() float64 {
	if m.logistic {
		return .125
	}
	return .5
}

// information returns the Fisher information of a label, p'(x)^2 / (p(x) p(-x)), and its derivative.
func (m *Classifier) information(x float64) (i, slope float64) {
	a, b := m.gradLogP(x), m.gradLogP(-x) // probit: phi/Phi(x), phi/Phi(-x); logistic: p(-x), p(x)
	i = num.Mul(a, b)
	if m.logistic {
		return i, num.Mul(i, a-b)
	}
	return i, num.Mul(i, num.Mul(-2, x)+b-a)
}

// boundSites finds the sites of a lower bound of log Z: with l(c) = tanh(c/2)/(4 c),
//
//	log p(s) >= log p(c_i) + (s - c_i)/2 - l(c_i) (s^2 - c_i^2)                       ([Jaakkola2000]),
//
// so tau_i = 2 l(c_i) and nu_i = y_i/2. Setting c_i^2 = E[x_i^2] under the normal distribution of the sites raises the
// bound at every step; the bound is valid wherever the iteration stops.
func (m *Classifier) boundSites() *epFit {
	n := m.n
	f := &epFit{tau: make([]float64, n), nu: make([]float64, n)}
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

const maxBoundSweeps = 50
