package chart

import (
	"image/color"
	"math"
	"slices"

	"logzlab/core/format"
	"logzlab/core/num"
	"logzlab/render/paint"
)

// Scale is the colour scale of a heat map.
type Scale struct {
	Lo, Hi   float64                        // values outside have the colours of the ends
	Title    string                         // meaning of the colours
	Ticks    []float64                      // nil: round numbers
	Position func(v float64) float64        // position of a value, 0 at Lo and 1 at Hi; nil: linear
	Color    func(share float64) color.RGBA // colour at a position
	Label    func(v float64) string         // formats a tick; nil: as a number
}

// position returns the position of a value on the scale, from 0 to 1.
func (s *Scale) position(v float64) float64 {
	f := (v - s.Lo) / (s.Hi - s.Lo)
	if s.Position != nil {
		f = s.Position(v)
	}
	return min(max(f, 0), 1)
}

// cellEdges returns the boundaries of cells around xs, which must be sorted: the midpoints between neighbours.
func cellEdges(xs []float64) []float64 {
	n := len(xs)
	if n == 0 {
		return nil
	}
	out := make([]float64, n+1)
	for i := 1; i < n; i++ {
		out[i] = (xs[i-1] + xs[i]) / 2
	}
	half := 0.5
	if n > 1 {
		half = (xs[1] - xs[0]) / 2
	}
	out[0] = xs[0] - half
	if n > 1 {
		half = (xs[n-1] - xs[n-2]) / 2
	}
	out[n] = xs[n-1] + half
	return out
}

// HeatMap draws a heat map: a cell around each pair of xs and ys, coloured by its value; NaN has no cell. It draws
// nothing if an edge of a cell has no position on its axis. The colour scale is at the right of the plot, on a phone
// above it.
func (c *Chart) HeatMap(xs, ys []float64, value func(i, j int) float64, s Scale) {
	ex, ey := cellEdges(xs), cellEdges(ys)
	placed := func(x *Axis, at []float64) bool {
		return at != nil && !slices.ContainsFunc(at, func(v float64) bool { return !num.Finite(x.scaled(v)) })
	}
	if !placed(&c.X, ex) || !placed(&c.Y, ey) {
		return
	}
	c.scale = &s
	if c.X.Lo == c.X.Hi {
		c.X.Lo, c.X.Hi = ex[0], ex[len(xs)]
	}
	if c.Y.Lo == c.Y.Hi {
		c.Y.Lo, c.Y.Hi = ey[0], ey[len(ys)]
	}
	c.Draw(func(l *paint.Layer) {
		for i := range xs {
			for j := range ys {
				if v := value(i, j); num.NotNaN(v) {
					l.Add(paint.Mark{Kind: paint.Fill, Box: c.cell(ex, ey, i, j), Color: s.Color(s.position(v))})
				}
			}
		}
	})
	c.DrawOver(c.drawScale)
}

// cell returns the box of a cell, without a gap to its neighbours.
func (c *Chart) cell(ex, ey []float64, i, j int) paint.Rect {
	p, q := c.At(ex[i], ey[j]), c.At(ex[i+1], ey[j+1])
	x0, x1 := math.Round(min(p.X, q.X)), math.Round(max(p.X, q.X))
	y0, y1 := math.Round(min(p.Y, q.Y)), math.Round(max(p.Y, q.Y))
	return paint.XYWH(x0, y0, max(x1-x0, 1), max(y1-y0, 1))
}

// ticks returns the labelled values of the scale.
func (s *Scale) ticks() (at []tick) {
	step, list := 0.0, s.Ticks
	if list == nil {
		list, step = format.Ticks(s.Lo, s.Hi, 6)
	}
	x := Axis{Label: s.Label}
	for _, v := range list {
		at = append(at, tick{v, x.format(v, step)})
	}
	return at
}

// scaleWidth returns the width of the colour scale at the right of the plot.
func (c *Chart) scaleWidth() (wide float64) {
	if c.scale == nil || c.a.Compact() {
		return 0
	}
	for _, k := range c.scale.ticks() {
		wide = max(wide, c.a.Fonts.Width(k.label, paint.Tick))
	}
	return max(wide+42*c.a.Unit, 14*c.a.Unit+c.a.Fonts.Width(c.scale.Title, paint.Tick))
}

// drawScale draws the colour scale.
func (c *Chart) drawScale(l *paint.Layer) {
	a, u, t, s := c.a, c.a.Unit, c.a.Theme, c.scale
	at := s.ticks()
	if len(at) == 0 {
		return
	}
	if a.Compact() {
		end := c.box.X + c.box.W
		a.ColorScale(l, c.box.X+a.Fonts.Width(c.Title, paint.Strong)+12*u, c.box.Y+12*u, end, at[0].label,
			at[len(at)-1].label, s.Color)
		return
	}
	const steps = 48
	b := paint.XYWH(c.plot.X+c.plot.W+14*u, c.plot.Y, 12*u, min(c.plot.H, 220*u))
	for k := range steps {
		y0, y1 := b.Y+b.H*float64(steps-k-1)/steps, b.Y+b.H*float64(steps-k)/steps
		l.Add(paint.Mark{Kind: paint.Fill, Color: s.Color((float64(k) + 0.5) / steps),
			Box: paint.XYWH(math.Round(b.X), math.Round(y0), math.Round(b.W), math.Round(y1)-math.Round(y0))})
	}
	for _, k := range at {
		y := b.Y + b.H*(1-s.position(k.at))
		l.HLine(a, b.X+b.W, b.X+b.W+4*u, y, t.Line2)
		l.Label(k.label, b.X+b.W+9*u, y+4*u, paint.Tick, t.Ink3, paint.Left)
	}
	if s.Title != "" {
		l.Label(s.Title, b.X, b.Y-8*u, paint.Tick, t.Ink2, paint.Left)
	}
}
