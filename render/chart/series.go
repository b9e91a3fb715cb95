package chart

import (
	"image/color"
	"math"

	"logzlab/core/num"
	"logzlab/render/paint"
)

// Style is the style of a series, with its names in the legend. Lengths are CSS pixels; 0 selects a default that
// depends on the kind of series.
type Style struct {
	Name, Value string // in the legend; at the end of a line Value follows Name
	Color       color.RGBA
	Colors      []color.RGBA // of each bar or dot, if they differ
	Width       float64      // of a line
	Dash        [2]float64   // of a line: on, off
	Mark        int          // mark of a method, from 1; 0: none
	EndMark     bool         // a line has a single mark, at its end and above all series
	R           float64      // radius of marks
	Hollow      bool         // of marks
	NoHalo      bool         // lines and marks have no halo in the colour of the ground
	Opacity     float64      // of an area or a band
	BarWidth    float64      // of bars, in units of the axis
	Base        float64      // start of bars and areas

	sample sample
}

// sample is the symbol of a series in the legend.
type sample uint8

const (
	sampleMark sample = iota
	sampleLine
	sampleBox
)

// Method returns the style of method i: its colour and mark.
func Method(t *paint.Theme, i int, name string) Style {
	return Style{Name: name, Color: t.Method(i), Mark: i + 1}
}

// colorAt returns the colour of bar or dot i.
func (s *Style) colorAt(i int) color.RGBA {
	if s.Colors != nil {
		return s.Colors[i]
	}
	return s.Color
}

// orDefault returns x, or def if x is 0.
func orDefault(x, def float64) float64 {
	if x == 0 {
		return def
	}
	return x
}

// drawMark adds the mark of point i.
func (s *Style) drawMark(l *paint.Layer, a *paint.Area, i int, at paint.Point, r float64) {
	l.MethodMark(a, max(s.Mark-1, 0), at.X, at.Y, r, s.Hollow)
	m := &l.Marks[len(l.Marks)-1]
	m.Color, m.Halo = s.colorAt(i), !s.NoHalo
}

// addToKey adds a named series to the legend.
func (c *Chart) addToKey(s Style, kind sample) {
	if s.sample = kind; s.Name != "" {
		c.series = append(c.series, s)
	}
}

// include extends the fitted ranges to all points.
func (c *Chart) include(xs, ys []float64) {
	for i := range xs {
		if num.Finite(c.X.scaled(xs[i])) && num.Finite(c.Y.scaled(ys[i])) {
			c.Include(xs[i], ys[i])
		}
	}
}

// eachRun calls use for each maximal run of points with a position. Points within half a pixel of the previous one are
// omitted, except for the last point.
func (c *Chart) eachRun(xs []float64, handleRun func(pts []paint.Point, index []int), position func(i int) paint.Point) {
	pts, index := c.a.Points(len(xs)), make([]int, 0, len(xs))
	flush := func() {
		if len(pts) > 0 {
			handleRun(pts, index)
		}
		pts, index = pts[len(pts):], index[len(index):] // use may keep its arguments
	}
	for i := range xs {
		q := position(i)
		if !num.Finite(q.X) || !num.Finite(q.Y) {
			flush()
			continue
		}
		if n := len(pts); n > 0 && (q == pts[n-1] || // a stroke needs distinct points
			i+1 < len(xs) && math.Hypot(q.X-pts[n-1].X, q.Y-pts[n-1].Y) < 0.5) {
			continue
		}
		pts, index = append(pts, q), append(index, i)
	}
	flush()
}

