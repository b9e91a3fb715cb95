package trace

import (
	"math"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/render/record"
)

// Curve is the drawable part of a method's history.
type Curve struct {
	method, Name string
	Order        int // among the methods of the page
	run          int // see frame.Curve
	Pts          []frame.Point
}

func (c *Curve) Last() frame.Point { return c.Pts[len(c.Pts)-1] }

// Usable keeps the points that can be placed: sensible log Z, positive and rising
// cost.
func Usable(pts []frame.Point) []frame.Point {
	var out []frame.Point
	for _, q := range pts {
		if !(math.Abs(q.LogZ) <= record.Largest) || !(q.Sweeps > 0) || math.IsInf(q.Sweeps, 0) {
			continue
		}
		for len(out) > 0 && out[len(out)-1].Sweeps >= q.Sweeps {
			out = out[:len(out)-1] // newer knowledge of the same cost
		}
		out = append(out, q)
	}
	return out
}

// CostRange spans all points; a single cost gets a decade around it.
func CostRange(cs []Curve) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for i := range cs {
		lo = min(lo, math.Log10(cs[i].Pts[0].Sweeps))
		hi = max(hi, math.Log10(cs[i].Last().Sweeps))
	}
	if hi-lo < 0.3 {
		lo, hi = (lo+hi)/2-0.5, (lo+hi)/2+0.5
	}
	return lo, hi
}

// valueRange holds the truth, the last estimates with their bars and sandwich,
// and the second half (in log cost) of each curve, of many as far as they stay
// near the ends; the first half may widen it by half, and is cut beyond that: an
// early value must not squeeze the late ones.
func valueRange(p *record.Run, cs []Curve) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	put := func(vs ...float64) {
		for _, v := range vs {
			if math.Abs(v) <= record.Largest {
				lo, hi = min(lo, v), max(hi, v)
			}
		}
	}

	// The exact value and the ends of all curves.
	if p.HasTruth {
		put(p.Truth)
	}
	for i := range cs {
		e := cs[i].Last()
		put(e.LogZ, e.LogZ-2*e.SE, e.LogZ+2*e.SE, e.Lower, e.Upper)
	}

	// The second half of each curve; one among many must not squeeze the others.
	far, e0, e1 := math.Inf(1), lo, hi
	if len(cs) > few { // one among many must not squeeze the others
		far = 2 * (hi - lo)
	}
	for i := range cs {
		half := math.Sqrt(cs[i].Pts[0].Sweeps * cs[i].Last().Sweeps)
		for _, q := range cs[i].Pts {
			if q.Sweeps > half {
				put(min(max(q.LogZ, e0-far), e1+far))
			}
		}
	}

	// The first half widens the range by half at most.
	reach := (hi - lo) / 2
	l0, h0 := lo, hi
	for i := range cs {
		for _, q := range cs[i].Pts {
			put(max(q.LogZ, l0-reach), min(q.LogZ, h0+reach))
		}
	}
	lo, hi = max(lo, l0-reach), min(hi, h0+reach)
	return record.Halves(lo, hi)
}

// ErrorRange is the range of log10 standard errors.
func ErrorRange(cs []Curve) (lo, hi float64, ok bool) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for i := range cs {
		for _, q := range cs[i].Pts {
			if q.SE > 0 && num.Finite(q.SE) {
				lo, hi = min(lo, math.Log10(q.SE)), max(hi, math.Log10(q.SE))
			}
		}
	}
	if !(lo <= hi) {
		return 0, 1, false
	}
	if hi-lo < 0.6 {
		lo, hi = lo-0.3, hi+0.3
	}
	return math.Floor(5*lo) / 5, math.Ceil(5*hi) / 5, true
}
