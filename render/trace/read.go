package trace

import (
	"math"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/render/paint"
	"logzlab/render/record"
)

// brackets closes each sandwich at the right with a bracket.
func (d *Chart) brackets(a *paint.Area, l *paint.Layer, cs []Curve) {
	u, x := a.Unit, d.Cost.P1+3*a.Unit
	for i := range cs {
		e := cs[i].Last()
		if !num.Finite(e.Upper-e.Lower) || !d.stands(cs[i].Order) {
			continue
		}
		y0, y1 := max(d.value.At(e.Upper), d.value.P1), min(d.value.At(e.Lower), d.value.P0)
		if y1 > y0 {
			l.Add(paint.Mark{Kind: paint.Wires, Width: a.Hairline() * a.Theme.Stroke, Color: a.Theme.Ink3, Pts: []paint.Point{
				{X: x, Y: y0}, {X: x + 4*u, Y: y0}, {X: x + 4*u, Y: y0}, {X: x + 4*u, Y: y1}, {X: x + 4*u, Y: y1}, {X: x, Y: y1}}})
			x += 3 * u
		}
	}
}

// lasts draws the estimates alone, side by side, with error bars and the exact value; a single one in its bracket.
func (d *Chart) lasts(a *paint.Area, p *record.Run, cs []Curve) []paint.Layer {
	t, u := a.Theme, a.Unit
	var back, front paint.Layer
	back.Label(a.Say("log Z, nats"), d.pad, d.top-14*u, paint.Strong, t.Ink, paint.Left)
	a.GridLines(&back, d.Cost, d.value, d.valueTicks, func(v float64) string { return format.Tick(v, d.valueStep) })

	// Brackets lie behind, error bars and marks before them.
	wide := min((d.Cost.P1-d.Cost.P0)/float64(len(cs)), 200*u)
	middle := (d.Cost.P0 + d.Cost.P1) / 2
	for i := range cs {
		e, ink := cs[i].Last(), t.Method(cs[i].Order)
		x := middle + (float64(i)-float64(len(cs)-1)/2)*wide
		height := func(lo, hi, half float64) paint.Rect {
			y := d.value.At(hi)
			return paint.Snap(paint.XYWH(x-half, y, 2*half, d.value.At(lo)-y))
		}
		if num.Finite(e.Upper - e.Lower) {
			b := height(e.Lower, e.Upper, 0.3*wide)
			back.Add(paint.Mark{Kind: paint.Fill, Box: b, Color: paint.Fade(t.Ink3, t.SandwichFil)})
			for _, y := range [...]float64{b.Y, b.Y + b.H} {
				back.Add(edge(a, paint.Pt(b.X, y), paint.Pt(b.X+b.W, y)))
			}
		}
		if e.SE > 0 {
			b := height(e.LogZ-e.SE, e.LogZ+e.SE, 1.5*u)
			front.Add(paint.Mark{Kind: paint.Fill, Box: b, Color: ink})
			for _, y := range [...]float64{b.Y, b.Y + b.H} {
				front.Add(paint.Mark{Kind: paint.Fill, Box: paint.Snap(paint.XYWH(x-9*u, y-1.5*u, 18*u, 3*u)), Color: ink})
			}
		}
		front.MethodMark(a, cs[i].Order, x, d.value.At(e.LogZ), 5*u, false)
	}

	// The exact value, and names.
	if p.HasTruth {
		y := d.value.At(p.Truth)
		back.Add(paint.Mark{Kind: paint.Stroke, Pts: []paint.Point{{X: d.Cost.P0, Y: y}, {X: d.Cost.P1, Y: y}},
			Width: 1.5 * u * t.Stroke, Color: t.Ink})
	}
	d.endLabels(a, p, cs, &front)
	return []paint.Layer{back, front}
}

// offer lets the pointer read all methods at a cost.
func (d *Chart) offer(a *paint.Area, p *record.Run, cs []Curve) {
	bottom := d.value.P0
	if d.Low > 0 {
		bottom = d.Err.P0
	}
	all := paint.XYWH(d.Cost.P0, d.value.P1, d.Cost.P1-d.Cost.P0, bottom-d.value.P1)
	if !a.Pointed(all) {
		return
	}

	// The point that is nearest in work.
	at := a.Pointer.At
	cost := d.Cost.D0 + (at.X-d.Cost.P0)/(d.Cost.P1-d.Cost.P0)*(d.Cost.D1-d.Cost.D0)
	near := math.Inf(1)
	var snapTo float64
	for i := range cs {
		q := cs[i].nearest(cost)
		if r := math.Abs(math.Log10(q.Sweeps) - cost); r < near {
			near, snapTo = r, math.Log10(q.Sweeps)
		}
	}

	x := d.Cost.At(snapTo)
	a.Pointer.Offer(0, 1, paint.Pt(x, at.Y), 0, paint.XYWH(x, all.Y, 0, all.H), func() string {
		text := a.Say("work") + " " + format.Short(math.Round(math.Pow(10, snapTo)), 3)
		for i := range cs {
			q := cs[i].nearest(snapTo)
			if math.Abs(math.Log10(q.Sweeps)-snapTo) > 0.15 {
				continue
			}
			text += "\n" + cs[i].Name + " " + record.Barred(q.LogZ, q.SE)
			if !q.Final && q.Sweeps == cs[i].Last().Sweeps {
				text += " " + a.Say("so far")
			}
		}
		if p.HasTruth {
			text += "\n" + a.Say("exact") + " " + format.Value(p.Truth, 0.02)
		}
		return text
	})
}

// nearest is the point of a curve nearest to a cost, log10 of the work.
func (c *Curve) nearest(cost float64) (best frame.Point) {
	least := math.Inf(1)
	for _, q := range c.Pts {
		if r := math.Abs(math.Log10(q.Sweeps) - cost); r < least {
			best, least = q, r
		}
	}
	return best
}
