// Package noise is the scene lab: what noise in estimated likelihoods costs, and how many draws an estimate should have.
package noise

import (
	"image/color"
	"math"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/render/paint"
	"logzlab/render/record"
	"logzlab/render/scene"
)

var _ = scene.Register("lab", func(r *record.Run) scene.Scene { return &noises{Base: scene.Base{Run: r}} })

// fewestEstimates is the least number of estimates that says something of their variance.
const fewestEstimates = 10

// noises shows what noise in estimated likelihoods costs by its variance: above, the share of the effective sample size
// that is left, in theory and as measured; below, the time until a result, with its minimum and where the run is.
// Beside them stand numbers of draws, and how long an estimate takes by the draws behind it.
type noises struct {
	scene.Base
	noise *frame.Noise
	test  int // the noise test that keys have come to, from 1; 0: none
}

// Draw lays the scene out.
func (s *noises) Draw(a *paint.Area) []paint.Layer {
	if s.noise == nil || !num.Finite(s.noise.Spread) || len(s.measured()) == 0 || a.W < 200*a.Unit || a.H < 200*a.Unit {
		return []paint.Layer{paint.Note(a, "No estimates yet")}
	}
	v := newNoiseView(a, s)
	var back, front paint.Layer
	inside, below := paint.Layer{Clip: v.clip()}, paint.Layer{Clip: v.times}
	v.axes(&back)
	v.marks(&back, &front)
	v.lines(&inside, &front)
	v.cost(&below, &front)
	v.points(&inside)
	v.beside(&front)
	v.offerCurve()
	return []paint.Layer{back, below, inside, front}
}

// Take keeps the measurements of noise.
func (s *noises) Take(f *frame.Frame) {
	if f.Noise != nil {
		s.noise = f.Noise
	}
}

// Clear forgets them.
func (s *noises) Clear() { s.noise, s.test = nil, 0 }

// noiseView is the geometry of the scene.
type noiseView struct {
	a           *paint.Area
	s           *noises
	n           *frame.Noise
	tests       []*frame.NoiseTest
	kept, times paint.Rect // the panels
	x, y, t     paint.Axis // log10 of the variance, the share that is kept, log10 of the time against the least
	pane        paint.Rect // of the words beside them
	ink         color.RGBA
}

// measured are the tests that have some estimates.
func (s *noises) measured() (out []*frame.NoiseTest) {
	for i := range s.noise.Tests {
		if t := &s.noise.Tests[i]; t.N >= fewestEstimates && t.Var > 0 && num.Finite(t.Var) {
			out = append(out, t)
		}
	}
	return out
}

func newNoiseView(a *paint.Area, s *noises) *noiseView {
	u := a.Unit
	v := &noiseView{a: a, s: s, n: s.noise, tests: s.measured(), ink: a.Theme.Method(s.Run.Order(s.noise.Method))}
	start, top, foot, end := 50*u, 34*u, 58*u, 22*u
	b := paint.XYWH(start, top, a.W-start-end, a.H-top-foot)
	switch {
	case a.W >= 620*u:
		b.W -= 214 * u
		v.pane = paint.XYWH(b.X+b.W+34*u, top, 180*u, a.H-top-12*u)
	case a.H >= 400*u:
		b.X, b.W = 40*u, a.W-54*u
		v.pane = paint.XYWH(16*u, a.H-80*u, a.W-32*u, 78*u)
		b.H -= 86 * u
	}

	// Two panels: the share of moves kept, and the time.
	half := math.Round((b.H - 34*u) * 0.54)
	v.kept = paint.Snap(paint.XYWH(b.X, b.Y, b.W, half))
	v.times = paint.Snap(paint.XYWH(b.X, b.Y+half+34*u, b.W, b.H-half-34*u))

	// The axes hold all that was measured, and both best choices.
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, t := range v.tests {
		lo, hi = min(lo, t.Var), max(hi, t.Var)
	}
	for _, s := range [...]float64{v.at(float64(v.n.Draws)), v.n.Counted.Best, v.n.Timed.Best} {
		if s > 0 && num.Finite(s) {
			lo, hi = min(lo, s), max(hi, min(s, 30*v.n.Most))
		}
	}
	v.x = paint.NewAxis(math.Log10(lo)-0.2, math.Log10(hi)+0.2, b.X, b.X+b.W)
	v.y = paint.NewAxis(0, 1.04, v.kept.Y+v.kept.H, v.kept.Y)
	high := 3.0
	for _, s := range [...]float64{math.Pow(10, v.x.D0), math.Pow(10, v.x.D1)} {
		high = max(high, v.time(s))
	}
	v.t = paint.NewAxis(-0.06, math.Log10(min(high, 60))+0.06, v.times.Y+v.times.H, v.times.Y)
	return v
}

