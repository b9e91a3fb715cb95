package schedule

import (
	"math"
	"slices"

	"logzlab/core/num"
	"logzlab/core/num/stats"
)

// PathStats has statistics of the path of densities f_beta, measured by a pilot, which is a short annealing run. All
// slices have an entry for each knot; the knots are inverse temperatures that increase from 0 to 1.
type PathStats struct {
	Betas []float64 // the knots
	Mean  []float64 // mean of d log f_beta/d beta under f_beta
	Var   []float64 // variance of d log f_beta/d beta under f_beta: g
	// Joint is g of the joint density of the states and the variables summed out (hidden units of an RBM): Var plus the
	// mean variance of d log f/d beta over these variables. Joint is nil if nothing is summed out or it was not
	// requested.
	Joint []float64
	Raw   []float64 // Var before smoothing, NaN at knots with too small an effective sample size; nil in workers
	// Steps are the longest steps from the knots after which the conditional effective sample size is a given fraction of
	// the number of chains; nil if not requested.
	Steps []float64
	// AutocorrTimes are sweeps from one independent sample to the next at the knots; nil if not requested.
	AutocorrTimes []float64
	// VarianceRatio is Var(log w) at the end of the chains divided by the value predicted for perfect moves
	// (PredictedVariance); 0 if unknown.
	VarianceRatio float64
	// Fitted reports whether the base, the density at beta = 0, was fitted to samples.
	Fitted bool
}

// Consistent reports whether the lengths and values of p are valid; callers check decoded messages with it.
func (p *PathStats) Consistent() bool {
	n := len(p.Betas)
	if n < 2 || len(p.Mean) != n || len(p.Var) != n || !(p.VarianceRatio >= 0) {
		return false
	}
	for i, b := range p.Betas {
		if !(b >= 0 && b <= 1) || i > 0 && !(b > p.Betas[i-1]) || !num.Finite(p.Mean[i]) || !(p.Var[i] >= 0) {
			return false
		}
	}
	return (len(p.Steps) == 0 || len(p.Steps) == n) && (len(p.AutocorrTimes) == 0 || len(p.AutocorrTimes) == n)
}

// minESS is the smallest effective sample size for which the measurements at a knot are used; otherwise they are
// interpolated.
const minESS = 10

// flatPowers are the powers a with which weights are flattened to w^a, tried in this order.
var flatPowers = [...]float64{1. / 2, 1. / 4, 1. / 8, 1. / 16, 1. / 32, 1. / 64, 0}

// maxKnots is the largest number of knots, not counting the last.
const maxKnots = 400

// knotStride returns the number of ladder steps between neighbouring knots.
func knotStride(steps int) int { return 1 + (steps-1)/maxKnots }

// UnknownPath has constant statistics, so every schedule computed from it is linear.
var UnknownPath = &PathStats{Betas: []float64{0, 1}, Mean: []float64{0, 0}, Var: []float64{1, 1}, Steps: []float64{1, 1}}

// valueAt returns y, given at the knots, at beta by linear interpolation.
func (p *PathStats) valueAt(y []float64, beta float64) float64 {
	j, _ := slices.BinarySearch(p.Betas, beta)
	j = min(max(j-1, 0), len(p.Betas)-2)
	return interpolate(p.Betas, y, j, beta)
}

// Learn computes the statistics of a path from the log weights of chains that were annealed along a ladder: logw[c][k]
// is the log weight of chain c at rung k. With these weights the chains are samples of the rung ("on the fly", [VAROPT]
// Algorithm 2); the increase of log w to the next rung, divided by the increase of beta, is d log f_beta/d beta of a
// chain. cessFraction is the fraction of the conditional effective sample size for Steps; 0 if Steps are not needed.
// Every rung of a short ladder is a knot; of longer ladders, evenly spaced rungs are knots, at most maxKnots and the
// last rung.
//
// Knots with an effective sample size below minESS are interpolated. With flatten, they are first measured with
// flattened weights, w^a for a = 1/2, 1/4, ... or 0, until the sample size is large enough; this resolves the first
// steps from a wide base.
func Learn(ladder []float64, logw [][]float64, cessFraction float64, flatten bool) *PathStats {
	last := len(ladder) - 1
	p := &PathStats{}
	var sampleSizes []float64 // effective sample sizes at the knots
	w, d := make([]float64, len(logw)), make([]float64, len(logw))

	// Mean, variance and the longest step at each knot.
	for k := 0; k < last; k += knotStride(last) {
		p.Betas = append(p.Betas, ladder[k])
		db := ladder[k+1] - ladder[k]
		for c, row := range logw {
			w[c], d[c] = row[k], (row[k+1]-row[k])/db
		}
		mean, v, size := weightedMoments(w, d, flatten)
		p.Mean, p.Var, sampleSizes = append(p.Mean, mean), append(p.Var, v), append(sampleSizes, size)
		if cessFraction > 0 {
			p.Steps = append(p.Steps, longestStep(w, d, cessFraction))
		}
	}

	// There is no step from the last rung, so it gets the values of the previous knot.
	n := len(p.Betas)
	p.Betas = append(p.Betas, ladder[last])
	for _, y := range []*[]float64{&p.Mean, &p.Var, &sampleSizes, &p.Steps} {
		if len(*y) == n {
			*y = append(*y, (*y)[n-1])
		}
	}

	// Interpolate knots with too small sample sizes, and smooth.
	isUnreliable := func(k int) bool { return !(sampleSizes[k] >= minESS) }
	p.Raw = slices.Clone(p.Var)
	for k := range p.Raw {
		if isUnreliable(k) || k == n {
			p.Raw[k] = math.NaN()
		}
	}
	p.Var = smoothLogs(p.Var, isUnreliable, 0)
	if cessFraction > 0 {
		p.Steps = smoothLogs(p.Steps, isUnreliable, 1)
	}
	p.extendMeans(isUnreliable)
	p.Mean = smooth(p.Mean)

	// The variance at the end, divided by the predicted variance.
	finalLogW := make([]float64, len(logw))
	for c, row := range logw {
		finalLogW[c] = row[last]
	}
	if _, v := stats.MeanVar(finalLogW); num.Finite(v) {
		if ideal := PredictedVariance(p.Betas, p.Var, ladder); ideal > 0 {
			p.VarianceRatio = v / ideal
		}
	}
	return p
}

