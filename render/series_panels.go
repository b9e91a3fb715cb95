package render

import (
	"image/color"
	"math"

	"logzlab/core/format"
	"logzlab/core/num"
)

// wide is the number of standard deviations of the bands: four fifths of a normal distribution lie within.
const wide = 1.28

// reach is the range of values at data from lo to hi, with some room.
func (v *seriesView) reach(lo, hi int, of func(t int) (a, b float64)) (y0, y1 float64) {
	y0, y1 = math.Inf(1), math.Inf(-1)
	for t := lo; t <= hi; t++ {
		if a, b := of(t); num.Finite(a) && num.Finite(b) {
			y0, y1 = min(y0, a, b), max(y1, a, b)
		}
	}
	if !(y1-y0 > 1e-9*max(math.Abs(y0), math.Abs(y1), 1e-9)) || !num.Finite(y1-y0) {
		if !num.Finite(y0) {
			y0 = 0
		}
		y0, y1 = y0-1, y0+1
	}
	room := 0.06 * (y1 - y0)
	return y0 - room, y1 + room
}

// name writes the name of a panel above it, and what else there is to say at its right if there is room.
func (a *area) name(l *layer, s, more string, b rect) {
	u := a.u
	l.label(s, b.x, b.y-7*u, strong, a.theme.Ink, left)
	if a.fonts.width(s, strong)+a.fonts.width(more, tick)+18*u < b.w {
		l.label(more, b.x+b.w, b.y-7*u, tick, a.theme.Ink3, right)
	}
}

// scale draws ticks at the right of a panel.
func (v *seriesView) scale(l *layer, at []float64, text func(x float64) string, y axis, b rect) {
	a, u, t := v.a, v.a.u, v.a.theme
	last := math.Inf(1)
	for _, value := range at {
		py := y.at(value)
		if py < b.y || py > b.y+b.h || math.Abs(last-py) < 15*u {
			continue
		}
		l.hline(a, b.x, b.x+b.w, py, t.Line)
		l.label(text(value), b.x+b.w+7*u, py+4*u, tick, t.Ink3, left)
		last = py
	}
}

// hue is the colour of what the filter says; its particles are blue.
func (v *seriesView) hue() color.RGBA { return v.a.theme.Methods[1] }

// ribbon is a band with its middle along an axis.
func (v *seriesView) ribbon(l *layer, x, y axis, lo, hi int, of func(t int) (low, mid, high float64), fill float64) {
	n := hi - lo + 1
	up, mid, down := v.a.points(n), v.a.points(n), v.a.points(n)
	for t := lo; t <= hi; t++ {
		a, m, b := of(t)
		px := x.at(float64(t))
		up, mid, down = append(up, point{px, y.at(b)}), append(mid, point{px, y.at(m)}), append(down, point{px, y.at(a)})
	}
	if n > 1 {
		l.add(mark{kind: band, pts: up, more: down, color: fade(v.hue(), fill)})
		l.add(mark{kind: stroke, pts: mid, width: 2 * v.a.u * v.a.theme.Stroke, color: v.hue(), halo: true})
	}
}

// data draws the series. Of log variances the filter says how far data reach: two standard deviations on both sides of
// 0; of states it says where they would be without noise.
func (v *seriesView) data(b rect) []layer {
	a, u, t, q := v.a, v.a.u, v.a.theme, v.q
	last := len(q.Y) - 1
	value := func(k int) float64 { return float64(q.Y[k]) }
	sd := func(k int, by float64) float64 { return math.Exp((q.mean[k] + by*q.sd[k]) / 2) }
	lo, hi := v.reach(0, last, func(k int) (float64, float64) { return value(k), value(k) })
	if q.Logs {
		hi = max(-lo, hi)
		lo = -hi
	}
	y := axis{lo, hi, b.y + b.h, b.y}
	var back, front layer
	inside := layer{clip: rect{b.x, b.y, b.w, b.h}}
	at, step := format.Ticks(lo, hi, min(max(int(b.h/(20*u)), 2), 5))
	v.scale(&back, at, func(x float64) string { return format.Tick(x, step) }, y, b)
	name := a.say("Data")
	ink := mark{kind: stroke, width: 1.25 * u * t.Stroke, color: t.Ink2, pts: a.points(last + 1)}
	for k := range q.Y {
		ink.pts = append(ink.pts, point{v.whole.at(float64(k)), y.at(value(k))})
	}
	if q.Logs {
		name = a.say("Returns")
		for _, side := range [...]float64{2, -2} {
			v.ribbon(&inside, v.whole, y, 0, last, func(k int) (float64, float64, float64) {
				return side * sd(k, -wide), side * sd(k, 0), side * sd(k, wide)
			}, 1.6*t.BandAlpha)
		}
	} else {
		v.ribbon(&inside, v.whole, y, 0, last, func(k int) (float64, float64, float64) {
			return q.mean[k] - wide*q.sd[k], q.mean[k], q.mean[k] + wide*q.sd[k]
		}, 1.6*t.BandAlpha)
	}
	if len(ink.pts) > 1 {
		inside.add(ink)
	}
	points := mark{kind: dots, width: 0.5 * u}
	for k := range q.Y {
		if (v.whole.p1-v.whole.p0)/(v.whole.d1-v.whole.d0) >= 5*u {
			points.pts, points.radii = append(points.pts, ink.pts[k]), append(points.radii, 2.2*u)
			points.colors = append(points.colors, t.Ink2)
		}
	}
	if len(points.pts) > 0 {
		inside.add(points)
	}
	v.a.name(&front, name, v.at(), b)
	v.offer(b, v.whole, 0, last)
	return []layer{back, inside, front}
}

