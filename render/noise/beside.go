package noise

import (
	"image/color"
	"math"
	"strings"

	"logzlab/core/format"
	"logzlab/core/num"
	"logzlab/render/paint"
)

// beside writes the numbers of draws beside the panels, or below them, and draws how long estimates take.
func (v *noiseView) beside(l *paint.Layer) {
	a, u, t, b := v.a, v.a.Unit, v.a.Theme, v.pane
	if b.W <= 0 {
		return
	}
	columns := 1
	if b.W > 260*u {
		columns = 2
	}
	x, y, wide := b.X, b.Y, (b.W-20*u*float64(columns-1))/float64(columns)
	if columns == 1 {
		l.Label(a.Say("Draws N behind an estimate"), x, y-12*u, paint.Strong, t.Ink, paint.Left)
	}

	// The table, then the verdict, then the times where there is room.
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
			return
		}
		l.Label(part, x, y+14*u, paint.Strong, t.Ink, paint.Left)
		y += 17 * u
	}
	if columns == 1 {
		v.timing(l, paint.XYWH(x, y+44*u, b.W, min(b.Y+b.H-y-84*u, 150*u)))
	}
}

// rows are numbers of draws: of the run, what would be picked, and those of least time.
func (v *noiseView) rows() (rows []numberRow) {
	a, t, n := v.a, v.a.Theme, v.n
	count := func(best float64) string {
		if x := n.Spread / best; num.Finite(x) {
			return format.Grouped(max(math.Ceil(x), 1), 0)
		}
		return "\u2013"
	}
	rows = []numberRow{{a.Say("this run"), format.Grouped(float64(n.Draws), 0), paint.Strong, v.ink}}
	auto := format.Grouped(float64(n.Auto), 0)
	return append(rows, numberRow{a.Say("picked (inner = 0)"), auto, paint.Plain, t.Ink},
		numberRow{a.Say("least time, counted"), count(n.Counted.Best), paint.Plain, t.Ink},
		numberRow{a.Say("least time, timed here"), count(n.Timed.Best), paint.Plain, t.Ink})
}

// verdict says what noise costs the run: by the variance measured in the run, else by the variance of the tests.
func (v *noiseView) verdict() string {
	s := v.n.Seen
	if !num.Finite(s) {
		s = v.at(float64(v.n.Draws))
	}
	return strings.NewReplacer("#", format.Short(s, 2), "@", format.AtMost(100*math.Exp(-v.n.Tau*s), 0)).Replace(
		v.a.Say("With \u03c3\u00b2 = # this run keeps @\u00a0% of its effective samples."))
}

// timing draws the time of an estimate by its draws, with the line that fits it best.
func (v *noiseView) timing(l *paint.Layer, b paint.Rect) {
	a, u, t, price := v.a, v.a.Unit, v.a.Theme, &v.n.Timed
	if b.H < 50*u || !num.Finite(price.One) || !(price.One > 0) {
		return
	}
	b = paint.Snap(b)
	l.Label(a.Say("Time of an estimate, here"), b.X, b.Y-22*u, paint.Strong, t.Ink, paint.Left)
	l.Label(brief(price.Base)+" + N \u00d7 "+brief(price.One), b.X, b.Y-6*u, paint.Plain, v.ink, paint.Left)
	most, last := 0.0, 0.0
	for _, q := range v.tests {
		if q.Seconds > 0 {
			most, last = max(most, q.Seconds), max(last, float64(q.Draws))
		}
	}
	if last == 0 {
		return
	}
	most = max(most, price.Base+price.One*last)

	// Axes.
	x, y := paint.NewAxis(0, 1.06*last, b.X, b.X+b.W), paint.NewAxis(0, 1.1*most, b.Y+b.H, b.Y)
	l.HLine(a, b.X, b.X+b.W, b.Y+b.H, t.Line2)
	end := b.X - 9*u
	for _, n := range [...]float64{0, math.Round(last / 2), last} {
		s := format.Grouped(n, 0)
		half := a.Fonts.Width(s, paint.Tick) / 2
		if px := min(max(x.At(n), b.X+half), b.X+b.W-half); px-half > end+8*u {
			l.Label(s, px, b.Y+b.H+15*u, paint.Tick, t.Ink3, paint.Centre)
			end = px + half
		}
	}
	l.Label("N", b.X+b.W, b.Y+b.H+30*u, paint.Tick, t.Ink2, paint.Right)

	// The fitted line and the measured times.
	l.Add(paint.Mark{Kind: paint.Stroke,
		Pts:   []paint.Point{{X: x.At(0), Y: y.At(price.Base)}, {X: x.At(last), Y: y.At(price.Base + price.One*last)}},
		Width: 2 * u * t.Stroke, Color: v.ink})
	for _, q := range v.tests {
		if q.Seconds > 0 {
			at := paint.Pt(x.At(float64(q.Draws)), y.At(q.Seconds))
			l.Add(paint.Mark{Kind: paint.Disc, At: at, R: 3.2 * u, Color: t.Ink2, Halo: true})
			if a.Pointed(b) {
				a.Pointer.Offer(a.Pointer.Distance(at), 14*u, at, 3.2*u, paint.Rect{}, func() string {
					return "N = " + format.Grouped(float64(q.Draws), 0) + "\n" + brief(q.Seconds)
				})
			}
		}
	}
}

// numberRow is a number of draws that is compared with others.
type numberRow struct {
	name, value string
	st          paint.Style
	ink         color.RGBA
}
