package render

import (
	"math"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/core/num"
)

var _ = register(scene{name: "trace", draw: trace, key: (*Picture).lightNext,
	miss: func(p *Picture) { p.lit = "" }})

// trace draws log Z against cost, and below it the error bar itself, both on a
// common log axis of the work. Of many methods one stands out: the one at the
// pointer, the one picked by a tap on its name or by the arrow keys, else the one
// whose number the page shows.
func trace(a *area, p *Picture) []layer {
	t, u := a.theme, a.u
	cs := p.drawable(a)
	if len(cs) == 0 || a.w < 160*u || a.h < 160*u {
		return []layer{note(a, "No estimate yet")}
	}
	d := newChart(a, p, cs)
	d.light(a, p, cs)

	var back layer
	back.label(a.say("log Z, nats"), d.pad, d.top-14*u, strong, t.Ink, left)
	a.rules(&back, d.cost, d.value, d.valueTicks, func(v float64) string { return format.Tick(v, d.valueStep) })
	if d.low > 0 {
		back.label(a.say("Error bar, nats"), d.pad, d.err.p1-14*u, strong, t.Ink, left)
		a.rules(&back, d.cost, d.err, d.errTicks, func(v float64) string { return format.Short(math.Pow(10, v), 3) })
	}
	d.costAxis(a, &back, "work: updates of all chains, or draws")

	upper := layer{clip: rect{d.cost.p0 - 5*u, d.top - 4*u, d.cost.p1 - d.cost.p0 + 10*u, d.value.p0 - d.top + 6*u}}
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
		y := d.value.at(p.truth)
		upper.add(mark{kind: stroke, pts: []point{{d.cost.p0, y}, {d.cost.p1, y}}, width: 1.5 * u * t.Stroke, color: t.Ink})
	}
	for _, i := range d.turns(cs) {
		d.line(a, &upper, &cs[i], d.value, func(q frame.Point) float64 { return q.LogZ })
	}
	out := []layer{back, upper}
	if d.low > 0 {
		lower := layer{clip: rect{d.cost.p0 - 5*u, d.err.p1 - 5*u, d.cost.p1 - d.cost.p0 + 10*u, d.low + 10*u}}
		// Independent work halves the bar with four times the cost: the guide.
		mid := d.err.at((d.err.d0+d.err.d1)/2) - (d.cost.p1-d.cost.p0)/2*0.5*d.slope()
		lower.add(mark{kind: stroke, width: a.hair(), dash: [2]float64{2 * u, 3 * u}, color: t.Line2, pts: []point{
			{d.cost.p0, mid}, {d.cost.p1, mid + (d.cost.p1-d.cost.p0)*0.5*d.slope()}}})
		for _, i := range d.turns(cs) {
			d.line(a, &lower, &cs[i], d.err, func(q frame.Point) float64 { return math.Log10(q.SE) })
		}
		if s := a.say("slope \u2212\u00bd: four times the work, half the bar"); !a.compact() &&
			a.fonts.width(s, tick) < 0.7*(d.cost.p1-d.cost.p0) {
			lower.label(s, d.cost.p1-4*u, d.err.p1+9*u, tick, t.Ink3, right)
		}
		out = append(out, lower)
	}
	var ends layer
	d.brackets(a, &ends, cs)
	d.offer(a, p, cs)
	d.endLabels(a, p, cs, &ends)
	return append(out, ends)
}

// drawable are the curves that have points.
func (p *Picture) drawable(a *area) (cs []curve) {
	for _, c := range p.curves {
		if pts := usable(c.Points); len(pts) > 0 {
			cs = append(cs, curve{method: c.Method, name: a.methodLabel(c.Method), order: p.order(c.Method), run: c.Run,
				pts: pts})
		}
	}
	return cs
}

