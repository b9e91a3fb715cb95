package trace

import (
	"math"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/render/paint"
	"logzlab/render/record"
)

// curve is the part of a method's history that can be drawn.
type curve struct {
	method, name string
	order        int // among the methods of the page
	run          int // see frame.Curve
	pts          []frame.Point
}

// curves are the methods with points; without details each has its last point alone.
func curves(p *record.Run, a *paint.Area) (cs []curve) {
	for _, c := range p.Curves {
		pts := usable(c.Points)
		if len(pts) == 0 {
			continue
		}
		if !a.Shows("details") {
			last := pts[len(pts)-1]
			if len(p.Curves) > 1 { // bars are compared, and a bracket would dwarf them
				last.Lower, last.Upper = math.NaN(), math.NaN()
			}
			pts = []frame.Point{last}
		}
		cs = append(cs, curve{c.Method, a.MethodLabel(c.Method), p.MethodIndex(c.Method), c.Run, pts})
	}
	return cs
}

// usable keeps the points that can be placed: sensible log Z, positive and rising work.
func usable(pts []frame.Point) []frame.Point {
	var out []frame.Point
	for _, q := range pts {
		if !(math.Abs(q.LogZ) <= record.MaxLogZ) || !(q.Sweeps > 0) || math.IsInf(q.Sweeps, 0) {
			continue
		}
		for len(out) > 0 && out[len(out)-1].Sweeps >= q.Sweeps {
			out = out[:len(out)-1] // newer knowledge of the same work
		}
		out = append(out, q)
	}
	return out
}

// last is the newest point.
func (c *curve) last() frame.Point { return c.pts[len(c.pts)-1] }

// work is that of all points.
func (c *curve) work() []float64 { return c.values(func(q frame.Point) float64 { return q.Sweeps }) }

// values are a number of all points.
func (c *curve) values(of func(frame.Point) float64) []float64 {
	out := make([]float64, len(c.pts))
	for i, q := range c.pts {
		out[i] = of(q)
	}
	return out
}

// nearest is the point of a curve nearest to a work in the ratio, and that ratio, at least 1.
func (c *curve) nearest(work float64) (best frame.Point, ratio float64) {
	ratio = math.Inf(1)
	for _, q := range c.pts {
		if r := max(q.Sweeps/work, work/q.Sweeps); r < ratio {
			best, ratio = q, r
		}
	}
	return best, ratio
}

// bounded tells whether a point has a sandwich.
func bounded(q frame.Point) bool { return num.Finite(q.Upper - q.Lower) }

// workRange spans all points; a single one gets a decade around it.
func workRange(cs []curve) (lo, hi float64) {
	lo, hi = math.Inf(1), 0
	for i := range cs {
		lo, hi = min(lo, cs[i].pts[0].Sweeps), max(hi, cs[i].last().Sweeps)
	}
	if hi < 2*lo {
		mid := math.Sqrt(lo * hi)
		lo, hi = mid/math.Sqrt(10), mid*math.Sqrt(10)
	}
	return lo, hi
}

// valueRange holds the truth, the last estimates with their bars and sandwich, and the second half (in log work) of each
// curve, of many as far as they stay near the ends; the first half may widen it by half, and is cut beyond that: an early
// value must not squeeze the late ones.
func valueRange(p *record.Run, cs []curve) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	put := func(vs ...float64) {
		for _, v := range vs {
			if math.Abs(v) <= record.MaxLogZ {
				lo, hi = min(lo, v), max(hi, v)
			}
		}
	}

	// The exact value and the ends of all curves.
	if p.HasTruth {
		put(p.Truth)
	}
	for i := range cs {
		e := cs[i].last()
		put(e.LogZ, e.LogZ-2*e.SE, e.LogZ+2*e.SE, e.Lower, e.Upper)
	}

	// The second half of each curve; one among many must not squeeze the others.
	far, e0, e1 := math.Inf(1), lo, hi
	if len(cs) > few {
		far = 2 * (hi - lo)
	}
	for i := range cs {
		half := math.Sqrt(cs[i].pts[0].Sweeps * cs[i].last().Sweeps)
		for _, q := range cs[i].pts {
			if q.Sweeps > half {
				put(min(max(q.LogZ, e0-far), e1+far))
			}
		}
	}

	// The first half widens the range by half at most.
	reach := (hi - lo) / 2
	l0, h0 := lo, hi
	for i := range cs {
		for _, q := range cs[i].pts {
			put(max(q.LogZ, l0-reach), min(q.LogZ, h0+reach))
		}
	}
	lo, hi = max(lo, l0-reach), min(hi, h0+reach)
	return record.RoundToHalfSteps(lo, hi)
}

// errorRange is the range of standard errors, in steps of a fifth of a decade; false if there are none.
func errorRange(cs []curve) (lo, hi float64, ok bool) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for i := range cs {
		for _, q := range cs[i].pts {
			if q.SE > 0 && num.Finite(q.SE) {
				lo, hi = min(lo, math.Log10(q.SE)), max(hi, math.Log10(q.SE))
			}
		}
	}
	if hi-lo < 0.6 {
		lo, hi = lo-0.3, hi+0.3
	}
	return math.Pow(10, math.Floor(5*lo)/5), math.Pow(10, math.Ceil(5*hi)/5), lo <= hi
}
