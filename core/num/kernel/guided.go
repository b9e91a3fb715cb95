package kernel

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/num/rng"
)

// Guided steps. Few states drawn from the autoregression explain a return far larger than the others (Filter.Outliers).
// At such data states are drawn near those that do, from parents that are likely to lead there, and the weights correct
// for both, so the estimate remains unbiased.

// outlier reports whether datum t is an outlier.
func (f *Filter) outlier(t int) bool { return f.Outliers != nil && f.Outliers[t] }

// guidedStart draws the states at the first datum if it is an outlier.
func (f *Filter) guidedStart(x []float64, s *rng.Stream, a Autoregression) {
	f.makeRoom()
	for i := range x {
		x[i] = f.outlying(i, f.Y[0], a.Centre, a.First, s.Normal())
	}
}

// guidedStep resamples the states at datum t and draws those at the next one, which is an outlier.
func (f *Filter) guidedStep(next, x, w []float64, t int, s *rng.Stream, a Autoregression) {
	f.makeRoom()
	square := f.Y[t+1]
	total := f.lookAhead(x, w, square, a)
	for i, j := range systematic(w, total, s.Float64()) {
		f.from[i] = int32(j)
		next[i] = f.outlying(i, square, a.Centre+float64(a.Phi*(x[j]-a.Centre)), a.SD, s.Normal())
		f.guided[i] += num.Log(total/f.sum[t]) - f.look[j]
	}
}

// correct adds the corrections of guided steps to the log weights.
func (f *Filter) correct(w []float64) {
	for i := range w {
		w[i] += f.guided[i]
	}
}

func (f *Filter) makeRoom() {
	if f.guided == nil {
		f.guided, f.look = make([]float64, f.n), make([]float64, f.n)
	}
}

// peak returns where a state from N(mean, sd^2) has the largest density given a very large squared return: at mean + d,
// where u = d + sd^2/2 solves u e^u = sd^2 y^2/2 e^(sd^2/2 - mean). A few Newton steps for u + log u are accurate
// enough.
func peak(square, mean, sd float64) (d, u float64) {
	half := float64(num.Mul(sd, sd) / 2)
	log := num.Log(half) + num.Log(square) + half - mean
	u = max(log, .1)
	for range 4 {
		u = max(num.Mul(u, 1+log-num.Log(u))/(1+u), .01)
	}
	return max(u-half, 0), u
}

// outlying returns a state of particle i given such a return, drawn from N(mean + d, sd^2) instead of N(mean, sd^2);
// its tails are not lighter than those of the state given the return. z is standard normal. The log of the ratio of the
// two densities is stored in guided.
func (f *Filter) outlying(i int, square, mean, sd, z float64) float64 {
	d, _ := peak(square, mean, sd)
	shift := d / sd
	if f.guided[i] = -num.Mul(shift, z+float64(shift/2)); !(shift < math.Inf(1)) {
		f.guided[i], d = 0, 0
	}
	return mean + d + num.Mul(sd, z)
}

// lookAhead multiplies the weights of particles by the approximate likelihood of the next datum, an outlier
// ([Pitt1999]), by Laplace's method, so that resampling keeps the few that explain it well. It sets look to the logs of
// these factors and returns the sum of the new weights.
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
		if look[i] -= top; !(look[i] > -lookDepth) { // also if it is NaN
			look[i] = -lookDepth
		}
		w[i] = num.Mul(w[i], num.Exp(look[i]))
		sum += w[i]
	}
	return sum
}

// lookDepth is the largest decrease of a log weight by lookAhead, in nats.
const lookDepth = 50
