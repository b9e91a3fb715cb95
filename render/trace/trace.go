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

// trace draws log Z against work, and below it the error bar, both over one logarithmic axis. Among many methods one
// is highlighted: the one at the pointer, the one selected by a tap on its name or by the arrow keys, or the one whose
// number the page shows.
type trace struct {
	scene.Base
	selected string // the method selected by the viewer, "": none
}

// few is the maximum number of methods that are drawn alike.
const few = 3

// view is a layout of the scene.
type view struct {
	a              *paint.Area
	p              *record.Run
	s              *trace
	cs             []curve
	many           bool // more than few methods
	highlightIndex int  // index of the highlighted curve

	value, errs *chart.Chart // of log Z, and of its error bar; errs is nil if it is not shown
	names
}

// Draw implements Scene.
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
	a.OnBackground(func() { s.selected = "" })
	return out
}

// newView makes the charts with their axes, and places the labels at their right.
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
		v.errs.Title, v.errs.TopRight = a.Say("Error bar, nats"), a.Say("slope \u2212\u00bd: four times the work, half the bar")
		v.errs.Y = chart.Axis{Log: true, Lo: lo, Hi: hi}
	} else {
		v.value = chart.Stack(a, chart.Inset(a), work, 1)[0]
	}
	v.value.Title = a.Say("log Z, nats")
	v.value.Y.Lo, v.value.Y.Hi = valueRange(v.p, cs)
	v.list()
	v.value.RightGutter = v.gutter()
	if v.errs != nil {
		v.errs.RightGutter = v.value.RightGutter
	}
	v.place()
	v.highlight()
	return v
}

// highlighted reports whether a curve is drawn with bands and marks.
func (v *view) highlighted(i int) bool { return !v.many || i == v.highlightIndex }

// history draws all estimates and their error bars against work.
func (v *view) history() {
	t := v.a.Theme
	var front, behind []int // highlighted curves are drawn last
	for i := range v.cs {
		if v.highlighted(i) {
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
	if v.errs != nil { // the slope of independent work: four times the cost, half the error bar
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
	v.tooltips(v.value)
	if v.errs != nil {
		v.tooltips(v.errs)
	}
}

// line draws the history of a method with marks along it: thin with hollow marks while the method runs; the final
// value is solid. Curves that are not highlighted have no marks.
func (v *view) line(c *chart.Chart, i int, of func(frame.Point) float64) {
	m, t := &v.cs[i], v.a.Theme
	s := chart.Method(t, m.order, "")
	s.Hollow = true
	if !m.last().Final {
		s.Width = 1.25
	}
	if !v.highlighted(i) {
		s = chart.Style{Color: paint.Mix(t.Ground, s.Color, 0.6), Width: 1.25, NoHalo: true}
	}
	c.Line(m.work(), m.values(of), s)
	if q := m.last(); q.Final && v.highlighted(i) {
		c.Dots([]float64{q.Sweeps}, []float64{of(q)}, chart.Method(t, m.order, ""))
	}
}

// sandwich draws the lower and the upper bound of a method and fills the area between them.
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

// brackets draws a bracket at the right of each sandwich.
func (v *view) brackets(l *paint.Layer) {
	b, u := v.value.Plot(), v.a.Unit
	x := b.X + b.W + 3*u
	for i := range v.cs {
		e := v.cs[i].last()
		if !bounded(e) || !v.highlighted(i) {
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

// at returns the y coordinate of a value of log Z.
func (v *view) at(logZ float64) float64 { return v.value.At(v.value.X.Lo, logZ).Y }
