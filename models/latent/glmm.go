package latent

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/num/rng"
)

// glmmGroup is the data of a group at fixed parameters. Datum j of the group has log odds eta_j + u, with the random
// intercept u ~ N(0, v) of the group.
type glmmGroup struct {
	y, eta []float64 // outcomes 0 or 1, and linear predictors without u
	odds   []float64 // e^eta
	ones   float64   // sum of y
	yEta   float64   // sum of y eta
	maxEta float64   // largest |eta|
}

// set sets the outcomes y and the linear predictors for covariates x, by rows, and coefficients b, of which b[0] is the
// intercept.
func (g *glmmGroup) set(y, x, b []float64) {
	p := len(b) - 1
	g.y, g.eta, g.odds, g.ones, g.yEta, g.maxEta = y, g.eta[:0], g.odds[:0], 0, 0, 0
	for j, v := range y {
		eta := b[0] + num.Dot(x[j*p:(j+1)*p], b[1:])
		g.eta, g.odds = append(g.eta, eta), append(g.odds, num.Exp(eta))
		g.ones += v
		g.yEta += num.Mul(v, eta)
		g.maxEta = max(g.maxEta, math.Abs(eta))
	}
}

// maxLogOdds is the log odds up to which a product of sixteen factors 1 + odds does not overflow.
const maxLogOdds = 40

// logLik returns sum_j y_j (eta_j + u) - log(1 + e^(eta_j + u)) in nats. It computes one logarithm for sixteen data, if
// this cannot overflow.
func (g *glmmGroup) logLik(u float64) float64 {
	l := g.yEta + num.Mul(g.ones, u)
	if !(g.maxEta+math.Abs(u) < maxLogOdds) {
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

// laplace returns the mode of the likelihood times N(u; 0, v), and the standard deviation that belongs to the curvature
// there. A few Newton steps suffice, because the result is used for a proposal only.
func (g *glmmGroup) laplace(v float64) (mode, sd float64) {
	curvature, steps := 0., 6
	if v > vagueVariance { // the mode of a group whose outcomes are all 1 is near log v
		steps = 40
	}
	for range steps {
		slope := -mode / v
		curvature = 1 / v
		for j, eta := range g.eta {
			p := num.Sigmoid(eta + mode)
			slope += g.y[j] - p
			curvature += num.Mul(p, 1-p)
		}
		step := slope / curvature
		mode += max(-3, min(3, step))
		if math.Abs(step) < 1e-3 {
			break
		}
	}
	return mode, 1 / math.Sqrt(curvature)
}

// laplaceDF is the number of degrees of freedom of the t proposal around the mode. laplaceConstant is the log of the
// constant of its density.
const laplaceDF = 5

var laplaceConstant = num.LogGamma((laplaceDF+1)/2.) - num.LogGamma(laplaceDF/2.) -
	float64((num.Log(laplaceDF)+num.Log2Pi-num.Log(2))/2)

// vagueVariance is the variance of u from which on half of the draws come from the prior of u instead of the t
// distribution around the mode. If all outcomes of a group are 1, u then has nearly the positive half of its prior as
// posterior, which is far wider than the curvature at the mode suggests.
const vagueVariance = 20

// interceptVariance returns e^psi, the variance of u. psi is clipped to [-690, 30]: outside, the exponential would
// underflow or overflow, and the likelihood hardly changes.
func interceptVariance(psi float64) float64 { return num.Exp(max(-690, min(30, psi))) }

// estimate returns the log of the mean over len(w) draws of p(y|u) N(u; 0, v) / q(u), with the draws u from q. Without
// laplace, q is the prior N(0, v). With laplace, q is a t distribution around the mode; if v > vagueVariance, half of
// the draws come from each of the two, and q is their mixture (the balance heuristic of [Veach1995]). w is work space.
func (g *glmmGroup) estimate(s *rng.Stream, v float64, laplace bool, w []float64) float64 {
	sd := math.Sqrt(v)
	if !laplace {
		for i := range w {
			w[i] = g.logLik(num.Mul(sd, s.Normal()))
		}
		return num.LogMeanExp(w)
	}

	// The t distribution around the mode, and the draws from the prior.
	mode, scale := g.laplace(v)
	constant := num.Log(scale/sd) - float64(num.Log2Pi/2) - laplaceConstant
	// Number of draws from the prior, and logs of the shares of draws from the prior and around the mode.
	priorDraws, logPriorShare, logModeShare := 0, 0., 0.
	if v > vagueVariance {
		n := float64(len(w))
		priorDraws = len(w) / 2
		logPriorShare, logModeShare = num.Log(float64(priorDraws)/n), num.Log((n-float64(priorDraws))/n)
	}

	for i := range w {
		z := s.Normal()
		u, t2 := num.Mul(sd, z), 0.
		if i < priorDraws {
			t := (u - mode) / scale
			t2 = num.Mul(t, t)
		} else {
			t2 = num.Mul(z, z) * num.Mul(laplaceDF/2., num.Exp(-s.LogGamma(laplaceDF/2.)))
			u = mode + math.Copysign(num.Mul(scale, math.Sqrt(t2)), z)
		}
		l, square, tail := g.logLik(u), num.Mul(u, u)/num.Mul(2, v), num.Mul((laplaceDF+1)/2., num.Log1p(t2/laplaceDF))
		if w[i] = constant + l - square + tail; priorDraws > 0 {
			w[i] = l - num.LogAddExp(logPriorShare, logModeShare-(constant-square+tail))
		}
	}
	return num.LogMeanExp(w)
}
