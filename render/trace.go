package render

import (
	"math"
	"sort"

	"logzlab/core/format"
	"logzlab/core/frame"
)

var _ = register(scene{name: "trace", draw: trace})

// trace draws log Z against cost, and below it the error bar itself, both on a
// common log axis of chain-sweeps.
func trace(a *area, p *Picture) []layer {
	t, u := a.theme, a.u
	var cs []curve
	for _, c := range p.curves {
		if pts := usable(c.Points); len(pts) > 0 {
			cs = append(cs, curve{name: a.methodLabel(c.Method), order: p.order(c.Method), pts: pts})
		}
	}
	if len(cs) == 0 || a.w < 160*u || a.h < 160*u {
		return []layer{note(a, "No estimate yet")}
	}
	d := newChart(a, p, cs)

	var back layer
	back.label(a.say("log Z, nats"), d.pad, d.top-14*u, strong, t.Ink, left)
	d.grid(a, &back, d.value, d.valueTicks, func(v float64) string { return format.Tick(v, d.valueStep) })
	if d.low > 0 {
		back.label(a.say("Error bar, nats"), d.pad, d.err.p1-14*u, strong, t.Ink, left)
		d.grid(a, &back, d.err, d.errTicks, func(v float64) string { return format.Short(math.Pow(10, v), 3) })
	}
	d.costAxis(a, &back)

	upper := layer{clip: rect{d.cost.p0 - 5*u, d.top - 4*u, d.cost.p1 - d.cost.p0 + 10*u, d.value.p0 - d.top + 6*u}}
	for i := range cs {
		d.sandwich(a, &upper, &cs[i])
	}
	for i := range cs {
		d.errorBand(a, &upper, &cs[i])
	}
	if p.hasTruth {
		y := d.value.at(p.truth)
		upper.add(mark{kind: stroke, pts: []point{{d.cost.p0, y}, {d.cost.p1, y}}, width: 1.5 * u * t.Stroke, color: t.Ink})
	}
	for i := range cs {
		d.line(a, &upper, &cs[i], d.value, func(q frame.Point) float64 { return q.LogZ })
	}
	out := []layer{back, upper}
	if d.low > 0 {
		lower := layer{clip: rect{d.cost.p0 - 5*u, d.err.p1 - 5*u, d.cost.p1 - d.cost.p0 + 10*u, d.low + 10*u}}
		// Independent work halves the bar with four times the cost: the guide.
		mid := d.err.at((d.err.d0+d.err.d1)/2) - (d.cost.p1-d.cost.p0)/2*0.5*d.slope()
		lower.add(mark{kind: stroke, width: a.hair(), dash: [2]float64{2 * u, 3 * u}, color: t.Line2, pts: []point{
			{d.cost.p0, mid}, {d.cost.p1, mid + (d.cost.p1-d.cost.p0)*0.5*d.slope()}}})
		for i := range cs {
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
	return append(out, ends, d.endLabels(a, p, cs))
}

// chart holds the axes: cost in log10 chain-sweeps, value in nats, err in log10 nats.
type chart struct {
	pad, top, low           float64 // low is the height of the error panel, 0 if there is none
	cost, value, err        axis
	costTicks               []float64
	valueTicks, errTicks    []float64
	valueStep, labels, edge float64 // labels is where the end labels start
}

func newChart(a *area, p *Picture, cs []curve) *chart {
	u := a.u
	d := &chart{pad: 24 * u, top: 36 * u}
	bottom, gutter := 44*u, 130*u
	if a.compact() {
		d.pad, gutter = 16*u, 0
		names := []string{a.say("exact")}
		for _, c := range cs {
			names = append(names, c.name)
		}
		for _, s := range names {
			gutter = max(gutter, 38*u+a.fonts.width(s, strong))
		}
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
	d.cost.p1 = math.Round(a.w - gutter)
	d.labels = d.cost.p1 + 12*u
	d.cost.d0, d.cost.d1 = costRange(cs)
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

// grid draws a horizontal hairline and a label at each tick.
func (d *chart) grid(a *area, l *layer, ax axis, at []float64, name func(float64) string) {
	for _, v := range at {
		y := ax.at(v)
		l.hline(a, d.cost.p0, d.cost.p1, y, a.theme.Line)
		l.label(name(v), d.cost.p0-8*a.u, y+4*a.u, tick, a.theme.Ink3, right)
	}
}

func (d *chart) costAxis(a *area, l *layer) {
	u, y := a.u, d.value.p0
	if d.low > 0 {
		y = d.err.p0
	}
	l.hline(a, d.cost.p0, d.cost.p1, y, a.theme.Line2)
	for _, v := range d.costTicks {
		l.vline(a, d.cost.at(v), y, y+4*u, a.theme.Line2)
		l.label(format.Short(math.Pow(10, v), 3), d.cost.at(v), y+16*u, tick, a.theme.Ink3, centre)
	}
	l.label(a.say("chain-sweeps"), (d.cost.p0+d.cost.p1)/2, y+33*u, tick, a.theme.Ink3, centre)
}

// runs cuts a curve into stretches on which v is finite, leaving out points less
// than a pixel after their predecessor; f turns a point into pixels.
func (d *chart) runs(c *curve, v func(frame.Point) float64, use func(x float64, q frame.Point)) {
	lastX := math.Inf(-1)
	for i, q := range c.pts {
		x := d.cost.at(math.Log10(q.Sweeps))
		if !finite(v(q)) {
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
		if math.IsNaN(x) {
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
		if math.IsNaN(x) {
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
	width := 2 * u * a.theme.Stroke
	if !c.last().Final {
		width = 1.25 * u * a.theme.Stroke
	}
	type spot struct {
		at     point
		hollow bool
	}
	var pts []point
	var spots []spot
	flush := func() {
		if len(pts) > 1 {
			l.add(mark{kind: stroke, pts: pts, width: width, color: a.theme.method(c.order), halo: true})
		}
		pts = nil
	}
	// Marks stand a good way apart and are shifted from method to method, so that
	// curves on top of each other still show which is which.
	const apart = 72
	next := d.cost.p0 + (16+24*float64(c.order%3))*u
	d.runs(c, v, func(x float64, q frame.Point) {
		if math.IsNaN(x) {
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
	for _, s := range spots {
		if s.at.y >= ax.p1-2*u && s.at.y <= ax.p0+2*u {
			l.glyph(a, c.order, s.at.x, s.at.y, 3.6*u, s.hollow)
		}
	}
}

// endLabels names the lines at their right ends, sorted by value and kept apart.
func (d *chart) endLabels(a *area, p *Picture, cs []curve) layer {
	t, u := a.theme, a.u
	type entry struct {
		y           float64
		name, value string
		order       int  // of the method, -1 exact, -2 sandwich
		so          bool // only so far
	}
	var es []entry
	bounded, finest := 0, 0.0
	for i := range cs {
		e := cs[i].last()
		es = append(es, entry{d.value.at(e.LogZ), cs[i].name, format.Value(e.LogZ, e.SE), cs[i].order, !e.Final})
		if finite(e.Upper - e.Lower) {
			bounded++
		}
		if e.SE > 0 && (finest == 0 || e.SE < finest) {
			finest = e.SE
		}
	}
	if p.hasTruth {
		es = append(es, entry{d.value.at(p.truth), a.say("exact"), format.Value(p.truth, finest), -1, false})
	}
	for i := range cs {
		// One sandwich can be named; with several the fill tells, the table has numbers.
		if e := cs[i].last(); bounded == 1 && !a.compact() && finite(e.Upper-e.Lower) {
			es = append(es, entry{d.value.at(e.Upper), a.say("upper"), format.Value(e.Upper, e.SE), -2, false},
				entry{d.value.at(e.Lower), a.say("lower"), format.Value(e.Lower, e.SE), -2, false})
		}
	}
	sort.SliceStable(es, func(i, j int) bool { return es[i].y < es[j].y })
	ys := make([]float64, len(es))
	for i := range es {
		ys[i] = es[i].y
	}
	var l layer
	for i, y := range spread(ys, 17*u, d.value.p1-4*u, d.value.p0) {
		e := es[i]
		st, ink := strong, t.Ink
		switch {
		case e.order >= 0:
			l.glyph(a, e.order, d.labels+4*u, y, 4*u, e.so)
		case e.order == -1:
			l.add(mark{kind: stroke, pts: []point{{d.labels - u, y}, {d.labels + 9*u, y}}, width: 1.5 * u, color: t.Ink})
		default:
			st, ink = plain, t.Ink2
			l.add(mark{kind: stroke, pts: []point{{d.labels - u, y}, {d.labels + 9*u, y}}, width: a.hair(),
				dash: [2]float64{2 * u, 3 * u}, color: t.Ink3})
		}
		l.label(e.name, d.labels+15*u, y+4*u, st, ink, left)
		if !a.compact() && d.labels+23*u+a.fonts.width(e.name, st)+a.fonts.width(e.value, plain) <= d.edge {
			l.label(e.value, d.edge, y+4*u, plain, ink, right)
		}
	}
	return l
}
