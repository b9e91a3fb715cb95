// Package series is the scene of a time series and of a particle filter that runs through it.
package series

import (
	"math"

	"logzlab/render/chart"
	"logzlab/render/paint"
	"logzlab/render/record"
	"logzlab/render/scene"
)

var _ = scene.Register("series", func(r *record.Run) scene.Scene { return &seriesScene{Base: scene.Base{Run: r}} })

// Key handles the keys of the history, and Page Down and Page Up for later and earlier data.
func (s *seriesScene) Key(key string) bool {
	p := s.Run
	w, _ := p.Pick(record.HasFlow)
	switch {
	case w == nil:
		return p.HandleScrubKey(key)
	case key == "PageDown":
		w.Flows.Shift(0.05)
	case key == "PageUp":
		w.Flows.Shift(-0.05)
	default:
		return p.HandleScrubKey(key)
	}
	return true
}

// seriesScene shows a series and a particle filter for its hidden states: bands, and the trajectories of the
// particles, which resampling multiplies or drops. Each run of the filter has other values of the parameters.
type seriesScene struct {
	scene.Base
}

// Draw implements Scene.
func (s *seriesScene) Draw(a *paint.Area) []paint.Layer {
	p := s.Run
	w, _, among := p.PickReplayed(a, record.HasFlow)
	if w == nil || a.W < 160*a.Unit || a.H < 160*a.Unit {
		return []paint.Layer{paint.Note(a, "No series yet")}
	}
	var top paint.Layer
	v := &view{p: p, w: w}
	down := record.Header(a, p, &top, chart.Inset(a).X, w, among)
	if w.HasBetas() && a.H >= 300*a.Unit {
		a = p.BarBelow(a, &top, w)
	}
	v.a = a
	f := &w.Flows
	share := f.Advance(p.Now, a.Still)
	v.q = f.Shown
	if q := f.Nearest(p.Scrubber.Beta); p.Scrubber.Active && q != nil {
		v.q, share = q, 1
	}
	v.window()
	v.front = v.lo + int(math.Round(share*float64(v.hi-v.lo)))
	return append(v.panels(down), top)
}

// Describe implements Scene.
func (s *seriesScene) Describe(a *paint.Area) string { return record.DescribeScrubber(a, s.Run) }

// IsAnimating implements Scene.
func (s *seriesScene) IsAnimating(still bool) bool {
	return s.Run.FlowIsAnimating(still) || s.Run.IsPlaying(still)
}

// view is a layout of a series.
type view struct {
	a      *paint.Area
	p      *record.Run
	w      *record.Particles
	q      *record.Flow
	lo, hi int // the data whose particles are shown
	front  int // the newest datum with particles
}

// window selects the data whose particles are shown: all, if their steps are legible.
func (v *view) window() {
	t := len(v.q.Y)
	room := int((chart.Inset(v.a).W - 46*v.a.Unit) / (7 * v.a.Unit))
	v.lo, v.hi = 0, t-1
	if room = max(room, 12); t > room*3/2 {
		v.lo = min(max(int(v.w.Flows.Middle(v.q)*float64(t))-room/2, 0), t-room)
		v.hi = v.lo + room - 1
	}
}

// isPart reports whether only a part of the series is shown below.
func (v *view) isPart() bool { return v.hi-v.lo+1 < len(v.q.Y) }

// panels lays out the data, the states and, on a large canvas, the effective sample size. If only a part of the states
// is shown, the data have an axis of their own, and a frame marks the part.
func (v *view) panels(down float64) []paint.Layer {
	a, u := v.a, v.a.Unit
	b := chart.Inset(a)
	b.Y, b.H = down+2*u, a.H-down-8*u
	if b.H < 110*u || b.W < 120*u {
		return nil
	}
	shares := []float64{0.34, 0.66}
	if b.H > 280*u {
		shares = []float64{0.34, 0.5, 0.16}
	}
	var charts []*chart.Chart
	if x := Times(v.q, float64(v.lo)-0.5, float64(v.hi)+0.5); v.isPart() {
		whole := Times(v.q, -0.5, float64(len(v.q.Y))-0.5)
		whole.Bare = true
		upper, lower := b, b
		upper.H = math.Round(0.34 * (b.H - 40*u))
		lower.Y += upper.H + 14*u
		lower.H -= upper.H + 14*u
		charts = append([]*chart.Chart{chart.New(a, upper, whole, chart.Axis{})}, chart.Stack(a, lower, x, shares[1:]...)...)
		chart.Align(charts...)
	} else {
		charts = chart.Stack(a, b, x, shares...)
	}
	v.data(charts[0])
	v.states(charts[1])
	if len(charts) > 2 {
		v.effective(charts[2])
	}
	for i, c := range charts {
		from, to := v.lo, v.hi
		if i == 0 {
			from, to = 0, len(v.q.Y)-1
		}
		c.Tooltips(to-from+1, func(k int) (x, y float64) { return number(v.q, float64(from+k)), math.NaN() },
			func(k int) string { return v.describe(from + k) })
	}
	out := chart.Layers(charts...)
	if v.isPart() {
		out = append(out, v.frameAroundPart(charts[0], charts[1]))
	}
	return out
}

// frameAroundPart draws a frame around the part in the panel of all data, and lines from it to the panel of the states.
// It can be dragged.
func (v *view) frameAroundPart(all, states *chart.Chart) (l paint.Layer) {
	a, u, t, upper, lower := v.a, v.a.Unit, v.a.Theme, all.Plot(), states.Plot()
	x0, x1 := all.At(states.X.Lo, 0).X, all.At(states.X.Hi, 0).X
	y0, y1 := upper.Y-2*u, upper.Y+upper.H
	frame := paint.XYWH(x0, y0, x1-x0, y1-y0)
	l.Add(paint.FrameAround(frame, 0, 1.5*u*t.Stroke, t.Ink),
		paint.Mark{Kind: paint.Fill, Box: paint.Snap(frame), Color: paint.Fade(t.Ink, 0.05)})
	foot := y1 + 10*u
	l.Add(paint.Mark{Kind: paint.Segments, Width: a.Hairline(), Colors: append(a.Colors(2), t.Line2, t.Line2),
		Pts: []paint.Point{{X: x0, Y: y1}, {X: lower.X, Y: foot}, {X: x1, Y: y1}, {X: lower.X + lower.W, Y: foot}}})
	s := &v.w.Flows
	a.OnTap(paint.XYWH(upper.X, upper.Y-8*u, upper.W, upper.H+20*u), paint.Action{Drag: true, Do: func(at paint.Point) {
		s.Center = min(max((at.X-upper.X)/upper.W, 1e-9), 1)
	}})
	return l
}
