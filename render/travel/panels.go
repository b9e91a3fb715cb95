package travel

import (
	"image/color"
	"math"
	"strconv"
	"strings"

	"logzlab/core/format"
	"logzlab/core/num"
	"logzlab/render/chart"
	"logzlab/render/ladder"
	"logzlab/render/paint"
)

// group returns the number of rungs that share a bar in a plot of a width, so that bars are wide enough.
func (v *view) group(wide float64) int {
	return max(1, int(math.Ceil(float64(v.n)*5*v.a.Unit/wide)))
}

// bars groups n values at the positions k + off, and selects the worst of each group: the one with the largest score.
// A score of NaN means that the value is unknown.
func bars(n, group int, off float64, score func(k int) float64) (xs []float64, worst []int) {
	for k := 0; k < n; k += group {
		end, far := min(k+group, n), k
		for j := k; j < end; j++ {
			if s := score(j); s > score(far) || !num.NotNaN(score(far)) {
				far = j
			}
		}
		xs, worst = append(xs, float64(k+end-1)/2+off), append(worst, far)
	}
	return xs, worst
}

// glide returns the values that a panel shows now, between the previous and the new ones.
func (v *view) glide(panel string, to []float64) []float64 {
	return v.s.motion.Animate(v.a, panel, v.s.Run.Now, to...)
}

// barWidth returns the width of bars in rungs: most of a group, at most 56 px.
func (v *view) barWidth(c *chart.Chart, group int) float64 {
	return min(0.82*float64(group), 56*v.a.Unit/(c.Box().W/float64(v.n)))
}

// overlap draws the overlap of neighbouring rungs: a bar for each pair, and the level that none should be below. Above
// a bar that is too low, the missing part is drawn faintly.
func (v *view) overlap(c *chart.Chart) {
	a, t, u, all := v.a, v.a.Theme, v.a.Unit, v.l.Overlap
	group := v.group(c.Box().W - 50*u)
	xs, pairs := bars(len(all), group, 0.5, func(k int) float64 { return -all[k] })
	var ys, lowX, lowY []float64
	var inks []color.RGBA
	most := 0.5
	for i, k := range pairs {
		o := math.NaN()
		if num.Finite(all[k]) {
			o = min(max(all[k], 0), 1)
			most = max(most, o)
		}
		ys, inks = append(ys, o), append(inks, t.BetaColor((v.betaAt(k)+v.betaAt(k+1))/2))
		if o < lowOverlap {
			lowX, lowY = append(lowX, xs[i]), append(lowY, lowOverlap)
		}
	}
	c.Title, c.TopRight = a.Say("Overlap of neighbouring rungs"), a.Say("below the line: add a rung")
	if a.Compact() && group > 1 {
		c.TopRight = a.Say("each bar the worst of") + " " + format.Grouped(float64(group), 0)
	}
	c.Y = chart.Axis{Hi: math.Ceil(most*12) / 10, Ticks: []float64{0, lowOverlap, 0.5, 1}}
	wide := v.barWidth(c, group)
	c.Bars(lowX, lowY, chart.Style{Color: paint.Mix(t.Ground, t.Caution, 0.28), BarWidth: wide})
	c.Bars(xs, v.glide("overlap", ys), chart.Style{Colors: inks, BarWidth: wide})
	c.Level(lowOverlap, "", chart.Style{Width: 1.75})

	// The lowest value is written above its bar, with a caution sign if it is too low.
	low := v.lowest()
	for i, k := range pairs {
		if k != low {
			continue
		}
		o := ys[i]
		c.DrawOver(func(l *paint.Layer) {
			q := c.At(xs[i], max(o, lowOverlap))
			v.mark(l, c, q.X, q.Y-6*u, formatOverlap(o), o < lowOverlap)
		})
	}
	c.Tooltips(len(xs), func(i int) (x, y float64) { return xs[i], ys[i] }, func(i int) string {
		k := pairs[i]
		s := a.Say("Rungs") + " " + strconv.Itoa(k+1) + " \u2013 " + strconv.Itoa(k+2) + "\n\u03b2 = " + betaText(v.betaAt(k)) +
			" \u2013 " + betaText(v.betaAt(k+1))
		if num.NotNaN(ys[i]) {
			s += "\n" + a.Say("overlap") + " " + formatOverlap(ys[i])
		}
		return s
	})
}

