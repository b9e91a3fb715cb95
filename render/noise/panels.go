package noise

import (
	"image/color"
	"math"
	"strings"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/render/chart"
	"logzlab/render/paint"
)

// variances returns points along the axis of variances.
func (v *view) variances() []float64 {
	const parts = 120
	x, out := v.kept.X, make([]float64, parts+1)
	for i := range out {
		out[i] = x.Lo * math.Pow(x.Hi/x.Lo, float64(i)/parts)
	}
	return out
}

// curve returns the values of a function at these variances.
func (v *view) curve(of func(s float64) float64) []float64 {
	out := v.variances()
	for i, s := range out {
		out[i] = of(s)
	}
	return out
}

// tau returns the tau of a number of equal steps, 0: of the run's ladder.
func (v *view) tau(steps int) float64 {
	if steps == 0 {
		return v.n.Tau
	}
	return 1 / float64(steps)
}

// share returns the fraction of the effective sample size that remains, in theory.
func (v *view) share(steps int, s float64) float64 { return math.Exp(-v.tau(steps) * s) }

// shade returns the colour of a number of steps: colder for more steps; the run's ladder has the colour of its method.
func (v *view) shade(steps int) color.RGBA {
	if steps == 0 {
		return v.ink
	}
	return v.a.Theme.BetaColor(math.Log(float64(steps)) / math.Log(20))
}

// lines draws the theoretical fractions, each labelled with its number of steps at 1/2, or at its end.
func (v *view) lines() {
	for i, steps := range v.n.Steps {
		s := chart.Style{Color: paint.Fade(v.shade(steps), 0.75), Width: 1.5, NoHalo: true}
		name, st, ink, level := format.Trimmed(float64(steps), 0), paint.Tick, v.a.Theme.Ink2, 0.5
		if i == 0 {
			name = v.stepsName(steps)
		}
		if steps == 0 {
			s = chart.Style{Color: v.ink, Width: 3}
			name, st, ink, level = v.stepsName(steps), paint.Strong, v.ink, 0.8
		}
		v.kept.Line(v.variances(), v.curve(func(x float64) float64 { return v.share(steps, x) }), s)
		v.kept.DrawOver(func(l *paint.Layer) {
			a, u, b, hi := v.a, v.a.Unit, v.kept.Plot(), v.kept.X.Hi
			wide := a.Fonts.Width(name, st)
			at := v.kept.At(-math.Log(level)/v.tau(steps), level)
			at.X, at.Y = at.X-wide-5*u, at.Y+12*u
			if -math.Log(level)/v.tau(steps) > 0.95*hi { // next to its end
				at = v.kept.At(hi, v.share(steps, hi))
				at.X, at.Y = at.X-wide-4*u, at.Y+16*u
			}
			if at.X > b.X+2*u && at.Y < b.Y+b.H-2*u {
				l.Label(name, at.X, at.Y, st, ink, paint.Left)
			}
		})
	}
}

// cost draws the time of the run's ladder by timed and by counted costs, with the minimum.
func (v *view) cost() {
	price := v.price()
	on := func(c *frame.Price, s chart.Style) {
		v.times.Line(v.variances(), v.curve(func(s float64) float64 { return v.relativeTime(c, s) }), s)
	}
	if price != &v.n.Counted {
		on(&v.n.Counted, chart.Style{Color: v.a.Theme.Ink2, Width: 1.5, Dash: [2]float64{5, 4}})
	}
	on(price, chart.Style{Color: v.ink, Width: 3})
	v.times.Dots([]float64{price.BestVar}, []float64{1}, chart.Style{Mark: 1, Color: v.ink, R: 5, Hollow: true})
	v.times.DrawOver(func(l *paint.Layer) {
		s, q, b := v.a.Say("minimum"), v.times.At(price.BestVar, 1), v.times.Plot()
		if half := v.a.Fonts.Width(s, paint.Tick) / 2; q.X+half < b.X+b.W && q.X-half > b.X {
			l.Label(s, q.X, q.Y-10*v.a.Unit, paint.Tick, v.a.Theme.Ink2, paint.Centre)
		}
	})
}

// marks draws the position of the run, the limit on the variance, and the test selected by keys.
func (v *view) marks() {
	t, inf, run := v.a.Theme, math.Inf(1), v.varianceAt(float64(v.n.Draws))
	for _, c := range [...]*chart.Chart{v.kept, v.times} {
		if v.n.TargetVar > 0 {
			c.Shade(v.n.TargetVar, inf, -inf, inf, chart.Style{Color: t.Track, Opacity: 0.6})
		}
		c.LevelX(run, "", chart.Style{Color: paint.Fade(v.ink, 0.55), Width: 2})
		if k := v.s.test; k > 0 && k <= len(v.tests) {
			c.LevelX(v.tests[k-1].Var, "", chart.Style{Width: 1})
		}
	}
	v.times.DrawOver(v.limit)
	at := v.times
	if best, here := v.times.At(v.price().BestVar, 1).X, v.times.At(run, 1).X; math.Abs(best-here) < 70*v.a.Unit {
		at = v.kept // the minimum has a label of its own
	}
	at.DrawOver(func(l *paint.Layer) {
		u, b, x := v.a.Unit, at.Plot(), at.At(run, 1).X
		if !(x >= b.X && x <= b.X+b.W) {
			return
		}
		s, foot := "N = "+format.Grouped(float64(v.n.Draws), 0), b.Y+b.H
		half := v.a.Fonts.Width(s, paint.Strong)/2 + 4*u
		x = min(max(x, b.X+half), b.X+b.W-half)
		l.Add(paint.Mark{Kind: paint.Fill, Box: paint.Snap(paint.XYWH(x-half, foot-20*u, 2*half, 18*u)), Color: t.Ground})
		l.Label(s, x, foot-6*u, paint.Strong, v.ink, paint.Centre)
	})
}

