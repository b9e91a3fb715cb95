package render

import (
	"image/color"
	"math"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/core/num"
)

var _ = register(scene{name: "lab", draw: noises, key: (*Picture).turnTrials, tell: tellTrial})

// fewestTrials is the least number of estimates that says something of their variance.
const fewestTrials = 10

// noises shows what noise in estimated likelihoods costs by its variance: above, the share of the effective sample size
// that is left, in theory and as measured; below, the time until a result, with its minimum and where the run is.
// Beside them stand numbers of draws, and how long an estimate takes by the draws behind it.
func noises(a *area, p *Picture) []layer {
	if p.noise == nil || !num.Finite(p.noise.Spread) || len(p.measured()) == 0 || a.w < 200*a.u || a.h < 200*a.u {
		return []layer{note(a, "No estimates yet")}
	}
	v := newNoiseView(a, p)
	var back, front layer
	inside, below := layer{clip: v.clip()}, layer{clip: v.times}
	v.axes(&back)
	v.marks(&back, &front)
	v.lines(&inside, &front)
	v.cost(&below, &front)
	v.points(&inside)
	v.beside(&front)
	v.offerCurve()
	return []layer{back, below, inside, front}
}

// noiseView is the geometry of the scene.
type noiseView struct {
	a           *area
	p           *Picture
	n           *frame.Noise
	tests       []*frame.Trial
	kept, times rect // the panels
	x, y, t     axis // log10 of the variance, the share that is kept, log10 of the time against the least
	pane        rect // of the words beside them
	ink         color.RGBA
}

// measured are the trials that have some estimates.
func (p *Picture) measured() (out []*frame.Trial) {
	for i := range p.noise.Tests {
		if t := &p.noise.Tests[i]; t.N >= fewestTrials && t.Var > 0 && num.Finite(t.Var) {
			out = append(out, t)
		}
	}
	return out
}

func newNoiseView(a *area, p *Picture) *noiseView {
	u := a.u
	v := &noiseView{a: a, p: p, n: p.noise, tests: p.measured(), ink: a.theme.method(p.order(p.noise.Method))}
	start, top, foot, end := 50*u, 34*u, 58*u, 22*u
	b := rect{start, top, a.w - start - end, a.h - top - foot}
	switch {
	case a.w >= 620*u:
		b.w -= 214 * u
		v.pane = rect{b.x + b.w + 34*u, top, 180 * u, a.h - top - 12*u}
	case a.h >= 400*u:
		b.x, b.w = 40*u, a.w-54*u
		v.pane = rect{16 * u, a.h - 80*u, a.w - 32*u, 78 * u}
		b.h -= 86 * u
	}
	half := math.Round((b.h - 34*u) * 0.54)
	v.kept = snap(rect{b.x, b.y, b.w, half})
	v.times = snap(rect{b.x, b.y + half + 34*u, b.w, b.h - half - 34*u})
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, t := range v.tests {
		lo, hi = min(lo, t.Var), max(hi, t.Var)
	}
	for _, s := range [...]float64{v.at(float64(v.n.Draws)), v.n.Counted.Best, v.n.Timed.Best} {
		if s > 0 && num.Finite(s) {
			lo, hi = min(lo, s), max(hi, min(s, 30*v.n.Most))
		}
	}
	v.x = axis{math.Log10(lo) - 0.2, math.Log10(hi) + 0.2, b.x, b.x + b.w}
	v.y = axis{0, 1.04, v.kept.y + v.kept.h, v.kept.y}
	high := 3.0
	for _, s := range [...]float64{math.Pow(10, v.x.d0), math.Pow(10, v.x.d1)} {
		high = max(high, v.time(s))
	}
	v.t = axis{-0.06, math.Log10(min(high, 60)) + 0.06, v.times.y + v.times.h, v.times.y}
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
func (v *noiseView) spot(s float64) float64 { return v.x.at(math.Log10(s)) }

func (v *noiseView) clip() rect {
	return rect{v.kept.x, v.kept.y - 4*v.a.u, v.kept.w, v.times.y + v.times.h - v.kept.y + 4*v.a.u}
}

// axes draws the scales of both panels and their names. Below are two scales: the variance, and the draws.
func (v *noiseView) axes(l *layer) {
	a, u, t := v.a, v.a.u, v.a.theme
	for k := 0; k <= 4; k++ {
		share := float64(k) / 4
		l.hline(a, v.kept.x, v.kept.x+v.kept.w, v.y.at(share), t.Line)
		l.label(format.AtMost(100*share, 0)+" %", v.kept.x-7*u, v.y.at(share)+4*u, tick, t.Ink3, right)
	}
	for _, c := range format.LogTicks(1, math.Pow(10, v.t.d1), max(int(v.times.h/(24*u)), 2)) {
		y := v.t.at(math.Log10(c))
		l.hline(a, v.times.x, v.times.x+v.times.w, y, t.Line)
		l.label(format.AtMost(c, 1)+" ×", v.times.x-7*u, y+4*u, tick, t.Ink3, right)
	}
	left0 := 14 * u
	l.label(a.say("Effective sample size that noise leaves"), left0, v.kept.y-12*u, strong, t.Ink, left)
	l.label(a.say("Time until a result"), left0, v.times.y-12*u, strong, t.Ink, left)
	foot := v.times.y + v.times.h
	v.scale(l, foot, v.x, func(s float64) float64 { return s }, "\u03c3\u00b2")
	v.scale(l, foot+20*u, v.x, v.at, "N")
	l.label(a.say("variance of log estimates, and draws behind them"), v.times.x+v.times.w/2, foot+52*u, tick, t.Ink3,
		centre)
}

// scale draws a logarithmic scale of what gives a variance.
func (v *noiseView) scale(l *layer, y float64, x axis, of func(float64) float64, name string) {
	a, u, t := v.a, v.a.u, v.a.theme
	ends := [2]float64{math.Pow(10, x.d0), math.Pow(10, x.d1)}
	if lo, hi := of(ends[0]), of(ends[1]); lo > hi { // draws fall where the variance rises
		ends = [2]float64{hi, lo}
	}
	l.hline(a, x.p0, x.p1, y, t.Line2)
	taken := x.p1 - a.fonts.width(name, tick) - 4*u
	l.label(name, x.p1, y+15*u, tick, t.Ink2, right)
	for _, n := range format.LogTicks(ends[0], ends[1], max(int((x.p1-x.p0)/(56*u)), 2)) {
		px, s := v.spot(of(n)), format.Short(n, 2)
		half := a.fonts.width(s, tick) / 2
		l.vline(a, px, y, y+4*u, t.Line2)
		if px+half < taken && px-half > 0 {
			l.label(s, px, y+15*u, tick, t.Ink3, centre)
		}
	}
}
