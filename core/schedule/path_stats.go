package schedule

import (
	"math"
	"slices"

	"logzlab/core/num"
	"logzlab/core/num/stats"
)

// PathStats has statistics of a path at knots, which increase from 0 to 1, measured by a pilot: a short annealing run.
type PathStats struct {
	Betas []float64
	Mean  []float64 // mean of d log f_beta/d beta under f_beta
	Var   []float64 // variance of d log f_beta/d beta under f_beta: g
	// Joint is g of the joint density of the states and the variables summed out (hidden units of an RBM): Var plus the
	// mean variance of d log f/d beta over these variables. nil if nothing is summed out or it was not requested.
	Joint []float64
	Raw   []float64 // Var before smoothing, NaN at knots with too small an effective sample size; nil in workers
	// Steps are the longest steps from the knots that keep a given fraction of the conditional effective sample size; nil
	// if not requested.
	Steps []float64
	// AutocorrTimes are sweeps from one independent sample to the next at the knots; nil if not requested.
	AutocorrTimes []float64
	// VarianceRatio is Var(log w) of the chains divided by its value for perfect moves; 0 if unknown.
	VarianceRatio float64
	// Fitted reports that the path begins at a base that was fitted to samples.
	Fitted bool
}

// Consistent reports whether lengths and values are valid, which a decoded message does not guarantee.
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

// flatPowers are the powers that flatten weights, tried in turn.
var flatPowers = [...]float64{1. / 2, 1. / 4, 1. / 8, 1. / 16, 1. / 32, 1. / 64, 0}

// maxKnots is the largest number of knots, not counting the last.
const maxKnots = 400

// stride returns the number of ladder steps between knots.
func stride(steps int) int { return 1 + (steps-1)/maxKnots }

// UnknownPath is a path without information: its schedules are linear.
var UnknownPath = &PathStats{Betas: []float64{0, 1}, Mean: []float64{0, 0}, Var: []float64{1, 1}, Steps: []float64{1, 1}}

// valueAt interpolates y between knots.
func (p *PathStats) valueAt(y []float64, beta float64) float64 {
	j, _ := slices.BinarySearch(p.Betas, beta)
	j = min(max(j-1, 0), len(p.Betas)-2)
	return interpolate(p.Betas, y, j, beta)
}

// Learn computes the statistics of a path from the log weights of chains that were annealed along a ladder: logw[c][k]
// is the log weight of chain c at rung k. With these weights the chains are samples of the rung ("on the fly", [VAROPT]
// Algorithm 2); the increase of log w to the next rung, divided by the increase of beta, is d log f_beta/d beta of a
// chain. kept is the fraction of the conditional effective sample size that Steps keep; 0 if Steps are not needed.
// Evenly spaced rungs of long ladders become knots.
//
// Knots with too small an effective sample size are interpolated. With flat, they are measured with flattened weights,
// w^a for a = 1/2, 1/4, ... or 0, until the sample size is large enough; this captures the first steps from a wide
// prior.
func Learn(ladder []float64, logw [][]float64, kept float64, flat bool) *PathStats {
	last := len(ladder) - 1
	p := &PathStats{}
	var effective []float64 // sample sizes at the knots
	w, d := make([]float64, len(logw)), make([]float64, len(logw))

	// Mean, variance and the longest step at each knot.
	for k := 0; k < last; k += stride(last) {
		p.Betas = append(p.Betas, ladder[k])
		db := ladder[k+1] - ladder[k]
		for c, row := range logw {
			w[c], d[c] = row[k], (row[k+1]-row[k])/db
		}
		mean, v, size := weightedMoments(w, d, flat)
		p.Mean, p.Var, effective = append(p.Mean, mean), append(p.Var, v), append(effective, size)
		if kept > 0 {
			p.Steps = append(p.Steps, longestStep(w, d, kept))
		}
	}

	// There is no step from the last rung: it gets the values of the previous knot.
	n := len(p.Betas)
	p.Betas = append(p.Betas, ladder[last])
	for _, y := range []*[]float64{&p.Mean, &p.Var, &effective, &p.Steps} {
		if len(*y) == n {
			*y = append(*y, (*y)[n-1])
		}
	}

	// Interpolate knots with too small sample sizes, and smooth.
	bad := func(k int) bool { return !(effective[k] >= minESS) }
	p.Raw = slices.Clone(p.Var)
	for k := range p.Raw {
		if bad(k) || k == n {
			p.Raw[k] = math.NaN()
		}
	}
	p.Var = smoothLogs(p.Var, bad, 0)
	if kept > 0 {
		p.Steps = smoothLogs(p.Steps, bad, 1)
	}
	p.extendMeans(bad)
	p.Mean = smooth(p.Mean)

	// The variance at the end, divided by the predicted variance.
	end := make([]float64, len(logw))
	for c, row := range logw {
		end[c] = row[last]
	}
	if _, v := stats.MeanVar(end); num.Finite(v) {
		if ideal := PredictedVariance(p.Betas, p.Var, ladder); ideal > 0 {
			p.VarianceRatio = v / ideal
		}
	}
	return p
}

