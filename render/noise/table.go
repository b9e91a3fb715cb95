package noise

import (
	"image/color"
	"math"
	"slices"
	"strings"

	"logzlab/core/format"
	"logzlab/core/num"
	"logzlab/render/chart"
	"logzlab/render/paint"
)

// table writes numbers of draws at the right of the charts, or below them. It returns a chart of the time of an
// estimate if there is space.
func (v *view) table(l *paint.Layer) *chart.Chart {
	a, u, t, b := v.a, v.a.Unit, v.a.Theme, v.pane
	if b.W <= 0 {
		return nil
	}
	columns := 1
	if b.W > 260*u {
		columns = 2
	}
	x, y, wide := b.X, b.Y, (b.W-20*u*float64(columns-1))/float64(columns)
	if columns == 1 {
		l.Label(a.Say("Draws N behind an estimate"), x, y+12*u, paint.Strong, t.Ink, paint.Left)
		y += 24 * u
	}

	// The table, then the verdict, then the chart of times.
	for i, r := range v.rows() {
		end := x + float64(i%columns)*(wide+20*u) + wide
		at := y + float64(i/columns)*22*u
		l.Label(r.name, end-wide, at+8*u, r.st, r.ink, paint.Left)
		l.Label(r.value, end, at+8*u, r.st, r.ink, paint.Right)
		l.HLine(a, end-wide, end, at+14*u, t.Line)
	}
	y += math.Ceil(float64(len(v.rows()))/float64(columns))*22*u + 2*u
	for _, part := range a.Wrap(v.verdict(), paint.Strong, b.W) {
		if y+12*u > a.H {
			return nil
		}
		l.Label(part, x, y+14*u, paint.Strong, t.Ink, paint.Left)
		y += 17 * u
	}
	if columns > 1 {
		return nil
	}
	y += 14 * u
	return v.timing(paint.XYWH(x, y, b.W, min(b.Y+b.H-y, 210*u)))
}

// rows returns the numbers of draws to compare: of the run, the default, and those with the least time.
func (v *view) rows() (rows []numberRow) {
	a, t, n := v.a, v.a.Theme, v.n
	count := func(best float64) string {
		if x := n.VarPerDraw / best; num.Finite(x) {
			return format.Grouped(max(math.Ceil(x), 1), 0)
		}
		return "\u2013"
	}
	rows = []numberRow{{a.Say("this run"), format.Grouped(float64(n.Draws), 0), paint.Strong, v.ink}}
	auto := format.Grouped(float64(n.Auto), 0)
	return append(rows, numberRow{a.Say("picked (inner = 0)"), auto, paint.Plain, t.Ink},
		numberRow{a.Say("least time, counted"), count(n.Counted.BestVar), paint.Plain, t.Ink},
		numberRow{a.Say("least time, timed here"), count(n.Timed.BestVar), paint.Plain, t.Ink})
}

// verdict says what noise costs the run, by the variance measured in the run or, if it is unknown, in the tests.
func (v *view) verdict() string {
	s := v.n.MeasuredVar
	if !num.Finite(s) {
		s = v.varianceAt(float64(v.n.Draws))
	}
	return strings.NewReplacer("#", format.SI(s, 2), "@", format.Trimmed(100*math.Exp(-v.n.Tau*s), 0)).Replace(
		v.a.Say("With \u03c3\u00b2 = # this run keeps @\u00a0% of its effective samples."))
}

// timing draws the time of an estimate by its number of draws, with a fitted line.
func (v *view) timing(b paint.Rect) *chart.Chart {
	t, price := v.a.Theme, &v.n.Timed
	var draws, times []float64
	for _, q := range v.tests {
		if q.Seconds > 0 {
			draws, times = append(draws, float64(q.Draws)), append(times, q.Seconds)
		}
	}
	if b.H < 90*v.a.Unit || !num.Finite(price.PerDraw) || !(price.PerDraw > 0) || draws == nil {
		return nil
	}
	last := slices.Max(draws)
	c := chart.New(v.a, b, chart.Axis{Lo: 0, Hi: 1.06 * last, Whole: true, Unit: "N"},
		chart.Axis{Lo: 0, Hi: 1.1 * max(slices.Max(times), price.Fixed+price.PerDraw*last), Bare: true,
			Title: formatTime(price.Fixed) + " + N \u00d7 " + formatTime(price.PerDraw)})
	c.Title = v.a.Say("Time of an estimate, here")
	c.Line([]float64{0, last}, []float64{price.Fixed, price.Fixed + price.PerDraw*last}, chart.Style{Color: v.ink})
	c.Dots(draws, times, chart.Style{Mark: 1, Color: t.Ink2, R: 3.2})
	c.PointTooltips(len(draws), func(i int) (x, y float64) { return draws[i], times[i] }, func(i int) string {
		return "N = " + format.Grouped(draws[i], 0) + "\n" + formatTime(times[i])
	})
	return c
}

// numberRow is a row of the table.
type numberRow struct {
	name, value string
	st          paint.Style
	ink         color.RGBA
}
