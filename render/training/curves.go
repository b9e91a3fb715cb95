package training

import (
	"math"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/render/chart"
	"logzlab/render/paint"
	"logzlab/render/record"
)

// sides are the two parts of the data.
var sides = [...]string{"training", "validation"}

// charts returns the panels of likelihood and log Z over updates, above each other, as many as fit.
func (v *trainingView) charts(b paint.Rect) []paint.Layer {
	a, u, t := v.a, v.a.Unit, v.t
	if len(t.points) == 0 {
		s := a.Say("No likelihood yet")
		if t.noLogZ {
			s = a.Say("log Z is not followed")
		}
		var l paint.Layer
		l.Label(s, b.X+b.W/2, b.Y+b.H/2, paint.Plain, a.Theme.Ink3, paint.Centre)
		return []paint.Layer{l}
	}
	if b.W < 160*u || b.H < 92*u {
		return nil
	}
	draw := []func(*chart.Chart){v.likelihood}
	switch {
	case b.H < 230*u:
	case b.H >= 330*u:
		draw = append(draw, v.logZ, v.difference)
	case len(t.checks) > 0:
		draw = append(draw, v.difference)
	default:
		draw = append(draw, v.logZ)
	}
	end := format.Step(float64(t.newest().Update), 2)
	if t.updates >= t.newest().Update {
		end = min(end, float64(t.updates))
	}
	x := chart.Axis{Hi: end, Whole: true, Unit: a.Say("update"), Label: func(n float64) string { return format.Grouped(n, 0) }}
	charts := chart.Stack(a, b, x, []float64{2, 1, 1}[:len(draw)]...)
	for i, c := range charts {
		c.Key = chart.KeyEnds
		draw[i](c)
		c.Tooltips(len(t.points), func(i int) (x, y float64) { return float64(t.points[i].Update), math.NaN() },
			func(i int) string { return v.describe(&t.points[i]) })
	}
	return chart.Layers(charts...)
}

// values returns a value of each point.
func (t *trained) values(of func(*frame.TrainingPoint) float64) []float64 {
	out := make([]float64, len(t.points))
	for i := range t.points {
		out[i] = of(&t.points[i])
	}
	return out
}

// updatesOf returns the update of each point.
func (t *trained) updatesOf() []float64 {
	return t.values(func(q *frame.TrainingPoint) float64 { return float64(q.Update) })
}

// errorBar returns the standard error of a point, 0 if unknown.
func errorBar(q *frame.TrainingPoint) float64 {
	if num.Finite(q.SE) {
		return q.SE
	}
	return 0
}

// measure is the quantity of a curve: a value of each point, and of each check.
type measure struct {
	of    func(*frame.TrainingPoint) float64
	check func(*frame.TrainingCheck) float64
}

// likelihoods are the mean log-likelihoods of both parts of the data; logZMeasure is log Z.
var (
	likelihoods = [...]measure{
		{func(q *frame.TrainingPoint) float64 { return q.Train },
			func(c *frame.TrainingCheck) float64 { return c.TrainMean - c.LogZ }},
		{func(q *frame.TrainingPoint) float64 { return q.Validation },
			func(c *frame.TrainingCheck) float64 { return c.ValidateMean - c.LogZ }}}
	logZMeasure = measure{func(q *frame.TrainingPoint) float64 { return q.LogZ },
		func(c *frame.TrainingCheck) float64 { return c.LogZ }}
)

// reach returns the range of some measures with their error bars: the values of the later half, extended by at most
// half of this range for the earlier ones, which are far below.
func (v *trainingView) reach(ms ...measure) (lo, hi float64) {
	t := v.t
	each := func(use func(update int, z float64)) {
		for _, m := range ms {
			for i := range t.points {
				q := &t.points[i]
				use(q.Update, m.of(q)-errorBar(q))
				use(q.Update, m.of(q)+errorBar(q))
			}
			for i := range t.checks {
				use(t.checks[i].Update, m.check(&t.checks[i]))
			}
		}
	}
	lo, hi = math.Inf(1), math.Inf(-1)
	each(func(update int, z float64) {
		if num.Finite(z) && 2*update >= t.newest().Update {
			lo, hi = min(lo, z), max(hi, z)
		}
	})
	if !(lo <= hi) {
		return 0, 1
	}
	l0, h0, most := lo, hi, (hi-lo)/2
	each(func(update int, z float64) {
		if num.Finite(z) {
			lo, hi = min(lo, max(z, l0-most)), max(hi, min(z, h0+most))
		}
	})
	return record.RoundToHalfSteps(lo, hi)
}

