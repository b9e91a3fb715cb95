package chart

import "logzlab/render/paint"

// group is a list of charts whose plots have the same left and right edges.
type group struct {
	charts []*Chart
	stack  bool // they share the range of the horizontal axis as well
}

// layOut lays all charts out with the widest gutters of any, and a stack with one horizontal range.
func (g *group) layOut() {
	if g.stack {
		whole := noSpan
		for _, c := range g.charts {
			whole.include(c.x.lo)
			whole.include(c.x.hi)
		}
		for _, c := range g.charts {
			c.x = whole
		}
	}
	all := make([]gutters, len(g.charts))
	left, right := 0.0, 0.0
	for i, c := range g.charts {
		c.X.fit(c.x)
		c.Y.fit(c.y)
		all[i] = c.gutters()
		left, right = max(left, all[i].left), max(right, all[i].right)
	}
	for i, c := range g.charts {
		all[i].left, all[i].right = left, right
		c.placePlot(all[i])
	}
}

// Align gives charts the same gutters at the left and right, so that their plots are aligned.
func Align(charts ...*Chart) {
	g := &group{charts: charts}
	for _, c := range charts {
		c.group = g
	}
}

// Layers returns the marks of several charts.
func Layers(charts ...*Chart) (out []paint.Layer) {
	for _, c := range charts {
		out = append(out, c.Layers()...)
	}
	return out
}

// Stack divides a box into charts above each other that share a horizontal axis, with ticks below the lowest one.
// shares are proportional to their heights. The caller sets their vertical axes and titles.
func Stack(a *paint.Area, box paint.Rect, x Axis, shares ...float64) []*Chart {
	all := 0.0
	for _, s := range shares {
		all += s
	}
	foot := x.footHeight(a, box.W) // the lowest chart is higher by its ticks
	var charts []*Chart
	y, gap := box.Y, 8*a.Unit
	high := box.H - foot - gap*float64(len(shares)-1)
	for i, s := range shares {
		b, own := paint.XYWH(box.X, y, box.W, high*s/all), x
		if i+1 == len(shares) {
			b.H += foot
		} else {
			own.Bare = true
		}
		charts = append(charts, New(a, b, own, Axis{}))
		y += b.H + gap
	}
	Align(charts...)
	charts[0].group.stack = true
	return charts
}