// at is the variance of log estimates from a number of draws, NaN while it is not known.
func (v *noiseView) at(draws float64) float64 { return v.n.Spread / draws }

// price is what estimates cost: as timed, else as counted.
func (v *noiseView) price() *frame.Price {
	if num.Finite(v.n.Timed.Best) {
		return &v.n.Timed
	}
	return &v.n.Counted
}

// takes is the time until a result at a variance, e^(tau s) (spread one/s + base), against the least.
func (v *noiseView) takes(c *frame.Price, s float64) float64 {
	cost := func(s float64) float64 { return math.Exp(v.n.Tau*s) * (v.n.Spread*c.One/s + c.Base) }
	return cost(s) / cost(c.Best)
}

// time is that of the run's ladder.
func (v *noiseView) time(s float64) float64 { return v.takes(v.price(), s) }

// spot is where a variance lies on the axis.
func (v *noiseView) spot(s float64) float64 { return v.x.At(math.Log10(s)) }

func (v *noiseView) clip() paint.Rect {
	return paint.XYWH(v.kept.X, v.kept.Y-4*v.a.Unit, v.kept.W, v.times.Y+v.times.H-v.kept.Y+4*v.a.Unit)
}

// axes draws the scales of both panels and their names. Below are two scales: the variance, and the draws.
func (v *noiseView) axes(l *paint.Layer) {
	a, u, t := v.a, v.a.Unit, v.a.Theme
	for k := 0; k <= 4; k++ {
		share := float64(k) / 4
		l.HLine(a, v.kept.X, v.kept.X+v.kept.W, v.y.At(share), t.Line)
		l.Label(format.AtMost(100*share, 0)+" %", v.kept.X-7*u, v.y.At(share)+4*u, paint.Tick, t.Ink3, paint.Right)
	}
	for _, c := range format.LogTicks(1, math.Pow(10, v.t.D1), max(int(v.times.H/(24*u)), 2)) {
		y := v.t.At(math.Log10(c))
		l.HLine(a, v.times.X, v.times.X+v.times.W, y, t.Line)
		l.Label(format.AtMost(c, 1)+" ×", v.times.X-7*u, y+4*u, paint.Tick, t.Ink3, paint.Right)
	}
	left0 := 14 * u
	l.Label(a.Say("Effective sample size that noise leaves"), left0, v.kept.Y-12*u, paint.Strong, t.Ink, paint.Left)
	l.Label(a.Say("Time until a result"), left0, v.times.Y-12*u, paint.Strong, t.Ink, paint.Left)
	foot := v.times.Y + v.times.H
	v.scale(l, foot, v.x, func(s float64) float64 { return s }, "\u03c3\u00b2")
	v.scale(l, foot+20*u, v.x, v.at, "N")
	l.Label(a.Say("variance of log estimates, and draws behind them"), v.times.X+v.times.W/2, foot+52*u, paint.Tick,
		t.Ink3,
		paint.Centre)
}

// scale draws a logarithmic scale of what gives a variance.
func (v *noiseView) scale(l *paint.Layer, y float64, x paint.Axis, of func(float64) float64, name string) {
	a, u, t := v.a, v.a.Unit, v.a.Theme
	ends := [2]float64{math.Pow(10, x.D0), math.Pow(10, x.D1)}
	if lo, hi := of(ends[0]), of(ends[1]); lo > hi { // draws fall where the variance rises
		ends = [2]float64{hi, lo}
	}
	l.HLine(a, x.P0, x.P1, y, t.Line2)
	taken := x.P1 - a.Fonts.Width(name, paint.Tick) - 4*u
	l.Label(name, x.P1, y+15*u, paint.Tick, t.Ink2, paint.Right)
	for _, n := range format.LogTicks(ends[0], ends[1], max(int((x.P1-x.P0)/(56*u)), 2)) {
		px, s := v.spot(of(n)), format.Short(n, 2)
		half := a.Fonts.Width(s, paint.Tick) / 2
		l.VLine(a, px, y, y+4*u, t.Line2)
		if px+half < taken && px-half > 0 {
			l.Label(s, px, y+15*u, paint.Tick, t.Ink3, paint.Centre)
		}
	}
}
