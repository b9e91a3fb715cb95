package chart

import (
	"logzlab/render/paint"
)

// group are charts that are laid out together.
type group struct {
	charts []*Chart
	stack  bool // they share the horizontal axis, and have each its own gutters above and below
}

// lay gives all charts the widest gutters, and a stack one horizontal range.
func (g *group) lay() {
	whole := noSpan
	for _, c := range g.charts {
		whole.cover(c.x.lo)
		whole.cover(c.x.hi)
	}
	var widest gutters
	all := make([]gutters, len(g.charts))
	for i, c := range g.charts {
		if g.stack {
			c.x = whole
		}
		c.X.fit(c.x)
		c.Y.fit(c.y)
		all[i] = c.gutters()
		widest = gutters{max(widest.left, all[i].left), max(widest.top, all[i].top), max(widest.right, all[i].right),
			max(widest.bottom, all[i].bottom)}
	}
	for i, c := range g.charts {
		if g.stack {
			widest.top, widest.bottom = all[i].top, all[i].bottom
		}
		c.place(widest)
	}
}

// Grid divides a box into n charts, row by row, with their plots of one size. Their axes and titles are still to be set.
func Grid(a *paint.Area, box paint.Rect, columns, n int) []*Chart {
	g := &group{}
	gap := 18 * a.Unit
	rows := (n + columns - 1) / columns
	w, h := (box.W-gap*float64(columns-1))/float64(columns), (box.H-gap*float64(rows-1))/float64(rows)
	for i := range n {
		c := New(a, paint.XYWH(box.X+float64(i%columns)*(w+gap), box.Y+float64(i/columns)*(h+gap), w, h), Axis{}, Axis{})
		c.group = g
		g.charts = append(g.charts, c)
	}
	return g.charts
}

// Stack divides a box into charts above each other that share a horizontal axis, whose ticks stand below the lowest;
// shares are the shares of the height that each has. Their vertical axes and titles are still to be set.
func Stack(a *paint.Area, box paint.Rect, x Axis, shares ...float64) []*Chart {
	g := &group{stack: true}
	all := 0.0
	for _, s := range shares {
		all += s
	}
	foot := 20 * a.Unit // the lowest has the ticks as well
	if x.Title != "" && !a.Compact() {
		foot += 17 * a.Unit
	}
	y, gap := box.Y, 8*a.Unit
	high := box.H - foot - gap*float64(len(shares)-1)
	for i, s := range shares {
		b, own := paint.XYWH(box.X, y, box.W, high*s/all), x
		if i+1 == len(shares) {
			b.H += foot
		} else {
			own.Bare = true
		}
		c := New(a, b, own, Axis{})
		c.group = g
		g.charts = append(g.charts, c)
		y += b.H + gap
	}
	return g.charts
}