// at says at what parameters the filter runs.
func (v *seriesView) at() string {
	text := ""
	if own := v.w.own; own != nil && len(own.Names) == len(v.q.At) {
		for i, s := range own.Names {
			text += s + " = " + format.Grouped(float64(v.q.At[i]), 2) + ", "
		}
	}
	return text + "\u03b2 = " + format.AtMost(v.q.beta, 2)
}

// states draws the particles up to the front: those that the newest ones descend from in colour, lines that died out
// pale; behind them the band and the mean, and the exact mean where it is known.
func (v *seriesView) states(b rect) []layer {
	a, u, t, q := v.a, v.a.u, v.a.theme, v.q
	lo, hi := v.reach(v.lo, v.hi, func(k int) (float64, float64) { return q.mean[k] - 3*q.sd[k], q.mean[k] + 3*q.sd[k] })
	y := axis{lo, hi, b.y + b.h, b.y}
	var back, front layer
	inside := layer{clip: rect{b.x, b.y, b.w, b.h}}
	name := a.say("Hidden state")
	if q.Logs {
		name = a.say("Volatility")
		v.scale(&back, v.volatilities(lo, hi), func(h float64) string { return format.AtMost(math.Exp(h/2), 3) }, y, b)
	} else {
		at, step := format.Ticks(lo, hi, min(max(int(b.h/(34*u)), 2), 6))
		v.scale(&back, at, func(x float64) string { return format.Tick(x, step) }, y, b)
	}
	band := mark{kind: band, pts: a.points(v.hi - v.lo + 1), more: a.points(v.hi - v.lo + 1),
		color: fade(v.hue(), t.BandAlpha)}
	for k := v.lo; k <= v.hi; k++ {
		x := v.x.at(float64(k))
		band.pts = append(band.pts, point{x, y.at(q.mean[k] + wide*q.sd[k])})
		band.more = append(band.more, point{x, y.at(q.mean[k] - wide*q.sd[k])})
	}
	if v.hi > v.lo {
		inside.add(band)
	}
	v.ways(&inside, y)
	v.line(&inside, q.mean, y, v.front, 2.5*u*t.Stroke, v.hue())
	if len(q.Exact) > 0 {
		exact := a.numbers(len(q.Exact))
		for _, x := range q.Exact {
			exact = append(exact, float64(x))
		}
		v.line(&inside, exact, y, v.hi, 1.25*u*t.Stroke, t.Ink)
	}
	v.tips(&inside, y)
	if v.front < v.hi {
		inside.add(mark{kind: stroke, pts: []point{{v.x.at(float64(v.front)), b.y}, {v.x.at(float64(v.front)), b.y + b.h}},
			width: a.hair(), color: t.Ink3})
	}
	more := format.Grouped(float64(q.N), 0) + " " + a.say("particles")
	if v.front > v.lo {
		more = format.Grouped(float64(q.goOn(v.front-1)), 0) + " " + a.say("of") + " " +
			format.Grouped(float64(q.N), 0) + " " + a.say("particles go on")
	}
	v.a.name(&front, name, more, b)
	v.offer(b, v.x, v.lo, v.hi)
	return []layer{back, inside, front}
}

// line draws values of the stretch up to a datum.
func (v *seriesView) line(l *layer, of []float64, y axis, to int, width float64, c color.RGBA) {
	pts := v.a.points(to - v.lo + 1)
	for k := v.lo; k <= to; k++ {
		pts = append(pts, point{v.x.at(float64(k)), y.at(of[k])})
	}
	if len(pts) > 1 {
		l.add(mark{kind: stroke, pts: pts, width: width, color: c, halo: true})
	}
}

