package factor

import (
	"math"

	"logzlab/core/num"
)

// Bounds starts with tables of firstEntries entries and increases the size by a factor of four each time. Lower bounds
// start from the best of stateDraws states drawn at each size.
const (
	firstEntries = 1 << 6
	stateDraws   = 200
)

// Bounds computes intervals in nats that certainly contain log Z, including an allowance for rounding: the upper end by
// MiniBuckets, the lower end by MeanField, with tables of increasing size up to most. Once these take as much work as
// exact elimination by plan p, it computes the exact sum and returns. narrowed is called with each narrower interval;
// narrowed and going return whether to continue. below is -Inf while no state of positive weight is known; above is
// -Inf if Z is 0.
func (g *Graph) Bounds(p Plan, most Effort, uniform func() float64, going func() bool,
	narrowed func(below, above float64) bool) {
	below, above, rounding := math.Inf(-1), math.Inf(1), g.rounding()
	report := func(b, a float64) bool {
		b, a = b-rounding, a+rounding
		if b > below || a < above {
			below, above = max(b, below), min(a, above)
			return narrowed(below, above)
		}
		return true
	}
	buckets := g.BestBuckets(p, going)
	best, bestF := make([]int, len(g.States)), math.Inf(-1)
	for entries := float64(firstEntries); entries <= most.Entries && !(above-below <= 3*rounding); entries *= 4 {
		if p.Ops <= entries*float64(len(g.States)) && p.PeakBytes <= most.Bytes {
			if logZ, ok := g.Eliminate(p, going); ok {
				report(logZ, logZ)
			}
			return
		}
		bound, s, ok := g.MiniBuckets(buckets, Effort{entries, most.Bytes}, going)
		if !ok || !report(below, bound) {
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
		small := func(q Plan) bool {
			n := float64(len(g.States))
			return q.Ops/g.Entries(q.Cutset) <= 16*entries*n && q.SamplerBytes <= 64*max(entries, n)
		}
		low, ok := g.MeanField(p, best, small, going)
		if !report(max(low, bestF), above) || !ok {
			return
		}
	}
}

// rounding returns a bound of the rounding error of Bounds in nats. Each entry and each state is rounded a few times,
// with a relative error of 2^-53 of a number, or of a log, which is at most the sum of the largest logs of all factors.
func (g *Graph) rounding() float64 {
	count, most := 0.0, 1.0
	for _, n := range g.States {
		count += float64(n)
		most += num.Log(float64(n))
	}
	for _, f := range g.Factors {
		count += float64(len(f.Table))
		largest := 0.0
		for _, x := range f.Table {
			if num.Finite(x) {
				largest = max(largest, math.Abs(x))
			}
		}
		most += largest
	}
	return 0x1p-51 * count * most
}