// extendMeans computes means at knots with too small sample sizes, and at the last knot. If log f_beta is linear in
// beta, the mean increases by the integral of g, the variance. If hidden units are summed out of f_beta, the mean
// increases by the integral of the variance of the joint density, which is never smaller than g and may be many times
// g. The extension is therefore the integral of g times the ratio of these two increases at the earlier knots.
func (p *PathStats) extendMeans(isUnreliable func(k int) bool) {
	// The increase of the mean between reliable neighbouring knots, and the integral of g between them.
	meanIncrease, varianceIntegral := 0.0, 0.0
	for k := 1; k < len(p.Mean); k++ {
		area := num.Mul(p.Betas[k]-p.Betas[k-1], (p.Var[k]+p.Var[k-1])/2)
		switch {
		case isUnreliable(k) && meanIncrease > varianceIntegral && varianceIntegral > 0:
			p.Mean[k] = p.Mean[k-1] + num.Mul(area, meanIncrease/varianceIntegral)
		case isUnreliable(k) || k == len(p.Mean)-1:
			p.Mean[k] = p.Mean[k-1] + area
		case !isUnreliable(k - 1):
			meanIncrease, varianceIntegral = meanIncrease+p.Mean[k]-p.Mean[k-1], varianceIntegral+area
		}
	}
}

// CurveEvery is the number of rungs between measurements of the curvature, the variance of d log f/d beta over
// summed-out variables. A measurement costs as much as a move, and the curvature changes little from rung to rung.
const CurveEvery = 10

// SetJoint computes Joint. curves[c][i] is the variance of d log f/d beta over the variables summed out, given the
// state of chain c after its moves at rung i*CurveEvery of the ladder; ladder, logw and flatten are as for Learn. Knots
// without measurements are interpolated.
func (p *PathStats) SetJoint(ladder []float64, logw, curves [][]float64, flatten bool) {
	last := len(ladder) - 1
	within, sampleSizes := make([]float64, len(p.Betas)), make([]float64, len(p.Betas))
	w, x := make([]float64, len(logw)), make([]float64, len(logw))
	for knot, k := 0, 0; k < last; knot, k = knot+1, k+knotStride(last) {
		if k%CurveEvery != 0 {
			continue
		}
		for c, row := range logw {
			w[c], x[c] = row[k], curves[c][k/CurveEvery]
		}
		within[knot], _, sampleSizes[knot] = weightedMoments(w, x, flatten)
	}
	within = smoothLogs(within, func(knot int) bool { return !(sampleSizes[knot] >= minESS) }, 0)
	p.Joint = make([]float64, len(p.Betas))
	for knot, g := range p.Var {
		p.Joint[knot] = g + within[knot]
	}
}

// weightedMoments is meanVar with, if flatten is set, weights flattened until the effective sample size is at least
// minESS.
func weightedMoments(w, d []float64, flatten bool) (mean, variance, effective float64) {
	mean, variance, effective = meanVar(w, d)
	for i := 0; flatten && effective < minESS && i < len(flatPowers); i++ {
		mean, variance, effective = meanVar(flattened(w, flatPowers[i]), d)
	}
	return mean, variance, effective
}

