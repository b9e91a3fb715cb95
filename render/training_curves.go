package render

import (
	"image/color"
	"math"
	"sort"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/core/num"
)

// sides are the two halves of the data.
var sides = [...]string{"training", "validation"}

// plates is the room of the labels at the ends of the curves.
func (v *trainingView) plates() (width float64) {
	a, q := v.a, v.t.newest()
	for i, x := range [...]float64{q.Train, q.Validation} {
		width = max(width, a.fonts.width(a.say(sides[i]), strong), a.fonts.width(format.Value(x, q.SE), plain))
	}
	return max(width, a.fonts.width(format.Value(q.LogZ, q.SE), strong)) + 24*a.u
}

// panel draws the scale of a panel from lo to hi and its name.
func (v *trainingView) panel(l *layer, b rect, lo, hi float64, name, more string) axis {
	a, u := v.a, v.a.u
	y := axis{lo, hi, b.y + b.h, b.y}
	at, step := format.Ticks(lo, hi, int(min(7, max(3, b.h/(32*u)))))
	a.rules(l, v.x, y, at, func(z float64) string { return format.Tick(z, step) })
	a.name(l, name, more, rect{b.x, b.y - 2*u, b.w + v.gutter, b.h})
	return y
}

// inside is the layer of what lies in a panel, with room for marks at its sides.
func (v *trainingView) inside(b rect) layer {
	return layer{clip: rect{b.x - 5*v.a.u, b.y, b.w + 10*v.a.u, b.h}}
}

// reach is the range of values by update: the later half, and of the earlier one, which is far below, as much as half
// of this again.
func (v *trainingView) reach(values []point) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	late := float64(v.t.newest().Update) / 2
	for _, q := range values {
		if num.Finite(q.y) && q.x >= late {
			lo, hi = min(lo, q.y), max(hi, q.y)
		}
	}
	if !(lo <= hi) {
		return 0, 1
	}
	l0, h0, most := lo, hi, (hi-lo)/2
	for _, q := range values {
		if num.Finite(q.y) {
			lo, hi = min(lo, max(q.y, l0-most)), max(hi, min(q.y, h0+most))
		}
	}
	return halves(lo, hi)
}

