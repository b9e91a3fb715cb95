package series

import (
	"image/color"
	"math"

	"logzlab/core/format"
	"logzlab/core/num"
	"logzlab/render/paint"
	"logzlab/render/record"
)

// wide is the number of standard deviations of the bands: four fifths of a normal distribution lie within.
const wide = 1.28

// Reach is the range of values at data from lo to hi, with some room.
func (v *SeriesView) Reach(lo, hi int, of func(t int) (a, b float64)) (y0, y1 float64) {
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

// Scale draws ticks at the right of a panel.
func (v *SeriesView) Scale(l *paint.Layer, at []float64, text func(x float64) string, y paint.Axis, b paint.Rect) {
	a, u, t := v.A, v.A.Unit, v.A.Theme
	last := math.Inf(1)
	for _, value := range at {
		py := y.At(value)
		if py < b.Y || py > b.Y+b.H || math.Abs(last-py) < 15*u {
			continue
		}
		l.HLine(a, b.X, b.X+b.W, py, t.Line)
		l.Label(text(value), b.X+b.W+7*u, py+4*u, paint.Tick, t.Ink3, paint.Left)
		last = py
	}
}

// hue is the colour of what the filter says; its particles are blue.
func (v *SeriesView) hue() color.RGBA { return v.A.Theme.Methods[1] }

// ribbon is a band with its middle along an axis.
func (v *SeriesView) ribbon(l *paint.Layer, x, y paint.Axis, lo, hi int, of func(t int) (low, mid, high float64),
	fill float64) {
	n := hi - lo + 1
	up, mid, down := v.A.Points(n), v.A.Points(n), v.A.Points(n)
	for t := lo; t <= hi; t++ {
		a, m, b := of(t)
		px := x.At(float64(t))
		up, mid, down = append(up, paint.Pt(px, y.At(b))), append(mid, paint.Pt(px, y.At(m))),
			append(down, paint.Pt(px, y.At(a)))
	}
	if n > 1 {
		l.Add(paint.Mark{Kind: paint.Band, Pts: up, Lower: down, Color: paint.Fade(v.hue(), fill)})
		l.Add(paint.Mark{Kind: paint.Stroke, Pts: mid, Width: 2 * v.A.Unit * v.A.Theme.Stroke, Color: v.hue(), Halo: true})
	}
}

// data draws the series. Of log variances the filter says how far data reach: two standard deviations on both sides of
// 0; of states it says where they would be without noise.
func (v *SeriesView) data(b paint.Rect) []paint.Layer {
	a, u, t, q := v.A, v.A.Unit, v.A.Theme, v.Q
	last := len(q.Y) - 1
	value := func(k int) float64 { return float64(q.Y[k]) }
	sd := func(k int, by float64) float64 { return math.Exp((q.Mean[k] + by*q.Sd[k]) / 2) }
	lo, hi := v.Reach(0, last, func(k int) (float64, float64) { return value(k), value(k) })
	if q.Logs {
		hi = max(-lo, hi)
		lo = -hi
	}
	y := paint.NewAxis(lo, hi, b.Y+b.H, b.Y)

	// Scale.
	var back, front paint.Layer
	inside := paint.Layer{Clip: paint.XYWH(b.X, b.Y, b.W, b.H)}
	at, step := format.Ticks(lo, hi, min(max(int(b.H/(20*u)), 2), 5))
	v.Scale(&back, at, func(x float64) string { return format.Tick(x, step) }, y, b)

	// The band of what the filter expects, and the data on it.
	name := a.Say("Data")
	ink := paint.Mark{Kind: paint.Stroke, Width: 1.25 * u * t.Stroke, Color: t.Ink2, Pts: a.Points(last + 1)}
	for k := range q.Y {
		ink.Pts = append(ink.Pts, paint.Pt(v.whole.At(float64(k)), y.At(value(k))))
	}
	if q.Logs {
		name = a.Say("Returns")
		for _, side := range [...]float64{2, -2} {
			v.ribbon(&inside, v.whole, y, 0, last, func(k int) (float64, float64, float64) {
				return side * sd(k, -wide), side * sd(k, 0), side * sd(k, wide)
			}, 1.6*t.BandAlpha)
		}
	} else {
		v.ribbon(&inside, v.whole, y, 0, last, func(k int) (float64, float64, float64) {
			return q.Mean[k] - wide*q.Sd[k], q.Mean[k], q.Mean[k] + wide*q.Sd[k]
		}, 1.6*t.BandAlpha)
	}
	if len(ink.Pts) > 1 {
		inside.Add(ink)
	}
	points := paint.Mark{Kind: paint.Dots, Width: 0.5 * u}
	for k := range q.Y {
		if (v.whole.P1-v.whole.P0)/(v.whole.D1-v.whole.D0) >= 5*u {
			points.Pts, points.Radii = append(points.Pts, ink.Pts[k]), append(points.Radii, 2.2*u)
			points.Colors = append(points.Colors, t.Ink2)
		}
	}
	if len(points.Pts) > 0 {
		inside.Add(points)
	}

	v.A.PanelName(&front, name, v.At(), b)
	v.offer(b, v.whole, 0, last)
	return []paint.Layer{back, inside, front}
}

// At says at what parameters the filter runs.
func (v *SeriesView) At() string {
	text := ""
	if own := v.W.Parameters; own != nil && len(own.Names) == len(v.Q.At) {
		for i, s := range own.Names {
			text += s + " = " + format.Grouped(float64(v.Q.At[i]), 2) + ", "
		}
	}
	return text + record.BetaIs(v.Q.Beta)
}

// states draws the particles up to the front: those that the newest ones descend from in colour, lines that died out
// pale; behind them the band and the mean, and the exact mean where it is known.
func (v *SeriesView) states(b paint.Rect) []paint.Layer {
	a, u, t, q := v.A, v.A.Unit, v.A.Theme, v.Q
	lo, hi := v.Reach(v.lo, v.hi, func(k int) (float64, float64) { return q.Mean[k] - 3*q.Sd[k], q.Mean[k] + 3*q.Sd[k] })
	y := paint.NewAxis(lo, hi, b.Y+b.H, b.Y)

	// Scale.
	var back, front paint.Layer
	inside := paint.Layer{Clip: paint.XYWH(b.X, b.Y, b.W, b.H)}
	name := a.Say("Hidden state")
	if q.Logs {
		name = a.Say("Volatility")
		v.Scale(&back, v.Volatilities(lo, hi), func(h float64) string { return format.AtMost(math.Exp(h/2), 3) }, y, b)
	} else {
		at, step := format.Ticks(lo, hi, min(max(int(b.H/(34*u)), 2), 6))
		v.Scale(&back, at, func(x float64) string { return format.Tick(x, step) }, y, b)
	}

	// The band and the mean of the filter.
	band := paint.Mark{Kind: paint.Band, Pts: a.Points(v.hi - v.lo + 1), Lower: a.Points(v.hi - v.lo + 1),
		Color: paint.Fade(v.hue(), t.BandAlpha)}
	for k := v.lo; k <= v.hi; k++ {
		x := v.x.At(float64(k))
		band.Pts = append(band.Pts, paint.Pt(x, y.At(q.Mean[k]+wide*q.Sd[k])))
		band.Lower = append(band.Lower, paint.Pt(x, y.At(q.Mean[k]-wide*q.Sd[k])))
	}
	if v.hi > v.lo {
		inside.Add(band)
	}
	v.ways(&inside, y)
	v.line(&inside, q.Mean, y, v.front, 2.5*u*t.Stroke, v.hue())
	if len(q.Exact) > 0 {
		exact := a.Numbers(len(q.Exact))
		for _, x := range q.Exact {
			exact = append(exact, float64(x))
		}
		v.line(&inside, exact, y, v.hi, 1.25*u*t.Stroke, t.Ink)
	}
	v.tips(&inside, y)
	if v.front < v.hi {
		inside.Add(paint.Mark{Kind: paint.Stroke,
			Pts:   []paint.Point{{X: v.x.At(float64(v.front)), Y: b.Y}, {X: v.x.At(float64(v.front)), Y: b.Y + b.H}},
			Width: a.Hairline(), Color: t.Ink3})
	}
	more := format.Grouped(float64(q.N), 0) + " " + a.Say("particles")
	if v.front > v.lo {
		more = format.Grouped(float64(q.GoOn(v.front-1)), 0) + " " + a.Say("of") + " " +
			format.Grouped(float64(q.N), 0) + " " + a.Say("particles go on")
	}
	v.A.PanelName(&front, name, more, b)
	v.offer(b, v.x, v.lo, v.hi)
	return []paint.Layer{back, inside, front}
}

// line draws values of the stretch up to a datum.
func (v *SeriesView) line(l *paint.Layer, of []float64, y paint.Axis, to int, width float64, c color.RGBA) {
	pts := v.A.Points(to - v.lo + 1)
	for k := v.lo; k <= to; k++ {
		pts = append(pts, paint.Pt(v.x.At(float64(k)), y.At(of[k])))
	}
	if len(pts) > 1 {
		l.Add(paint.Mark{Kind: paint.Stroke, Pts: pts, Width: width, Color: c, Halo: true})
	}
}

// ways draws a line from each particle to the one it comes from.
func (v *SeriesView) ways(l *paint.Layer, y paint.Axis) {
	a, u, t, q := v.A, v.A.Unit, v.A.Theme, v.Q
	alive := q.Alive(v.lo, v.front)
	segments := max(v.front-v.lo, 0) * q.N
	dead := paint.Mark{Kind: paint.Segments, Width: u * t.Stroke, Pts: a.Points(2 * segments), Colors: a.Colors(segments)}
	live := dead
	thin := min(1, math.Sqrt(40/float64(q.N)))
	live.Width, live.Pts, live.Colors = (0.5+thin)*u*t.Stroke, a.Points(2*segments), a.Colors(segments)
	for k := v.lo + 1; k <= v.front; k++ {
		x0, x1 := v.x.At(float64(k-1)), v.x.At(float64(k))
		for i := range q.N {
			from, _ := q.State(k-1, q.ParentOf(k, i))
			to, _ := q.State(k, i)
			m, c := &dead, t.Absent
			if alive[k-v.lo][i] {
				m, c = &live, t.Methods[0]
			}
			m.Pts, m.Colors = append(m.Pts, paint.Pt(x0, y.At(from)), paint.Pt(x1, y.At(to))), append(m.Colors, c)
		}
	}
	for _, m := range [...]paint.Mark{dead, live} {
		if len(m.Pts) > 0 {
			l.Add(m)
		}
	}
}

// tips draws the particles at the front; area is weight.
func (v *SeriesView) tips(l *paint.Layer, y paint.Axis) {
	a, u, q := v.A, v.A.Unit, v.Q
	m := paint.Mark{Kind: paint.Dots, Pts: a.Points(q.N), Radii: a.Numbers(q.N), Colors: a.Colors(q.N), Width: 0.75 * u}
	for i := range q.N {
		x, w := q.State(v.front, i)
		m.Pts = append(m.Pts, paint.Pt(v.x.At(float64(v.front)), y.At(x)))
		m.Radii = append(m.Radii, max(3*u*min(math.Sqrt(w*float64(q.N)), 3), 0.75*u))
		m.Colors = append(m.Colors, a.Theme.Methods[0])
	}
	l.Add(m)
}

// Volatilities are log variances of round volatilities.
func (v *SeriesView) Volatilities(lo, hi float64) (at []float64) {
	for _, x := range format.LogTicks(math.Exp(lo/2), math.Exp(hi/2), 6) {
		at = append(at, 2*math.Log(x))
	}
	return at
}

// effective draws the effective share of the particles at each datum, hanging from 1: where a datum surprises, few
// count.
func (v *SeriesView) effective(b paint.Rect) (l paint.Layer) {
	a, u, t, q := v.A, v.A.Unit, v.A.Theme, v.Q
	l.HLine(a, b.X, b.X+b.W, b.Y, t.Line2)
	wide := max((v.x.P1-v.x.P0)/(v.x.D1-v.x.D0)-2*a.Hairline(), a.Hairline())
	for k := v.lo; k <= v.front; k++ {
		if h := math.Round(b.H * (1 - q.Ess[k])); num.Finite(h) {
			l.Add(paint.Mark{Kind: paint.Fill, Color: t.Ink3,
				Box: paint.Snap(paint.XYWH(v.x.At(float64(k))-wide/2, b.Y, wide, h))})
		}
	}
	l.Label("1", b.X+b.W+7*u, b.Y+5*u, paint.Tick, t.Ink3, paint.Left)
	if b.H > 24*u {
		l.Label("0", b.X+b.W+7*u, b.Y+b.H+3*u, paint.Tick, t.Ink3, paint.Left)
	}
	v.A.PanelName(&l, a.Say("ESS ratio"), a.Say("long bar: few particles fit"), b)
	v.offer(b, v.x, v.lo, v.hi)
	return l
}

// offer reads the datum at the pointer.
func (v *SeriesView) offer(b paint.Rect, x paint.Axis, lo, hi int) {
	a := v.A
	if !a.Pointed(b) {
		return
	}
	t := min(max(int(math.Round(x.D0+(a.Pointer.At.X-x.P0)/(x.P1-x.P0)*(x.D1-x.D0))), lo), hi)
	px := x.At(float64(t))
	a.Pointer.Offer(0, 1, paint.Pt(px, a.Pointer.At.Y), 0, paint.XYWH(px, b.Y, 0, b.H), func() string { return v.read(t) })
}

// read says what is known of datum t.
func (v *SeriesView) read(t int) string {
	a, q := v.A, v.Q
	two := func(x float64) string { return format.Grouped(x, 2) }
	text := "t = " + format.Grouped(v.Number(float64(t)), 0) + "\n"
	mid, low, high := q.Mean[t], q.Mean[t]-wide*q.Sd[t], q.Mean[t]+wide*q.Sd[t]
	if q.Logs {
		text += a.Say("return") + " " + two(float64(q.Y[t])) + "\n" + a.Say("Volatility") + " " + two(math.Exp(mid/2)) +
			" (" + two(math.Exp(low/2)) + " \u2013 " + two(math.Exp(high/2)) + ")"
	} else {
		text += a.Say("Datum") + " " + two(float64(q.Y[t])) + "\n" + a.Say("Hidden state") + " " + two(mid) + " (" +
			two(low) + " \u2013 " + two(high) + ")"
		if len(q.Exact) > 0 {
			text += "\n" + a.Say("exact") + " " + two(float64(q.Exact[t]))
		}
	}
	text += "\n" + a.Say("ESS ratio") + " " + two(q.Ess[t])
	if t+1 < len(q.Y) {
		text += "\n" + format.Grouped(float64(q.GoOn(t)), 0) + " " + a.Say("of") + " " + format.Grouped(float64(q.N), 0) +
			" " + a.Say("particles go on")
	}
	return text
}
