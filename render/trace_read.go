package render

import (
	"math"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/core/num"
)

// brackets closes each sandwich at the right with a bracket.
func (d *chart) brackets(a *area, l *layer, cs []curve) {
	u, x := a.u, d.cost.p1+3*a.u
	for i := range cs {
		e := cs[i].last()
		if !num.Finite(e.Upper-e.Lower) || !d.stands(cs[i].order) {
			continue
		}
		y0, y1 := max(d.value.at(e.Upper), d.value.p1), min(d.value.at(e.Lower), d.value.p0)
		if y1 > y0 {
			l.add(mark{kind: wires, width: a.hair() * a.theme.Stroke, color: a.theme.Ink3, pts: []point{
				{x, y0}, {x + 4*u, y0}, {x + 4*u, y0}, {x + 4*u, y1}, {x + 4*u, y1}, {x, y1}}})
			x += 3 * u
		}
	}
}

// offer lets the pointer read all methods at a cost.
func (d *chart) offer(a *area, p *Picture, cs []curve) {
	bottom := d.value.p0
	if d.low > 0 {
		bottom = d.err.p0
	}
	all := rect{d.cost.p0, d.value.p1, d.cost.p1 - d.cost.p0, bottom - d.value.p1}
	if !a.asks(all) {
		return
	}
	at := a.probe.at
	cost := d.cost.d0 + (at.x-d.cost.p0)/(d.cost.p1-d.cost.p0)*(d.cost.d1-d.cost.d0)
	near := math.Inf(1)
	var snapTo float64
	for i := range cs {
		q := cs[i].nearest(cost)
		if r := math.Abs(math.Log10(q.Sweeps) - cost); r < near {
			near, snapTo = r, math.Log10(q.Sweeps)
		}
	}
	x := d.cost.at(snapTo)
	a.probe.offer(0, 1, point{x, at.y}, 0, rect{x, all.y, 0, all.h}, func() string {
		text := a.say("work") + " " + format.Short(math.Round(math.Pow(10, snapTo)), 3)
		for i := range cs {
			q := cs[i].nearest(snapTo)
			if math.Abs(math.Log10(q.Sweeps)-snapTo) > 0.15 {
				continue
			}
			text += "\n" + cs[i].name + " " + barred(q.LogZ, q.SE)
			if !q.Final && q.Sweeps == cs[i].last().Sweeps {
				text += " " + a.say("so far")
			}
		}
		if p.hasTruth {
			text += "\n" + a.say("exact") + " " + format.Value(p.truth, 0.02)
		}
		return text
	})
}

// nearest is the point of a curve nearest to a cost, log10 of the work.
func (c *curve) nearest(cost float64) (best frame.Point) {
	least := math.Inf(1)
	for _, q := range c.pts {
		if r := math.Abs(math.Log10(q.Sweeps) - cost); r < least {
			best, least = q, r
		}
	}
	return best
}
