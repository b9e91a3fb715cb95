package factor

import (
	"math"

	"logzlab/core/num"
)

// Bounds starts with tables of firstEntries entries and increases the size by a factor of four each time. Lower bounds
// start from the state with the largest weight among stateDraws samples at each size.
const (
	firstEntries = 1 << 6
	stateDraws   = 200
)

// Bounds computes intervals in nats that certainly contain log Z, including an allowance for rounding: the upper end by
// MiniBuckets, the lower end by MeanField, with tables of increasing size up to limit. Once a pair of bounds takes as
// much work as exact elimination by plan p, Bounds computes the exact sum and returns. onNarrowed is called with each
// narrower interval [lower, upper]; Bounds stops when onNarrowed or shouldContinue returns false. lower is -Inf until a
// state of positive weight is found; upper is -Inf if Z is 0. uniform returns random numbers in (0, 1).
func (g *Graph) Bounds(p Plan, limit Effort, uniform func() float64, shouldContinue func() bool,
	onNarrowed func(lower, upper float64) bool) {
	lower, upper, rounding := math.Inf(-1), math.Inf(1), g.rounding()
	report := func(newLower, newUpper float64) bool {
		newLower, newUpper = newLower-rounding, newUpper+rounding
		if newLower > lower || newUpper < upper {
			lower, upper = max(newLower, lower), min(newUpper, upper)
			return onNarrowed(lower, upper)
		}
		return true
	}
	buckets := g.BestBuckets(p, shouldContinue)
	best, bestF := make([]int, len(g.States)), math.Inf(-1)
	for entries := float64(firstEntries); entries <= limit.Entries && !(upper-lower <= 3*rounding); entries *= 4 {
		if p.Ops <= entries*float64(len(g.States)) && p.PeakBytes <= limit.Bytes {
			if logZ, ok := g.Eliminate(p, shouldContinue); ok {
				report(logZ, logZ)
			}
			return
		}
		bound, s, ok := g.MiniBuckets(buckets, Effort{entries, limit.Bytes}, shouldContinue)
		if !ok || !report(lower, bound) {
			return
		}

		// The weight of a single state is a lower bound of Z, too.
		x := make([]int, len(g.States))
		for range stateDraws {
			if s.Draw(x, uniform) {
				if f := g.LogF(x); f > bestF {
					bestF = f
					copy(best, x)
				}
			}
		}
		if math.IsInf(bestF, -1) {
			continue
		}
		isSmallEnough := func(q Plan) bool {
			n := float64(len(g.States))
			return q.Ops/g.Entries(q.Cutset) <= 16*entries*n && q.SamplerBytes <= 64*max(entries, n)
		}
		low, ok := g.MeanField(p, best, isSmallEnough, shouldContinue)
		if !report(max(low, bestF), upper) || !ok {
			return
		}
	}
}

// rounding returns a bound of the rounding error of Bounds in nats. Each entry and each state is rounded a few times,
// each time with a relative error of at most 2^-53. The rounded number is a value or a log; a log is at most the sum,
// over all factors, of their largest absolute logs.
func (g *Graph) rounding() float64 {
	count, maxLog := 0.0, 1.0
	for _, n := range g.States {
		count += float64(n)
		maxLog += num.Log(float64(n))
	}
	for _, f := range g.Factors {
		count += float64(len(f.Table))
		largest := 0.0
		for _, x := range f.Table {
			if num.Finite(x) {
				largest = max(largest, math.Abs(x))
			}
		}
		maxLog += largest
	}
	return 0x1p-51 * count * maxLog
}
