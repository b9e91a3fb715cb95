package chart

import (
	"math"
	"slices"

	"logzlab/core/num"
	"logzlab/render/paint"
)

// Key is the position of the legend of a chart.
type Key uint8

const (
	// KeyAuto puts names at the right ends of lines and levels. On a phone, and in a chart with other kinds of series,
	// it puts them in a row above the plot.
	KeyAuto Key = iota
	KeyRow      // a row above the plot
	KeyEnds     // at the right ends of lines, even on a phone
	KeyNone     // no legend
)

// end is the right end of a line, or a level.
type end struct {
	x, y  float64
	s     Style
	level bool
}

// namesAtEnds reports whether names are at the ends of lines.
func (c *Chart) namesAtEnds() bool {
	return c.Key == KeyEnds || c.Key == KeyAuto && !c.a.Compact() && len(c.series) > 0 &&
		!slices.ContainsFunc(c.series, func(s Style) bool { return s.sample != sampleLine })
}

// keyHeight returns the height of the row above the plot, 0 if there is none.
func (c *Chart) keyHeight() float64 {
	if c.Key == KeyNone || c.namesAtEnds() || len(c.series) == 0 || c.Key == KeyAuto && len(c.series) == 1 {
		return 0
	}
	return Legend(c.a, nil, c.box.X, 0, c.box.W, c.series)
}

// keyWidth returns the width of the names at the right of the plot, 0 if there are none.
func (c *Chart) keyWidth() (wide float64) {
	if !c.namesAtEnds() {
		return 0
	}
	f, u := c.a.Fonts, c.a.Unit
	for i := range c.ends {
		s := &c.ends[i].s
		w := f.Width(s.Name, paint.Strong)
		switch v := f.Width(s.Value, paint.Plain); {
		case c.valuesBelow():
			w = max(w, v)
		case s.Value != "":
			w += 8*u + v
		}
		wide = max(wide, w+32*u)
	}
	return min(wide, 0.46*c.box.W)
}

// valuesBelow reports whether values are below the names at the right of the plot: in a narrow chart that is high
// enough.
func (c *Chart) valuesBelow() bool {
	u := c.a.Unit
	return c.box.W < 420*u && 31*u*float64(len(c.ends)) < 0.8*c.box.H &&
		slices.ContainsFunc(c.ends, func(e end) bool { return e.s.Value != "" })
}

// drawNames draws the names of lines and levels.
func (c *Chart) drawNames(l *paint.Layer) {
	if c.Key == KeyNone {
		return
	}
	ends := slices.DeleteFunc(slices.Clone(c.ends), func(e end) bool { return !num.Finite(c.py.At(c.Y.scaled(e.y))) })
	slices.SortStableFunc(ends, func(e, f end) int {
		switch y, z := c.endY(e), c.endY(f); {
		case y < z:
			return -1
		case y > z:
			return 1
		}
		return 0
	})
	if c.namesAtEnds() {
		c.drawNamesRight(l, ends)
	} else {
		c.drawNamesAbove(l, ends)
	}
}

// endY returns the y coordinate of an end, limited to the plot.
func (c *Chart) endY(e end) float64 {
	return min(max(c.py.At(c.Y.scaled(e.y)), c.plot.Y), c.plot.Y+c.plot.H)
}

// drawNamesRight draws names at the right of the plot without overlap. A name that had to be moved is connected with
// its line.
func (c *Chart) drawNamesRight(l *paint.Layer, ends []end) {
	a, u, t, b := c.a, c.a.Unit, c.a.Theme, c.plot
	at := make([]float64, len(ends))
	for i, e := range ends {
		at[i] = c.endY(e)
	}
	x := b.X + b.W + 14*u
	gap, foot := 17*u, b.Y+b.H
	if c.valuesBelow() {
		gap, foot = 31*u, foot-14*u
	}
	if n := float64(len(ends) - 1); n*gap > b.H {
		gap = max(b.H/n, 12*u)
	}
	for i, y := range paint.Spread(at, gap, b.Y-2*u, foot) {
		e := &ends[i]
		from := b.X + b.W + 4*u
		if q := c.px.At(c.X.scaled(e.x)); q < b.X+b.W-u { // the line ends earlier
			from = q + 6*u
		}
		if math.Abs(y-at[i]) > 3*u || from < b.X+b.W {
			l.Add(paint.Mark{Kind: paint.Stroke, Pts: paint.Distinct([]paint.Point{{X: from, Y: at[i]}, {X: x - 3*u, Y: y}}),
				Width: a.Hairline(), Color: t.Line2})
		}
		e.s.sample = sampleLine
		e.s.swatch(l, a, x, y, 10*u)
		end := c.box.X + c.box.W
		l.Label(a.Fonts.Fit(e.s.Name, paint.Strong, end-x-15*u), x+15*u, y+4*u, paint.Strong, t.Ink, paint.Left)
		if c.valuesBelow() {
			l.Label(e.s.Value, x+15*u, y+18*u, paint.Plain, t.Ink2, paint.Left)
		} else if e.s.Value != "" && x+15*u+a.Fonts.Width(e.s.Name, paint.Strong)+6*u+
			a.Fonts.Width(e.s.Value, paint.Plain) <= end {
			l.Label(e.s.Value, end, y+4*u, paint.Plain, t.Ink2, paint.Right)
		}
	}
}

