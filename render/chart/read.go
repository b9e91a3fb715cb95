package chart

import (
	"math"

	"logzlab/core/num"
	"logzlab/render/paint"
)

// Read lets the pointer read n points of a line or bars: the one that is nearest along the horizontal axis, and of those
// the one that is nearest. A crosshair marks its place, and a ring the point, unless its y is not a number. The first line
// of the text is its heading. Series that are read in turn compete.
func (c *Chart) Read(n int, at func(i int) (x, y float64), text func(i int) string) {
	c.reads = append(c.reads, func() {
		a, b, u := c.a, c.plot, c.a.Unit
		for i := range n {
			x, y := at(i)
			q := c.At(x, y)
			if !num.Finite(q.X) {
				continue
			}
			ring, off := 3.5*u, math.Abs(q.Y-a.Pointer.At.Y)
			if !num.Finite(q.Y) || !c.holds(q) {
				q.Y, ring, off = a.Pointer.At.Y, 0, b.H
			}
			d := math.Abs(q.X-a.Pointer.At.X) + off/1000
			a.Pointer.Offer(d, b.W+b.H, q, ring, paint.XYWH(q.X, b.Y, 0, b.H), func() string { return text(i) })
		}
	})
}

// ReadPoints lets the pointer read the nearest of n points, from a little way off.
func (c *Chart) ReadPoints(n int, at func(i int) (x, y float64), text func(i int) string) {
	c.reads = append(c.reads, func() {
		u := c.a.Unit
		for i := range n {
			if q := c.At(at(i)); num.Finite(q.X) && num.Finite(q.Y) && c.holds(q) {
				c.a.Pointer.Offer(c.a.Pointer.Distance(q), 14*u, q, 3.5*u, paint.Rect{}, func() string { return text(i) })
			}
		}
	})
}

// ReadRows lets the pointer read n rows of a chart whose vertical axis has names.
func (c *Chart) ReadRows(n int, text func(i int) string) {
	c.reads = append(c.reads, func() {
		b := c.plot
		for i := range n {
			y := c.py.At(float64(i))
			d := math.Abs(y - c.a.Pointer.At.Y)
			c.a.Pointer.Offer(d, b.H, paint.Pt(c.a.Pointer.At.X, y), 0, paint.XYWH(b.X, y, b.W, 0), func() string { return text(i) })
		}
	})
}
