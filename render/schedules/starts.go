package schedules

import (
	"image/color"
	"math"
	"slices"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/core/schedule"
	"logzlab/render/paint"
)

// drawJointSD draws the square root of g of the joint distribution of visible and hidden units, dashed, and its name.
// The grey area below it is g of the visible units.
func (v *view) drawJointSD(l *paint.Layer, wide func(g float64) float64) {
	a, u, t, p := v.a, v.a.Unit, v.a.Theme, v.path
	var edge []paint.Point
	name, at, most := a.Say("with hidden units"), paint.Rect{}, 6*u
	curves := append(v.shapes[:len(v.shapes):len(v.shapes)], v.own)
	for i, b := range p.Beta {
		q := paint.Pt(wide(p.Joint[i]), v.height(b))
		if n := len(edge); n > 0 && i+1 < len(p.Beta) && edge[n-1].Y-q.Y < u/2 {
			continue
		}
		edge = append(edge, q)
		box := paint.XYWH(q.X+6*u, q.Y-8*u, a.Fonts.Width(name, paint.Tick)+4*u, 16*u)
		if far := q.X - wide(p.G[i]); far > most && box.Y > v.plot.Y && box.Y+box.H < v.plot.Y+v.plot.H &&
			!slices.ContainsFunc(curves, func(c []paint.Point) bool { return paint.Crosses(c, box) }) {
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

// Sizes of the list of starts, in CSS pixels: rows with two lines, rows with one line, and the list below the chart.
const (
	tallStart    = 31
	lowStart     = 16
	narrowStarts = 26 + 6*lowStart
)

// starts lists the annealing paths from other bases: F of the linear and of the best schedule by g of the visible
// units and of the joint, and the square root of both g by temperature. Each start has its own scale, because g from a
// poor base is hundreds of times that from a good one. F of chains that lag is marked as too small.
func (v *view) starts(l *paint.Layer, b paint.Rect) {
	a, u, t, n := v.a, v.a.Unit, v.a.Theme, float64(len(v.path.Starts))

	// Rows have two lines, or one if space is short.
	wide, head := b.W > 260*u, 23*u
	if wide {
		head = 7 * u
	}
	row := min(tallStart*u, (b.H-head-4*u)/max(n, 1))
	if wide || row < (tallStart-1)*u { // one line
		row = min(lowStart*u, row)
	}
	if v.path.Start == "" || row < (lowStart-1)*u {
		return
	}

	l.Label(a.Say("F from each start"), b.X, b.Y, paint.Strong, t.Ink, paint.Left)
	if n == 0 {
		l.Label(a.Say("Probes follow a run."), b.X, b.Y+17*u, paint.Tick, t.Ink3, paint.Left)
		return
	}

	y, half := b.Y+head, b.X+b.W
	if wide {
		half = b.X + .64*b.W
		l.Label(a.Say("linear / best"), half, b.Y, paint.Tick, t.Ink3, paint.Right)
		l.Label(a.Say("joint"), b.X+b.W, b.Y, paint.Tick, t.Ink3, paint.Right)
	} else {
		l.Label(a.Say("linear / best"), half, b.Y+17*u, paint.Tick, t.Ink3, paint.Right)
		l.Label("\u221ag, \u03b2 0\u20131", b.X+48*u, b.Y+17*u, paint.Tick, t.Ink3, paint.Left)
	}
	for i := range v.path.Starts {
		v.start(l, &v.path.Starts[i], paint.XYWH(b.X, y, b.W, row), half)
		y += row
	}
}

// start draws a start in a row of the list. F of the visible units ends at half. F of the joint is in a second line
// or, if the row has one line, right of half if it fits.
func (v *view) start(l *paint.Layer, s *frame.Start, b paint.Rect, half float64) {
	a, u, t := v.a, v.a.Unit, v.a.Theme
	st, ink := paint.Plain, t.Ink
	if s.Name == v.path.Start {
		st, ink = paint.Strong, v.ink
	}

	top := math.SmallestNonzeroFloat64
	for i := range s.G {
		top = max(top, s.G[i], s.Joint[i])
	}

	// Two lines, or all in one. F of chains that lag is marked.
	first, second := b.Y+13*u, b.Y+b.H-5*u
	box := paint.XYWH(b.X+57*u, b.Y+4*u, 29*u, b.H-8*u)
	visible, joint := both(s.Beta, s.G), both(s.Beta, s.Joint)
	switch line := b.H <= lowStart*u; {
	case line && s.IsSlow():
		visible, joint = "> "+visible, "> "+joint
		fallthrough
	case line:
		second, box.Y, box.H = first, b.Y+3*u, b.H-5*u
		if half == b.X+b.W {
			joint = ""
		} else {
			box.X += 13 * u
		}
	case s.IsSlow():
		l.Label(a.Say("too small"), b.X, second, paint.Tick, t.Ink3, paint.Left)
		fallthrough
	default:
		joint = a.Say("joint") + " " + joint
	}

	l.HLine(a, b.X, b.X+b.W, b.Y, t.Line)
	l.Label(s.Name, b.X, first, st, ink, paint.Left)
	v.sparkline(l, s, s.G, paint.Snap(box), top, ink, false)
	v.sparkline(l, s, s.Joint, paint.Snap(box), top, t.Ink3, true)
	l.Label(visible, half, first, st, ink, paint.Right)
	l.Label(joint, b.X+b.W, second, paint.Tick, t.Ink3, paint.Right)
}

// both returns F of the linear and of the best schedule.
func both(beta, g []float64) string {
	linear, best := schedule.Functionals(beta, g)
	return format.Ratio(linear) + " / " + format.Ratio(best)
}

// sparkline draws the square root of g from a start.
func (v *view) sparkline(l *paint.Layer, s *frame.Start, g []float64, box paint.Rect, top float64,
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
