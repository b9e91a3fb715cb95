package series

import (
	"image/color"
	"math"

	"logzlab/core/format"
	"logzlab/core/num"
	"logzlab/render/chart"
	"logzlab/render/paint"
	"logzlab/render/record"
)

// wide is the half-width of the bands in standard deviations; they contain 80 % of a normal distribution.
const wide = 1.28

// number returns the number of datum t in the series, from 1.
func number(q *record.Flow, t float64) float64 { return t + float64(q.First) + 1 }

// Times returns the axis of the numbers of data, from datum lo to datum hi.
func Times(q *record.Flow, lo, hi float64) chart.Axis {
	return chart.Axis{Lo: number(q, lo), Hi: number(q, hi), Whole: true, Unit: "t",
		Label: func(n float64) string { return format.Grouped(n, 0) }}
}

// shownValue returns a state as charts show it. A log variance is shown as the volatility.
func shownValue(q *record.Flow, state float64) float64 {
	if q.Logs {
		return math.Exp(state / 2)
	}
	return state
}

// Height sets title and range of a chart of hidden states, such that it includes the means at the data lo to hi plus
// and minus some standard deviations. It returns the range of the states.
func Height(a *paint.Area, c *chart.Chart, q *record.Flow, lo, hi int, deviations float64) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for t := lo; t <= hi; t++ {
		if off := deviations * q.Sd[t]; num.Finite(q.Mean[t]) && num.Finite(off) {
			low, high = min(low, q.Mean[t]-off), max(high, q.Mean[t]+off)
		}
	}
	if !(high-low > 1e-9*max(math.Abs(low), math.Abs(high), 1e-9)) || !num.Finite(high-low) {
		if !num.Finite(low) {
			low = 0
		}
		low, high = low-1, low+1
	}
	room := 0.06 * (high - low)
	low, high = low-room, high+room
	c.Title = a.Say("Hidden state")
	if q.Logs {
		c.Title, c.Y.Log = a.Say("Volatility"), true
	}
	c.Y.Lo, c.Y.Hi = shownValue(q, low), shownValue(q, high)
	return low, high
}

// At returns the parameters of a filter as text.
func At(w *record.Particles, q *record.Flow) string {
	text := ""
	if own := w.Parameters; own != nil && len(own.Names) == len(q.Params) {
		for i, s := range own.Names {
			text += s + " = " + format.Grouped(float64(q.Params[i]), 2) + ", "
		}
	}
	return text + record.FormatBeta(q.Beta)
}

// hue returns the colour of the filtering distribution; its particles are blue.
func (v *view) hue() color.RGBA { return v.a.Theme.Methods[1] }

// times returns the numbers of the data lo to hi.
func (v *view) times(lo, hi int) []float64 {
	return over(lo, hi, func(t int) float64 { return number(v.q, float64(t)) })
}

// over returns values of the data lo to hi.
func over(lo, hi int, of func(t int) float64) (out []float64) {
	for t := lo; t <= hi; t++ {
		out = append(out, of(t))
	}
	return out
}

// data draws the series with the distribution given by the filter: of log variances two standard deviations of the
// data on both sides of 0, of states their values without noise.
func (v *view) data(c *chart.Chart) {
	t, q, last := v.a.Theme, v.q, len(v.q.Y)-1
	at, data := v.times(0, last), over(0, last, func(k int) float64 { return float64(q.Y[k]) })
	ribbon := func(of func(k int, by float64) float64) {
		by := func(by float64) []float64 { return over(0, last, func(k int) float64 { return of(k, by) }) }
		c.Band(at, by(-wide), by(wide), chart.Style{Color: v.hue(), Opacity: 1.6 * t.BandAlpha})
		c.Line(at, by(0), chart.Style{Color: v.hue()})
	}
	c.Title, c.TopRight = v.a.Say("Data"), At(v.w, q)
	if q.Logs {
		c.Title = v.a.Say("Returns")
		for _, side := range [...]float64{2, -2} {
			ribbon(func(k int, by float64) float64 { return side * math.Exp((q.Mean[k]+by*q.Sd[k])/2) })
		}
	} else {
		ribbon(func(k int, by float64) float64 { return q.Mean[k] + by*q.Sd[k] })
	}
	c.Y.Lo, c.Y.Hi = v.reach(data)
	c.Line(at, data, chart.Style{Color: t.Ink2, Width: 1.25, NoHalo: true})
	if c.Box().W >= 5*v.a.Unit*float64(len(data)) {
		c.Dots(at, data, chart.Style{Color: t.Ink2, R: 2.2})
	}
}

// reach returns the range of the data with some room, symmetric for returns. Bands may extend beyond it.
func (v *view) reach(data []float64) (lo, hi float64) {
	for i, y := range data {
		if i == 0 {
			lo, hi = y, y
		}
		lo, hi = min(lo, y), max(hi, y)
	}
	if v.q.Logs {
		hi = max(-lo, hi)
		lo = -hi
	}
	room := 0.06 * (hi - lo)
	if !(room > 0) {
		room = 1
	}
	return lo - room, hi + room
}

