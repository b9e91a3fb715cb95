// Package series is the scene of a time series and of a particle filter that goes through it.
package series

import (
	"math"

	"logzlab/render/paint"
	"logzlab/render/record"
	"logzlab/render/scene"
)

var _ = scene.Register("series", func(r *record.Run) scene.Scene { return &seriesScene{Base: scene.Base{Run: r}} })

// Key takes the keys: those of the record, and Page Down and Page Up for later and earlier data.
func (s *seriesScene) Key(key string) bool {
	p := s.Run
	w, _ := p.Pick(record.Flown)
	switch {
	case w == nil:
		return p.ScrubKey(key)
	case key == "PageDown":
		w.Flows.Slide(0.05)
	case key == "PageUp":
		w.Flows.Slide(-0.05)
	default:
		return p.ScrubKey(key)
	}
	return true
}

// seriesScene shows a series and what one particle filter makes of its hidden states: bands, and the particles on their
// way, with those that resampling multiplies or drops. Each way is at other values of the parameters.
type seriesScene struct {
	scene.Base
}

// Draw lays the scene out.
func (s *seriesScene) Draw(a *paint.Area) []paint.Layer {
	p := s.Run
	w, _, among := p.PickHeld(a, record.Flown)
	if w == nil || a.W < 160*a.Unit || a.H < 160*a.Unit {
		return []paint.Layer{paint.Note(a, "No series yet")}
	}
	var top paint.Layer
	v := &SeriesView{P: p, W: w, pad: 24 * a.Unit}
	if a.Compact() {
		v.pad = 16 * a.Unit
	}
	down := record.Header(a, p, &top, v.pad, w, among)
	if w.Tempered() && a.H >= 300*a.Unit {
		a = p.BarBelow(a, &top, w)
	}
	v.A = a
	f := &w.Flows
	share := f.TurnTo(p.Now, a.Still)
	v.Q = f.Shown
	if q := f.Near(p.Scrubber.Beta); p.Scrubber.On && q != nil {
		v.Q, share = q, 1
	}
	v.stretch()
	v.front = v.lo + int(math.Round(share*float64(v.hi-v.lo)))
	return append(v.panels(down), top)
}

// Describe says in words what is on show after a key.
func (s *seriesScene) Describe(a *paint.Area) string { return record.DescribeScrubber(a, s.Run) }

// Moves reports whether the picture is on its way to another one.
func (s *seriesScene) Moves(still bool) bool { return s.Run.Flowing(still) || s.Run.Playing(still) }

// SeriesView is a layout of a series.
type SeriesView struct {
	A      *paint.Area
	P      *record.Run
	W      *record.Particles
	Q      *record.Flow
	pad    float64
	lo, hi int // the stretch whose particles are shown
	front  int // and how far they have come
	whole  paint.Axis
	x      paint.Axis // of the stretch
}

// stretch picks the data whose particles are shown: all, if their steps can be seen.
func (v *SeriesView) stretch() {
	t := len(v.Q.Y)
	room := int((v.A.W - 2*v.pad - 46*v.A.Unit) / (7 * v.A.Unit))
	v.lo, v.hi = 0, t-1
	if room = max(room, 12); t > room*3/2 {
		v.lo = min(max(int(v.W.Flows.Middle(v.Q)*float64(t))-room/2, 0), t-room)
		v.hi = v.lo + room - 1
	}
}

// part tells whether only a stretch is shown below.
func (v *SeriesView) part() bool { return v.hi-v.lo+1 < len(v.Q.Y) }

// panels lays out the data, the states and the effective share of the particles.
func (v *SeriesView) panels(down float64) []paint.Layer {
	a, u := v.A, v.A.Unit
	gutter := 46 * u
	if a.Compact() {
		gutter = 38 * u
	}
	b := paint.XYWH(v.pad, down+4*u, a.W-2*v.pad-gutter+8*u, a.H-down-26*u)
	if b.H < 110*u || b.W < 80*u {
		return nil
	}

	// The heights: data above, states below, on a large canvas the effective sizes too.
	name, between := 20*u, 10*u
	if v.part() {
		between = 26 * u
	}
	free := b.H - 2*name - between
	small := 0.0
	if free > 230*u {
		small = math.Round(0.13 * free)
		free -= name + 4*u
	}
	data := math.Round(0.34 * (free - small))

	upper := paint.Snap(paint.XYWH(b.X, b.Y+name, b.W, data))
	v.whole = v.times(0, len(v.Q.Y)-1, upper)
	v.x = v.whole
	if v.part() {
		v.x = v.times(v.lo, v.hi, upper)
	}
	y := upper.Y + upper.H + between + name
	lower := paint.Snap(paint.XYWH(b.X, y, b.W, b.Y+b.H-y))

	out := v.data(upper)
	if small > 0 {
		lower.H = math.Round(lower.H - small - name - 4*u)
		strip := paint.Snap(paint.XYWH(b.X, lower.Y+lower.H+name+4*u, b.W, small))
		out = append(out, v.effective(strip))
		out = append(out, v.timeAxis(strip))
	} else {
		out = append(out, v.timeAxis(lower))
	}
	out = append(out, v.states(lower)...)
	if v.part() {
		out = append(out, v.lens(upper, lower))
	}
	return out
}

// times is an axis of data.
func (v *SeriesView) times(lo, hi int, b paint.Rect) paint.Axis {
	return paint.NewAxis(float64(lo)-0.5, float64(hi)+0.5, b.X, b.X+b.W)
}

// Number is what people call datum t.
func (v *SeriesView) Number(t float64) float64 { return t + float64(v.Q.First) + 1 }

// timeAxis draws the numbers of the data below a panel.
func (v *SeriesView) timeAxis(b paint.Rect) (l paint.Layer) {
	v.A.CountTicks(&l, v.x, v.Number(0), "t", b.Y+b.H)
	return l
}

// lens frames the stretch in the panel of all data, and leads from it to the panel of the states; it follows a drag.
func (v *SeriesView) lens(upper, lower paint.Rect) (l paint.Layer) {
	a, u, t := v.A, v.A.Unit, v.A.Theme
	x0, x1 := v.whole.At(float64(v.lo)-0.5), v.whole.At(float64(v.hi)+0.5)
	y0, y1 := upper.Y-2*u, upper.Y+upper.H
	frame := []paint.Point{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x0, Y: y1}, {X: x1, Y: y1}, {X: x0, Y: y0}, {X: x0, Y: y1},
		{X: x1, Y: y0}, {X: x1, Y: y1}}
	l.Add(paint.Mark{Kind: paint.Wires, Pts: frame, Width: 1.5 * u * t.Stroke, Color: t.Ink},
		paint.Mark{Kind: paint.Fill, Box: paint.Snap(paint.XYWH(x0, y0, x1-x0, y1-y0)), Color: paint.Fade(t.Ink, 0.05)})
	foot := y1 + 10*u
	l.Add(paint.Mark{Kind: paint.Segments, Width: a.Hairline(), Colors: a.Colors(2),
		Pts: []paint.Point{{X: x0, Y: y1}, {X: lower.X, Y: foot}, {X: x1, Y: y1}, {X: lower.X + lower.W, Y: foot}}})
	ways := &l.Marks[len(l.Marks)-1]
	ways.Colors = append(ways.Colors, t.Line2, t.Line2)
	s := &v.W.Flows
	a.OnTap(paint.XYWH(upper.X, upper.Y-8*u, upper.W, upper.H+20*u), paint.Action{Drag: true, Do: func(at paint.Point) {
		s.Lens = min(max((at.X-upper.X)/upper.W, 1e-9), 1)
	}})
	return l
}
