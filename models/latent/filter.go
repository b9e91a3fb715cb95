package latent

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/num/kernel"
	"logzlab/core/num/rng"
	"logzlab/models"
	"logzlab/models/density"
)

// Time of a filter for a datum, and for a particle at a datum.
const filterStep, filterParticle = 60, 45

// series are data with hidden states that follow an autoregression.
type series struct {
	y, data []float64                               // as people know them, and what weigh takes
	at      func(x []float64) kernel.Autoregression // at a point of the parameters
	// weigh is kernel.Filter.Weigh there; nil: states are log variances, data squares of returns.
	weigh func(x []float64) func(datum float64, states, w []float64)
	// exact are the means of the states given the data so far; nil where they are not known.
	exact func(x, data []float64) []float64
	// outliers are kernel.Filter.Outliers.
	outliers []bool
}

// filtered is a model whose likelihood a filter estimates.
func filtered(prior density.Density, y series) family {
	n := float64(len(y.y))
	l := family{prior: prior, base: filterStep * n, one: filterParticle * n, series: &y}
	l.estimator = func(particles int) models.Estimator {
		f := kernel.NewFilter(y.data, particles)
		f.Outliers = y.outliers
		return pulse(func(s *rng.Stream, x []float64) float64 { return y.logLik(f, s, x) },
			l.base+num.Mul(l.one, float64(particles)))
	}
	return l
}

// logLik is that of a filter at x.
func (y *series) logLik(f *kernel.Filter, s *rng.Stream, x []float64) float64 {
	if y.weigh != nil {
		f.Weigh = y.weigh(x)
	}
	return f.LogLik(s, y.at(x))
}

// stationary is an autoregression that begins as it goes on. z = artanh phi, so that 1 - phi^2 is found without
// rounding.
func stationary(centre, z, sd float64) kernel.Autoregression {
	phi := num.Sigmoid(2*z) - num.Sigmoid(-2*z)
	first := sd / math.Sqrt(num.Mul(4*num.Sigmoid(2*z), num.Sigmoid(-2*z)))
	return kernel.Autoregression{Centre: centre, Phi: phi, SD: sd, First: first}
}