// states draws the particles up to the front: ancestors of the newest ones in colour, lines that died out pale; behind
// them the band and the mean, and the exact mean if it is known.
func (v *view) states(c *chart.Chart) {
	a, t, q := v.a, v.a.Theme, v.q
	Height(a, c, q, v.lo, v.hi, 3)
	line := func(to int, of func(k int) float64, s chart.Style) {
		c.Line(v.times(v.lo, to), over(v.lo, to, func(k int) float64 { return shownValue(q, of(k)) }), s)
	}
	edge := func(by float64) []float64 {
		return over(v.lo, v.hi, func(k int) float64 { return shownValue(q, q.Mean[k]+by*q.Sd[k]) })
	}
	c.Band(v.times(v.lo, v.hi), edge(-wide), edge(wide), chart.Style{Color: v.hue(), Opacity: t.BandAlpha})
	c.Draw(func(l *paint.Layer) { v.trajectories(l, c) })
	line(v.front, func(k int) float64 { return q.Mean[k] }, chart.Style{Color: v.hue(), Width: 2.5})
	if len(q.Exact) > 0 {
		line(v.hi, func(k int) float64 { return float64(q.Exact[k]) }, chart.Style{Color: t.Ink, Width: 1.25})
	}
	c.Draw(func(l *paint.Layer) { v.tips(l, c) })
	if v.front < v.hi {
		c.LevelX(number(q, float64(v.front)), "", chart.Style{Color: t.Ink3, Width: 1})
	}
	c.TopRight = format.Grouped(float64(q.N), 0) + " " + a.Say("particles")
	if v.front > v.lo {
		c.TopRight = format.Grouped(float64(q.CountParents(v.front-1)), 0) + " " + a.Say("of") + " " +
			format.Grouped(float64(q.N), 0) + " " + a.Say("particles go on")
	}
}

// spot returns the pixel of a state at a datum.
func (v *view) spot(c *chart.Chart, k int, state float64) paint.Point {
	return c.At(number(v.q, float64(k)), shownValue(v.q, state))
}

// trajectories draws a line from each particle to its parent.
func (v *view) trajectories(l *paint.Layer, c *chart.Chart) {
	a, u, t, q := v.a, v.a.Unit, v.a.Theme, v.q
	alive := q.Ancestors(v.lo, v.front)
	segments := max(v.front-v.lo, 0) * q.N
	dead := paint.Mark{Kind: paint.Segments, Width: u * t.Stroke, Pts: a.Points(2 * segments), Colors: a.Colors(segments)}
	live := dead
	thin := min(1, math.Sqrt(40/float64(q.N)))
	live.Width, live.Pts, live.Colors = (0.5+thin)*u*t.Stroke, a.Points(2*segments), a.Colors(segments)
	for k := v.lo + 1; k <= v.front; k++ {
		for i := range q.N {
			from, _ := q.State(k-1, q.ParentOf(k, i))
			to, _ := q.State(k, i)
			m, ink := &dead, t.Absent
			if alive[k-v.lo][i] {
				m, ink = &live, t.Methods[0]
			}
			m.Pts, m.Colors = append(m.Pts, v.spot(c, k-1, from), v.spot(c, k, to)), append(m.Colors, ink)
		}
	}
	for _, m := range [...]paint.Mark{dead, live} {
		if len(m.Pts) > 0 {
			l.Add(m)
		}
	}
}

// tips draws the particles at the front; area is weight.
func (v *view) tips(l *paint.Layer, c *chart.Chart) {
	a, u, q := v.a, v.a.Unit, v.q
	m := paint.Mark{Kind: paint.Dots, Pts: a.Points(q.N), Radii: a.Numbers(q.N), Colors: a.Colors(q.N), Width: 0.75 * u}
	for i := range q.N {
		x, w := q.State(v.front, i)
		m.Pts = append(m.Pts, v.spot(c, v.front, x))
		m.Radii = append(m.Radii, max(3*u*min(math.Sqrt(w*float64(q.N)), 3), 0.75*u))
		m.Colors = append(m.Colors, a.Theme.Methods[0])
	}
	l.Add(m)
}

// effective draws the effective sample size over N at each datum, as bars from 1 down: they are long at surprising
// data.
func (v *view) effective(c *chart.Chart) {
	c.Title, c.TopRight = v.a.Say("ESS ratio"), v.a.Say("long bar: few particles fit")
	c.Y = chart.Axis{Hi: 1, Ticks: []float64{0, 1}}
	c.Level(1, "", chart.Style{Color: v.a.Theme.Line2, Width: 1})
	c.Bars(v.times(v.lo, v.front), v.q.ESS[v.lo:v.front+1], chart.Style{Color: v.a.Theme.Ink3, Base: 1, BarWidth: 0.7})
}

// describe returns the tooltip of datum t.
func (v *view) describe(t int) string {
	a, q := v.a, v.q
	two := func(x float64) string { return format.Grouped(x, 2) }
	text := "t = " + format.Grouped(number(q, float64(t)), 0) + "\n"
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
	text += "\n" + a.Say("ESS ratio") + " " + two(q.ESS[t])
	if t+1 < len(q.Y) {
		parents, all := format.Grouped(float64(q.CountParents(t)), 0), format.Grouped(float64(q.N), 0)
		text += "\n" + parents + " " + a.Say("of") + " " + all + " " + a.Say("particles go on")
	}
	return text
}
