package models

import (
	"math"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/rng"
)

// autoregression is a hidden state x_1 ~ N(centre, first^2), x_t = centre + phi (x_{t-1} - centre) + sd n_t.
type autoregression struct{ centre, phi, sd, first float64 }

// filter is a bootstrap particle filter ([Gordon1993]) for an autoregression: particles are drawn from it, weighted by
// the likelihood of each datum, and resampled systematically. The product of the mean weights is an unbiased estimate
// of the likelihood of all data ([DelMoral2004]).
type filter struct {
	y         []float64
	x, old, w []float64
	// weigh sets w to the log likelihoods of a datum given states.
	weigh func(y float64, x, w []float64)
	flow  *frame.Flow // takes the way of the particles, unless nil
}

func newFilter(y []float64, n int) *filter {
	return &filter{y: y, x: make([]float64, n), old: make([]float64, n), w: make([]float64, n)}
}

// logLik is the log of the estimate, in nats; -Inf where all weights are zero or no numbers.
func (f *filter) logLik(s *rng.Stream, a autoregression) float64 {
	n := float64(len(f.x))
	x, w := f.x, f.w[:len(f.x)]
	for i := range x {
		x[i] = a.centre + float64(a.first*s.Normal())
	}
	total := 0.0
	for t, y := range f.y {
		f.weigh(y, x, w)
		top := w[0]
		for _, v := range w {
			if v > top {
				top = v
			}
		}
		if !(top > math.Inf(-1)) {
			return top
		}
		sum := 0.0
		for i, v := range w {
			e := num.Exp(v - top)
			w[i] = e
			sum += e
		}
		total += top + num.Log(sum/n)
		if f.flow != nil {
			keep(f.flow, x, w, sum)
		}
		if t == len(f.y)-1 {
			break
		}
		f.x, f.old = f.old, x
		step, u, j, below := sum/n, s.Float64(), 0, w[0]
		next := f.x[:len(x)]
		for i := range next {
			for at := float64((float64(i) + u) * step); below <= at && j < len(w)-1; below += w[j] {
				j++
			}
			next[i] = a.centre + float64(a.phi*(x[j]-a.centre)) + float64(a.sd*s.Normal())
			if f.flow != nil {
				f.flow.From = append(f.flow.From, int32(j))
			}
		}
		x = next
	}
	return total
}

// Time of a filter for a datum, and for a particle at a datum.
const filterStep, filterParticle = 60, 45

// series are data with hidden states that follow an autoregression.
type series struct {
	y, data []float64 // as people know them, and what weigh takes
	// weigh is filter.weigh at a point of the parameters.
	weigh func(x []float64) func(datum float64, states, w []float64)
	at    func(x []float64) autoregression
	logs  bool // states are log variances
	// exact are the means of the states given the data so far; nil where they are not known.
	exact func(x, data []float64) []float64
}

// filtered is a model whose likelihood a filter estimates.
func filtered(prior Density, y series) latent {
	n := float64(len(y.y))
	l := latent{prior: prior, base: filterStep * n, one: filterParticle * n, series: &y}
	l.estimator = func(particles int) Estimator {
		f := newFilter(y.data, particles)
		return pulse(func(s *rng.Stream, x []float64) float64 {
			f.weigh = y.weigh(x)
			return f.logLik(s, y.at(x))
		}, l.base+float64(l.one*float64(particles)))
	}
	return l
}

// stationary is an autoregression that begins as it goes on. z = artanh phi, so that 1 - phi^2 is found without
// rounding.
func stationary(centre, z, sd float64) autoregression {
	phi := num.Sigmoid(2*z) - num.Sigmoid(-2*z)
	return autoregression{centre, phi, sd, sd / math.Sqrt(float64(4*num.Sigmoid(2*z)*num.Sigmoid(-2*z)))}
}
