package kernel

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/rng"
)

// Autoregression is a hidden state x_1 ~ N(Centre, First^2), x_t = Centre + Phi (x_{t-1} - Centre) + SD n_t.
type Autoregression struct{ Centre, Phi, SD, First float64 }

// Filter is a bootstrap particle filter ([Gordon1993]) for an autoregression: particles are drawn from it, weighted by
// the likelihood of each datum, and resampled systematically. The product of the mean weights is an unbiased estimate
// of the likelihood of all data ([DelMoral2004]).
type Filter struct {
	Y []float64 // at least one
	// Weigh sets w to the log likelihoods of a datum given states; nil: Y are squares of returns, see weighReturn.
	Weigh func(y float64, x, w []float64)
	// Outliers, unless nil, marks squared returns that are far larger than the others. Hardly any state drawn from the
	// autoregression explains such a datum, so states are drawn near those that do (outlying), and weights correct for it.
	Outliers []bool
	// Watch, unless nil, is told of each datum: the states of the particles, their weights with the sum of these, and,
	// from the second datum on, the particle before that each goes on from.
	Watch func(x, w []float64, sum float64, from []int32)

	n         int       // particles
	x, old, w []float64 // states, those before and weights, with two spare places for SIMD
	guided    []float64 // of each, what is added to its log weight at an outlier
	look      []float64 // of each, see lookAhead
	from      []int32   // which one each comes from, and room for as much
	top, sum  []float64 // of each datum: the largest log weight, and the sum of weights divided by it
}

// NewFilter has n particles.
func NewFilter(y []float64, n int) *Filter {
	room := func(n int) []float64 { return make([]float64, n) }
	return &Filter{Y: y, n: n, x: room(n + 2), old: room(n + 2), w: room(n + 2), from: make([]int32, n+2),
		top: room(len(y)), sum: room(len(y))}
}

// filterMachine does what Filter.run does with the bits of the Go code, by weighReturn.
type filterMachine interface {
	filter(f *Filter, s *rng.Stream, a Autoregression) (data int)
}

// filters makes a filterMachine. It is nil, or returns nil, on platforms that have none.
var filters func() filterMachine

// LogLik is the log of the estimate, in nats; -Inf where all weights are zero, NaN where they are no numbers.
func (f *Filter) LogLik(s *rng.Stream, a Autoregression) float64 {
	var m filterMachine
	if filters != nil && !PureGo && f.Weigh == nil && f.Outliers == nil && f.Watch == nil && s.Paired() {
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

// run sets top and sum of the data up to the last one, or one whose weights are all zero or no numbers, and returns
// how many these are.
func (f *Filter) run(s *rng.Stream, a Autoregression) (data int) {
	x, next, w := f.x[:f.n], f.old[:f.n], f.w[:f.n]
	weigh := f.Weigh
	if weigh == nil {
		weigh = weighReturn
	}
	if f.Outliers != nil && f.guided == nil {
		f.guided, f.look = make([]float64, f.n), make([]float64, f.n)
	}

	// The particles at the first datum.
	for i := range x {
		if f.outlier(0) {
			x[i] = f.outlying(i, f.Y[0], a.Centre, a.First, s.Normal())
			continue
		}
		x[i] = a.Centre + float64(a.First*s.Normal())
	}

	// The weights at each datum.
	for t, y := range f.Y {
		weigh(y, x, w)
		if f.outlier(t) {
			for i := range w {
				w[i] += f.guided[i]
			}
		}
		top := w[0]
		for _, v := range w {
			if v > top {
				top = v
			}
		}
		if f.top[t] = top; !(top > math.Inf(-1)) {
			return t + 1
		}

		// The sum of the weights.
		sum := 0.0
		for i, v := range w {
			e := num.Exp(v - top)
			w[i] = e
			sum += e
		}
		f.sum[t] = sum
		if f.Watch != nil {
			f.Watch(x, w, sum, f.from[:min(t, 1)*f.n])
		}
		if t == len(f.Y)-1 {
			break
		}

		// Systematic resampling, and the step to the next datum.
		jump, total := f.outlier(t+1), sum
		if jump {
			total = f.lookAhead(x, w, f.Y[t+1], a)
		}
		step, u, j, below := total/float64(len(x)), s.Float64(), 0, w[0]
		from := f.from[:len(next)]
		for i := range next {
			for at := float64((float64(i) + u) * step); below <= at && j < len(w)-1; below += w[j] {
				j++
			}
			if from[i] = int32(j); jump {
				next[i] = f.outlying(i, f.Y[t+1], a.Centre+float64(a.Phi*(x[j]-a.Centre)), a.SD, s.Normal())
				f.guided[i] += num.Log(total/sum) - f.look[j]
				continue
			}
			next[i] = a.Centre + float64(a.Phi*(x[j]-a.Centre)) + float64(a.SD*s.Normal())
		}
		x, next = next, x
	}
	return len(f.Y)
}

// outlier reports whether datum t is one of Outliers.
func (f *Filter) outlier(t int) bool { return f.Outliers != nil && f.Outliers[t] }

// peak is where a state from N(mean, sd^2) has the largest density given a return whose square is far above the usual:
// at mean + d, where u = d + sd^2/2 solves u e^u = sd^2 y^2/2 e^(sd^2/2 - mean). A few steps of Newton's method for
// u + log u will do.
func peak(square, mean, sd float64) (d, u float64) {
	half := float64(num.Mul(sd, sd) / 2)
	log := num.Log(half) + num.Log(square) + half - mean
	u = max(log, .1)
	for range 4 {
		u = max(num.Mul(u, 1+log-num.Log(u))/(1+u), .01)
	}
	return max(u-half, 0), u
}

// outlying is a state of particle i for such a return, drawn from N(mean + d, sd^2) in place of N(mean, sd^2), whose
// tails are not lighter than those of the state given the return. z is standard normal. The log of the ratio of the two
// densities goes to guided.
func (f *Filter) outlying(i int, square, mean, sd, z float64) float64 {
	d, _ := peak(square, mean, sd)
	shift := d / sd
	if f.guided[i] = -num.Mul(shift, z+float64(shift/2)); !(shift < math.Inf(1)) {
		f.guided[i], d = 0, 0
	}
	return mean + d + num.Mul(sd, z)
}

// lookAhead multiplies the weights of particles by how well each explains an outlier that comes next ([Pitt1999]), by
// Laplace's method, so that resampling keeps the few that explain it well. It sets look to the logs of these factors
// and returns the sum of the new weights.
func (f *Filter) lookAhead(x, w []float64, square float64, a Autoregression) (sum float64) {
	look := f.look
	top := math.Inf(-1)
	for i, v := range x {
		mean := a.Centre + float64(a.Phi*(v-a.Centre))
		d, u := peak(square, mean, a.SD)
		h, shift := mean+d, d/a.SD
		look[i] = -float64((h + num.Mul(square, num.Exp(-h)) + num.Mul(shift, shift) + num.Log1p(u)) / 2)
		if look[i] > top {
			top = look[i]
		}
	}
	for i := range w {
		if look[i] -= top; !(look[i] > -lookDepth) { // or it is no number
			look[i] = -lookDepth
		}
		w[i] = num.Mul(w[i], num.Exp(look[i]))
		sum += w[i]
	}
	return sum
}

// lookDepth is by how many nats lookAhead lowers a log weight at most.
const lookDepth = 50

// weighReturn is log N(y; 0, e^h), given y^2.
func weighReturn(square float64, h, w []float64) {
	for i, x := range h {
		w[i] = -float64(.5 * (num.Log2Pi + x + float64(square*num.Exp(-x))))
	}
}
