package training

import (
	"image/color"
	"math"
	"sort"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/render/paint"
	"logzlab/render/record"
)

// sides are the two halves of the data.
var sides = [...]string{"training", "validation"}

// plates is the room of the labels at the ends of the curves.
func (v *trainingView) plates() (width float64) {
	a, q := v.a, v.t.newest()
	for i, x := range [...]float64{q.Train, q.Validation} {
		width = max(width, a.Fonts.Width(a.Say(sides[i]), paint.Strong), a.Fonts.Width(format.Value(x, q.SE), paint.Plain))
	}
	return max(width, a.Fonts.Width(format.Value(q.LogZ, q.SE), paint.Strong)) + 24*a.Unit
}

// panel draws the scale of a panel from lo to hi and its name.
func (v *trainingView) panel(l *paint.Layer, b paint.Rect, lo, hi float64, name, more string) paint.Axis {
	a, u := v.a, v.a.Unit
	y := paint.NewAxis(lo, hi, b.Y+b.H, b.Y)
	at, step := format.Ticks(lo, hi, int(min(7, max(3, b.H/(32*u)))))
	a.GridLines(l, v.x, y, at, func(z float64) string { return format.Tick(z, step) })
	a.PanelName(l, name, more, paint.XYWH(b.X, b.Y-2*u, b.W+v.gutter, b.H))
	return y
}

// inside is the layer of what lies in a panel, with room for marks at its sides.
func (v *trainingView) inside(b paint.Rect) paint.Layer {
	return paint.Layer{Clip: paint.XYWH(b.X-5*v.a.Unit, b.Y, b.W+10*v.a.Unit, b.H)}
}

// reach is the range of values by update: the later half, and of the earlier one, which is far below, as much as half
// of this again.
func (v *trainingView) reach(values []paint.Point) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	late := float64(v.t.newest().Update) / 2
	for _, q := range values {
		if num.Finite(q.Y) && q.X >= late {
			lo, hi = min(lo, q.Y), max(hi, q.Y)
		}
	}
	if !(lo <= hi) {
		return 0, 1
	}
	l0, h0, most := lo, hi, (hi-lo)/2
	for _, q := range values {
		if num.Finite(q.Y) {
			lo, hi = min(lo, max(q.Y, l0-most)), max(hi, min(q.Y, h0+most))
		}
	}
	return record.Halves(lo, hi)
}

// among lists values of all points with their error bars, and one value of each check.
func (v *trainingView) among(of func(*frame.TrainingPoint) float64,
	check func(*frame.TrainingCheck) float64) []paint.Point {
	t := v.t
	out := v.a.Points(2*len(t.points) + len(t.checks))
	for i := range t.points {
		q := &t.points[i]
		x, z := float64(q.Update), of(q)
		out = append(out, paint.Pt(x, z-bar(q)), paint.Pt(x, z+bar(q)))
	}
	for i := range t.checks {
		c := &t.checks[i]
		out = append(out, paint.Pt(float64(c.Update), check(c)))
	}
	return out
}

// bar is the error bar of a point, 0 where it is not known.
func bar(q *frame.TrainingPoint) float64 {
	if num.Finite(q.SE) {
		return q.SE
	}
	return 0
}

// Values of points and of checks, by side.
func likely(side int) func(*frame.TrainingPoint) float64 {
	return func(q *frame.TrainingPoint) float64 { return [...]float64{q.Train, q.Validation}[side] }
}

func checked(side int) func(*frame.TrainingCheck) float64 {
	return func(c *frame.TrainingCheck) float64 { return [...]float64{c.TrainMean, c.ValidateMean}[side] - c.LogZ }
}

func followed(q *frame.TrainingPoint) float64 { return q.LogZ }

// likelihood draws the mean log-likelihood of a row for both sides of the data, the gap between them, and what
// the checks say of both.
func (v *trainingView) likelihood(b paint.Rect) []paint.Layer {
	a, u, th, t := v.a, v.a.Unit, v.a.Theme, v.t
	var back, front paint.Layer
	inside := v.inside(b)
	lo, hi := v.reach(append(v.among(likely(0), checked(0)), v.among(likely(1), checked(1))...))
	more := a.Say("update") + " " + format.Grouped(float64(t.update), 0) + " " + a.Say("of") + " " +
		format.Grouped(float64(t.updates), 0)
	y := v.panel(&back, b, lo, hi, a.Say("Mean log-likelihood, nats"), more)
	back.HLine(a, v.x.P0, v.x.P1, b.Y+b.H, th.Line2)
	v.between(&inside, y)
	if t.best > 0 && t.best <= t.newest().Update {
		x := v.x.At(float64(t.best))
		inside.Add(paint.Mark{Kind: paint.Stroke, Pts: []paint.Point{{X: x, Y: b.Y}, {X: x, Y: b.Y + b.H}},
			Width: 1.5 * u * th.Stroke, Dash: [2]float64{4 * u, 3 * u}, Color: th.Ink2})
	}
	for side := range sides {
		v.line(&inside, y, th.Method(side), likely(side))
	}
	for i := range t.checks {
		c := &t.checks[i]
		for side, off := range [...]float64{-3 * u, 3 * u} {
			mean := checked(side)(c) + c.LogZ
			v.tick(&inside, y, v.x.At(float64(c.Update))+off, mean-c.LogZ, mean-c.Upper, mean-c.Lower)
		}
	}
	v.ends(&front, b, y)
	v.says(&front, b)
	return []paint.Layer{back, inside, front}
}

