package schedule

import (
	"math"
	"slices"

	"logzlab/core/num"
	"logzlab/core/num/stats"
)

// PathStats is what a pilot, a cheap annealing pass, found of a path at knots, which increase from 0 to 1.
type PathStats struct {
	Betas []float64
	Mean  []float64 // of d log f_beta/d beta under f_beta
	Var   []float64 // the same's variance, g
	// Joint is g of the joint of what is in the states and what is summed out of them (a machine's hidden units), which is
	// at least Var: Var and the mean variance of d log f/d beta over what is summed out. nil where nothing is, and where
	// it was not asked for.
	Joint []float64
	Raw   []float64 // Var before it was smoothed, NaN where it did not count; nil in workers, which do not show it
	// Steps are the longest steps from the knots that keep a share of the conditional effective sample size; only where
	// they were asked for.
	Steps []float64
	// Lags are sweeps from one independent sample to the next at the knots; only where they were asked for.
	Lags []float64
	// Lag is Var(log w) of the chains over the Var(log w) that perfect moves would have given: 1 for such moves; 0 where
	// it is not known.
	Lag float64
	// Fitted is true where the path begins at a base that was fitted to samples, not at the model's own.
	Fitted bool
}

// Whole reports whether the numbers fit together, as those that came in a message may not.
func (p *PathStats) Whole() bool {
	n := len(p.Betas)
	if n < 2 || len(p.Mean) != n || len(p.Var) != n || !(p.Lag >= 0) {
		return false
	}
	for i, b := range p.Betas {
		if !(b >= 0 && b <= 1) || i > 0 && !(b > p.Betas[i-1]) || !num.Finite(p.Mean[i]) || !(p.Var[i] >= 0) {
			return false
		}
	}
	return (len(p.Steps) == 0 || len(p.Steps) == n) && (len(p.Lags) == 0 || len(p.Lags) == n)
}

// leastEffective is the effective sample size from which what a pilot finds at a knot counts; elsewhere its numbers are
// interpolated.
const leastEffective = 10

// flatter are the powers of weights that are flattened, in turn.
var flatter = [...]float64{1. / 2, 1. / 4, 1. / 8, 1. / 16, 1. / 32, 1. / 64, 0}

// mostKnots bounds the knots, without the last.
const mostKnots = 400

// stride is the number of steps of a ladder from one knot to the next.
func stride(steps int) int { return 1 + (steps-1)/mostKnots }

// Unknown is a path of which nothing is known: its schedules are linear.
var Unknown = &PathStats{Betas: []float64{0, 1}, Mean: []float64{0, 0}, Var: []float64{1, 1}, Steps: []float64{1, 1}}

// at is a value between knots.
func (p *PathStats) at(y []float64, beta float64) float64 {
	j, _ := slices.BinarySearch(p.Betas, beta)
	j = min(max(j-1, 0), len(p.Betas)-2)
	return between(p.Betas, y, j, beta)
}

// Learn makes the statistics of a path from the log weights of chains that were annealed along a ladder, at each rung:
// logw[c][k] is that of chain c at rung k. With these weights the chains are samples of the rung ("on the fly",
// [VAROPT] Algorithm 2); the step of log w to the next rung, over that in beta, is d log f_beta/d beta of a chain.
// kept is the share of the conditional effective sample size that Steps keep, 0: none are wanted. Of long ladders some
// rungs, evenly spaced, become knots.
//
// Knots where few chains have all the weight are interpolated. With flat, they are measured with flatter weights, w^a
// for a = 1/2, 1/4, ... or 0, until enough chains count: so the first steps from a wide prior are seen.
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
		mean, v, size := measured(w, d, flat)
		p.Mean, p.Var, effective = append(p.Mean, mean), append(p.Var, v), append(effective, size)
		if kept > 0 {
			p.Steps = append(p.Steps, longest(w, d, kept))
		}
	}

	// Nothing steps on from the last rung, which has the values of the knot before.
	n := len(p.Betas)
	p.Betas = append(p.Betas, ladder[last])
	for _, y := range []*[]float64{&p.Mean, &p.Var, &effective, &p.Steps} {
		if len(*y) == n {
			*y = append(*y, (*y)[n-1])
		}
	}

	// Knots of too few chains.
	bad := func(k int) bool { return !(effective[k] >= leastEffective) }
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
	p.extend(bad)
	p.Mean = smooth(p.Mean)

	// The lag: the variance at the end, over the variance predicted.
	end := make([]float64, len(logw))
	for c, row := range logw {
		end[c] = row[last]
	}
	if _, v := stats.MeanVar(end); num.Finite(v) {
		if ideal := Predicted(p.Betas, p.Var, ladder); ideal > 0 {
			p.Lag = v / ideal
		}
	}
	return p
}

