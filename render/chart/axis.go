package chart

import (
	"math"
	"slices"

	"logzlab/core/format"
	"logzlab/core/num"
	"logzlab/render/paint"
)

// Axis is an axis of a chart.
type Axis struct {
	// Lo and Hi are the range, Lo at the left or bottom; Lo may be larger. If they are equal, the range is fitted to
	// the data with some room, but without room beyond 0 if the data end there.
	Lo, Hi float64
	Title  string               // the quantity and its unit
	Unit   string               // a short name at the right end of the horizontal ticks
	Log    bool                 // logarithmic, to base 10
	Whole  bool                 // ticks only at whole numbers
	Ticks  []float64            // positions of the ticks; nil: as many round numbers as fit
	Label  func(float64) string // formats a tick; nil: as a number
	Names  []string             // labels of the values 0, 1, 2, ...; on a vertical axis from the top down
	Bare   bool                 // without ticks and labels
}

// tick is a value on an axis with its label.
type tick struct {
	at    float64
	label string
}

// scaled returns the coordinate in which the axis is linear: v or log10 v. It is NaN if v has none.
func (x *Axis) scaled(v float64) float64 {
	switch {
	case !num.Finite(v) || x.Log && v <= 0:
		return math.NaN()
	case x.Log:
		return math.Log10(v)
	}
	return v
}

// fit fits the range of the axis to the data if the axis has none, or one that cannot be drawn.
func (x *Axis) fit(s span) {
	if !(math.Abs(x.Lo) <= maxValue && math.Abs(x.Hi) <= maxValue) || x.Log && (x.Lo < 0 || x.Hi < 0 || x.Lo*x.Hi == 0) {
		x.Lo, x.Hi = 0, 0
	}
	switch lo, hi := s.lo, s.hi; {
	case x.Lo != x.Hi:
	case x.Names != nil:
		x.Lo, x.Hi = -0.5, float64(max(len(x.Names), 1))-0.5
	case x.Log:
		if !(lo > 0) || !(lo <= hi) {
			lo, hi = 0.1, 10
		}
		room := max(math.Pow(hi/lo, 0.06), 1.12)
		if lo == hi {
			room = 2
		}
		x.Lo, x.Hi = lo/room, hi*room
	case !(lo <= hi):
		x.Lo, x.Hi = 0, 1
	default:
		room := 0.06 * (hi - lo)
		if !(room > 1e-12*max(math.Abs(lo), math.Abs(hi))) { // a single value
			room = max(0.5, 1e-6*math.Abs(hi))
		}
		x.Lo, x.Hi = lo-room, hi+room
		if lo == 0 && hi > 0 {
			x.Lo = 0
		}
		if hi == 0 && lo < 0 {
			x.Hi = 0
		}
	}
}

// ticks returns about n round ticks in the range of the axis, where n is first limited to [2, limit]. An axis with
// given ticks or names returns all of them.
func (x *Axis) ticks(n, limit int) (out []tick) {
	n = min(max(n, 2), limit)
	var at []float64
	step := 1.0
	switch {
	case x.Names != nil:
		for i, name := range x.Names {
			out = append(out, tick{float64(i), name})
		}
		return out
	case x.Ticks != nil:
		at, step = x.Ticks, 0
	case x.Log:
		at, step = format.LogTicks(min(x.Lo, x.Hi), max(x.Lo, x.Hi), n), 0
	default:
		at, step = format.Ticks(min(x.Lo, x.Hi), max(x.Lo, x.Hi), n)
	}
	if x.Lo > x.Hi {
		at = slices.Clone(at)
		slices.Reverse(at)
	}
	if x.Whole { // omit ticks at fractions
		step = max(step, 1)
	}
	for _, v := range at {
		if v < min(x.Lo, x.Hi) || v > max(x.Lo, x.Hi) || x.Whole && v != math.Trunc(v) {
			continue
		}
		out = append(out, tick{v, x.format(v, step)})
	}
	return out
}

// format returns the label of a tick; step is the distance of ticks, 0 if they are irregular.
func (x *Axis) format(v, step float64) string {
	switch {
	case x.Label != nil:
		return x.Label(v)
	case step > 0:
		return format.Tick(v, step)
	case x.Log:
		return format.SI(v, 2)
	}
	return format.Trimmed(v, 6)
}

// titles returns the texts at the right end of the ticks and below them, for a chart of a width. On a phone a short
// title replaces the unit, and a low canvas has no room for a long one.
func (x *Axis) titles(a *paint.Area, width float64) (end, below string) {
	switch {
	case !a.Compact():
		return x.Unit, x.Title
	case x.Unit == "" && a.Fonts.Width(x.Title, paint.Tick) < 0.2*width:
		return x.Title, ""
	case a.H < 200*a.Unit:
		return x.Unit, ""
	}
	return x.Unit, x.Title
}

