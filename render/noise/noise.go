// Package noise is the scene lab: the cost of noise in estimated likelihoods, and the best number of draws for an
// estimate.
package noise

import (
	"image/color"
	"math"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/render/chart"
	"logzlab/render/paint"
	"logzlab/render/record"
	"logzlab/render/scene"
)

var _ = scene.Register("lab", func(r *record.Run) scene.Scene { return &noises{Base: scene.Base{Run: r}} })

// fewestEstimates is the minimum number of estimates for a usable variance.
const fewestEstimates = 10

// noises shows the cost of noise in estimated likelihoods against its variance: above, the fraction of the effective
// sample size that remains, in theory and as measured; below, the time until a result, with its minimum and the
// position of the run. At the right are numbers of draws, and the time of an estimate by its number of draws.
type noises struct {
	scene.Base
	noise *frame.Noise
	test  int // the test selected by keys, from 1; 0: none
}

// Draw implements Scene.
func (s *noises) Draw(a *paint.Area) []paint.Layer {
	if s.noise == nil || !num.Finite(s.noise.VarPerDraw) || len(s.measured()) == 0 || a.W < 200*a.Unit || a.H < 200*a.Unit {
		return []paint.Layer{paint.Note(a, "No estimates yet")}
	}
	v := newView(a, s)
	v.marks()
	v.lines()
	v.cost()
	v.points()
	v.curveTooltips()
	v.times.DrawOver(v.drawsAxis)
	var words paint.Layer
	charts := []*chart.Chart{v.kept, v.times}
	if c := v.table(&words); c != nil {
		charts = append(charts, c)
	}
	return append(chart.Layers(charts...), words)
}

// Take implements Scene.
func (s *noises) Take(f *frame.Frame) {
	if f.Noise != nil {
		s.noise = f.Noise
	}
}

// Clear implements Scene.
func (s *noises) Clear() { s.noise, s.test = nil, 0 }

// view is a layout of the scene.
type view struct {
	a           *paint.Area
	s           *noises
	n           *frame.Noise
	tests       []*frame.NoiseTest
	ink         color.RGBA
	kept, times *chart.Chart // by variance: the fraction that is kept, and the time over the least
	pane        paint.Rect   // box of the table
}

// measured returns the tests with enough estimates.
func (s *noises) measured() (out []*frame.NoiseTest) {
	for i := range s.noise.Tests {
		if t := &s.noise.Tests[i]; t.N >= fewestEstimates && t.Var > 0 && num.Finite(t.Var) {
			out = append(out, t)
		}
	}
	return out
}

// newView makes both charts with their axes.
func newView(a *paint.Area, s *noises) *view {
	u := a.Unit
	v := &view{a: a, s: s, n: s.noise, tests: s.measured(), ink: a.Theme.Method(s.Run.MethodIndex(s.noise.Method))}
	b := chart.Inset(a)
	switch {
	case a.W >= 620*u:
		v.pane = paint.XYWH(b.X+b.W-180*u, b.Y, 180*u, b.H)
		b.W -= 208 * u
	case a.H >= 400*u:
		v.pane = paint.XYWH(b.X, b.Y+b.H-72*u, b.W, 72*u)
		b.H -= 86 * u
	}
	b.H -= 38 * u // for the scale of the draws

	// The range of the variances includes all measured ones and both minima.
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, t := range v.tests {
		lo, hi = min(lo, t.Var), max(hi, t.Var)
	}
	for _, s := range [...]float64{v.varianceAt(float64(v.n.Draws)), v.n.Counted.BestVar, v.n.Timed.BestVar} {
		if s > 0 && num.Finite(s) {
			lo, hi = min(lo, s), max(hi, min(s, 30*v.n.TargetVar))
		}
	}
	x := chart.Axis{Lo: lo / 1.6, Hi: hi * 1.6, Log: true, Unit: "\u03c3\u00b2"}
	two := chart.Stack(a, b, x, 1.1, 1)
	v.kept, v.times = two[0], two[1]
	v.kept.Title = a.Say("Effective sample size that noise leaves")
	v.kept.Y = chart.Axis{Hi: 1.04, Ticks: []float64{0, 0.25, 0.5, 0.75, 1}, Label: func(share float64) string {
		return format.Trimmed(100*share, 0) + " %"
	}}
	v.times.Title = a.Say("Time until a result")
	high := min(max(3, v.time(x.Lo), v.time(x.Hi)), 60)
	v.times.Y = chart.Axis{Lo: 1 / 1.15, Hi: 1.15 * high, Log: true, Label: func(c float64) string {
		return format.Trimmed(c, 1) + " \u00d7"
	}}
	return v
}

// varianceAt returns the variance of log estimates from a number of draws, NaN if unknown.
func (v *view) varianceAt(draws float64) float64 { return v.n.VarPerDraw / draws }

// price returns the cost of estimates: as timed if it is known, otherwise as counted.
func (v *view) price() *frame.Price {
	if num.Finite(v.n.Timed.BestVar) {
		return &v.n.Timed
	}
	return &v.n.Counted
}

// relativeTime returns the time until a result at variance s, exp(tau s) (spread one/s + base), over the minimum.
func (v *view) relativeTime(c *frame.Price, s float64) float64 {
	cost := func(s float64) float64 { return math.Exp(v.n.Tau*s) * (v.n.VarPerDraw*c.PerDraw/s + c.Fixed) }
	return cost(s) / cost(c.BestVar)
}

// time is relativeTime with the price of the run.
func (v *view) time(s float64) float64 { return v.relativeTime(v.price(), s) }

// drawsAxis draws a second scale below the charts: the number of draws that gives a variance.
func (v *view) drawsAxis(l *paint.Layer) {
	a, u, t, b := v.a, v.a.Unit, v.a.Theme, v.times.Plot()
	y, x := b.Y+b.H+20*u, v.times.X
	l.HLine(a, b.X, b.X+b.W, y, t.Line2)
	l.Label("N", b.X+b.W, y+15*u, paint.Tick, t.Ink2, paint.Right)
	for _, n := range format.LogTicks(v.varianceAt(x.Hi), v.varianceAt(x.Lo), max(int(b.W/(56*u)), 2)) {
		px, s := v.times.At(v.varianceAt(n), 1).X, format.SI(n, 2)
		half := a.Fonts.Width(s, paint.Tick) / 2
		l.VLine(a, px, y, y+4*u, t.Line2)
		if px+half < b.X+b.W-a.Fonts.Width("N", paint.Tick)-4*u && px-half > 0 {
			l.Label(s, px, y+15*u, paint.Tick, t.Ink3, paint.Centre)
		}
	}
	l.Label(a.Say("variance of log estimates, and draws behind them"), b.X+b.W/2, y+32*u, paint.Tick, t.Ink2, paint.Centre)
}