// extend finds means at knots where too few chains count, and at the last one. On a path linear in beta the mean grows
// by g, the variance. Where hidden units are summed out of f_beta it grows by the variance of the joint density,
// which is never smaller and may be many times g. So where chains are too few the growth is that by g times the ratio
// of both, as measured up to there.
func (p *PathStats) extend(bad func(k int) bool) {
	rise, said := 0.0, 0.0 // of the mean between neighbouring knots that count, and what g says of them
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

// CurveEvery is the number of rungs from one at which chains tell their curve to the next: a curve costs as much as a
// move, and changes little from rung to rung.
const CurveEvery = 10

// SumOut sets Joint, from curves: curves[c][i] is the variance of d log f/d beta over what is summed out, given the
// state of chain c after its moves at rung i CurveEvery of the ladder; ladder, logw and flat are as for Learn. Knots
// without curves are interpolated.
func (p *PathStats) SumOut(ladder []float64, logw, curves [][]float64, flat bool) {
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
		within[knot], _, effective[knot] = measured(w, x, flat)
	}
	within = smoothLogs(within, func(knot int) bool { return !(effective[knot] >= leastEffective) }, 0)
	p.Joint = make([]float64, len(p.Betas))
	for knot, g := range p.Var {
		p.Joint[knot] = g + within[knot]
	}
}

// measured is meanVar of d under weights exp(w), with flat under flatter ones until enough chains count.
func measured(w, d []float64, flat bool) (mean, variance, effective float64) {
	mean, variance, effective = meanVar(w, d)
	for i := 0; flat && effective < leastEffective && i < len(flatter); i++ {
		mean, variance, effective = meanVar(flattened(w, flatter[i]), d)
	}
	return mean, variance, effective
}

// meanVar is the mean of d under weights W, which are exp(w) normalised, its variance divided by 1 - sum W^2, and the
// effective sample size 1/sum W^2.
func meanVar(w, d []float64) (mean, variance, effective float64) {
	sum := num.LogSumExp(w)
	squares := 0.0
	p := make([]float64, len(w))
	for i := range w {
		if p[i] = num.Exp(w[i] - sum); !(p[i] > 0) {
			p[i] = 0 // also where no chain has weight, or where f is 0
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
	if !(squares > 0 && squares < 1) { // no chain has weight, or one has all
		return mean, 0, 0
	}
	return mean, variance / (1 - squares), stats.ESS(1, squares)
}

// flattened are log weights times a; chains without weight keep none.
func flattened(w []float64, a float64) []float64 {
	out := make([]float64, len(w))
	for i, x := range w {
		if out[i] = num.Mul(a, x); math.IsInf(x, -1) {
			out[i] = x
		}
	}
	return out
}

// longest is the longest step delta, at most 1, for which particles with weights exp(w), whose log weights then grow by
// delta d, keep a share of the conditional effective sample size (sum W e^(delta d))^2/sum W e^(2 delta d).
func longest(w, d []float64, kept float64) float64 {
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

// fillIn interpolates y where it is bad, between the nearest good values.
func fillIn(y []float64, bad func(k int) bool) {
	last := -1 // the good one before
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

// smoothLogs is y > 0 after filling in where it is bad, and smoothing of its log; none where no y > 0 is good.
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
	fillIn(logs, bad)
	for k, v := range smooth(logs) {
		logs[k] = num.Exp(v)
	}
	return logs
}

// smooth is y smoothed by a Gaussian kernel whose bandwidth is a fiftieth of its length, with reflected ends.
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

// reflected is an index into n values, mirrored at the ends.
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
