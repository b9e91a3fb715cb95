// Package trace is the scene of log Z, and of its error bar, against work.
package trace

import (
	"math"

	"logzlab/core/frame"
	"logzlab/render/chart"
	"logzlab/render/paint"
	"logzlab/render/record"
	"logzlab/render/scene"
)

var _ = scene.Register("trace", func(r *record.Run) scene.Scene { return &trace{Base: scene.Base{Run: r}} })

// trace draws log Z against work, and below it the error bar, both on one logarithmic axis of the work. Of many methods
// one stands out: the one at the pointer, the one picked by a tap on its name or by the arrow keys, else the one whose
// number the page shows.
type trace struct {
	scene.Base
	lit string // the method that the viewer picked out of many, "": none
}

// few is the most methods that are drawn alike.
const few = 3

// view is a layout of the scene.
type view struct {
	a      *paint.Area
	p      *record.Run
	s      *trace
	cs     []curve
	many   bool // so many methods that one stands out
	bright int  // its place among the curves

	value, errs *chart.Chart // of log Z, and of its error bar; errs is nil where it is not shown
	names
}

// Draw lays the scene out.
func (s *trace) Draw(a *paint.Area) []paint.Layer {
	cs := curves(s.Run, a)
	if len(cs) == 0 || a.W < 160*a.Unit || a.H < 160*a.Unit {
		return []paint.Layer{paint.Note(a, "No estimate yet")}
	}
	v := newView(s, a, cs)
	if a.Shows("details") {
		v.history()
	} else {
		v.lasts()
	}
	charts := []*chart.Chart{v.value}
	if v.errs != nil {
		charts = append(charts, v.errs)
	}
	out := chart.Layers(charts...)
	a.OnBackground(func() { s.lit = "" })
	return out
}

// newView makes the charts with their axes, and places the names at the right of them.
func newView(s *trace, a *paint.Area, cs []curve) *view {
	v := &view{a: a, p: s.Run, s: s, cs: cs, many: len(cs) > few}
	work := chart.Axis{Ticks: []float64{}, Lo: -0.5, Hi: float64(len(cs)) - 0.5} // estimates side by side
	if a.Shows("details") {
		work = chart.Axis{Log: true, Title: a.Say("work: updates of all chains, or draws")}
		work.Lo, work.Hi = workRange(cs)
	}
	lo, hi, ok := errorRange(cs)
	if ok && a.H >= 300*a.Unit && a.Shows("details") && a.Shows("errors") {
		two := chart.Stack(a, chart.Inset(a), work, 2, 1)
		v.value, v.errs = two[0], two[1]
		v.errs.Title, v.errs.More = a.Say("Error bar, nats"), a.Say("slope \u2212\u00bd: four times the work, half the bar")
		v.errs.Y = chart.Axis{Log: true, Lo: lo, Hi: hi}
	} else {
		v.value = chart.Stack(a, chart.Inset(a), work, 1)[0]
	}
	v.value.Title = a.Say("log Z, nats")
	v.value.Y.Lo, v.value.Y.Hi = valueRange(v.p, cs)
	v.list()
	v.value.Right = v.gutter()
	if v.errs != nil {
		v.errs.Right = v.value.Right
	}
	v.place()
	v.light()
	return v
}

// stands tells whether the bands of a curve are drawn.
func (v *view) stands(i int) bool { return !v.many || i == v.bright }