// limit labels the variances above the limit, away from the curve of times.
func (v *view) limit(l *paint.Layer) {
	u, b, s := v.a.Unit, v.times.Plot(), v.a.Say("above the limit")
	if x := v.times.At(v.n.TargetVar, 1).X; !(v.a.Fonts.Width(s, paint.Tick)+10*u < b.X+b.W-max(x, b.X)) {
		return
	}
	y := b.Y + 14*u
	if hi := v.times.X.Hi; v.times.At(hi, v.time(hi)).Y < b.Y+b.H/2 {
		y = b.Y + b.H - 7*u
	}
	l.Label(s, b.X+b.W-5*u, y, paint.Tick, v.a.Theme.Ink3, paint.Right)
}

// points draws the measured fraction of accepted moves for each number of steps, and the time computed from it.
func (v *view) points() {
	price := &v.n.Timed
	least := math.Exp(v.n.Tau*price.BestVar) * (v.n.VarPerDraw*price.PerDraw/price.BestVar + price.Fixed)
	for k, steps := range v.n.Steps {
		s := chart.Style{Mark: 1, Color: v.shade(steps), R: 3.2}
		if steps == 0 {
			s.R = 5
		}
		var at, kept, lo, hi, times []float64
		var tests []int
		for i, q := range v.tests {
			if share, se := q.ESSRatio[k], q.ESSRatioSE[k]; num.Finite(share) && num.Finite(se) {
				at, kept, times = append(at, q.Var), append(kept, share), append(times, q.Seconds/share/least)
				lo, hi, tests = append(lo, max(share-se, 0)), append(hi, min(share+se, 1.03)), append(tests, i)
			}
		}
		put := func(c *chart.Chart, ys []float64) {
			c.Dots(at, ys, s)
			c.PointTooltips(len(at), func(i int) (x, y float64) { return at[i], ys[i] }, func(i int) string {
				return v.describe(tests[i], k)
			})
		}
		v.kept.Errors(at, lo, hi, s)
		put(v.kept, kept)
		if steps == 0 {
			put(v.times, times)
		}
	}
}

// stepsName returns a number of steps in words.
func (v *view) stepsName(steps int) string {
	switch steps {
	case 0:
		return v.a.Say("this run")
	case 1:
		return v.a.Say("1 step")
	}
	return format.Trimmed(float64(steps), 0) + " " + v.a.Say("steps")
}

// describe returns the tooltip of a test.
func (v *view) describe(i, k int) string {
	a, q, steps := v.a, v.tests[i], v.n.Steps[k]
	percent := func(x float64) string { return format.Trimmed(100*x, 1) + " %" }
	text := "N = " + format.Grouped(float64(q.Draws), 0) + ", \u03c3\u00b2 = " + format.SI(q.Var, 2) + "\n" +
		v.stepsName(steps) + ": " + percent(q.ESSRatio[k]) + " \u00b1 " + percent(q.ESSRatioSE[k]) + ", " + a.Say("in theory") + " " +
		percent(v.share(steps, q.Var))
	if q.Seconds > 0 {
		text += "\n" + a.Say("time of an estimate") + " " + formatTime(q.Seconds)
	}
	return text + "\n" + format.Grouped(float64(q.N), 0) + " " + a.Say("estimates")
}

// formatTime formats a time below a second.
func formatTime(s float64) string {
	if s < 1e-3 {
		return format.SI(1e6*s, 2) + " \u00b5s"
	}
	return format.SI(1e3*s, 2) + " ms"
}

// curveTooltips adds tooltips with the theory at a variance.
func (v *view) curveTooltips() {
	at := v.variances()
	for _, c := range [...]*chart.Chart{v.kept, v.times} {
		c.Tooltips(len(at), func(i int) (x, y float64) { return at[i], math.NaN() }, func(i int) string {
			text := "\u03c3\u00b2 = " + format.SI(at[i], 2) + ", N = " + format.SI(v.n.VarPerDraw/at[i], 2)
			for _, steps := range v.n.Steps {
				text += "\n" + v.stepsName(steps) + ": " + format.Trimmed(100*v.share(steps, at[i]), 1) + " %"
			}
			if c := v.time(at[i]); num.Finite(c) {
				text += "\n" + v.a.Say("time") + " " + format.Ratio(c) + " \u00d7"
			}
			return text
		})
	}
}

// Key handles a key: arrows, Home and End select a test.
func (s *noises) Key(key string) bool {
	if s.noise == nil {
		return false
	}
	n := len(s.measured())
	switch {
	case key == "ArrowRight" && s.test < n:
		s.test++
	case key == "ArrowLeft" && s.test > 1:
		s.test--
	case key == "Home" && n > 0:
		s.test = 1
	case key == "End":
		s.test = n
	case key == "Escape" && s.test > 0:
		s.test = 0
	default:
		return false
	}
	return true
}

// Describe describes the selected test, for the run's ladder.
func (s *noises) Describe(a *paint.Area) string {
	if s.noise == nil || s.test < 1 || s.test > len(s.measured()) {
		return ""
	}
	v := &view{a: a, s: s, n: s.noise, tests: s.measured()}
	return strings.ReplaceAll(v.describe(s.test-1, len(v.n.Steps)-1), "\n", ", ")
}
