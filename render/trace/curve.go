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
	order        int // index of the method
	run          int // see frame.Curve.Run
	pts          []frame.Point
}

// curves returns the methods with points. Without details each has only its last point.
func curves(p *record.Run, a *paint.Area) (cs []curve) {
	for _, c := range p.Curves {
		pts := usable(c.Points)
		if len(pts) == 0 {
			continue
		}
		if !a.Shows("details") {
			last := pts[len(pts)-1]
			if len(p.Curves) > 1 { // bars are compared, and the bounds would dwarf them
				last.Lower, last.Upper = math.NaN(), math.NaN()
			}
			pts = []frame.Point{last}
		}
		cs = append(cs, curve{c.Method, a.MethodLabel(c.Method), p.MethodIndex(c.Method), c.Run, pts})
	}
	return cs
}

// usable returns the points that can be drawn: finite log Z, positive and increasing work.
func usable(pts []frame.Point) []frame.Point {
	var out []frame.Point
	for _, q := range pts {
		if !(math.Abs(q.LogZ) <= record.MaxLogZ) || !(q.Sweeps > 0) || math.IsInf(q.Sweeps, 0) {
			continue
		}
		for len(out) > 0 && out[len(out)-1].Sweeps >= q.Sweeps {
			out = out[:len(out)-1] // replaced by a newer point of the same work
		}
		out = append(out, q)
	}
	return out
}

// last returns the newest point.
func (c *curve) last() frame.Point { return c.pts[len(c.pts)-1] }

// work returns the work of all points.
func (c *curve) work() []float64 { return c.values(func(q frame.Point) float64 { return q.Sweeps }) }

// values returns a value of all points.
func (c *curve) values(of func(frame.Point) float64) []float64 {
	out := make([]float64, len(c.pts))
	for i, q := range c.pts {
		out[i] = of(q)
	}
	return out
}

// nearest returns the point nearest to a work by ratio, and that ratio, which is at least 1.
func (c *curve) nearest(work float64) (best frame.Point, ratio float64) {
	ratio = math.Inf(1)
	for _, q := range c.pts {
		if r := max(q.Sweeps/work, work/q.Sweeps); r < ratio {
			best, ratio = q, r
		}
	}
	return best, ratio
}

// bounded reports whether a point has a lower and an upper bound.
func bounded(q frame.Point) bool { return num.Finite(q.Upper - q.Lower) }

// workRange returns the range of the work, at least a decade.
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

// valueRange returns a range of log Z that contains the exact value, the last estimates with their error bars and
// bounds, and the second half (in log work) of each curve; of many curves, only values near their ends. The first half
// extends it by at most half, so that early values do not squeeze the later ones.
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

	// The second half of each curve; a single curve must not squeeze the others.
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

	// The first half extends the range by at most half.
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

// errorRange returns the range of standard errors, in steps of a fifth of a decade; false if there are none.
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
