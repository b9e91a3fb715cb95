package chart

import (
	"math"

	"logzlab/core/num"
	"logzlab/render/paint"
)

// Tooltips adds tooltips to the n points of a line or of bars. The pointer selects the nearest point along the
// horizontal axis, and among those the nearest one. A crosshair through all charts of a stack marks its x, and a ring
// the point, unless its y is NaN. The first line of the text is its heading. Tooltips of several series compete; those
// of PointTooltips take precedence.
func (c *Chart) Tooltips(n int, at func(i int) (x, y float64), text func(i int) string) {
	c.tooltips = append(c.tooltips, func() {
		a, b, u := c.a, c.plot, c.a.Unit
		for i := range n {
			x, y := at(i)
			q := c.At(x, y)
			if !num.Finite(q.X) {
				continue
			}
			ring, off := 3.5*u, math.Abs(q.Y-a.Pointer.At.Y)
			if !num.Finite(q.Y) || !c.inPlot(q) {
				q.Y, ring, off = a.Pointer.At.Y, 0, b.H
			}
			d := math.Abs(q.X-a.Pointer.At.X) + off/1000
			reach := b.W + b.H
			a.Pointer.Offer(reach+d, 2*reach, q, ring, c.crosshair(q.X), func() string { return text(i) })
		}
	})
}

// crosshair returns the vertical line at x through the chart, or through all charts of its stack.
func (c *Chart) crosshair(x float64) paint.Rect {
	top, foot := c.plot, c.plot
	if g := c.group; g != nil && g.stack {
		top, foot = g.charts[0].plot, g.charts[len(g.charts)-1].plot
	}
	return paint.XYWH(x, top.Y, 0, foot.Y+foot.H-top.Y)
}

// PointTooltips adds tooltips to n points. The pointer selects the nearest one within 14 CSS pixels.
func (c *Chart) PointTooltips(n int, at func(i int) (x, y float64), text func(i int) string) {
	c.tooltips = append(c.tooltips, func() {
		u := c.a.Unit
		for i := range n {
			q := c.At(at(i))
			if d := c.a.Pointer.Distance(q); d < 14*u && c.inPlot(q) {
				c.a.Pointer.Offer(d, 28*u, q, 3.5*u, paint.Rect{}, func() string { return text(i) })
			}
		}
	})
}