// Line draws a line through points, interrupted at points without a position, and the marks of its style: at all
// points of a short line, at some points and the end of a long one. The marks of different methods are shifted, so
// that long lines on top of each other can be distinguished.
func (c *Chart) Line(xs, ys []float64, s Style) {
	c.include(xs, ys)
	c.addToKey(s, sampleLine)
	last := len(xs) - 1
	for last >= 0 && !(num.Finite(c.X.scaled(xs[last])) && num.Finite(c.Y.scaled(ys[last]))) {
		last--
	}
	if s.Name != "" && last >= 0 {
		c.ends = append(c.ends, end{x: xs[last], y: ys[last], s: s})
	}
	if s.EndMark && last >= 0 {
		c.DrawOver(func(l *paint.Layer) {
			if q := c.At(xs[last], ys[last]); c.inPlot(q) {
				s.drawMark(l, c.a, last, q, orDefault(s.R, 3.6)*c.a.Unit)
			}
		})
	}
	c.Draw(func(l *paint.Layer) {
		a, u := c.a, c.a.Unit
		m := paint.Mark{Kind: paint.Stroke, Width: orDefault(s.Width, 2) * u * a.Theme.Stroke, Color: s.Color,
			Dash: [2]float64{s.Dash[0] * u, s.Dash[1] * u}, Halo: s.Dash[0] == 0 && !s.NoHalo}
		var points []paint.Point
		var index []int
		c.eachRun(xs, func(pts []paint.Point, at []int) {
			if m.Pts = pts; len(pts) > 1 {
				l.Add(m)
			} else if s.Mark == 0 || len(xs) > 24 { // a point between gaps
				l.Add(paint.Mark{Kind: paint.Disc, At: pts[0], R: m.Width, Color: s.Color})
			}
			points, index = append(points, pts...), append(index, at...)
		}, func(i int) paint.Point { return c.At(xs[i], ys[i]) })
		if s.Mark == 0 || s.EndMark {
			return
		}
		marked := points
		if len(xs) > 24 {
			marked = spaced(points, c.plot.X+float64(16+24*((s.Mark-1)%3))*u, 72*u)
		}
		for k, n := 0, 0; k < len(points) && n < len(marked); k++ {
			if points[k] == marked[n] {
				if n++; c.inPlot(points[k]) {
					s.drawMark(l, a, index[k], points[k], orDefault(s.R, 3.6)*u)
				}
			}
		}
	})
}

// spaced returns points of a line with x at least from and apart from each other, and the end of the line.
func spaced(line []paint.Point, from, minDistance float64) (out []paint.Point) {
	for _, q := range line {
		if q.X >= from {
			out, from = append(out, q), max(from, q.X)+minDistance
		}
	}
	if n := len(line); n > 0 {
		for len(out) > 0 && line[n-1].X-out[len(out)-1].X < minDistance/3 { // space for the end
			out = out[:len(out)-1]
		}
		out = append(out, line[n-1])
	}
	return out
}

// inPlot reports whether a point is in the plot or on its edge.
func (c *Chart) inPlot(q paint.Point) bool {
	b := c.plot
	return paint.XYWH(b.X-0.5, b.Y-0.5, b.W+1, b.H+1).Contains(q)
}

// Band fills the area between two lines with the same xs, for example the error band of a line.
func (c *Chart) Band(xs, lo, hi []float64, s Style) {
	c.include(xs, lo)
	c.include(xs, hi)
	c.addToKey(s, sampleBox)
	c.Draw(func(l *paint.Layer) {
		var lower []paint.Point
		c.eachRun(xs, func(upper []paint.Point, index []int) {
			for _, i := range index {
				lower = append(lower, c.At(xs[i], lo[i]))
			}
			if len(upper) > 1 {
				l.Add(paint.Mark{Kind: paint.Band, Pts: upper, Lower: lower,
					Color: paint.Fade(s.Color, orDefault(s.Opacity, 1.5*c.a.Theme.BandAlpha))})
			}
			lower = nil
		}, func(i int) paint.Point {
			if !num.Finite(c.Y.scaled(lo[i])) {
				return paint.Pt(math.NaN(), 0)
			}
			return c.At(xs[i], hi[i])
		})
	})
}

// Area fills the area between a line and the base of its style.
func (c *Chart) Area(xs, ys []float64, s Style) {
	base := make([]float64, len(xs))
	for i := range base {
		base[i] = s.Base
	}
	c.Band(xs, base, ys, s)
}