// extendMeans computes means at knots with too small sample sizes, and at the last knot. On a path linear in beta the
// mean increases by the integral of g, the variance. If hidden units are summed out of f_beta it increases by the
// variance of the joint density, which is never smaller and may be many times g. So the increase is the integral of g
// times the ratio of both, as measured so far.
func (p *PathStats) extendMeans(bad func(k int) bool) {
	rise, said := 0.0, 0.0 // increase of the mean between valid neighbouring knots, and the integral of g over them
	for k := 1; k < len(p.Mean); k++ {
		by := num.Mul(p.Betas[k]-p.Betas[k-1], (p.Var[k]+p.Var[k-1])/2)
		switch {
		case bad(k) && rise > said && said > 0:
			p.Mean[k] = p.Mean[k-1] + num.Mul(by, rise/said)
		case bad(k) || k == len(p.Mean)-1:
			p.Mean[k] = p.Mean[k-1] + by
		case !bad(k - 1):
			rise, said = rise+p.Mean[k]-p.Mean[k-1], said+by
		}
	}
}

// CurveEvery is the number of rungs between curvature measurements of chains: one costs as much as a move, and changes
// little from rung to rung.
const CurveEvery = 10

// SetJoint computes Joint. curves[c][i] is the variance of d log f/d beta over the variables summed out, given the
// state of chain c after its moves at rung i CurveEvery of the ladder; ladder, logw and flat are as for Learn. Knots
// without curves are interpolated.
func (p *PathStats) SetJoint(ladder []float64, logw, curves [][]float64, flat bool) {
	last := len(ladder) - 1
	within, effective := make([]float64, len(p.Betas)), make([]float64, len(p.Betas))
	w, x := make([]float64, len(logw)), make([]float64, len(logw))
	for knot, k := 0, 0; k < last; knot, k = knot+1, k+stride(last) {
		if k%CurveEvery != 0 {
			continue
		}
		for c, row := range logw {
			w[c], x[c] = row[k], curves[c][k/CurveEvery]
		}
		within[knot], _, effective[knot] = weightedMoments(w, x, flat)
	}
	within = smoothLogs(within, func(knot int) bool { return !(effective[knot] >= minESS) }, 0)
	p.Joint = make([]float64, len(p.Betas))
	for knot, g := range p.Var {
		p.Joint[knot] = g + within[knot]
	}
}

// weightedMoments is meanVar of d under weights exp(w); with flat, weights are flattened until the sample size is large
// enough.
func weightedMoments(w, d []float64, flat bool) (mean, variance, effective float64) {
	mean, variance, effective = meanVar(w, d)
	for i := 0; flat && effective < minESS && i < len(flatPowers); i++ {
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

// flattened returns log weights times a; zero weights stay zero.
func flattened(w []float64, a float64) []float64 {
	out := make([]float64, len(w))
	for i, x := range w {
		if out[i] = num.Mul(a, x); math.IsInf(x, -1) {
			out[i] = x
		}
	}
	return out
}

// longestStep returns the longest step delta, at most 1, for which particles with weights exp(w), whose log weights
// then increase by delta d, keep the fraction kept of the conditional effective sample size (sum W e^(delta d))^2/sum W
// e^(2 delta d).
func longestStep(w, d []float64, kept float64) float64 {
	sum := num.LogSumExp(w)
	one, two := make([]float64, len(w)), make([]float64, len(w))
	keeps := func(delta float64) bool {
		for i := range w {
			if one[i] = w[i] - sum; math.IsInf(one[i], -1) {
				two[i] = one[i]
				continue
			}
			x := num.Mul(delta, d[i])
			one[i], two[i] = one[i]+x, one[i]+num.Mul(2, x)
		}
		return num.Exp(num.Mul(2, num.LogSumExp(one))-num.LogSumExp(two)) >= kept
	}
	lo, hi := 0.0, 1.0
	if keeps(hi) {
		return hi
	}
	for range 60 {
		if mid := (lo + hi) / 2; keeps(mid) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return max(lo, 1e-12)
}

// interpolateGaps replaces bad values of y by linear interpolation between the nearest good ones.
func interpolateGaps(y []float64, bad func(k int) bool) {
	last := -1 // the last good value
	for k := range y {
		if bad(k) {
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

// smoothLogs interpolates bad values of log y, for y > 0, and smooths the result; if no good y is positive, all values
// are none.
func smoothLogs(y []float64, bad func(k int) bool, none float64) []float64 {
	top := 0.0
	for k, v := range y {
		if !bad(k) {
			top = max(top, v)
		}
	}
	if top == 0 {
		return slices.Repeat([]float64{none}, len(y))
	}
	logs := make([]float64, len(y))
	for k, v := range y {
		logs[k] = num.Log(max(v, num.Mul(1e-12, top)))
	}
	interpolateGaps(logs, bad)
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
