// Package trace is the scene of log Z, and of its error bar, against work.
package trace

import (
	"math"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/render/paint"
	"logzlab/render/record"
	"logzlab/render/scene"
)

var _ = scene.Register("trace", func(r *record.Run) scene.Scene { return &trace{Base: scene.Base{Run: r}} })

// trace draws log Z against cost, and below it the error bar itself, both on a
// common log axis of the work. Of many methods one stands out: the one at the
// pointer, the one picked by a tap on its name or by the arrow keys, else the one
// whose number the page shows.
type trace struct {
	scene.Base
	lit string // the method that the viewer picked out of many, "": none
}

// Draw lays the scene out.
func (s *trace) Draw(a *paint.Area) []paint.Layer {
	p := s.Run
	t, u := a.Theme, a.Unit
	cs := drawable(p, a)
	if len(cs) == 0 || a.W < 160*u || a.H < 160*u {
		return []paint.Layer{paint.Note(a, "No estimate yet")}
	}
	d := newChart(a, p, cs)
	d.scene = s
	d.light(a, p, s.lit, cs)
	if !a.Shows("details") {
		return d.lasts(a, p, cs)
	}

	// Titles, grid lines, and the axis of work.
	var back paint.Layer
	back.Label(a.Say("log Z, nats"), d.pad, d.top-14*u, paint.Strong, t.Ink, paint.Left)
	a.GridLines(&back, d.Cost, d.value, d.valueTicks, func(v float64) string { return format.Tick(v, d.valueStep) })
	if d.Low > 0 {
		back.Label(a.Say("Error bar, nats"), d.pad, d.Err.P1-14*u, paint.Strong, t.Ink, paint.Left)
		a.GridLines(&back, d.Cost, d.Err, d.ErrTicks, func(v float64) string { return format.Short(math.Pow(10, v), 3) })
	}
	d.CostAxis(a, &back, "work: updates of all chains, or draws")

	// Bands of methods that stand out, the exact value, and all lines.
	upper := paint.Layer{Clip: paint.XYWH(d.Cost.P0-5*u, d.top-4*u, d.Cost.P1-d.Cost.P0+10*u, d.value.P0-d.top+6*u)}
	for i := range cs {
		if d.stands(cs[i].Order) {
			d.sandwich(a, &upper, &cs[i])
		}
	}
	for i := range cs {
		if d.stands(cs[i].Order) {
			d.errorBand(a, &upper, &cs[i])
		}
	}
	if p.HasTruth {
		y := d.value.At(p.Truth)
		upper.Add(paint.Mark{Kind: paint.Stroke, Pts: []paint.Point{{X: d.Cost.P0, Y: y}, {X: d.Cost.P1, Y: y}},
			Width: 1.5 * u * t.Stroke, Color: t.Ink})
	}
	for _, i := range d.turns(cs) {
		d.Line(a, &upper, &cs[i], d.value, func(q frame.Point) float64 { return q.LogZ })
	}

	// The error bar below, with the slope of independent work.
	out := []paint.Layer{back, upper}
	if d.Low > 0 {
		lower := paint.Layer{Clip: paint.XYWH(d.Cost.P0-5*u, d.Err.P1-5*u, d.Cost.P1-d.Cost.P0+10*u, d.Low+10*u)}
		// Independent work halves the bar with four times the cost: the guide.
		mid := d.Err.At((d.Err.D0+d.Err.D1)/2) - (d.Cost.P1-d.Cost.P0)/2*0.5*d.slope()
		lower.Add(paint.Mark{Kind: paint.Stroke, Width: a.Hairline(), Dash: [2]float64{2 * u, 3 * u}, Color: t.Line2,
			Pts: []paint.Point{
				{X: d.Cost.P0, Y: mid}, {X: d.Cost.P1, Y: mid + (d.Cost.P1-d.Cost.P0)*0.5*d.slope()}}})
		for _, i := range d.turns(cs) {
			d.Line(a, &lower, &cs[i], d.Err, func(q frame.Point) float64 { return math.Log10(q.SE) })
		}
		if s := a.Say("slope \u2212\u00bd: four times the work, half the bar"); !a.Compact() &&
			a.Fonts.Width(s, paint.Tick) < 0.7*(d.Cost.P1-d.Cost.P0) {
			lower.Label(s, d.Cost.P1-4*u, d.Err.P1+9*u, paint.Tick, t.Ink3, paint.Right)
		}
		out = append(out, lower)
	}

	// Brackets, the pointer's words, and names at the right.
	var ends paint.Layer
	d.brackets(a, &ends, cs)
	d.offer(a, p, cs)
	d.endLabels(a, p, cs, &ends)
	a.OnBackground(func() { s.lit = "" })
	return append(out, ends)
}

