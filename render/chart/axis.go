package chart

import (
	"math"
	"slices"
	"strconv"

	"logzlab/core/format"
	"logzlab/core/num"
	"logzlab/render/paint"
)

// Axis is an axis of a chart.
type Axis struct {
	// Lo and Hi are the range. Where they are equal, as in the zero value, it is that of the data with some room, but
	// with none below or above 0 where the data end there. Lo is at the left or below, and may be the larger one.
	Lo, Hi float64
	Title  string               // what the axis measures, with its unit
	Unit   string               // a short name at the right end of the horizontal ticks
	Log    bool                 // logarithmic, to base 10
	Whole  bool                 // only whole numbers have ticks
	Ticks  []float64            // where the ticks are; nil: at round numbers, as many as have room
	Label  func(float64) string // writes a tick; nil: as a number
	Names  []string             // names of the values 0, 1, 2, ..., in place of numbers; vertically, from the top down
	Bare   bool                 // without ticks and labels
}

// tick is a place on an axis with its label.
type tick struct {
	at    float64
	label string
}

// scaled is the value in which the axis is linear; NaN where there is none.
func (x *Axis) scaled(v float64) float64 {
	switch {
	case !num.Finite(v) || x.Log && v <= 0:
		return math.NaN()
	case x.Log:
		return math.Log10(v)
	}
	return v
}

// fit gives the axis the range of the data where it has none, or one that cannot be drawn.
func (x *Axis) fit(s span) {
	if !(math.Abs(x.Lo) <= largest && math.Abs(x.Hi) <= largest) || x.Log && (x.Lo < 0 || x.Hi < 0 || x.Lo*x.Hi == 0) {
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
		if !(room > 1e-12*max(math.Abs(lo), math.Abs(hi))) { // one value alone has no scale
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

// ticks are at most n places, or some more where the axis has its own, at least two and at most most.
func (x *Axis) ticks(n, most int) (out []tick) {
	n = min(max(n, 2), most)
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
	if x.Whole { // of finer steps some are left out
		step = max(step, 1)
	}
	for _, v := range at {
		if v < min(x.Lo, x.Hi) || v > max(x.Lo, x.Hi) || x.Whole && v != math.Trunc(v) {
			continue
		}
		out = append(out, tick{v, x.written(v, step)})
	}
	return out
}

// written is a tick as text; step is the distance of ticks, 0 where they have none.
func (x *Axis) written(v, step float64) string {
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

// named is what stands at the right end of the horizontal ticks of a chart of a width, and what stands below: on a phone a
// short title takes the place of a unit, and a low canvas has no room for a long one.
func (x *Axis) named(a *paint.Area, width float64) (end, below string) {
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

// foot is the height of what stands below a chart of a width.
func (x *Axis) foot(a *paint.Area, width float64) float64 {
	if _, below := x.named(a, width); below == "" {
		return 20 * a.Unit
	}
	return 37 * a.Unit
}

// axes draws both axes with their ticks, and the titles that stand below.
func (c *Chart) axes(l *paint.Layer) {
	a, u, t, b := c.a, c.a.Unit, c.a.Theme, c.plot
	if !c.Y.Bare {
		last := math.Inf(1)
		for _, k := range c.rows(b.H) {
			y := c.py.At(c.Y.scaled(k.at))
			if c.scale == nil { // cells would cover it, or shine through
				l.HLine(a, b.X, b.X+b.W, y, t.Line)
			}
			if math.Abs(last-y) < 11*u { // labels would overlap
				continue
			}
			last = y
			label := k.label
			if c.Y.Names != nil { // numbers are never cut
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
	unit, title := c.X.named(a, c.box.W)
	if title != "" {
		half := a.Fonts.Width(title, paint.Tick) / 2
		l.Label(title, min(max(b.X+b.W/2, c.box.X+half), end-half), foot+34*u, paint.Tick, t.Ink2, paint.Centre)
	}
	if unit != "" {
		l.Label(unit, b.X+b.W, foot+16*u, paint.Tick, t.Ink2, paint.Right)
		end = b.X + b.W - a.Fonts.Width(unit, paint.Tick) - 4*u
	}

	// As many labels as have room; the ticks between them on a logarithmic axis have none.
	if c.X.Log {
		c.minor(l)
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

// rows are the ticks of the vertical axis over a height: one in 30 CSS pixels, on a low plot closer ones, up to four.
func (c *Chart) rows(height float64) []tick {
	h := height / c.a.Unit
	return c.Y.ticks(max(int(h/30), min(int(h/13), 4)), 7)
}

// columns are the ticks of the horizontal axis: as many as their labels leave room for, named places at even steps.
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
			var some []tick
			for i := 0; i < len(at); i += every {
				some = append(some, at[i])
			}
			if last := len(at) - 1; last >= 0 && last%every != 0 { // both ends are named, as those of a ladder
				if n := len(some) - 1; n > 0 && float64(last%every)*pitch < wide-4*u {
					some = some[:n]
				}
				some = append(some, at[last])
			}
			return some
		}
		if wide*float64(len(at)) <= c.plot.W+wide {
			return at
		}
	}
	return at
}

// minor draws the ticks of a logarithmic axis that have no label, where they are not too close.
func (c *Chart) minor(l *paint.Layer) {
	u := c.a.Unit
	lo, hi := min(c.X.Lo, c.X.Hi), max(c.X.Lo, c.X.Hi)
	if !(c.plot.W/math.Log10(hi/lo) >= 40*u) { // nor where a range is not finite
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

// Numbers are the names 1, 2, ..., n, as of rungs.
func Numbers(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = strconv.Itoa(i + 1)
	}
	return out
}