// mark draws the value of the worst bar at x, with a caution sign if it fails.
func (v *view) mark(l *paint.Layer, c *chart.Chart, x, y float64, text string, bad bool) {
	a, u, b := v.a, v.a.Unit, c.Plot()
	wide := a.Fonts.Width(text, paint.StrongTick)
	left := wide / 2
	if bad {
		left += 18 * u
	}
	x, y = min(max(x, b.X+left), b.X+b.W-wide/2), max(y, b.Y+10*u)
	if bad {
		ladder.Caution(l, a, paint.Pt(x-wide/2-10*u, y-4*u), 7*u)
	}
	l.Label(text, x, y, paint.StrongTick, a.Theme.Ink, paint.Centre)
}

// rung returns the name of a rung for tooltips.
func (v *view) rung(k int) string {
	s := v.a.Say("Rung") + " " + strconv.Itoa(k+1)
	if k < len(v.beta) && num.NotNaN(v.beta[k]) {
		s += ", \u03b2 = " + betaText(v.beta[k])
	}
	return s
}

func betaText(beta float64) string { return strconv.FormatFloat(beta, 'g', 3, 64) }

// visits draws visits over planned visits, c / r, on a log scale: a bar from 1 up for a rung that is visited too
// often, down for one that is visited too rarely. If visits were also counted directly, a ring shows the count.
func (v *view) visits(c *chart.Chart) {
	a, t, u, all := v.a, v.a.Theme, v.a.Unit, v.l.Occupancy
	var counts []float64
	if v.t != nil && len(v.t.Visits) == v.n {
		counts = v.t.Visits
	}

	// The scale is symmetric, up to a factor of 150.
	reach := 2.5
	for _, x := range [...][]float64{all, counts} {
		for _, y := range x {
			if num.Finite(y) && y > 0 {
				reach = max(reach, 1.2*max(y, 1/y))
			}
		}
	}
	reach = min(reach, 150)
	c.Title = a.Say("Visits against those planned, c / r")
	c.Y = chart.Axis{Lo: 1 / reach, Hi: reach, Log: true, Ticks: []float64{0.01, 0.1, 1, 10, 100}}
	if reach < 10 {
		c.Y.Ticks = []float64{0.2, 0.5, 1, 2, 5}
	}
	shown := func(y float64) float64 {
		if !(y >= 0) || math.IsInf(y, 0) {
			return math.NaN()
		}
		return min(max(y, 1/reach), reach)
	}
	off := func(k int) float64 { return math.Abs(math.Log(shown(all[k]))) }

	group := v.group(c.Box().W - 50*u)
	xs, rungs := bars(v.n, group, 0, off)
	var ys []float64
	var inks []color.RGBA
	worst := -1
	for i, k := range rungs {
		ys, inks = append(ys, shown(all[k])), append(inks, t.BetaColor(v.betaAt(k)))
		if num.NotNaN(ys[i]) && (worst < 0 || off(k) > off(rungs[worst])) {
			worst = i
		}
	}
	c.Bars(xs, v.glide("visits", ys), chart.Style{Colors: inks, Base: 1, BarWidth: v.barWidth(c, group)})
	for _, y := range [...]float64{ladder.LowOccupancy, ladder.HighOccupancy} {
		if y > 1/reach && y < reach {
			c.Level(y, "", chart.Style{Color: t.Ink3, Width: 1, Dash: [2]float64{4, 3}})
		}
	}
	c.Level(1, "", chart.Style{Width: 1.5})

	rings := counts != nil && group == 1
	ring := chart.Style{Color: t.Ink, Hollow: true, R: min(3.4, 0.3*c.Box().W/float64(v.n)/u)}
	if rings {
		some := make([]float64, v.n)
		for k := range some {
			some[k] = shown(counts[k])
		}
		c.Dots(xs, some, ring)
	}

	// The worst value is written on the other side of the line.
	if worst >= 0 {
		if y := all[rungs[worst]]; y < ladder.LowOccupancy || y > ladder.HighOccupancy {
			c.DrawOver(func(l *paint.Layer) {
				q := c.At(xs[worst], 1)
				if q.Y -= 7 * u; y > 1 {
					q.Y += 20 * u
				}
				v.mark(l, c, q.X, q.Y, format.Ratio(y), true)
			})
		}
	}
	var links []link
	if v.plan != nil {
		links = append(links, link{a.Say("Plan the visits"), v.switchPlan})
	}
	end := v.links(c, links...)
	x, y, s := end-a.Fonts.Width(a.Say("counted"), paint.Tick), c.Box().Y+12*u, a.Say("counted")
	if rings && c.Box().X+a.Fonts.Width(c.Title, paint.Strong)+30*u < x {
		c.DrawOver(func(l *paint.Layer) {
			l.Label(s, x, y, paint.Tick, t.Ink3, paint.Left)
			l.Add(paint.Mark{Kind: paint.Disc, At: paint.Pt(x-8*u, y-4*u), R: 3.4 * u, Color: t.Ink, Hollow: 1.5 * u})
		})
	}
	c.Tooltips(len(xs), func(i int) (x, y float64) { return xs[i], ys[i] }, func(i int) string {
		k := rungs[i]
		s := v.rung(k)
		if y := all[k]; num.Finite(y) {
			s += "\nc / r = " + format.Ratio(y)
		}
		if counts != nil && num.Finite(counts[k]) {
			s += "\n" + a.Say("counted") + " " + format.Ratio(counts[k])
		}
		return s
	})
}

