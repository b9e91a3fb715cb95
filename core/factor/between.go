package factor

import (
	"math"

	"logzlab/core/num"
)

// Between starts with tables of firstEntries entries and enlarges them by four each time. Lower bounds start from the
// best of drawnStarts states that are drawn each time.
const (
	firstEntries = 1 << 6
	drawnStarts  = 200
)

// Between computes intervals that certainly contain log Z, in nats and with room for rounding: from above by
// MiniBuckets and from below by MeanField, by larger and larger tables, up to most. Once these take as much work as the
// exact sum by plan p, that sum ends the search. narrowed is called with each narrower interval; narrowed and going
// return whether to go on. below is -Inf while no state of positive weight is known; above is -Inf if Z is 0.
func (g *Graph) Between(p Plan, most Effort, uniform func() float64, going func() bool,
	narrowed func(below, above float64) bool) {
	below, above, rounding := math.Inf(-1), math.Inf(1), g.rounding()
	tell := func(b, a float64) bool {
		b, a = b-rounding, a+rounding
		if b > below || a < above {
			below, above = max(b, below), min(a, above)
			return narrowed(below, above)
		}
		return true
	}
	buckets := g.Tightest(p, going)
	best, bestF := make([]int, len(g.States)), math.Inf(-1)
	for entries := float64(firstEntries); entries <= most.Entries && !(above-below <= 3*rounding); entries *= 4 {
		if p.Ops <= entries*float64(len(g.States)) && p.Peak <= most.Bytes {
			if logZ, ok := g.Eliminate(p, going); ok {
				tell(logZ, logZ)
			}
			return
		}
		bound, s, ok := g.MiniBuckets(buckets, Effort{entries, most.Bytes}, going)
		if !ok || !tell(below, bound) {
			return
		}

		// log f of a single state is a lower bound, too.
		x := make([]int, len(g.States))
		for range drawnStarts {
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
			return q.Ops/g.Entries(q.Fixed) <= 16*entries*n && q.Kept <= 64*max(entries, n)
		}
		low, ok := g.MeanField(p, best, small, going)
		if !tell(max(low, bestF), above) || !ok {
			return
		}
	}
}

// rounding bounds the rounding error of a bound in nats. Each entry and each state is rounded a few times, with a
// relative error of 2^-53 of a number, or of a log that is at most the sum of the largest logs of all factors.
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
