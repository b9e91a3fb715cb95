package trace

import (
	"math"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/render/paint"
)

// What is in this file is for the scenes of travel, until they are charts of the kit as well: then it can go.

// Curve is the drawable part of a method's history.
type Curve struct {
	Name  string
	Order int // among the methods of the page
	Pts   []frame.Point
}

func (c *Curve) Last() frame.Point { return c.Pts[len(c.Pts)-1] }

// Chart has the axes: cost in log10 of the work, err in log10 nats.
type Chart struct {
	Low                 float64 // height of the chart
	Cost, Err           paint.Axis
	CostTicks, ErrTicks []float64
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

// CostAxis draws the axis of the work.
func (d *Chart) CostAxis(a *paint.Area, l *paint.Layer, unit string) {
	u, y := a.Unit, d.Err.P0
	l.HLine(a, d.Cost.P0, d.Cost.P1, y, a.Theme.Line2)
	for _, v := range d.CostTicks {
		l.VLine(a, d.Cost.At(v), y, y+4*u, a.Theme.Line2)
		l.Label(format.Short(math.Pow(10, v), 3), d.Cost.At(v), y+16*u, paint.Tick, a.Theme.Ink3, paint.Centre)
	}
	l.Label(a.Say(unit), (d.Cost.P0+d.Cost.P1)/2, y+33*u, paint.Tick, a.Theme.Ink3, paint.Centre)
}

// runs cuts a curve into stretches on which v is finite, leaving out points less
// than a pixel after their predecessor; f turns a point into pixels.
func (d *Chart) runs(c *Curve, v func(frame.Point) float64, use func(x float64, q frame.Point)) {
	lastX := math.Inf(-1)
	for i, q := range c.Pts {
		x := d.Cost.At(math.Log10(q.Sweeps))
		if !num.Finite(v(q)) {
			use(math.NaN(), q)
			lastX = math.Inf(-1)
			continue
		}
		if x-lastX < 1 && i+1 < len(c.Pts) {
			continue
		}
		use(x, q)
		lastX = x
	}
}

// Line draws a method's history with marks along it. While the method runs the
// line is thin and the marks are hollow; the final value is solid.
func (d *Chart) Line(a *paint.Area, l *paint.Layer, c *Curve, ax paint.Axis, v func(frame.Point) float64) {
	u := a.Unit
	width, ink := 2*u*a.Theme.Stroke, a.Theme.Method(c.Order)
	if !c.Last().Final {
		width = 1.25 * u * a.Theme.Stroke
	}

	type spot struct {
		at     paint.Point
		hollow bool
	}
	var pts []paint.Point
	var spots []spot
	flush := func() {
		if len(pts) > 1 {
			l.Add(paint.Mark{Kind: paint.Stroke, Pts: pts, Width: width, Color: ink, Halo: true})
		}
		pts = nil
	}

	// Marks stand a good way apart and are shifted from method to method, so that
	// curves on top of each other still show which is which.
	const apart = 72
	next := d.Cost.P0 + (16+24*float64(c.Order%3))*u
	d.runs(c, v, func(x float64, q frame.Point) {
		if math.IsNaN(x) {
			flush()
			return
		}
		at := paint.Pt(x, ax.At(v(q)))
		pts = append(pts, at)
		if q.Final || x >= next {
			spots = append(spots, spot{at, !q.Final})
			next = max(next, x) + apart*u
		}
	})

	// The end of the curve always has a mark.
	if n := len(pts); n > 0 && (len(spots) == 0 || spots[len(spots)-1].at != pts[n-1]) {
		if k := len(spots); k > 0 && pts[n-1].X-spots[k-1].at.X < 24*u {
			spots = spots[:k-1]
		}
		spots = append(spots, spot{pts[n-1], !c.Last().Final})
	}
	flush()

	for _, s := range spots {
		if s.at.Y >= ax.P1-2*u && s.at.Y <= ax.P0+2*u {
			l.MethodMark(a, c.Order, s.at.X, s.at.Y, 3.6*u, s.hollow)
		}
	}
}
