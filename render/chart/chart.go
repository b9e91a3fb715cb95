package chart

import (
	"math"

	"logzlab/render/paint"
)

// Chart is a chart to be laid out. Its fields can be set until the first call of Layers, Plot or At.
type Chart struct {
	X, Y        Axis
	Title       string  // above the chart, at the left
	Mark        int     // mark of a method left of the title, from 1; 0: none
	TopRight    string  // above the chart, at the right, if it fits
	Key         Key     // position of the legend
	RightGutter float64 // minimum width of the gutter at the right, in pixels, for labels drawn by the caller
	Square      bool    // units of both axes have the same length in pixels

	a      *paint.Area
	box    paint.Rect
	plot   paint.Rect // the box without the gutters; W is 0 before the layout
	group  *group     // charts that are laid out together with this one, or nil
	x, y   span       // ranges of the data
	px, py paint.Axis // from scaled data to pixels

	clipped, overlay []func(*paint.Layer) // draw functions whose marks are clipped to the plot, and those above
	series           []Style              // for the legend
	ends             []end                // of lines and levels
	scale            *Scale               // of a heat map
	tooltips         []func()
}

// New returns an empty chart that fills a box, including gutters and titles.
func New(a *paint.Area, box paint.Rect, x, y Axis) *Chart {
	return &Chart{X: x, Y: y, a: a, box: box, x: noSpan, y: noSpan}
}

// Inset returns a canvas without its margins, as the box of a chart that fills it.
func Inset(a *paint.Area) paint.Rect {
	side, top := 24*a.Unit, 8*a.Unit
	if a.Compact() {
		side = 16 * a.Unit
	}
	return paint.XYWH(side, top, a.W-2*side, a.H-2*top)
}

// Include extends the ranges of axes that are fitted to the data to a point. Non-finite coordinates are ignored.
func (c *Chart) Include(x, y float64) {
	c.x.include(x)
	c.y.include(y)
}

// Series returns the styles of the named series so far, for a legend that several charts share.
func (c *Chart) Series() []Style { return c.series }

// Draw adds marks drawn by the caller. f is called after the layout, in the order of the series; its marks are clipped
// to the plot.
func (c *Chart) Draw(f func(l *paint.Layer)) { c.clipped = append(c.clipped, f) }

// DrawOver adds marks drawn by the caller above all series. They are not clipped.
func (c *Chart) DrawOver(f func(l *paint.Layer)) { c.overlay = append(c.overlay, f) }

// Box returns the box that the chart fills.
func (c *Chart) Box() paint.Rect { return c.box }

// Plot lays the chart out and returns the rectangle without the gutters.
func (c *Chart) Plot() paint.Rect {
	c.layOut()
	return c.plot
}

// At lays the chart out and returns the pixel of a data point. It can be outside the plot. A coordinate is NaN if the
// data value is not finite or, on a logarithmic axis, not positive.
func (c *Chart) At(x, y float64) paint.Point {
	c.layOut()
	return paint.Pt(c.px.At(c.X.scaled(x)), c.py.At(c.Y.scaled(y)))
}

// Layers lays the chart out and returns its marks: axes, series clipped to the plot, and labels. If the pointer is over
// the plot, Layers also offers it the tooltips.
func (c *Chart) Layers() []paint.Layer {
	c.layOut()
	var back, front paint.Layer
	c.drawAxes(&back)
	u := c.a.Unit
	high := 5 * u                                                     // marks on the edge are not cut
	if c.y.lo < min(c.Y.Lo, c.Y.Hi) || c.y.hi > max(c.Y.Lo, c.Y.Hi) { // data beyond the range must not show
		high = 0.5 * u
	}
	inside := paint.Layer{Clip: paint.XYWH(c.plot.X-5*u, c.plot.Y-high, c.plot.W+10*u, c.plot.H+2*high)}
	for _, draw := range c.clipped {
		draw(&inside)
	}
	c.drawHeading(&front)
	c.drawNames(&front)
	for _, draw := range c.overlay {
		draw(&front)
	}
	if c.a.Pointed(c.plot) {
		for _, read := range c.tooltips {
			read()
		}
	}
	return []paint.Layer{back, inside, front}
}

// gutters are the widths of the margins of the plot.
type gutters struct{ left, top, right, bottom float64 }

// layOut computes gutters and scales, of all charts of a group.
func (c *Chart) layOut() {
	if c.plot.W > 0 {
		return
	}
	if c.group != nil {
		c.group.layOut()
		return
	}
	c.X.fit(c.x)
	c.Y.fit(c.y)
	c.placePlot(c.gutters())
}