// chart holds the axes: cost in log10 of the work, value in nats, err in log10 nats.
type chart struct {
	unit                    float64
	pad, top, low           float64 // low is the height of the error panel, 0 if there is none
	cost, value, err        axis
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

func newChart(a *area, p *Picture, cs []curve) *chart {
	u := a.u
	d := &chart{unit: u, pad: 24 * u, top: 36 * u, many: len(cs) > few}
	bottom := 44 * u
	if a.compact() {
		d.pad = 16 * u
	}
	elo, ehi, hasErr := errorRange(cs)
	gap := 0.0
	if hasErr && a.h >= 300*u {
		d.low, gap = 0.26*(a.h-d.top-bottom), 44*u
	}
	d.value = axis{p0: a.h - bottom - d.low - gap, p1: d.top}
	d.value.d0, d.value.d1 = valueRange(p, cs)
	n := int(min(7, max(3, (d.value.p0-d.value.p1)/(32*u))))
	d.valueTicks, d.valueStep = format.Ticks(d.value.d0, d.value.d1, n)
	d.err = axis{elo, ehi, a.h - bottom, a.h - bottom - d.low}
	for _, v := range format.LogTicks(math.Pow(10, elo), math.Pow(10, ehi), 4) {
		d.errTicks = append(d.errTicks, math.Log10(v))
	}

	widest := 0.0
	for _, v := range d.valueTicks {
		widest = max(widest, a.fonts.width(format.Tick(v, d.valueStep), tick))
	}
	for _, v := range d.errTicks {
		widest = max(widest, a.fonts.width(format.Short(math.Pow(10, v), 3), tick))
	}
	d.edge = a.w - d.pad
	d.cost.p0 = math.Round(d.pad + widest + 8*u)
	lead := d.plates(a, p, cs)
	d.cost.p1 = math.Round(a.w - d.gutter(a, lead))
	d.labels = d.cost.p1 + lead
	d.cost.d0, d.cost.d1 = costRange(cs)
	d.place()
	n = int(min(7, max(3, (d.cost.p1-d.cost.p0)/(56*u))))
	for _, v := range format.LogTicks(math.Pow(10, d.cost.d0), math.Pow(10, d.cost.d1), n) {
		d.costTicks = append(d.costTicks, math.Log10(v))
	}
	return d
}

// slope is the pixels of the error axis per pixel of the cost axis at slope one.
func (d *chart) slope() float64 {
	return (d.err.p0 - d.err.p1) / (d.err.d1 - d.err.d0) * (d.cost.d1 - d.cost.d0) / (d.cost.p1 - d.cost.p0)
}

// rules draws a horizontal hairline along x and a label at its left for each tick of y.
func (a *area) rules(l *layer, x, y axis, at []float64, name func(float64) string) {
	for _, v := range at {
		py := y.at(v)
		l.hline(a, x.p0, x.p1, py, a.theme.Line)
		l.label(name(v), x.p0-8*a.u, py+4*a.u, tick, a.theme.Ink3, right)
	}
}

func (d *chart) costAxis(a *area, l *layer, unit string) {
	u, y := a.u, d.value.p0
	if d.low > 0 {
		y = d.err.p0
	}
	l.hline(a, d.cost.p0, d.cost.p1, y, a.theme.Line2)
	for _, v := range d.costTicks {
		l.vline(a, d.cost.at(v), y, y+4*u, a.theme.Line2)
		l.label(format.Short(math.Pow(10, v), 3), d.cost.at(v), y+16*u, tick, a.theme.Ink3, centre)
	}
	l.label(a.say(unit), (d.cost.p0+d.cost.p1)/2, y+33*u, tick, a.theme.Ink3, centre)
}

// runs cuts a curve into stretches on which v is finite, leaving out points less
// than a pixel after their predecessor; f turns a point into pixels.
func (d *chart) runs(c *curve, v func(frame.Point) float64, use func(x float64, q frame.Point)) {
	lastX := math.Inf(-1)
	for i, q := range c.pts {
		x := d.cost.at(math.Log10(q.Sweeps))
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

// sandwich fills between the lower and upper bounds and dashes their edges.
func (d *chart) sandwich(a *area, l *layer, c *curve) {
	var up, lo []point
	flush := func() {
		if len(up) > 1 {
			l.add(mark{kind: band, pts: up, more: lo, color: fade(a.theme.Ink3, a.theme.SandwichFil)})
			for _, edge := range [...][]point{up, lo} {
				l.add(mark{kind: stroke, pts: edge, width: a.hair(), dash: [2]float64{2 * a.u, 3 * a.u}, color: a.theme.Ink3})
			}
		}
		up, lo = nil, nil
	}
	d.runs(c, func(q frame.Point) float64 { return q.Upper - q.Lower }, func(x float64, q frame.Point) {
		if !num.Known(x) {
			flush()
			return
		}
		up, lo = append(up, point{x, d.value.at(q.Upper)}), append(lo, point{x, d.value.at(q.Lower)})
	})
	flush()
}

// errorBand fills one standard error around the estimate.
func (d *chart) errorBand(a *area, l *layer, c *curve) {
	var up, lo []point
	flush := func() {
		if len(up) > 1 {
			l.add(mark{kind: band, pts: up, more: lo, color: fade(a.theme.method(c.order), a.theme.BandAlpha)})
		}
		up, lo = nil, nil
	}
	d.runs(c, func(q frame.Point) float64 { return q.LogZ + q.SE }, func(x float64, q frame.Point) {
		if !num.Known(x) {
			flush()
			return
		}
		up, lo = append(up, point{x, d.value.at(q.LogZ + q.SE)}), append(lo, point{x, d.value.at(q.LogZ - q.SE)})
	})
	flush()
}

// line draws a method's history with marks along it. While the method runs the
// line is thin and the marks are hollow; the final value is solid.
func (d *chart) line(a *area, l *layer, c *curve, ax axis, v func(frame.Point) float64) {
	u := a.u
	width, ink, dim := 2*u*a.theme.Stroke, a.theme.method(c.order), d.many && c.order != d.bright
	if !c.last().Final {
		width = 1.25 * u * a.theme.Stroke
	}
	if dim {
		width, ink = 1.25*u*a.theme.Stroke, mix(a.theme.Ground, ink, 0.6)
	}
	type spot struct {
		at     point
		hollow bool
	}
	var pts []point
	var spots []spot
	flush := func() {
		if len(pts) > 1 {
			l.add(mark{kind: stroke, pts: pts, width: width, color: ink, halo: !dim})
		}
		pts = nil
	}
	// Marks stand a good way apart and are shifted from method to method, so that
	// curves on top of each other still show which is which.
	const apart = 72
	next := d.cost.p0 + (16+24*float64(c.order%3))*u
	d.runs(c, v, func(x float64, q frame.Point) {
		if !num.Known(x) {
			flush()
			return
		}
		at := point{x, ax.at(v(q))}
		pts = append(pts, at)
		if q.Final || x >= next {
			spots = append(spots, spot{at, !q.Final})
			next = max(next, x) + apart*u
		}
	})
	if n := len(pts); n > 0 && (len(spots) == 0 || spots[len(spots)-1].at != pts[n-1]) {
		if k := len(spots); k > 0 && pts[n-1].x-spots[k-1].at.x < 24*u {
			spots = spots[:k-1]
		}
		spots = append(spots, spot{pts[n-1], !c.last().Final})
	}
	flush()
	if dim { // its name has its mark
		return
	}
	for _, s := range spots {
		if s.at.y >= ax.p1-2*u && s.at.y <= ax.p0+2*u {
			l.glyph(a, c.order, s.at.x, s.at.y, 3.6*u, s.hollow)
		}
	}
}
