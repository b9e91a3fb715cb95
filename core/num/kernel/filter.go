package kernel

import (
	"iter"
	"math"

	"logzlab/core/num"
	"logzlab/core/num/rng"
)

// Autoregression is a hidden state x_1 ~ N(Centre, First^2), x_t = Centre + Phi (x_{t-1} - Centre) + SD n_t.
type Autoregression struct{ Centre, Phi, SD, First float64 }

// Filter is a bootstrap particle filter ([Gordon1993]) for an autoregression: particles are drawn from it, weighted by
// the likelihood of each datum, and resampled systematically. The product of the mean weights is an unbiased estimate
// of the likelihood of all data ([DelMoral2004]).
type Filter struct {
	Y []float64 // data, at least one
	// Weigh sets w to the log likelihoods of a datum given states. If nil, Y are squared returns, see weighReturn.
	Weigh func(y float64, x, w []float64)
	// Outliers, unless nil, marks squared returns that are far larger than the others. Few states drawn from the
	// autoregression explain such a datum, so states are drawn near those that do (outlying), and weights correct for it.
	Outliers []bool
	// Watch, unless nil, is called for each datum with the states of the particles, their weights, the sum of the weights,
	// and, from the second datum on, the parents of the particles.
	Watch func(x, w []float64, sum float64, from []int32)

	n         int       // number of particles
	x, old, w []float64 // states, previous states and weights, with two spare elements for SIMD
	guided    []float64 // correction of the log weight of each particle at an outlier
	look      []float64 // log factor of each particle, see lookAhead
	from      []int32   // parent of each particle, with two spare elements
	top, sum  []float64 // largest log weight of each datum, and sum of the weights divided by the largest
}

// NewFilter returns a filter with n particles.
func NewFilter(y []float64, n int) *Filter {
	room := func(n int) []float64 { return make([]float64, n) }
	return &Filter{Y: y, n: n, x: room(n + 2), old: room(n + 2), w: room(n + 2), from: make([]int32, n+2),
		top: room(len(y)), sum: room(len(y))}
}

// filterAccelerator computes Filter.run with weighReturn, with the bits of the Go code.
type filterAccelerator interface {
	filter(f *Filter, s *rng.Stream, a Autoregression) (data int)
}

// filters returns the filterAccelerator. It is nil, or returns nil, on platforms without one.
var filters func() filterAccelerator

// LogLik returns the log of the estimate, in nats; -Inf if all weights are zero, NaN if a weight is NaN.
func (f *Filter) LogLik(s *rng.Stream, a Autoregression) float64 {
	var m filterAccelerator
	if filters != nil && !PureGo && f.Weigh == nil && f.Outliers == nil && f.Watch == nil && s.AtPair() {
		m = filters()
	}
	data := 0
	if m != nil {
		data = m.filter(f, s, a)
	} else {
		data = f.run(s, a)
	}
	total := 0.0
	for t, top := range f.top[:data] {
		if !(top > math.Inf(-1)) {
			return top
		}
		total += top + num.Log(f.sum[t]/float64(f.n))
	}
	return total
}

// run runs the filter. It sets top and sum of the data up to the last one, or up to the first one whose weights are all
// zero or NaN, and returns the number of these data. Steps to outliers are in guided.go.
func (f *Filter) run(s *rng.Stream, a Autoregression) (data int) {
	x, next, w, from := f.x[:f.n], f.old[:f.n], f.w[:f.n], f.from[:f.n]
	weigh := f.Weigh
	if weigh == nil {
		weigh = weighReturn
	}

	// Draw x_1.
	if f.outlier(0) {
		f.guidedStart(x, s, a)
	} else {
		for i := range x {
			x[i] = a.Centre + float64(a.First*s.Normal())
		}
	}
	for t, y := range f.Y {
		// Weight x_t by the likelihood of the datum. The mean of the weights is a factor of the estimate.
		weigh(y, x, w)
		if f.outlier(t) {
			f.correct(w)
		}
		if f.top[t] = largest(w); !(f.top[t] > math.Inf(-1)) {
			return t + 1
		}
		f.sum[t] = fromLogs(w, f.top[t])
		if f.Watch != nil {
			f.Watch(x, w, f.sum[t], from[:min(t, 1)*f.n])
		}
		if t == len(f.Y)-1 {
			break
		}

		// Resample, and draw x_t+1 from the autoregression.
		if f.outlier(t + 1) {
			f.guidedStep(next, x, w, t, s, a)
		} else {
			for i, j := range systematic(w, f.sum[t], s.Float64()) {
				from[i] = int32(j)
				next[i] = a.Centre + float64(a.Phi*(x[j]-a.Centre)) + float64(a.SD*s.Normal())
			}
		}
		x, next = next, x
	}
	return len(f.Y)
}

// largest returns the largest log weight.
func largest(w []float64) float64 {
	top := w[0]
	for _, v := range w {
		if v > top {
			top = v
		}
	}
	return top
}

// fromLogs replaces log weights by weights divided by the largest one, and returns their sum.
func fromLogs(w []float64, top float64) (sum float64) {
	for i, v := range w {
		e := num.Exp(v - top)
		w[i] = e
		sum += e
	}
	return sum
}

// systematic yields the parents of systematic resampling: the parent of particle i is the j whose interval of the
// cumulative weights, which end at total, contains (i + u)/n total.
func systematic(w []float64, total, u float64) iter.Seq2[int, int] {
	return func(yield func(i, j int) bool) {
		step, j, below := total/float64(len(w)), 0, w[0]
		for i := range w {
			for at := float64((float64(i) + u) * step); below <= at && j < len(w)-1; below += w[j] {
				j++
			}
			if !yield(i, j) {
				return
			}
		}
	}
}

// weighReturn sets w to log N(y; 0, e^h), given y^2.
func weighReturn(square float64, h, w []float64) {
	for i, x := range h {
		w[i] = -float64(.5 * (num.Log2Pi + x + float64(square*num.Exp(-x))))
	}
}
