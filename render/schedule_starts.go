package render

import (
	"image/color"
	"math"
	"slices"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/core/schedule"
	"logzlab/render/paint"
)

// jointHill draws the root of g of the joint of visible and hidden units over the hill, which is that of the visible
// units, with its name where it is farthest from the hill and no curve is in the way.
func (v *scheduleView) jointHill(l *paint.Layer, wide func(g float64) float64) {
	a, u, t, p := v.a, v.a.Unit, v.a.Theme, v.path
	var edge []paint.Point
	name, at, most := a.Say("with hidden units"), paint.Rect{}, 6*u
	curves := append(v.shapes[:len(v.shapes):len(v.shapes)], v.own)
	for i, b := range p.Beta {
		q := paint.Pt(wide(p.Joint[i]), v.y.At(b))
		if n := len(edge); n > 0 && i+1 < len(p.Beta) && edge[n-1].Y-q.Y < u/2 {
			continue
		}
		edge = append(edge, q)
		box := paint.XYWH(q.X+6*u, q.Y-8*u, a.Fonts.Width(name, paint.Tick)+4*u, 16*u)
		if far := q.X - wide(p.G[i]); far > most && box.Y > v.plot.Y && box.Y+box.H < v.plot.Y+v.plot.H &&
			!slices.ContainsFunc(curves, func(c []paint.Point) bool { return crosses(c, box) }) {
			most, at = far, box
		}
	}
	l.Add(paint.Mark{Kind: paint.Stroke, Pts: edge, Width: u, Color: paint.Fade(t.Grey, 0.8),
		Dash: [2]float64{3 * u, 3 * u}})
	if at.W > 0 {
		v.taken = append(v.taken, at)
		l.Label(name, at.X, at.Y+12*u, paint.Tick, t.Ink3, paint.Left)
	}
}

// starts lists the paths from other bases: F of the linear and the best schedule by g of the visible units and of the
// joint, and the roots of both g by temperature, each start on its own scale: from a poor base g is hundreds of times
// that of a good one. F of chains that lag is marked as too small.
func (v *scheduleView) starts(l *paint.Layer, y float64) {
	a, u, t, b := v.a, v.a.Unit, v.a.Theme, v.pane
	const row = 31
	if n := len(v.path.Starts); n == 0 || y+(28+row*float64(n))*u > a.H {
		return
	}
	l.Label(a.Say("F from each start"), b.X, y, paint.Strong, t.Ink, paint.Left)
	l.Label(a.Say("linear / best"), b.X+b.W, y+17*u, paint.Tick, t.Ink3, paint.Right)
	l.Label("\u221ag, \u03b2 0\u20131", b.X+48*u, y+17*u, paint.Tick, t.Ink3, paint.Left)
	y += 23 * u
	for i := range v.path.Starts {
		s := &v.path.Starts[i]
		st, ink := paint.Plain, t.Ink
		if s.Name == v.path.Start {
			st, ink = paint.Strong, v.ink
		}
		top := math.SmallestNonzeroFloat64
		for i := range s.G {
			top = max(top, s.G[i], s.Joint[i])
		}
		l.HLine(a, b.X, b.X+b.W, y, t.Line)
		l.Label(s.Name, b.X, y+13*u, st, ink, paint.Left)
		box := paint.Snap(paint.XYWH(b.X+57*u, y+4*u, 29*u, row*u-8*u))
		v.sparkline(l, s, s.G, box, top, ink, false)
		v.sparkline(l, s, s.Joint, box, top, t.Ink3, true)
		l.Label(both(s.Beta, s.G), b.X+b.W, y+13*u, st, ink, paint.Right)
		if s.Lags() {
			l.Label(a.Say("too small"), b.X, y+26*u, paint.Tick, t.Ink3, paint.Left)
		}
		l.Label(a.Say("joint")+" "+both(s.Beta, s.Joint), b.X+b.W, y+26*u, paint.Tick, t.Ink3, paint.Right)
		y += row * u
	}
}

// both are F of the linear and the best schedule.
func both(beta, g []float64) string {
	linear, best := schedule.Functionals(beta, g)
	return format.Ratio(linear) + " / " + format.Ratio(best)
}

// sparkline draws the root of g from a start.
func (v *scheduleView) sparkline(l *paint.Layer, s *frame.Start, g []float64, box paint.Rect, top float64,
	ink color.RGBA, dashed bool) {
	u := v.a.Unit
	var pts []paint.Point
	for i, b := range s.Beta {
		q := paint.Pt(box.X+b*box.W, box.Y+box.H*(1-math.Sqrt(max(g[i], 0)/top)))
		if n := len(pts); n > 0 && i+1 < len(s.Beta) && q.X-pts[n-1].X < u/2 {
			continue
		}
		pts = append(pts, q)
	}
	m := paint.Mark{Kind: paint.Stroke, Pts: pts, Width: 1.25 * u, Color: ink}
	if dashed {
		m.Width, m.Dash = u, [2]float64{2 * u, 2 * u}
	}
	l.Add(m)
}