// history draws the course of all estimates and of their error bars.
func (v *view) history() {
	t := v.a.Theme
	var front, behind []int // those that stand out are drawn over all others
	for i := range v.cs {
		if v.stands(i) {
			front = append(front, i)
		} else {
			behind = append(behind, i)
		}
	}
	for _, i := range front {
		v.sandwich(&v.cs[i])
	}
	for _, i := range front {
		c := &v.cs[i]
		v.value.Band(c.work(), c.values(func(q frame.Point) float64 { return q.LogZ - q.SE }),
			c.values(func(q frame.Point) float64 { return q.LogZ + q.SE }),
			chart.Style{Color: t.Method(c.order), Opacity: t.BandAlpha})
	}
	if v.p.HasTruth {
		v.value.Level(v.p.Truth, "", chart.Style{Width: 1.5})
	}
	if v.errs != nil { // independent work halves the bar with four times the cost
		x, y := v.errs.X, v.errs.Y
		mid, fall := math.Sqrt(y.Lo*y.Hi), math.Pow(x.Hi/x.Lo, 0.25)
		v.errs.Line([]float64{x.Lo, x.Hi}, []float64{mid * fall, mid / fall},
			chart.Style{Width: 1, Color: t.Line2, Dash: [2]float64{2, 3}})
	}
	for _, i := range append(behind, front...) {
		v.line(v.value, i, func(q frame.Point) float64 { return q.LogZ })
		if v.errs != nil {
			v.line(v.errs, i, func(q frame.Point) float64 { return q.SE })
		}
	}
	v.value.DrawOver(func(l *paint.Layer) {
		v.brackets(l)
		v.write(l)
	})
	v.readAll(v.value)
	if v.errs != nil {
		v.readAll(v.errs)
	}
}

// line draws the history of a method with marks along it: thin and hollow while the method runs; the final value is
// solid. Of many methods those that do not stand out have no marks: their names have.
func (v *view) line(c *chart.Chart, i int, of func(frame.Point) float64) {
	m, t := &v.cs[i], v.a.Theme
	s := chart.Method(t, m.order, "")
	s.Hollow = true
	if !m.last().Final {
		s.Width = 1.25
	}
	if !v.stands(i) {
		s = chart.Style{Color: paint.Mix(t.Ground, s.Color, 0.6), Width: 1.25, Rimless: true}
	}
	c.Line(m.work(), m.values(of), s)
	if q := m.last(); q.Final && v.stands(i) {
		c.Dots([]float64{q.Sweeps}, []float64{of(q)}, chart.Method(t, m.order, ""))
	}
}

// sandwich fills between the lower and the upper bound of a method and draws both.
func (v *view) sandwich(c *curve) {
	t := v.a.Theme
	bound := func(of func(q frame.Point) float64) []float64 {
		return c.values(func(q frame.Point) float64 {
			if !bounded(q) {
				return math.NaN()
			}
			return of(q)
		})
	}
	lower := bound(func(q frame.Point) float64 { return q.Lower })
	upper := bound(func(q frame.Point) float64 { return q.Upper })
	v.value.Band(c.work(), lower, upper, chart.Style{Color: t.Ink3, Opacity: t.SandwichAlpha})
	v.value.Line(c.work(), lower, v.edge())
	v.value.Line(c.work(), upper, v.edge())
}

// brackets closes each sandwich at the right with a bracket.
func (v *view) brackets(l *paint.Layer) {
	b, u := v.value.Plot(), v.a.Unit
	x := b.X + b.W + 3*u
	for i := range v.cs {
		e := v.cs[i].last()
		if !bounded(e) || !v.stands(i) {
			continue
		}
		y0, y1 := max(v.at(e.Upper), b.Y), min(v.at(e.Lower), b.Y+b.H)
		if y1 > y0 {
			l.Add(paint.Mark{Kind: paint.Wires, Width: v.a.Hairline() * v.a.Theme.Stroke, Color: v.a.Theme.Ink3,
				Pts: []paint.Point{{X: x, Y: y0}, {X: x + 4*u, Y: y0}, {X: x + 4*u, Y: y0}, {X: x + 4*u, Y: y1},
					{X: x + 4*u, Y: y1}, {X: x, Y: y1}}})
			x += 3 * u
		}
	}
}

// at is the height of a value of log Z in pixels.
func (v *view) at(logZ float64) float64 { return v.value.At(v.value.X.Lo, logZ).Y }
