package latent

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/num/kernel"
	"logzlab/core/num/rng"
	"logzlab/models"
	"logzlab/models/density"
)

// Times of a particle filter in nanoseconds: for each datum, and for each particle at each datum.
const filterStep, filterParticle = 60, 45

// series is a time series whose hidden states follow an autoregression.
type series struct {
	y, data  []float64                               // the data of the file, and the data as weigh takes them
	dynamics func(x []float64) kernel.Autoregression // autoregression of the states for the parameters x
	// weigh returns kernel.Filter.Weigh for the parameters x. It is nil if states are log variances and data are
	// squared returns.
	weigh func(x []float64) func(datum float64, states, w []float64)
	// exactMeans returns the mean of each state given the data up to its time; the field is nil if the means are
	// unknown.
	exactMeans func(x, data []float64) []float64
	// outliers is kernel.Filter.Outliers.
	outliers []bool
}

// withFilter returns a model of a series whose likelihood is estimated by a particle filter.
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

// logLik returns the log likelihood of the parameters x that a filter estimates, in nats.
func (y *series) logLik(f *kernel.Filter, s *rng.Stream, x []float64) float64 {
	if y.weigh != nil {
		f.Weigh = y.weigh(x)
	}
	return f.LogLik(s, y.dynamics(x))
}

// stationary returns the stationary autoregression with phi = tanh z and innovations of standard deviation sd. It takes
// z instead of phi because 1 - phi^2 would lose precision.
func stationary(centre, z, sd float64) kernel.Autoregression {
	phi := num.Sigmoid(2*z) - num.Sigmoid(-2*z)
	firstSD := sd / math.Sqrt(num.Mul(4*num.Sigmoid(2*z), num.Sigmoid(-2*z)))
	return kernel.Autoregression{Centre: centre, Phi: phi, SD: sd, First: firstSD}
}
