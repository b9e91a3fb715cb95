package factor

import (
	"math"

	"logzlab/core/num"
)

// Between begins with tables of firstEntries, then has four times as many; each time drawnStarts states are looked at
// as starts of lower bounds.
const (
	firstEntries = 1 << 6
	drawnStarts  = 200
)

// Between narrows an interval that has log Z for certain, with room for rounding: mini-buckets from above, structured
// mean fields from below, of larger and larger tables, as far as most goes; where these take as much work as the sum by
// plan p, the sum itself, after which the interval is as wide as rounding. narrowed is called whenever the interval has
// got narrower; narrowed and going are asked whether to go on. below is -Inf as long as no state of weight has been
// found; above may be -Inf too, where the sum is empty.
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
		bound, s, ok := g.Above(buckets, Effort{entries, most.Bytes}, going)
		if !ok || !tell(below, bound) {
			return
		}

		// The best of some states is where the lower bound starts; it is one by itself.
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
		low, ok := g.Below(p, best, small, going)
		if !tell(max(low, bestF), above) || !ok {
			return
		}
	}
}

// rounding is more than what a bound is off by rounding: each entry and each state is rounded a few times on its way,
// by 2^-53 of a number, or of a log that is at most the sum of the largest logs of all factors.
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
