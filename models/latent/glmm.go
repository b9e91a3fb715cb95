package latent

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/num/rng"
)

// glmmGroup is a group at one point of the parameters: y log-odds eta_j + u, u ~ N(0, sd^2).
type glmmGroup struct {
	y, eta []float64
	odds   []float64 // e^eta
	on     float64   // sum of y
	fit    float64   // sum of y eta
	most   float64   // largest |eta|
}

// set takes the group's data and fixed effects.
func (g *glmmGroup) set(y, x, b []float64) {
	p := len(b) - 1
	g.y, g.eta, g.odds, g.on, g.fit, g.most = y, g.eta[:0], g.odds[:0], 0, 0, 0
	for j, v := range y {
		eta := b[0] + num.Dot(x[j*p:(j+1)*p], b[1:])
		g.eta, g.odds = append(g.eta, eta), append(g.odds, num.Exp(eta))
		g.on += v
		g.fit += num.Mul(v, eta)
		g.most = max(g.most, math.Abs(eta))
	}
}

// smallLogOdds keeps the product of sixteen odds in range.
const smallLogOdds = 40

// logLik is sum_j y_j (eta_j + u) - log(1 + e^(eta_j + u)), with one logarithm for sixteen data.
func (g *glmmGroup) logLik(u float64) float64 {
	l := g.fit + num.Mul(g.on, u)
	if !(g.most+math.Abs(u) < smallLogOdds) {
		for _, eta := range g.eta {
			l -= num.Softplus(eta + u)
		}
		return l
	}
	e, product := num.Exp(u), 1.
	for j, o := range g.odds {
		if product *= 1 + num.Mul(o, e); j%16 == 15 {
			l -= num.Log(product)
			product = 1
		}
	}
	return l - num.Log(product)
}

// laplace is the mode of the likelihood times N(u; 0, v), and the standard deviation that its curvature there gives,
// after a few steps of Newton's method: it is for a proposal, which need not be exact.
func (g *glmmGroup) laplace(v float64) (mode, sd float64) {
	curve, steps := 0., 6
	if v > vagueVariance { // the mode of a group of ones alone is near log v
		steps = 40
	}
	for range steps {
		slope := -mode / v
		curve = 1 / v
		for j, eta := range g.eta {
			p := num.Sigmoid(eta + mode)
			slope += g.y[j] - p
			curve += num.Mul(p, 1-p)
		}
		step := slope / curve
		mode += max(-3, min(3, step))
		if math.Abs(step) < 1e-3 {
			break
		}
	}
	return mode, 1 / math.Sqrt(curve)
}

// Degrees of freedom of the proposal of Laplace's method, and the log of the constant of its density.
const laplaceDF = 5

var laplaceConstant = num.LogGamma((laplaceDF+1)/2.) - num.LogGamma(laplaceDF/2.) -
	float64((num.Log(laplaceDF)+num.Log2Pi-num.Log(2))/2)

// From this variance on, half of the draws around the mode come from the prior instead: in a group of ones alone u has
// about half of a normal distribution, far wider than the curvature at its mode says.
const vagueVariance = 20

// intercept is e^psi, the variance of u, within bounds: beyond them the likelihood does not change any more, and the
// arithmetic would overflow.
func intercept(psi float64) float64 { return num.Exp(max(-690, min(30, psi))) }

// estimate is the log of the mean over n draws of p(y|u) N(u; 0, v) / q(u). q is the prior of u, or a t distribution
// around the mode; where v > vagueVariance half of the draws come from each, and q is their mixture (the balance
// heuristic of [Veach1995]).
func (g *glmmGroup) estimate(s *rng.Stream, v float64, laplace bool, w []float64) float64 {
	sd := math.Sqrt(v)
	if !laplace {
		for i := range w {
			w[i] = g.logLik(num.Mul(sd, s.Normal()))
		}
		return num.LogMeanExp(w)
	}

	// The t distribution around the mode, and the share of the prior.
	mode, wide := g.laplace(v)
	constant := num.Log(wide/sd) - float64(num.Log2Pi/2) - laplaceConstant
	prior, fromPrior, around := 0, 0., 0. // draws from the prior, and the logs of both shares
	if v > vagueVariance {
		n := float64(len(w))
		prior = len(w) / 2
		fromPrior, around = num.Log(float64(prior)/n), num.Log((n-float64(prior))/n)
	}

	for i := range w {
		z := s.Normal()
		u, t2 := num.Mul(sd, z), 0.
		if i < prior {
			t := (u - mode) / wide
			t2 = num.Mul(t, t)
		} else {
			t2 = num.Mul(z, z) * num.Mul(laplaceDF/2., num.Exp(-s.LogGamma(laplaceDF/2.)))
			u = mode + math.Copysign(num.Mul(wide, math.Sqrt(t2)), z)
		}
		l, square, tail := g.logLik(u), num.Mul(u, u)/num.Mul(2, v), num.Mul((laplaceDF+1)/2., num.Log1p(t2/laplaceDF))
		if w[i] = constant + l - square + tail; prior > 0 {
			w[i] = l - num.LogAddExp(fromPrior, around-(constant-square+tail))
		}
	}
	return num.LogMeanExp(w)
}
