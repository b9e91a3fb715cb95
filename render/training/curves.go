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

// sides are the two halves of the data.
var sides = [...]string{"training", "validation"}

// charts are the panels of likelihood and log Z over updates, above each other; as many as there is room for.
func (v *trainingView) charts(b paint.Rect) []paint.Layer {
	a, u, t := v.a, v.a.Unit, v.t
	if len(t.points) == 0 {
		s := a.Say("No likelihood yet")
		if t.blind {
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
		draw = append(draw, v.logZ, v.apart)
	case len(t.checks) > 0:
		draw = append(draw, v.apart)
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
		c.Read(len(t.points), func(i int) (x, y float64) { return float64(t.points[i].Update), math.NaN() },
			func(i int) string { return v.read(&t.points[i]) })
	}
	return chart.Layers(charts...)
}

// values are a number of all points.
func (t *trained) values(of func(*frame.TrainingPoint) float64) []float64 {
	out := make([]float64, len(t.points))
	for i := range t.points {
		out[i] = of(&t.points[i])
	}
	return out
}

// at are the updates of all points.
func (t *trained) at() []float64 {
	return t.values(func(q *frame.TrainingPoint) float64 { return float64(q.Update) })
}

// bar is the error bar of a point, 0 where it is not known.
func bar(q *frame.TrainingPoint) float64 {
	if num.Finite(q.SE) {
		return q.SE
	}
	return 0
}

// measure is what a curve shows: a value of each point, and of each check.
type measure struct {
	of    func(*frame.TrainingPoint) float64
	check func(*frame.TrainingCheck) float64
}

// likely are the mean log-likelihoods of both sides of the data, and followed is log Z.
var (
	likely = [...]measure{
		{func(q *frame.TrainingPoint) float64 { return q.Train },
			func(c *frame.TrainingCheck) float64 { return c.TrainMean - c.LogZ }},
		{func(q *frame.TrainingPoint) float64 { return q.Validation },
			func(c *frame.TrainingCheck) float64 { return c.ValidateMean - c.LogZ }}}
	followed = measure{func(q *frame.TrainingPoint) float64 { return q.LogZ },
		func(c *frame.TrainingCheck) float64 { return c.LogZ }}
)

// reach is the range of some measures with their error bars: of the later half, and of the earlier one, which is far
// below, as much as half of this again.
func (v *trainingView) reach(ms ...measure) (lo, hi float64) {
	t := v.t
	each := func(use func(update int, z float64)) {
		for _, m := range ms {
			for i := range t.points {
				q := &t.points[i]
				use(q.Update, m.of(q)-bar(q))
				use(q.Update, m.of(q)+bar(q))
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

// line draws a measure with its error band, and names it at its end.
func (v *trainingView) line(c *chart.Chart, m measure, s chart.Style) {
	t := v.t
	c.Band(t.at(), t.values(func(q *frame.TrainingPoint) float64 { return m.of(q) - bar(q) }),
		t.values(func(q *frame.TrainingPoint) float64 { return m.of(q) + bar(q) }),
		chart.Style{Color: s.Color, Opacity: 1.6 * v.a.Theme.BandAlpha})
	s.Last = true
	c.Line(t.at(), t.values(m.of), s)
}

// tick draws a check some pixels beside its update: a tick at its estimate, and a bar over its sandwich where it has one.
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

// likelihood draws the mean log-likelihood of a row for both sides of the data, the gap between them, and what
// the checks say of both.
func (v *trainingView) likelihood(c *chart.Chart) {
	a, u, th, t := v.a, v.a.Unit, v.a.Theme, v.t
	c.Title = a.Say("Mean log-likelihood, nats")
	c.More = a.Say("update") + " " + format.Grouped(float64(t.update), 0) + " " + a.Say("of") + " " +
		format.Grouped(float64(t.updates), 0)
	c.Y.Lo, c.Y.Hi = v.reach(likely[:]...)
	v.between(c)
	if v.knowsBest() {
		c.LevelX(float64(t.best), "", chart.Style{Color: th.Ink2, Width: 1.5, Dash: [2]float64{4, 3}})
	}
	q := t.newest()
	for side, m := range likely {
		s := chart.Method(th, side, a.Say(sides[side]))
		s.Value = format.Value(m.of(q), q.SE)
		v.line(c, m, s)
	}
	for i := range t.checks {
		k := &t.checks[i]
		for side, m := range likely {
			mean := m.check(k) + k.LogZ
			v.tick(c, k.Update, float64(6*side-3)*u, mean-k.LogZ, mean-k.Upper, mean-k.Lower)
		}
	}
	c.DrawOver(func(l *paint.Layer) { v.says(l, c) })
}

// knowsBest tells whether the best update by validation is on show.
func (v *trainingView) knowsBest() bool { return v.t.best > 0 && v.t.best <= v.t.newest().Update }

// between fills the gap between the two curves, more strongly where the machine is worse than the best one.
func (v *trainingView) between(c *chart.Chart) {
	th, t := v.a.Theme, v.t
	for first := 0; first < len(t.points); {
		// A stretch ends where the likelihood of new data begins to get worse; the next one begins there.
		late, end := t.worse(&t.points[first]), first+1
		for end < len(t.points) && t.worse(&t.points[end]) == late {
			end++
		}
		from := max(first-1, 0)
		s := chart.Style{Color: th.Ink3, Opacity: 0.10}
		if late {
			s = chart.Style{Color: th.Caution, Opacity: 0.30}
		}
		c.Band(t.at()[from:end], t.values(likely[1].of)[from:end], t.values(likely[0].of)[from:end], s)
		first = end
	}
}

// says tells the best update and the gap, at the bottom of the panel, which the curves leave, and beside the line of
// the best update.
func (v *trainingView) says(l *paint.Layer, c *chart.Chart) {
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

// logZ draws log Z as it is followed, and as the checks find it.
func (v *trainingView) logZ(c *chart.Chart) {
	t, q := v.t, v.t.newest()
	c.Title = v.a.Say("log Z, nats")
	c.Y.Lo, c.Y.Hi = v.reach(followed)
	v.line(c, followed, chart.Method(v.a.Theme, 2, format.Value(q.LogZ, q.SE)))
	for _, k := range t.checks {
		v.tick(c, k.Update, 0, k.LogZ, k.Lower, k.Upper)
	}
}

// apart draws how far log Z as it is followed lies from each check: with the error bar of both, and with the sandwich.
func (v *trainingView) apart(c *chart.Chart) {
	th := v.a.Theme
	var at, d, lo, hi, lower, upper []float64
	most := 0.05
	c.Title = v.a.Say("log Z minus that of AIS")
	for _, k := range v.t.checks {
		q := v.t.point(k.Update)
		if q == nil {
			continue
		}
		off, se := q.LogZ-k.LogZ, bar(q)
		if num.Finite(k.SE) {
			se = math.Hypot(se, k.SE)
		}
		at, d, lo, hi = append(at, float64(k.Update)), append(d, off), append(lo, off-se), append(hi, off+se)
		lower, upper = append(lower, q.LogZ-k.Upper), append(upper, q.LogZ-k.Lower)
		most = max(most, math.Abs(off)+1.2*se)
		c.More = format.Signed(off, format.Decimals(se)) + " \u00b1 " + format.Value(se, se)
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