// wayUp draws, for each rung, the share of the visits by chains that were last at the base, not at the target. If
// nothing holds the chains back, it falls linearly, along the dashed line; a steep step is a bottleneck.
func (v *view) wayUp(c *chart.Chart) {
	a, t, u, up := v.a, v.a.Theme, v.a.Unit, v.t.FractionUp
	c.Title, c.TopRight = a.Say("Share of the visits on the way up"), a.Say("dashed: nothing holds the chains")
	c.Y = chart.Axis{Hi: 1.08, Ticks: []float64{0, 0.5, 1}, Label: func(y float64) string {
		return format.Trimmed(100*y, 0) + "\u00a0%"
	}}
	var xs, ys []float64
	var inks []color.RGBA
	for k, y := range up {
		if xs = append(xs, float64(k)); num.Finite(y) {
			y = min(max(y, 0), 1)
		}
		ys, inks = append(ys, y), append(inks, t.BetaColor(v.betaAt(k)))
	}
	c.Line([]float64{0, float64(v.n - 1)}, []float64{1, 0}, chart.Style{Color: t.Ink3, Width: 1.25, Dash: [2]float64{4, 3}})
	pitch := c.Box().W / float64(v.n) / u
	shown := v.glide("up", ys)
	c.Line(xs, shown, chart.Style{Color: t.Line2, Width: 1.75})
	c.Dots(xs, shown, chart.Style{Colors: inks, R: min(max(0.35*pitch, 1.6), 4)})
	c.Tooltips(v.n, func(k int) (x, y float64) { return xs[k], ys[k] }, func(k int) string {
		s := v.rung(k)
		if num.Finite(up[k]) {
			s += "\n" + strings.Replace(a.Say("# % of the visits here are on the way up"), "#", format.Trimmed(100*ys[k], 0), 1)
		}
		return s + "\n" + a.Say("round trips") + ": " + format.Grouped(float64(v.t.Total), 0)
	})
}