// drawable are the curves that have points.
func drawable(p *record.Run, a *paint.Area) (cs []Curve) {
	for _, c := range p.Curves {
		if pts := Usable(c.Points); len(pts) > 0 {
			if !a.Shows("details") {
				last := pts[len(pts)-1]
				if len(p.Curves) > 1 { // bars are compared, and a bracket would dwarf them
					last.Lower, last.Upper = math.NaN(), math.NaN()
				}
				pts = []frame.Point{last}
			}
			cs = append(cs, Curve{method: c.Method, Name: a.MethodLabel(c.Method), Order: p.Order(c.Method), run: c.Run,
				Pts: pts})
		}
	}
	return cs
}

// Chart holds the axes: cost in log10 of the work, value in nats, err in log10 nats.
type Chart struct {
	scene                   *trace
	unit                    float64
	pad, top, Low           float64 // low is the height of the error panel, 0 if there is none
	Cost, value, Err        paint.Axis
	CostTicks               []float64
	valueTicks, ErrTicks    []float64
	valueStep, labels, edge float64 // labels is where the end labels start
	names                   []nameplate
	pitch                   float64 // between names
	many                    bool    // so many methods that one stands out
	bright                  int     // which
}

// few is the most methods that are drawn alike.
const few = 3

func newChart(a *paint.Area, p *record.Run, cs []Curve) *Chart {
	u := a.Unit
	d := &Chart{unit: u, pad: 24 * u, top: 36 * u, many: len(cs) > few}
	bottom := 44 * u
	if a.Compact() {
		d.pad = 16 * u
	}

	// Vertical axes: log Z above, the error bar below.
	elo, ehi, hasErr := ErrorRange(cs)
	gap := 0.0
	if hasErr && a.H >= 300*u && a.Shows("details") && a.Shows("errors") {
		d.Low, gap = 0.26*(a.H-d.top-bottom), 44*u
	}
	d.value = paint.Axis{P0: a.H - bottom - d.Low - gap, P1: d.top}
	d.value.D0, d.value.D1 = valueRange(p, cs)
	n := int(min(7, max(3, (d.value.P0-d.value.P1)/(32*u))))
	d.valueTicks, d.valueStep = format.Ticks(d.value.D0, d.value.D1, n)
	d.Err = paint.NewAxis(elo, ehi, a.H-bottom, a.H-bottom-d.Low)
	for _, v := range format.LogTicks(math.Pow(10, elo), math.Pow(10, ehi), 4) {
		d.ErrTicks = append(d.ErrTicks, math.Log10(v))
	}

	// Space for numbers at the left and for names at the right.
	widest := 0.0
	for _, v := range d.valueTicks {
		widest = max(widest, a.Fonts.Width(format.Tick(v, d.valueStep), paint.Tick))
	}
	for _, v := range d.ErrTicks {
		widest = max(widest, a.Fonts.Width(format.Short(math.Pow(10, v), 3), paint.Tick))
	}
	d.edge = a.W - d.pad
	d.Cost.P0 = math.Round(d.pad + widest + 8*u)
	lead := d.plates(a, p, cs)
	d.Cost.P1 = math.Round(a.W - d.gutter(a, lead))
	d.labels = d.Cost.P1 + lead

	// The axis of work between both.
	d.Cost.D0, d.Cost.D1 = CostRange(cs)
	d.place()
	n = int(min(7, max(3, (d.Cost.P1-d.Cost.P0)/(56*u))))
	for _, v := range format.LogTicks(math.Pow(10, d.Cost.D0), math.Pow(10, d.Cost.D1), n) {
		d.CostTicks = append(d.CostTicks, math.Log10(v))
	}
	return d
}