// line draws a measure with its error band, and its name at the end.
func (v *trainingView) line(c *chart.Chart, m measure, s chart.Style) {
	t := v.t
	c.Band(t.updatesOf(), t.values(func(q *frame.TrainingPoint) float64 { return m.of(q) - errorBar(q) }),
		t.values(func(q *frame.TrainingPoint) float64 { return m.of(q) + errorBar(q) }),
		chart.Style{Color: s.Color, Opacity: 1.6 * v.a.Theme.BandAlpha})
	s.EndMark = true
	c.Line(t.updatesOf(), t.values(m.of), s)
}

// tick draws a check at a horizontal offset in pixels: a tick at its estimate, and a bar between its bounds if it has
// any.
func (v *trainingView) tick(c *chart.Chart, update int, off, z, lower, upper float64) {
	if !num.Finite(z) {
		return
	}
	c.Draw(func(l *paint.Layer) {
		u, th, x := v.a.Unit, v.a.Theme, float64(update)
		q := c.At(x, z)
		q.X = math.Round(q.X + off)
		m := paint.Mark{Kind: paint.Wires, Width: u * th.Stroke, Color: th.Ink, Halo: true,
			Pts: []paint.Point{{X: q.X - 4*u, Y: q.Y}, {X: q.X + 4*u, Y: q.Y}}}
		if num.Finite(upper - lower) {
			m.Pts = append(m.Pts, paint.Pt(q.X, c.At(x, upper).Y), paint.Pt(q.X, c.At(x, lower).Y))
		}
		l.Add(m)
	})
}

// likelihood draws the mean log-likelihood per row for both parts of the data, the gap between them, and the checks.
func (v *trainingView) likelihood(c *chart.Chart) {
	a, u, th, t := v.a, v.a.Unit, v.a.Theme, v.t
	c.Title = a.Say("Mean log-likelihood, nats")
	c.TopRight = a.Say("update") + " " + format.Grouped(float64(t.update), 0) + " " + a.Say("of") + " " +
		format.Grouped(float64(t.updates), 0)
	c.Y.Lo, c.Y.Hi = v.reach(likelihoods[:]...)
	v.fillGap(c)
	if v.knowsBest() {
		c.LevelX(float64(t.best), "", chart.Style{Color: th.Ink2, Width: 1.5, Dash: [2]float64{4, 3}})
	}
	q := t.newest()
	for side, m := range likelihoods {
		s := chart.Method(th, side, a.Say(sides[side]))
		s.Value = format.Value(m.of(q), q.SE)
		v.line(c, m, s)
	}
	for i := range t.checks {
		k := &t.checks[i]
		for side, m := range likelihoods {
			mean := m.check(k) + k.LogZ
			v.tick(c, k.Update, float64(6*side-3)*u, mean-k.LogZ, mean-k.Upper, mean-k.Lower)
		}
	}
	c.DrawOver(func(l *paint.Layer) { v.labels(l, c) })
}

// knowsBest reports whether the best update by validation is on the axis.
func (v *trainingView) knowsBest() bool { return v.t.best > 0 && v.t.best <= v.t.newest().Update }

// fillGap fills the gap between the two curves, more strongly where the model is worse than the best one.
func (v *trainingView) fillGap(c *chart.Chart) {
	th, t := v.a.Theme, v.t
	for first := 0; first < len(t.points); {
		// A segment ends where the validation likelihood crosses the best one.
		late, end := t.worse(&t.points[first]), first+1
		for end < len(t.points) && t.worse(&t.points[end]) == late {
			end++
		}
		from := max(first-1, 0)
		s := chart.Style{Color: th.Ink3, Opacity: 0.10}
		if late {
			s = chart.Style{Color: th.Caution, Opacity: 0.30}
		}
		c.Band(t.updatesOf()[from:end], t.values(likelihoods[1].of)[from:end], t.values(likelihoods[0].of)[from:end], s)
		first = end
	}
}