// footHeight returns the height of ticks and title below a chart.
func (x *Axis) footHeight(a *paint.Area, width float64) float64 {
	if _, below := x.titles(a, width); below == "" {
		return 20 * a.Unit
	}
	return 37 * a.Unit
}

// drawAxes draws both axes with their ticks and titles.
func (c *Chart) drawAxes(l *paint.Layer) {
	a, u, t, b := c.a, c.a.Unit, c.a.Theme, c.plot
	if !c.Y.Bare {
		last := math.Inf(1)
		for _, k := range c.rows(b.H) {
			y := c.py.At(c.Y.scaled(k.at))
			if c.scale == nil { // lines would be covered by cells, or show through them
				l.HLine(a, b.X, b.X+b.W, y, t.Line)
			}
			if math.Abs(last-y) < 11*u { // labels would overlap
				continue
			}
			last = y
			label := k.label
			if c.Y.Names != nil { // a number must not be truncated
				label = a.Fonts.Fit(label, paint.Tick, b.X-c.box.X-8*u)
			}
			l.Label(label, b.X-8*u, y+4*u, paint.Tick, t.Ink3, paint.Right)
		}
	}
	l.HLine(a, b.X, b.X+b.W, b.Y+b.H, t.Line2)
	if c.X.Bare {
		return
	}

	foot, end := b.Y+b.H, c.box.X+c.box.W
	unit, title := c.X.titles(a, c.box.W)
	if title != "" {
		half := a.Fonts.Width(title, paint.Tick) / 2
		l.Label(title, min(max(b.X+b.W/2, c.box.X+half), end-half), foot+34*u, paint.Tick, t.Ink2, paint.Centre)
	}
	if unit != "" {
		l.Label(unit, b.X+b.W, foot+16*u, paint.Tick, t.Ink2, paint.Right)
		end = b.X + b.W - a.Fonts.Width(unit, paint.Tick) - 4*u
	}

	// As many labels as fit; minor ticks of a logarithmic axis have none.
	if c.X.Log {
		c.minorTicks(l)
	}
	at := c.columns()
	free := c.box.X
	for _, k := range at {
		x := c.px.At(c.X.scaled(k.at))
		half := a.Fonts.Width(k.label, paint.Tick) / 2
		mid := min(max(x, c.box.X+half), c.box.X+c.box.W-half)
		if mid-half < free || mid+half > end {
			continue
		}
		if c.X.Names == nil {
			l.VLine(a, x, foot, foot+4*u, t.Line2)
		}
		l.Label(k.label, mid, foot+16*u, paint.Tick, t.Ink3, paint.Centre)
		free = mid + half + 6*u
	}
}

// rows returns the ticks of the vertical axis: one per 30 CSS pixels, on a low plot closer ones, up to four.
func (c *Chart) rows(height float64) []tick {
	h := height / c.a.Unit
	return c.Y.ticks(max(int(h/30), min(int(h/13), 4)), 7)
}

// columns returns the ticks of the horizontal axis, as many as their labels have room; names at regular steps.
func (c *Chart) columns() (at []tick) {
	a, u := c.a, c.a.Unit
	for n := 8; n >= 2; n-- {
		at = c.X.ticks(n, 8)
		wide := 0.0
		for _, k := range at {
			wide = max(wide, a.Fonts.Width(k.label, paint.Tick)+10*u)
		}
		if c.X.Names != nil {
			pitch := math.Abs(c.px.At(1) - c.px.At(0))
			every := max(int(math.Ceil(wide/max(pitch, 1e-9))), 1)
			var labelled []tick
			for i := 0; i < len(at); i += every {
				labelled = append(labelled, at[i])
			}
			if last := len(at) - 1; last >= 0 && last%every != 0 { // both ends have a label
				if n := len(labelled) - 1; n > 0 && float64(last%every)*pitch < wide-4*u {
					labelled = labelled[:n]
				}
				labelled = append(labelled, at[last])
			}
			return labelled
		}
		if wide*float64(len(at)) <= c.plot.W+wide {
			return at
		}
	}
	return at
}

// minorTicks draws ticks without labels on a logarithmic axis, unless they are too close.
func (c *Chart) minorTicks(l *paint.Layer) {
	u := c.a.Unit
	lo, hi := min(c.X.Lo, c.X.Hi), max(c.X.Lo, c.X.Hi)
	if !(c.plot.W/math.Log10(hi/lo) >= 40*u) { // also false for a range that is not finite
		return
	}
	for e := math.Floor(math.Log10(lo)); e <= math.Log10(hi); e++ {
		for m := 1.0; m < 10; m++ {
			if v := m * math.Pow(10, e); v >= lo && v <= hi {
				x := c.px.At(c.X.scaled(v))
				l.VLine(c.a, x, c.plot.Y+c.plot.H, c.plot.Y+c.plot.H+2*u, c.a.Theme.Line2)
			}
		}
	}
}