// ways draws a line from each particle to the one it comes from.
func (v *seriesView) ways(l *layer, y axis) {
	a, u, t, q := v.a, v.a.u, v.a.theme, v.q
	alive := q.alive(v.lo, v.front)
	segments := max(v.front-v.lo, 0) * q.N
	dead := mark{kind: threads, width: u * t.Stroke, pts: a.points(2 * segments), colors: a.colors(segments)}
	live := dead
	thin := min(1, math.Sqrt(40/float64(q.N)))
	live.width, live.pts, live.colors = (0.5+thin)*u*t.Stroke, a.points(2*segments), a.colors(segments)
	for k := v.lo + 1; k <= v.front; k++ {
		x0, x1 := v.x.at(float64(k-1)), v.x.at(float64(k))
		for i := range q.N {
			from, _ := q.state(k-1, q.from(k, i))
			to, _ := q.state(k, i)
			m, c := &dead, t.Absent
			if alive[k-v.lo][i] {
				m, c = &live, t.Methods[0]
			}
			m.pts, m.colors = append(m.pts, point{x0, y.at(from)}, point{x1, y.at(to)}), append(m.colors, c)
		}
	}
	for _, m := range [...]mark{dead, live} {
		if len(m.pts) > 0 {
			l.add(m)
		}
	}
}

// tips draws the particles at the front; area is weight.
func (v *seriesView) tips(l *layer, y axis) {
	a, u, q := v.a, v.a.u, v.q
	m := mark{kind: dots, pts: a.points(q.N), radii: a.numbers(q.N), colors: a.colors(q.N), width: 0.75 * u}
	for i := range q.N {
		x, w := q.state(v.front, i)
		m.pts = append(m.pts, point{v.x.at(float64(v.front)), y.at(x)})
		m.radii = append(m.radii, max(3*u*min(math.Sqrt(w*float64(q.N)), 3), 0.75*u))
		m.colors = append(m.colors, a.theme.Methods[0])
	}
	l.add(m)
}

// volatilities are log variances of round volatilities.
func (v *seriesView) volatilities(lo, hi float64) (at []float64) {
	for _, x := range format.LogTicks(math.Exp(lo/2), math.Exp(hi/2), 6) {
		at = append(at, 2*math.Log(x))
	}
	return at
}

// effective draws the effective share of the particles at each datum, hanging from 1: where a datum surprises, few
// count.
func (v *seriesView) effective(b rect) (l layer) {
	a, u, t, q := v.a, v.a.u, v.a.theme, v.q
	l.hline(a, b.x, b.x+b.w, b.y, t.Line2)
	wide := max((v.x.p1-v.x.p0)/(v.x.d1-v.x.d0)-2*a.hair(), a.hair())
	for k := v.lo; k <= v.front; k++ {
		if h := math.Round(b.h * (1 - q.ess[k])); num.Finite(h) {
			l.add(mark{kind: fill, color: t.Ink3, box: snap(rect{v.x.at(float64(k)) - wide/2, b.y, wide, h})})
		}
	}
	l.label("1", b.x+b.w+7*u, b.y+5*u, tick, t.Ink3, left)
	if b.h > 24*u {
		l.label("0", b.x+b.w+7*u, b.y+b.h+3*u, tick, t.Ink3, left)
	}
	v.a.name(&l, a.say("ESS ratio"), a.say("long bar: few particles fit"), b)
	v.offer(b, v.x, v.lo, v.hi)
	return l
}

// offer reads the datum at the pointer.
func (v *seriesView) offer(b rect, x axis, lo, hi int) {
	a := v.a
	if !a.asks(b) {
		return
	}
	t := min(max(int(math.Round(x.d0+(a.probe.at.x-x.p0)/(x.p1-x.p0)*(x.d1-x.d0))), lo), hi)
	px := x.at(float64(t))
	a.probe.offer(0, 1, point{px, a.probe.at.y}, 0, rect{px, b.y, 0, b.h}, func() string { return v.read(t) })
}

// read says what is known of datum t.
func (v *seriesView) read(t int) string {
	a, q := v.a, v.q
	two := func(x float64) string { return format.Grouped(x, 2) }
	text := "t = " + format.Grouped(v.number(float64(t)), 0) + "\n"
	mid, low, high := q.mean[t], q.mean[t]-wide*q.sd[t], q.mean[t]+wide*q.sd[t]
	if q.Logs {
		text += a.say("return") + " " + two(float64(q.Y[t])) + "\n" + a.say("Volatility") + " " + two(math.Exp(mid/2)) +
			" (" + two(math.Exp(low/2)) + " \u2013 " + two(math.Exp(high/2)) + ")"
	} else {
		text += a.say("Datum") + " " + two(float64(q.Y[t])) + "\n" + a.say("Hidden state") + " " + two(mid) + " (" +
			two(low) + " \u2013 " + two(high) + ")"
		if len(q.Exact) > 0 {
			text += "\n" + a.say("exact") + " " + two(float64(q.Exact[t]))
		}
	}
	text += "\n" + a.say("ESS ratio") + " " + two(q.ess[t])
	if t+1 < len(q.Y) {
		text += "\n" + format.Grouped(float64(q.goOn(t)), 0) + " " + a.say("of") + " " + format.Grouped(float64(q.N), 0) +
			" " + a.say("particles go on")
	}
	return text
}