// between fills the gap between the two curves, more strongly where the machine is worse than the best one.
func (v *trainingView) between(l *paint.Layer, y paint.Axis) {
	a, th, t := v.a, v.a.Theme, v.t
	var up, down []paint.Point
	late := false

	flush := func() {
		if len(up) > 1 {
			c := paint.Fade(th.Ink3, 0.10)
			if late {
				c = paint.Fade(th.Caution, 0.30)
			}
			l.Add(paint.Mark{Kind: paint.Band, Pts: up, Lower: down, Color: c})
		}
		up, down = nil, nil
	}

	// A part ends where the likelihood of new data begins to get worse.
	for i := range t.points {
		q := &t.points[i]
		if !num.Finite(gap(q)) {
			flush()
			continue
		}
		at := [2]paint.Point{{X: v.x.At(float64(q.Update)), Y: y.At(q.Train)},
			{X: v.x.At(float64(q.Update)), Y: y.At(q.Validation)}}
		n := len(up)
		switch {
		case n > 0 && t.worse(q) != late: // the next part begins where this one ends
			first, second := up[n-1], down[n-1]
			flush()
			up, down = append(up, first), append(down, second)
		case n > 0 && at[0].X-up[n-1].X < a.Hairline() && i+1 < len(t.points):
			continue
		}
		late = t.worse(q)
		up, down = append(up, at[0]), append(down, at[1])
	}
	flush()
}

// line draws a curve with its error band.
func (v *trainingView) line(l *paint.Layer, y paint.Axis, ink color.RGBA, of func(*frame.TrainingPoint) float64) {
	a, t := v.a, v.t
	var up, mid, down []paint.Point
	flush := func() {
		if len(mid) > 1 {
			l.Add(paint.Mark{Kind: paint.Band, Pts: up, Lower: down, Color: paint.Fade(ink, 1.6*a.Theme.BandAlpha)},
				paint.Mark{Kind: paint.Stroke, Pts: mid, Width: 2 * a.Unit * a.Theme.Stroke, Color: ink, Halo: true})
		}
		up, mid, down = nil, nil, nil
	}
	for i := range t.points {
		q := &t.points[i]
		z, x := of(q), v.x.At(float64(q.Update))
		if !num.Finite(z) {
			flush()
			continue
		}
		if n := len(mid); n > 0 && x-mid[n-1].X < 1 && i+1 < len(t.points) {
			continue
		}
		up, mid = append(up, paint.Pt(x, y.At(z+bar(q)))), append(mid, paint.Pt(x, y.At(z)))
		down = append(down, paint.Pt(x, y.At(z-bar(q))))
	}
	flush()
}

// tick draws a check: a tick at its estimate, and a bar over its sandwich where it has one.
func (v *trainingView) tick(l *paint.Layer, y paint.Axis, x, z, lower, upper float64) {
	if !num.Finite(z) {
		return
	}
	u, th := v.a.Unit, v.a.Theme
	x, at := math.Round(x), y.At(z)
	m := paint.Mark{Kind: paint.Wires, Width: u * th.Stroke, Color: th.Ink, Halo: true,
		Pts: []paint.Point{{X: x - 4*u, Y: at}, {X: x + 4*u, Y: at}}}
	if num.Finite(upper - lower) {
		m.Pts = append(m.Pts, paint.Pt(x, y.At(upper)), paint.Pt(x, y.At(lower)))
	}
	l.Add(m)
}

// ends names the curves where they end.
func (v *trainingView) ends(l *paint.Layer, b paint.Rect, y paint.Axis) {
	a, u, t, q := v.a, v.a.Unit, v.a.Theme, v.t.newest()
	var at []float64
	var order []int
	for side := range sides {
		if z := likely(side)(q); num.Finite(z) {
			order = append(order, side)
			l.MethodMark(a, side, v.x.At(float64(q.Update)), min(max(y.At(z), b.Y), b.Y+b.H), 3.6*u, false)
		}
	}
	sort.SliceStable(order, func(i, j int) bool { return likely(order[i])(q) > likely(order[j])(q) })
	for _, side := range order {
		at = append(at, min(max(y.At(likely(side)(q)), b.Y), b.Y+b.H))
	}
	x := v.x.P1 + 10*u
	for i, py := range paint.Spread(at, 31*u, b.Y+4*u, b.Y+b.H-18*u) {
		l.MethodMark(a, order[i], x+4*u, py, 4*u, false)
		l.Label(a.Say(sides[order[i]]), x+13*u, py+4*u, paint.Strong, t.Ink, paint.Left)
		l.Label(format.Value(likely(order[i])(q), q.SE), x+13*u, py+18*u, paint.Plain, t.Ink2, paint.Left)
	}
}