// slope is the pixels of the error axis per pixel of the cost axis at slope one.
func (d *Chart) slope() float64 {
	return (d.Err.P0 - d.Err.P1) / (d.Err.D1 - d.Err.D0) * (d.Cost.D1 - d.Cost.D0) / (d.Cost.P1 - d.Cost.P0)
}

func (d *Chart) CostAxis(a *paint.Area, l *paint.Layer, unit string) {
	u, y := a.Unit, d.value.P0
	if d.Low > 0 {
		y = d.Err.P0
	}
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

// edge is an end of a sandwich, in the chart and beside its name: dashed along a curve, a bar over a single estimate.
func edge(a *paint.Area, pts ...paint.Point) paint.Mark {
	m := paint.Mark{Kind: paint.Stroke, Pts: pts, Width: a.Hairline(), Dash: [2]float64{2 * a.Unit, 3 * a.Unit},
		Color: a.Theme.Ink3}
	if !a.Shows("details") {
		m.Width, m.Dash = 2*a.Unit*a.Theme.Stroke, [2]float64{}
	}
	return m
}

// sandwich fills between the lower and upper bounds and draws their edges.
func (d *Chart) sandwich(a *paint.Area, l *paint.Layer, c *Curve) {
	var up, lo []paint.Point
	flush := func() {
		if len(up) > 1 {
			l.Add(paint.Mark{Kind: paint.Band, Pts: up, Lower: lo, Color: paint.Fade(a.Theme.Ink3, a.Theme.SandwichFil)})
			l.Add(edge(a, up...))
			l.Add(edge(a, lo...))
		}
		up, lo = nil, nil
	}
	d.runs(c, func(q frame.Point) float64 { return q.Upper - q.Lower }, func(x float64, q frame.Point) {
		if math.IsNaN(x) {
			flush()
			return
		}
		up, lo = append(up, paint.Pt(x, d.value.At(q.Upper))), append(lo, paint.Pt(x, d.value.At(q.Lower)))
	})
	flush()
}

// errorBand fills one standard error around the estimate.
func (d *Chart) errorBand(a *paint.Area, l *paint.Layer, c *Curve) {
	var up, lo []paint.Point
	flush := func() {
		if len(up) > 1 {
			l.Add(paint.Mark{Kind: paint.Band, Pts: up, Lower: lo,
				Color: paint.Fade(a.Theme.Method(c.Order), a.Theme.BandAlpha)})
		}
		up, lo = nil, nil
	}
	d.runs(c, func(q frame.Point) float64 { return q.LogZ + q.SE }, func(x float64, q frame.Point) {
		if math.IsNaN(x) {
			flush()
			return
		}
		up, lo = append(up, paint.Pt(x, d.value.At(q.LogZ+q.SE))), append(lo, paint.Pt(x, d.value.At(q.LogZ-q.SE)))
	})
	flush()
}

// Line draws a method's history with marks along it. While the method runs the
// line is thin and the marks are hollow; the final value is solid.
func (d *Chart) Line(a *paint.Area, l *paint.Layer, c *Curve, ax paint.Axis, v func(frame.Point) float64) {
	u := a.Unit
	width, ink, dim := 2*u*a.Theme.Stroke, a.Theme.Method(c.Order), d.many && c.Order != d.bright
	if !c.Last().Final {
		width = 1.25 * u * a.Theme.Stroke
	}
	if dim {
		width, ink = 1.25*u*a.Theme.Stroke, paint.Mix(a.Theme.Ground, ink, 0.6)
	}

	type spot struct {
		at     paint.Point
		hollow bool
	}
	var pts []paint.Point
	var spots []spot
	flush := func() {
		if len(pts) > 1 {
			l.Add(paint.Mark{Kind: paint.Stroke, Pts: pts, Width: width, Color: ink, Halo: !dim})
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
	if dim { // its name has its mark
		return
	}

	for _, s := range spots {
		if s.at.Y >= ax.P1-2*u && s.at.Y <= ax.P0+2*u {
			l.MethodMark(a, c.Order, s.at.X, s.at.Y, 3.6*u, s.hollow)
		}
	}
}