// among lists values of all points with their error bars, and one value of each check.
func (v *trainingView) among(of func(*frame.TrainingPoint) float64,
	check func(*frame.TrainingCheck) float64) []point {
	t := v.t
	out := v.a.points(2*len(t.points) + len(t.checks))
	for i := range t.points {
		q := &t.points[i]
		x, z := float64(q.Update), of(q)
		out = append(out, point{x, z - bar(q)}, point{x, z + bar(q)})
	}
	for i := range t.checks {
		c := &t.checks[i]
		out = append(out, point{float64(c.Update), check(c)})
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
func (v *trainingView) likelihood(b rect) []layer {
	a, u, th, t := v.a, v.a.u, v.a.theme, v.t
	var back, front layer
	inside := v.inside(b)
	lo, hi := v.reach(append(v.among(likely(0), checked(0)), v.among(likely(1), checked(1))...))
	more := a.say("update") + " " + format.Grouped(float64(t.update), 0) + " " + a.say("of") + " " +
		format.Grouped(float64(t.updates), 0)
	y := v.panel(&back, b, lo, hi, a.say("Mean log-likelihood, nats"), more)
	back.hline(a, v.x.p0, v.x.p1, b.y+b.h, th.Line2)
	v.between(&inside, y)
	if t.best > 0 && t.best <= t.newest().Update {
		x := v.x.at(float64(t.best))
		inside.add(mark{kind: stroke, pts: []point{{x, b.y}, {x, b.y + b.h}}, width: 1.5 * u * th.Stroke,
			dash: [2]float64{4 * u, 3 * u}, color: th.Ink2})
	}
	for side := range sides {
		v.line(&inside, y, th.method(side), likely(side))
	}
	for i := range t.checks {
		c := &t.checks[i]
		for side, off := range [...]float64{-3 * u, 3 * u} {
			mean := checked(side)(c) + c.LogZ
			v.tick(&inside, y, v.x.at(float64(c.Update))+off, mean-c.LogZ, mean-c.Upper, mean-c.Lower)
		}
	}
	v.ends(&front, b, y)
	v.says(&front, b)
	return []layer{back, inside, front}
}

// between fills the gap between the two curves, more strongly where the machine is worse than the best one.
func (v *trainingView) between(l *layer, y axis) {
	a, th, t := v.a, v.a.theme, v.t
	var up, down []point
	late := false
	flush := func() {
		if len(up) > 1 {
			c := fade(th.Ink3, 0.10)
			if late {
				c = fade(th.Caution, 0.30)
			}
			l.add(mark{kind: band, pts: up, more: down, color: c})
		}
		up, down = nil, nil
	}
	for i := range t.points {
		q := &t.points[i]
		if !num.Finite(gap(q)) {
			flush()
			continue
		}
		at := [2]point{{v.x.at(float64(q.Update)), y.at(q.Train)}, {v.x.at(float64(q.Update)), y.at(q.Validation)}}
		n := len(up)
		switch {
		case n > 0 && t.worse(q) != late: // the next part begins where this one ends
			first, second := up[n-1], down[n-1]
			flush()
			up, down = append(up, first), append(down, second)
		case n > 0 && at[0].x-up[n-1].x < a.hair() && i+1 < len(t.points):
			continue
		}
		late = t.worse(q)
		up, down = append(up, at[0]), append(down, at[1])
	}
	flush()
}

// line draws a curve with its error band.
func (v *trainingView) line(l *layer, y axis, ink color.RGBA, of func(*frame.TrainingPoint) float64) {
	a, t := v.a, v.t
	var up, mid, down []point
	flush := func() {
		if len(mid) > 1 {
			l.add(mark{kind: band, pts: up, more: down, color: fade(ink, 1.6*a.theme.BandAlpha)},
				mark{kind: stroke, pts: mid, width: 2 * a.u * a.theme.Stroke, color: ink, halo: true})
		}
		up, mid, down = nil, nil, nil
	}
	for i := range t.points {
		q := &t.points[i]
		z, x := of(q), v.x.at(float64(q.Update))
		if !num.Finite(z) {
			flush()
			continue
		}
		if n := len(mid); n > 0 && x-mid[n-1].x < 1 && i+1 < len(t.points) {
			continue
		}
		up, mid = append(up, point{x, y.at(z + bar(q))}), append(mid, point{x, y.at(z)})
		down = append(down, point{x, y.at(z - bar(q))})
	}
	flush()
}

// tick draws a check: a tick at its estimate, and a bar over its sandwich where it has one.
func (v *trainingView) tick(l *layer, y axis, x, z, lower, upper float64) {
	if !num.Finite(z) {
		return
	}
	u, th := v.a.u, v.a.theme
	x, at := math.Round(x), y.at(z)
	m := mark{kind: wires, width: u * th.Stroke, color: th.Ink, halo: true, pts: []point{{x - 4*u, at}, {x + 4*u, at}}}
	if num.Finite(upper - lower) {
		m.pts = append(m.pts, point{x, y.at(upper)}, point{x, y.at(lower)})
	}
	l.add(m)
}

// ends names the curves where they end.
func (v *trainingView) ends(l *layer, b rect, y axis) {
	a, u, t, q := v.a, v.a.u, v.a.theme, v.t.newest()
	var at []float64
	var order []int
	for side := range sides {
		if z := likely(side)(q); num.Finite(z) {
			order = append(order, side)
			l.glyph(a, side, v.x.at(float64(q.Update)), min(max(y.at(z), b.y), b.y+b.h), 3.6*u, false)
		}
	}
	sort.SliceStable(order, func(i, j int) bool { return likely(order[i])(q) > likely(order[j])(q) })
	for _, side := range order {
		at = append(at, min(max(y.at(likely(side)(q)), b.y), b.y+b.h))
	}
	x := v.x.p1 + 10*u
	for i, py := range spread(at, 31*u, b.y+4*u, b.y+b.h-18*u) {
		l.glyph(a, order[i], x+4*u, py, 4*u, false)
		l.label(a.say(sides[order[i]]), x+13*u, py+4*u, strong, t.Ink, left)
		l.label(format.Value(likely(order[i])(q), q.SE), x+13*u, py+18*u, plain, t.Ink2, left)
	}
}

// says tells the best update and the gap, at the bottom of the panel, which the curves leave, and beside the line of
// the best update.
func (v *trainingView) says(l *layer, b rect) {
	a, u, th, t := v.a, v.a.u, v.a.theme, v.t
	y, x := b.y+b.h-7*u, v.x.at(float64(t.best))
	best := t.best > 0 && t.best <= t.newest().Update
	if d := gap(t.newest()); num.Finite(d) && b.h >= 56*u {
		s, end := a.say("gap")+" "+format.Fixed(d, 2)+" "+a.say("nats"), b.x+b.w-4*u
		if best && x > end-a.fonts.width(s, strong)-5*u {
			end = x - 5*u
		}
		l.label(s, end, y-16*u, strong, th.Ink, right)
	}
	if !best {
		return
	}
	s := a.say("best by validation") + " " + format.Grouped(float64(t.best), 0)
	if a.fonts.width(s, plain) > max(x-b.x, b.x+b.w-x)-9*u {
		s = a.say("best") + " " + format.Grouped(float64(t.best), 0)
	}
	if x > b.x+b.w/2 {
		l.label(s, x-5*u, y, plain, th.Ink2, right)
	} else {
		l.label(s, x+5*u, y, plain, th.Ink2, left)
	}
}

// logZ draws log Z as it is followed, and as the checks find it.
func (v *trainingView) logZ(b rect) []layer {
	a, u, th, t, q := v.a, v.a.u, v.a.theme, v.t, v.t.newest()
	var back, front layer
	inside := v.inside(b)
	found := func(c *frame.TrainingCheck) float64 { return c.LogZ }
	lo, hi := v.reach(v.among(followed, found))
	y := v.panel(&back, b, lo, hi, a.say("log Z, nats"), "")
	v.line(&inside, y, th.method(2), followed)
	for _, c := range t.checks {
		v.tick(&inside, y, v.x.at(float64(c.Update)), c.LogZ, c.Lower, c.Upper)
	}
	at := min(max(y.at(q.LogZ), b.y), b.y+b.h)
	front.glyph(a, 2, v.x.at(float64(q.Update)), at, 3.6*u, false)
	x := v.x.p1 + 10*u
	front.glyph(a, 2, x+4*u, at, 4*u, false)
	front.label(format.Value(q.LogZ, q.SE), x+13*u, at+4*u, strong, th.Ink, left)
	return []layer{back, inside, front}
}

// apart draws how far log Z as it is followed lies from each check: with the error bar of both, and with the sandwich.
func (v *trainingView) apart(b rect) []layer {
	a, u, th, t := v.a, v.a.u, v.a.theme, v.t
	var back, front layer
	inside := v.inside(b)
	type pair struct{ x, d, se, lower, upper float64 }
	var pairs []pair
	most := 0.05
	for _, c := range t.checks {
		q := t.point(c.Update)
		if q == nil {
			continue
		}
		p := pair{v.x.at(float64(c.Update)), q.LogZ - c.LogZ, bar(q), q.LogZ - c.Upper, q.LogZ - c.Lower}
		if num.Finite(c.SE) {
			p.se = math.Hypot(p.se, c.SE)
		}
		pairs = append(pairs, p)
		most = max(most, math.Abs(p.d)+1.2*p.se)
	}
	lo, hi := halves(-most, most)
	more := ""
	if n := len(pairs); n > 0 {
		more = format.Signed(pairs[n-1].d, format.Decimals(pairs[n-1].se)) + " \u00b1 " +
			format.Value(pairs[n-1].se, pairs[n-1].se)
	}
	y := v.panel(&back, b, lo, hi, a.say("log Z minus that of AIS"), more)
	inside.add(mark{kind: stroke, pts: []point{{v.x.p0, y.at(0)}, {v.x.p1, y.at(0)}}, width: 1.25 * u * th.Stroke,
		color: th.Ink})
	for _, p := range pairs {
		if num.Finite(p.upper - p.lower) {
			inside.add(mark{kind: wires, width: a.hair(), color: th.Ink3,
				pts: []point{{p.x, y.at(p.upper)}, {p.x, y.at(p.lower)}}})
		}
		inside.add(mark{kind: stroke, width: 3 * u * th.Stroke, color: fade(th.method(2), 0.6),
			pts: []point{{p.x, y.at(p.d+p.se) - 0.5*u}, {p.x, y.at(p.d-p.se) + 0.5*u}}})
		front.glyph(a, 2, p.x, min(max(y.at(p.d), b.y), b.y+b.h), 3.6*u, false)
	}
	if len(pairs) == 0 {
		front.label(a.say("no check yet"), b.x+b.w/2, y.at(0)-7*u, tick, th.Ink3, centre)
	}
	return []layer{back, inside, front}
}