// gutters returns the space that the labels need. The ranges of the axes must be known.
func (c *Chart) gutters() (g gutters) {
	a, u := c.a, c.a.Unit
	rows := 0.0
	if c.hasTitleRow() {
		rows = 18 * u
	}
	if c.Y.Title != "" && !a.Compact() {
		rows += 15 * u
	}
	g.top = max(rows+c.keyHeight(), 6*u) + 4*u

	if !c.X.Bare {
		g.bottom = c.X.footHeight(a, c.box.W)
	}
	if !c.Y.Bare {
		for _, k := range c.rows(c.box.H) {
			g.left = max(g.left, a.Fonts.Width(k.label, paint.Tick)+10*u)
		}
		g.left = min(g.left, 0.4*c.box.W)
	}
	g.right = max(c.keyWidth(), c.scaleWidth(), c.RightGutter, 6*u)
	return g
}

// hasTitleRow reports whether there is a row for titles above the plot. On a phone it contains the colour scale.
func (c *Chart) hasTitleRow() bool {
	return c.Title != "" || c.TopRight != "" || c.a.Compact() && (c.scale != nil || c.Y.Title != "")
}

// placePlot sets the plot and its scales for given gutters, in whole pixels.
func (c *Chart) placePlot(g gutters) {
	b := paint.XYWH(c.box.X+g.left, c.box.Y+g.top, max(c.box.W-g.left-g.right, 1), max(c.box.H-g.top-g.bottom, 1))
	if c.Square {
		x, y := math.Abs(c.X.Hi-c.X.Lo), math.Abs(c.Y.Hi-c.Y.Lo)
		unit := min(b.W/x, b.H/y)
		b.W, b.H = unit*x, unit*y
	}
	c.plot = paint.Snap(b)
	c.px = paint.NewAxis(c.X.scaled(c.X.Lo), c.X.scaled(c.X.Hi), c.plot.X, c.plot.X+c.plot.W)
	c.py = paint.NewAxis(c.Y.scaled(c.Y.Lo), c.Y.scaled(c.Y.Hi), c.plot.Y+c.plot.H, c.plot.Y)
	if c.Y.Names != nil { // names run from the top down
		c.py.P0, c.py.P1 = c.py.P1, c.py.P0
	}
}

// drawHeading draws the titles of the chart and of its vertical axis, from the top down.
func (c *Chart) drawHeading(l *paint.Layer) {
	a, u, t := c.a, c.a.Unit, c.a.Theme
	y, rightText := c.box.Y+12*u, c.TopRight
	if rightText == "" && a.Compact() && c.scale == nil { // otherwise the colour scale is there
		rightText = c.Y.Title
	}
	if c.hasTitleRow() {
		x, end := c.box.X, c.box.X+c.box.W
		if c.Mark > 0 {
			l.MethodMark(a, c.Mark-1, x+4*u, y-4*u, 4*u, false)
			x += 14 * u
		}
		if c.RightGutter > 0 { // labels of the caller may extend up to here
			end = c.plot.X + c.plot.W
		}
		if c.Title != "" {
			l.Label(a.Fonts.Fit(c.Title, paint.Strong, end-x), x, y, paint.Strong, t.Ink, paint.Left)
		}
		if rightText != "" && x+a.Fonts.Width(c.Title, paint.Strong)+a.Fonts.Width(rightText, paint.Tick)+18*u < end {
			l.Label(rightText, end, y, paint.Tick, t.Ink3, paint.Right)
		}
		y += 18 * u
	}
	if rows := c.keyHeight(); rows > 0 {
		Legend(a, l, c.box.X, y-12*u, c.box.W, c.series)
		y += rows
	}
	if c.Y.Title != "" && !a.Compact() {
		l.Label(a.Fonts.Fit(c.Y.Title, paint.Tick, c.box.W), c.box.X, y, paint.Tick, t.Ink2, paint.Left)
	}
}

// span is a range of data.
type span struct{ lo, hi float64 }

var noSpan = span{math.Inf(1), math.Inf(-1)}

// maxValue bounds the values of an axis: the width of a range must not overflow.
const maxValue = 1e100

func (s *span) include(v float64) {
	if math.Abs(v) <= maxValue {
		s.lo, s.hi = min(s.lo, v), max(s.hi, v)
	}
}