// Bars draws a bar from the base to each value. On a logarithmic axis with a base that is not positive, bars start at
// the bottom of the plot.
func (c *Chart) Bars(xs, ys []float64, s Style) {
	c.include(xs, ys)
	c.Y.includeIn(&c.y, s.Base)
	c.addToKey(s, sampleBox)
	barWidth := orDefault(s.BarWidth, 0.8*minSpacing(xs))
	for _, x := range xs {
		c.x.include(x - barWidth/2)
		c.x.include(x + barWidth/2)
	}
	c.Draw(func(l *paint.Layer) {
		a := c.a
		for i, x := range xs {
			left, right := c.At(x-barWidth/2, ys[i]), c.At(x+barWidth/2, ys[i])
			if !num.Finite(left.Y) || !num.Finite(right.X-left.X) || ys[i] == s.Base {
				continue
			}
			baseY := c.At(x, s.Base).Y
			if !num.Finite(baseY) {
				baseY = c.plot.Y + c.plot.H
			}
			y := min(left.Y, baseY)
			b := paint.Snap(paint.XYWH(left.X, y, right.X-left.X, max(math.Abs(left.Y-baseY), a.Hairline())))
			l.Add(paint.Mark{Kind: paint.Fill, Box: b, Color: s.colorAt(i)})
		}
	})
}

// includeIn extends a fitted range to a value that has a position on the axis.
func (x *Axis) includeIn(s *span, base float64) {
	if num.Finite(x.scaled(base)) {
		s.include(base)
	}
}

// minSpacing returns the minimum distance of neighbours, 1 if there are none.
func minSpacing(xs []float64) float64 {
	minimum := math.Inf(1)
	for i := range len(xs) - 1 {
		if d := math.Abs(xs[i+1] - xs[i]); d > 0 {
			minimum = min(minimum, d)
		}
	}
	if math.IsInf(minimum, 1) {
		return 1
	}
	return minimum
}

// Dots draws the mark of the style at each point, by default a disc. Points outside the plot are omitted.
func (c *Chart) Dots(xs, ys []float64, s Style) {
	c.include(xs, ys)
	c.addToKey(s, sampleMark)
	c.Draw(func(l *paint.Layer) {
		r := orDefault(s.R, 3.6) * c.a.Unit
		dots := paint.Mark{Kind: paint.Dots}
		for i := range xs {
			q := c.At(xs[i], ys[i])
			if !num.Finite(q.X) || !num.Finite(q.Y) || !c.inPlot(q) {
				continue
			}
			if s.Mark == 0 && !s.Hollow {
				dots.Pts, dots.Radii = append(dots.Pts, q), append(dots.Radii, r)
				dots.Colors = append(dots.Colors, s.colorAt(i))
			} else {
				s.drawMark(l, c.a, i, q, r)
			}
		}
		if len(dots.Pts) > 0 {
			l.Add(dots)
		}
	})
}

// Errors draws vertical intervals from lo to hi, clipped to the plot.
func (c *Chart) Errors(xs, lo, hi []float64, s Style) {
	c.include(xs, lo)
	c.include(xs, hi)
	c.intervals(s, len(xs), func(i int) (a, b paint.Point) { return c.At(xs[i], lo[i]), c.At(xs[i], hi[i]) })
}

// ErrorsX draws horizontal intervals from lo to hi, clipped to the plot.
func (c *Chart) ErrorsX(ys, lo, hi []float64, s Style) {
	c.include(lo, ys)
	c.include(hi, ys)
	c.intervals(s, len(ys), func(i int) (a, b paint.Point) { return c.At(lo[i], ys[i]), c.At(hi[i], ys[i]) })
}

func (c *Chart) intervals(s Style, n int, at func(i int) (a, b paint.Point)) {
	c.Draw(func(l *paint.Layer) {
		m := paint.Mark{Kind: paint.Wires, Width: orDefault(s.Width, 1.25) * c.a.Unit * c.a.Theme.Stroke, Color: s.Color}
		b := c.plot
		for i := range n {
			p, q := at(i)
			if !num.Finite(p.X+p.Y) || !num.Finite(q.X+q.Y) || max(p.X, q.X) < b.X || min(p.X, q.X) > b.X+b.W ||
				max(p.Y, q.Y) < b.Y || min(p.Y, q.Y) > b.Y+b.H {
				continue
			}
			for _, k := range [...]*paint.Point{&p, &q} {
				k.X, k.Y = min(max(k.X, b.X), b.X+b.W), min(max(k.Y, b.Y), b.Y+b.H)
			}
			if s.Colors != nil {
				m.Colors = append(m.Colors, s.Colors[i])
			}
			m.Pts = append(m.Pts, p, q)
		}
		if len(m.Pts) > 0 {
			l.Add(m)
		}
	})
}