// says tells the best update and the gap, at the bottom of the panel, which the curves leave, and beside the line of
// the best update.
func (v *trainingView) says(l *paint.Layer, b paint.Rect) {
	a, u, th, t := v.a, v.a.Unit, v.a.Theme, v.t
	y, x := b.Y+b.H-7*u, v.x.At(float64(t.best))
	best := t.best > 0 && t.best <= t.newest().Update
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
func (v *trainingView) logZ(b paint.Rect) []paint.Layer {
	a, u, th, t, q := v.a, v.a.Unit, v.a.Theme, v.t, v.t.newest()
	var back, front paint.Layer
	inside := v.inside(b)
	found := func(c *frame.TrainingCheck) float64 { return c.LogZ }
	lo, hi := v.reach(v.among(followed, found))
	y := v.panel(&back, b, lo, hi, a.Say("log Z, nats"), "")
	v.line(&inside, y, th.Method(2), followed)
	for _, c := range t.checks {
		v.tick(&inside, y, v.x.At(float64(c.Update)), c.LogZ, c.Lower, c.Upper)
	}
	at := min(max(y.At(q.LogZ), b.Y), b.Y+b.H)
	front.MethodMark(a, 2, v.x.At(float64(q.Update)), at, 3.6*u, false)
	x := v.x.P1 + 10*u
	front.MethodMark(a, 2, x+4*u, at, 4*u, false)
	front.Label(format.Value(q.LogZ, q.SE), x+13*u, at+4*u, paint.Strong, th.Ink, paint.Left)
	return []paint.Layer{back, inside, front}
}

// apart draws how far log Z as it is followed lies from each check: with the error bar of both, and with the sandwich.
func (v *trainingView) apart(b paint.Rect) []paint.Layer {
	a, u, th, t := v.a, v.a.Unit, v.a.Theme, v.t
	var back, front paint.Layer
	inside := v.inside(b)
	type pair struct{ x, d, se, lower, upper float64 }

	// How far log Z is from that of AIS at each check.
	var pairs []pair
	most := 0.05
	for _, c := range t.checks {
		q := t.point(c.Update)
		if q == nil {
			continue
		}
		p := pair{v.x.At(float64(c.Update)), q.LogZ - c.LogZ, bar(q), q.LogZ - c.Upper, q.LogZ - c.Lower}
		if num.Finite(c.SE) {
			p.se = math.Hypot(p.se, c.SE)
		}
		pairs = append(pairs, p)
		most = max(most, math.Abs(p.d)+1.2*p.se)
	}

	// The panel.
	lo, hi := record.Halves(-most, most)
	more := ""
	if n := len(pairs); n > 0 {
		more = format.Signed(pairs[n-1].d, format.Decimals(pairs[n-1].se)) + " \u00b1 " +
			format.Value(pairs[n-1].se, pairs[n-1].se)
	}
	y := v.panel(&back, b, lo, hi, a.Say("log Z minus that of AIS"), more)
	inside.Add(paint.Mark{Kind: paint.Stroke, Pts: []paint.Point{{X: v.x.P0, Y: y.At(0)}, {X: v.x.P1, Y: y.At(0)}},
		Width: 1.25 * u * th.Stroke, Color: th.Ink})

	for _, p := range pairs {
		if num.Finite(p.upper - p.lower) {
			inside.Add(paint.Mark{Kind: paint.Wires, Width: a.Hairline(), Color: th.Ink3,
				Pts: []paint.Point{{X: p.x, Y: y.At(p.upper)}, {X: p.x, Y: y.At(p.lower)}}})
		}
		inside.Add(paint.Mark{Kind: paint.Stroke, Width: 3 * u * th.Stroke, Color: paint.Fade(th.Method(2), 0.6),
			Pts: []paint.Point{{X: p.x, Y: y.At(p.d+p.se) - 0.5*u}, {X: p.x, Y: y.At(p.d-p.se) + 0.5*u}}})
		front.MethodMark(a, 2, p.x, min(max(y.At(p.d), b.Y), b.Y+b.H), 3.6*u, false)
	}
	if len(pairs) == 0 {
		front.Label(a.Say("no check yet"), b.X+b.W/2, y.At(0)-7*u, paint.Tick, th.Ink3, paint.Centre)
	}
	return []paint.Layer{back, inside, front}
}
