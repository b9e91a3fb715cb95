package render

import (
	"math"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/render/paint"
)

var _ = register("trace", func(r *Run) Scene { return &trace{base: base{r}} })

// trace draws log Z against cost, and below it the error bar itself, both on a
// common log axis of the work. Of many methods one stands out: the one at the
// pointer, the one picked by a tap on its name or by the arrow keys, else the one
// whose number the page shows.
type trace struct {
	base
	lit string // the method that the viewer picked out of many, "": none
}

// Draw lays the scene out.
func (s *trace) Draw(a *paint.Area) []paint.Layer {
	p := s.run
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
	a.GridLines(&back, d.cost, d.value, d.valueTicks, func(v float64) string { return format.Tick(v, d.valueStep) })
	if d.low > 0 {
		back.Label(a.Say("Error bar, nats"), d.pad, d.err.P1-14*u, paint.Strong, t.Ink, paint.Left)
		a.GridLines(&back, d.cost, d.err, d.errTicks, func(v float64) string { return format.Short(math.Pow(10, v), 3) })
	}
	d.costAxis(a, &back, "work: updates of all chains, or draws")

	// Bands of methods that stand out, the exact value, and all lines.
	upper := paint.Layer{Clip: paint.XYWH(d.cost.P0-5*u, d.top-4*u, d.cost.P1-d.cost.P0+10*u, d.value.P0-d.top+6*u)}
	for i := range cs {
		if d.stands(cs[i].order) {
			d.sandwich(a, &upper, &cs[i])
		}
	}
	for i := range cs {
		if d.stands(cs[i].order) {
			d.errorBand(a, &upper, &cs[i])
		}
	}
	if p.hasTruth {
		y := d.value.At(p.truth)
		upper.Add(paint.Mark{Kind: paint.Stroke, Pts: []paint.Point{{X: d.cost.P0, Y: y}, {X: d.cost.P1, Y: y}},
			Width: 1.5 * u * t.Stroke, Color: t.Ink})
	}
	for _, i := range d.turns(cs) {
		d.line(a, &upper, &cs[i], d.value, func(q frame.Point) float64 { return q.LogZ })
	}

	// The error bar below, with the slope of independent work.
	out := []paint.Layer{back, upper}
	if d.low > 0 {
		lower := paint.Layer{Clip: paint.XYWH(d.cost.P0-5*u, d.err.P1-5*u, d.cost.P1-d.cost.P0+10*u, d.low+10*u)}
		// Independent work halves the bar with four times the cost: the guide.
		mid := d.err.At((d.err.D0+d.err.D1)/2) - (d.cost.P1-d.cost.P0)/2*0.5*d.slope()
		lower.Add(paint.Mark{Kind: paint.Stroke, Width: a.Hairline(), Dash: [2]float64{2 * u, 3 * u}, Color: t.Line2,
			Pts: []paint.Point{
				{X: d.cost.P0, Y: mid}, {X: d.cost.P1, Y: mid + (d.cost.P1-d.cost.P0)*0.5*d.slope()}}})
		for _, i := range d.turns(cs) {
			d.line(a, &lower, &cs[i], d.err, func(q frame.Point) float64 { return math.Log10(q.SE) })
		}
		if s := a.Say("slope \u2212\u00bd: four times the work, half the bar"); !a.Compact() &&
			a.Fonts.Width(s, paint.Tick) < 0.7*(d.cost.P1-d.cost.P0) {
			lower.Label(s, d.cost.P1-4*u, d.err.P1+9*u, paint.Tick, t.Ink3, paint.Right)
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
func drawable(p *Run, a *paint.Area) (cs []curve) {
	for _, c := range p.curves {
		if pts := usable(c.Points); len(pts) > 0 {
			if !a.Shows("details") {
				last := pts[len(pts)-1]
				if len(p.curves) > 1 { // bars are compared, and a bracket would dwarf them
					last.Lower, last.Upper = math.NaN(), math.NaN()
				}
				pts = []frame.Point{last}
			}
			cs = append(cs, curve{method: c.Method, name: a.MethodLabel(c.Method), order: p.order(c.Method), run: c.Run,
				pts: pts})
		}
	}
	return cs
}

// chart holds the axes: cost in log10 of the work, value in nats, err in log10 nats.
type chart struct {
	scene                   *trace
	unit                    float64
	pad, top, low           float64 // low is the height of the error panel, 0 if there is none
	cost, value, err        paint.Axis
	costTicks               []float64
	valueTicks, errTicks    []float64
	valueStep, labels, edge float64 // labels is where the end labels start
	names                   []nameplate
	pitch                   float64 // between names
	many                    bool    // so many methods that one stands out
	bright                  int     // which
}

// few is the most methods that are drawn alike.
const few = 3

func newChart(a *paint.Area, p *Run, cs []curve) *chart {
	u := a.Unit
	d := &chart{unit: u, pad: 24 * u, top: 36 * u, many: len(cs) > few}
	bottom := 44 * u
	if a.Compact() {
		d.pad = 16 * u
	}

	// Vertical axes: log Z above, the error bar below.
	elo, ehi, hasErr := errorRange(cs)
	gap := 0.0
	if hasErr && a.H >= 300*u && a.Shows("details") && a.Shows("errors") {
		d.low, gap = 0.26*(a.H-d.top-bottom), 44*u
	}
	d.value = paint.Axis{P0: a.H - bottom - d.low - gap, P1: d.top}
	d.value.D0, d.value.D1 = valueRange(p, cs)
	n := int(min(7, max(3, (d.value.P0-d.value.P1)/(32*u))))
	d.valueTicks, d.valueStep = format.Ticks(d.value.D0, d.value.D1, n)
	d.err = paint.NewAxis(elo, ehi, a.H-bottom, a.H-bottom-d.low)
	for _, v := range format.LogTicks(math.Pow(10, elo), math.Pow(10, ehi), 4) {
		d.errTicks = append(d.errTicks, math.Log10(v))
	}

	// Space for numbers at the left and for names at the right.
	widest := 0.0
	for _, v := range d.valueTicks {
		widest = max(widest, a.Fonts.Width(format.Tick(v, d.valueStep), paint.Tick))
	}
	for _, v := range d.errTicks {
		widest = max(widest, a.Fonts.Width(format.Short(math.Pow(10, v), 3), paint.Tick))
	}
	d.edge = a.W - d.pad
	d.cost.P0 = math.Round(d.pad + widest + 8*u)
	lead := d.plates(a, p, cs)
	d.cost.P1 = math.Round(a.W - d.gutter(a, lead))
	d.labels = d.cost.P1 + lead

	// The axis of work between both.
	d.cost.D0, d.cost.D1 = costRange(cs)
	d.place()
	n = int(min(7, max(3, (d.cost.P1-d.cost.P0)/(56*u))))
	for _, v := range format.LogTicks(math.Pow(10, d.cost.D0), math.Pow(10, d.cost.D1), n) {
		d.costTicks = append(d.costTicks, math.Log10(v))
	}
	return d
}

// slope is the pixels of the error axis per pixel of the cost axis at slope one.
func (d *chart) slope() float64 {
	return (d.err.P0 - d.err.P1) / (d.err.D1 - d.err.D0) * (d.cost.D1 - d.cost.D0) / (d.cost.P1 - d.cost.P0)
}

func (d *chart) costAxis(a *paint.Area, l *paint.Layer, unit string) {
	u, y := a.Unit, d.value.P0
	if d.low > 0 {
		y = d.err.P0
	}
	l.HLine(a, d.cost.P0, d.cost.P1, y, a.Theme.Line2)
	for _, v := range d.costTicks {
		l.VLine(a, d.cost.At(v), y, y+4*u, a.Theme.Line2)
		l.Label(format.Short(math.Pow(10, v), 3), d.cost.At(v), y+16*u, paint.Tick, a.Theme.Ink3, paint.Centre)
	}
	l.Label(a.Say(unit), (d.cost.P0+d.cost.P1)/2, y+33*u, paint.Tick, a.Theme.Ink3, paint.Centre)
}

// runs cuts a curve into stretches on which v is finite, leaving out points less
// than a pixel after their predecessor; f turns a point into pixels.
func (d *chart) runs(c *curve, v func(frame.Point) float64, use func(x float64, q frame.Point)) {
	lastX := math.Inf(-1)
	for i, q := range c.pts {
		x := d.cost.At(math.Log10(q.Sweeps))
		if !num.Finite(v(q)) {
			use(math.NaN(), q)
			lastX = math.Inf(-1)
			continue
		}
		if x-lastX < 1 && i+1 < len(c.pts) {
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
func (d *chart) sandwich(a *paint.Area, l *paint.Layer, c *curve) {
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
func (d *chart) errorBand(a *paint.Area, l *paint.Layer, c *curve) {
	var up, lo []paint.Point
	flush := func() {
		if len(up) > 1 {
			l.Add(paint.Mark{Kind: paint.Band, Pts: up, Lower: lo,
				Color: paint.Fade(a.Theme.Method(c.order), a.Theme.BandAlpha)})
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

// line draws a method's history with marks along it. While the method runs the
// line is thin and the marks are hollow; the final value is solid.
func (d *chart) line(a *paint.Area, l *paint.Layer, c *curve, ax paint.Axis, v func(frame.Point) float64) {
	u := a.Unit
	width, ink, dim := 2*u*a.Theme.Stroke, a.Theme.Method(c.order), d.many && c.order != d.bright
	if !c.last().Final {
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
	next := d.cost.P0 + (16+24*float64(c.order%3))*u
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
		spots = append(spots, spot{pts[n-1], !c.last().Final})
	}
	flush()
	if dim { // its name has its mark
		return
	}

	for _, s := range spots {
		if s.at.Y >= ax.P1-2*u && s.at.Y <= ax.P0+2*u {
			l.MethodMark(a, c.order, s.at.X, s.at.Y, 3.6*u, s.hollow)
		}
	}
}
