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

// series is a time series with hidden states that follow an autoregression.
type series struct {
	y, data  []float64                               // the series as users know it, and the data for weigh
	dynamics func(x []float64) kernel.Autoregression // of the states, at given parameters
	// weigh is kernel.Filter.Weigh at given parameters; nil if states are log variances and data are squared returns.
	weigh func(x []float64) func(datum float64, states, w []float64)
	// exactMeans returns the means of the states given the data so far; nil if they are unknown.
	exactMeans func(x, data []float64) []float64
	// outliers is kernel.Filter.Outliers.
	outliers []bool
}

// withFilter returns a model whose likelihood is estimated by a particle filter.
func withFilter(prior density.Density, y series) family {
	n := float64(len(y.y))
	fam := family{prior: prior, baseTime: filterStep * n, drawTime: filterParticle * n, series: &y}
	fam.estimator = func(particles int) models.Estimator {
		f := kernel.NewFilter(y.data, particles)
		f.Outliers = y.outliers
		return pulse(func(s *rng.Stream, x []float64) float64 { return y.logLik(f, s, x) },
			fam.baseTime+num.Mul(fam.drawTime, float64(particles)))
	}
	return fam
}

// logLik returns the log likelihood estimate of a filter at x.
func (y *series) logLik(f *kernel.Filter, s *rng.Stream, x []float64) float64 {
	if y.weigh != nil {
		f.Weigh = y.weigh(x)
	}
	return f.LogLik(s, y.dynamics(x))
}

// stationary returns a stationary autoregression with phi = tanh z; the argument z avoids rounding errors of 1 - phi^2.
func stationary(centre, z, sd float64) kernel.Autoregression {
	phi := num.Sigmoid(2*z) - num.Sigmoid(-2*z)
	firstSD := sd / math.Sqrt(num.Mul(4*num.Sigmoid(2*z), num.Sigmoid(-2*z)))
	return kernel.Autoregression{Centre: centre, Phi: phi, SD: sd, First: firstSD}
}