// Level draws a horizontal line through the plot, such as an exact value or a threshold, with a name: in the legend at
// the right if there is one, otherwise above the line at its right end. The default colour is the ink.
func (c *Chart) Level(y float64, name string, s Style) {
	c.level(y, name, s, false)
	c.Y.includeIn(&c.y, y)
}

// LevelX draws a vertical line through the plot, with a name at its upper end.
func (c *Chart) LevelX(x float64, name string, s Style) {
	c.level(x, name, s, true)
	c.X.includeIn(&c.x, x)
}

func (c *Chart) level(v float64, name string, s Style, isVertical bool) {
	if s.Color.A == 0 {
		s.Color = c.a.Theme.Ink
	}
	if s.Name = name; name != "" && !isVertical {
		c.ends = append(c.ends, end{x: math.NaN(), y: v, s: s, level: true})
	}
	c.Draw(func(l *paint.Layer) {
		a, u, b := c.a, c.a.Unit, c.plot
		m := paint.Mark{Kind: paint.Stroke, Width: orDefault(s.Width, 1.25) * u * a.Theme.Stroke, Color: s.Color,
			Dash: [2]float64{s.Dash[0] * u, s.Dash[1] * u}}
		if isVertical {
			x := c.px.At(c.X.scaled(v))
			m.Pts = []paint.Point{{X: x, Y: b.Y}, {X: x, Y: b.Y + b.H}}
		} else {
			y := c.py.At(c.Y.scaled(v))
			m.Pts = []paint.Point{{X: b.X, Y: y}, {X: b.X + b.W, Y: y}}
		}
		if num.Finite(m.Pts[0].X) && num.Finite(m.Pts[0].Y) && c.inPlot(m.Pts[0]) {
			l.Add(m)
		}
	})
	if name == "" || !isVertical {
		return
	}
	c.DrawOver(func(l *paint.Layer) {
		a, u, b := c.a, c.a.Unit, c.plot
		x, al := c.px.At(c.X.scaled(v))+5*u, paint.Left
		if x+a.Fonts.Width(name, paint.Tick) > b.X+b.W {
			x, al = x-10*u, paint.Right
		}
		if c.inPlot(paint.Pt(c.px.At(c.X.scaled(v)), b.Y)) {
			l.Label(name, x, b.Y+11*u, paint.Tick, a.Theme.Ink2, al)
		}
	})
}

// Shade fills a rectangle; infinite coordinates are the edges of the plot.
func (c *Chart) Shade(x0, x1, y0, y1 float64, s Style) {
	c.Include(x0, y0)
	c.Include(x1, y1)
	c.Draw(func(l *paint.Layer) {
		b := c.plot
		edge := func(v float64, x *Axis, at paint.Axis, lo, hi float64) float64 {
			if math.IsInf(v, 0) {
				return map[bool]float64{true: hi, false: lo}[v > 0]
			}
			return min(max(at.At(x.scaled(v)), min(lo, hi)), max(lo, hi))
		}
		p := paint.Pt(edge(x0, &c.X, c.px, b.X, b.X+b.W), edge(y0, &c.Y, c.py, b.Y+b.H, b.Y))
		q := paint.Pt(edge(x1, &c.X, c.px, b.X, b.X+b.W), edge(y1, &c.Y, c.py, b.Y+b.H, b.Y))
		if num.Finite(p.X+p.Y) && num.Finite(q.X+q.Y) {
			l.Add(paint.Mark{Kind: paint.Fill, Color: paint.Fade(s.Color, orDefault(s.Opacity, 1)),
				Box: paint.XYWH(min(p.X, q.X), min(p.Y, q.Y), math.Abs(q.X-p.X), math.Abs(q.Y-p.Y))})
		}
	})
}