// labels writes the best update and the gap at the bottom of the panel, below the curves.
func (v *trainingView) labels(l *paint.Layer, c *chart.Chart) {
	a, u, th, t, b := v.a, v.a.Unit, v.a.Theme, v.t, c.Plot()
	y, x, best := b.Y+b.H-7*u, c.At(float64(t.best), c.Y.Lo).X, v.knowsBest()
	if d := gap(t.newest()); num.Finite(d) && b.H >= 56*u {
		s, end := a.Say("gap")+" "+format.Fixed(d, 2)+" "+a.Say("nats"), b.X+b.W-4*u
		if best && x > end-a.Fonts.Width(s, paint.Strong)-5*u {
			end = x - 5*u
		}
		l.Label(s, end, y-16*u, paint.Strong, th.Ink, paint.Right)
	}
	if !best {
		return
	}
	s := a.Say("best by validation") + " " + format.Grouped(float64(t.best), 0)
	if a.Fonts.Width(s, paint.Plain) > max(x-b.X, b.X+b.W-x)-9*u {
		s = a.Say("best") + " " + format.Grouped(float64(t.best), 0)
	}
	if x > b.X+b.W/2 {
		l.Label(s, x-5*u, y, paint.Plain, th.Ink2, paint.Right)
	} else {
		l.Label(s, x+5*u, y, paint.Plain, th.Ink2, paint.Left)
	}
}

// logZ draws the running estimate of log Z, and the checks.
func (v *trainingView) logZ(c *chart.Chart) {
	t, q := v.t, v.t.newest()
	c.Title = v.a.Say("log Z, nats")
	c.Y.Lo, c.Y.Hi = v.reach(logZMeasure)
	v.line(c, logZMeasure, chart.Method(v.a.Theme, 2, format.Value(q.LogZ, q.SE)))
	for _, k := range t.checks {
		v.tick(c, k.Update, 0, k.LogZ, k.Lower, k.Upper)
	}
}

// difference draws the running estimate of log Z minus each check's, with the error bar of both, and with the bounds
// of the check.
func (v *trainingView) difference(c *chart.Chart) {
	th := v.a.Theme
	var at, d, lo, hi, lower, upper []float64
	most := 0.05
	c.Title = v.a.Say("log Z minus that of AIS")
	for _, k := range v.t.checks {
		q := v.t.point(k.Update)
		if q == nil {
			continue
		}
		off, se := q.LogZ-k.LogZ, errorBar(q)
		if num.Finite(k.SE) {
			se = math.Hypot(se, k.SE)
		}
		at, d, lo, hi = append(at, float64(k.Update)), append(d, off), append(lo, off-se), append(hi, off+se)
		lower, upper = append(lower, q.LogZ-k.Upper), append(upper, q.LogZ-k.Lower)
		most = max(most, math.Abs(off)+1.2*se)
		c.TopRight = format.Signed(off, format.Decimals(se)) + " \u00b1 " + format.Value(se, se)
	}
	c.Y.Lo, c.Y.Hi = record.RoundToHalfSteps(-most, most)
	c.Level(0, "", chart.Style{})
	c.Errors(at, lower, upper, chart.Style{Color: th.Ink3, Width: 1})
	c.Errors(at, lo, hi, chart.Style{Color: paint.Fade(th.Method(2), 0.6), Width: 3})
	c.Dots(at, d, chart.Method(th, 2, ""))
	if at == nil {
		c.DrawOver(func(l *paint.Layer) {
			q, b := c.At(0, 0), c.Plot()
			l.Label(v.a.Say("no check yet"), b.X+b.W/2, q.Y-7*v.a.Unit, paint.Tick, th.Ink3, paint.Centre)
		})
	}
}