// meanVar returns the mean of d under weights W proportional to exp(w), its variance divided by 1 - sum W^2, and the
// effective sample size 1/sum W^2.
func meanVar(w, d []float64) (mean, variance, effective float64) {
	sum := num.LogSumExp(w)
	squares := 0.0
	p := make([]float64, len(w))
	for i := range w {
		if p[i] = num.Exp(w[i] - sum); !(p[i] > 0) {
			p[i] = 0 // also if no chain has weight, or f is 0
			continue
		}
		if math.IsInf(d[i], 0) {
			return 0, 0, 0
		}
		mean += num.Mul(p[i], d[i])
		squares += num.Mul(p[i], p[i])
	}
	for i := range p {
		if p[i] > 0 {
			variance += num.Mul(p[i], (d[i]-mean)*(d[i]-mean))
		}
	}
	if !(squares > 0 && squares < 1) { // no chain has weight, or one chain has all of it
		return mean, 0, 0
	}
	return mean, variance / (1 - squares), stats.KishESS(1, squares)
}

// flattened returns the log weights w times a; weights of zero (-Inf) stay zero.
func flattened(w []float64, a float64) []float64 {
	out := make([]float64, len(w))
	for i, x := range w {
		if out[i] = num.Mul(a, x); math.IsInf(x, -1) {
			out[i] = x
		}
	}
	return out
}

// longestStep returns the longest step delta in (0, 1] after which the conditional effective sample size, as a
// fraction, is at least cessFraction: (sum W e^(delta d))^2 / sum W e^(2 delta d) >= cessFraction. W are the normalised
// weights, proportional to exp(w), and the step increases log weight i by delta d_i.
func longestStep(w, d []float64, cessFraction float64) float64 {
	sum := num.LogSumExp(w)
	shifted, shiftedTwice := make([]float64, len(w)), make([]float64, len(w))
	isShortEnough := func(delta float64) bool {
		for i := range w {
			if shifted[i] = w[i] - sum; math.IsInf(shifted[i], -1) {
				shiftedTwice[i] = shifted[i]
				continue
			}
			x := num.Mul(delta, d[i])
			shifted[i], shiftedTwice[i] = shifted[i]+x, shifted[i]+num.Mul(2, x)
		}
		return num.Exp(num.Mul(2, num.LogSumExp(shifted))-num.LogSumExp(shiftedTwice)) >= cessFraction
	}
	lo, hi := 0.0, 1.0
	if isShortEnough(hi) {
		return hi
	}
	for range 60 {
		if mid := (lo + hi) / 2; isShortEnough(mid) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return max(lo, 1e-12)
}

// interpolateGaps replaces unreliable values of y by linear interpolation between the nearest reliable values.
func interpolateGaps(y []float64, isUnreliable func(k int) bool) {
	last := -1 // index of the last reliable value
	for k := range y {
		if isUnreliable(k) {
			continue
		}
		for i := last + 1; i < k; i++ {
			if y[i] = y[k]; last >= 0 {
				y[i] = y[last] + num.Mul(y[k]-y[last], float64(i-last)/float64(k-last))
			}
		}
		last = k
	}
	for i := last + 1; i < len(y); i++ {
		if y[i] = 1; last >= 0 {
			y[i] = y[last]
		}
	}
}

// smoothLogs interpolates unreliable values of y on a log scale and smooths the result (smooth). If no reliable value
// is positive, all values become fallback.
func smoothLogs(y []float64, isUnreliable func(k int) bool, fallback float64) []float64 {
	top := 0.0
	for k, v := range y {
		if !isUnreliable(k) {
			top = max(top, v)
		}
	}
	if top == 0 {
		return slices.Repeat([]float64{fallback}, len(y))
	}
	logs := make([]float64, len(y))
	for k, v := range y {
		logs[k] = num.Log(max(v, num.Mul(1e-12, top)))
	}
	interpolateGaps(logs, isUnreliable)
	for k, v := range smooth(logs) {
		logs[k] = num.Exp(v)
	}
	return logs
}

// smooth applies a Gaussian kernel whose bandwidth is a fiftieth of the length of y, with reflected ends.
func smooth(y []float64) []float64 {
	width := float64(len(y)) / 50
	reach := int(4 * width)
	weights := make([]float64, reach+1)
	for i := range weights {
		z := float64(i) / width
		weights[i] = num.Exp(-num.Mul(z, z) / 2)
	}
	out := make([]float64, len(y))
	for k := range out {
		sum, total := 0.0, 0.0
		for i := -reach; i <= reach; i++ {
			weight := weights[max(i, -i)]
			sum += num.Mul(weight, y[reflected(k+i, len(y))])
			total += weight
		}
		out[k] = sum / total
	}
	return out
}

// reflected returns index i of n values, mirrored at the ends.
func reflected(i, n int) int {
	if n == 1 {
		return 0
	}
	period := 2 * (n - 1)
	if i = ((i % period) + period) % period; i >= n {
		i = period - i
	}
	return i
}
