package trace

import (
	"math"

	"logzlab/core/format"
	"logzlab/render/chart"
	"logzlab/render/paint"
	"logzlab/render/record"
)

// lasts draws the last estimates side by side, with error bars and the exact value; a single one with its bounds.
func (v *view) lasts() {
	t, u, c := v.a.Theme, v.a.Unit, v.value
	if v.p.HasTruth {
		c.Level(v.p.Truth, "", chart.Style{Width: 1.5})
	}
	c.Draw(func(l *paint.Layer) {
		b := c.Plot()
		wide := min(b.W/float64(len(v.cs)), 200*u)
		for i := range v.cs {
			q, ink := v.cs[i].last(), t.Method(v.cs[i].order)
			x := b.X + b.W/2 + (float64(i)-float64(len(v.cs)-1)/2)*wide
			around := func(lo, hi, half float64) paint.Rect {
				return paint.Snap(paint.XYWH(x-half, v.at(hi), 2*half, v.at(lo)-v.at(hi)))
			}
			if bounded(q) {
				b, edge := around(q.Lower, q.Upper, 0.3*wide), v.edge()
				l.Add(paint.Mark{Kind: paint.Fill, Box: b, Color: paint.Fade(t.Ink3, t.SandwichAlpha)})
				edge.Swatch(l, v.a, b.X, b.Y, b.W)
				edge.Swatch(l, v.a, b.X, b.Y+b.H, b.W)
			}
			if q.SE > 0 {
				b := around(q.LogZ-q.SE, q.LogZ+q.SE, 1.5*u)
				l.Add(paint.Mark{Kind: paint.Fill, Box: b, Color: ink})
				for _, y := range [...]float64{b.Y, b.Y + b.H} {
					l.Add(paint.Mark{Kind: paint.Fill, Box: paint.Snap(paint.XYWH(x-9*u, y-1.5*u, 18*u, 3*u)), Color: ink})
				}
			}
			l.MethodMark(v.a, v.cs[i].order, x, v.at(q.LogZ), 5*u, false)
		}
	})
	c.DrawOver(v.write)
}

// edge returns the style of bounds: dashed along a curve, solid for a single estimate.
func (v *view) edge() chart.Style {
	if !v.a.Shows("details") {
		return chart.Style{Color: v.a.Theme.Ink3}
	}
	return chart.Style{Color: v.a.Theme.Ink3, Width: 1, Dash: [2]float64{2, 3}}
}

// tooltips adds a tooltip with all methods at the work of each point.
func (v *view) tooltips(c *chart.Chart) {
	var works []float64
	for i := range v.cs {
		works = append(works, v.cs[i].work()...)
	}
	c.Tooltips(len(works), func(i int) (x, y float64) { return works[i], math.NaN() }, func(i int) string {
		text := v.a.Say("work") + " " + format.SI(math.Round(works[i]), 3)
		for k := range v.cs {
			q, ratio := v.cs[k].nearest(works[i])
			if ratio > math.Sqrt2 {
				continue
			}
			text += "\n" + v.cs[k].name + " " + record.WithError(q.LogZ, q.SE)
			if !q.Final && q.Sweeps == v.cs[k].last().Sweeps {
				text += " " + v.a.Say("so far")
			}
		}
		if v.p.HasTruth {
			text += "\n" + v.a.Say("exact") + " " + format.Value(v.p.Truth, 0.02)
		}
		return text
	})
}