// drawNamesAbove draws the names of levels above their right ends (below a level at the top of the plot), without
// overlap.
func (c *Chart) drawNamesAbove(l *paint.Layer, ends []end) {
	u, b := c.a.Unit, c.plot
	var at []float64
	var names []string
	for _, e := range ends {
		if y := c.py.At(c.Y.scaled(e.y)); e.level && c.inPlot(paint.Pt(b.X, y)) {
			names = append(names, e.s.Name)
			if y -= 5 * u; y < b.Y+9*u {
				y += 18 * u
			}
			at = append(at, y)
		}
	}
	slices.Sort(at)
	for i, y := range paint.Spread(at, 14*u, b.Y+9*u, b.Y+b.H-3*u) {
		l.Label(c.a.Fonts.Fit(names[i], paint.Tick, b.W-8*u), b.X+b.W-4*u, y, paint.Tick, c.a.Theme.Ink2, paint.Right)
	}
}

// Swatch draws the mark of a style, or a piece of its line if it has none, wide pixels wide and centred at height y,
// for legends drawn by callers.
func (s Style) Swatch(l *paint.Layer, a *paint.Area, x, y, wide float64) {
	if s.Mark == 0 {
		s.sample = sampleLine
	}
	s.swatch(l, a, x, y, wide)
}

// swatch draws the sample of a series.
func (s *Style) swatch(l *paint.Layer, a *paint.Area, x, y, wide float64) {
	u := a.Unit
	switch s.sample {
	case sampleLine:
		l.Add(paint.Mark{Kind: paint.Stroke, Pts: []paint.Point{{X: x, Y: y}, {X: x + wide, Y: y}}, Color: s.Color,
			Width: orDefault(s.Width, 2) * u * a.Theme.Stroke, Dash: [2]float64{s.Dash[0] * u, s.Dash[1] * u}})
	case sampleBox:
		color := s.Color
		if s.Opacity > 0 {
			color = paint.Fade(color, s.Opacity)
		}
		l.Add(paint.Mark{Kind: paint.Fill, Box: paint.Snap(paint.XYWH(x+wide/2-4*u, y-4*u, 8*u, 8*u)), Color: color})
	}
	if s.Mark > 0 || s.sample == sampleMark {
		one := *s
		one.Colors = nil
		one.drawMark(l, a, 0, paint.Pt(x+wide/2, y), min(orDefault(s.R, 4), 4)*u)
	}
}

// Legend draws the names of series with their samples in rows of at most width pixels, with the top left corner (x,
// y), and returns the height. Series with the same name have one entry. If l is nil it only measures.
func Legend(a *paint.Area, l *paint.Layer, x, y, width float64, series []Style) (height float64) {
	u, row := a.Unit, 17*a.Unit
	left, top := x, y
	var named []string
	for _, s := range series {
		if s.Name == "" || slices.Contains(named, s.Name) {
			continue
		}
		named = append(named, s.Name)
		swatch := 10 * u
		if s.sample == sampleLine {
			swatch = 18 * u
		}
		name := a.Fonts.Fit(s.Name, paint.Plain, width-swatch-6*u)
		wide := swatch + 6*u + a.Fonts.Width(name, paint.Plain)
		if left > x && left+wide > x+width {
			left, top = x, top+row
		}
		if l != nil {
			s.swatch(l, a, left, top+8*u, swatch)
			l.Label(name, left+swatch+6*u, top+12*u, paint.Plain, a.Theme.Ink, paint.Left)
		}
		left += wide + 18*u
	}
	if named == nil {
		return 0
	}
	return top + row - y
}
