package render

import (
	"math"
	"strings"

	"logzlab/core/format"
	"logzlab/core/num"
)

// beside writes the numbers of draws beside the panels, or below them, and draws how long estimates take.
func (v *noiseView) beside(l *layer) {
	a, u, t, b := v.a, v.a.u, v.a.theme, v.pane
	if b.w <= 0 {
		return
	}
	columns := 1
	if b.w > 260*u {
		columns = 2
	}
	x, y, wide := b.x, b.y, (b.w-20*u*float64(columns-1))/float64(columns)
	if columns == 1 {
		l.label(a.say("Draws N behind an estimate"), x, y-12*u, strong, t.Ink, left)
	}
	for i, r := range v.rows() {
		end := x + float64(i%columns)*(wide+20*u) + wide
		at := y + float64(i/columns)*22*u
		l.label(r.name, end-wide, at+8*u, r.st, r.ink, left)
		l.label(r.value, end, at+8*u, r.st, r.ink, right)
		l.hline(a, end-wide, end, at+14*u, t.Line)
	}
	y += math.Ceil(float64(len(v.rows()))/float64(columns))*22*u + 2*u
	for _, part := range a.wrap(v.verdict(), strong, b.w) {
		if y+12*u > a.h {
			return
		}
		l.label(part, x, y+14*u, strong, t.Ink, left)
		y += 17 * u
	}
	if columns == 1 {
		v.timing(l, rect{x, y + 44*u, b.w, min(b.y+b.h-y-84*u, 150*u)})
	}
}

// rows are numbers of draws: of the run, what would be picked, and those of least time.
func (v *noiseView) rows() (rows []costRow) {
	a, t, n := v.a, v.a.theme, v.n
	count := func(best float64) string {
		if x := n.Spread / best; num.Finite(x) {
			return format.Grouped(max(math.Ceil(x), 1), 0)
		}
		return "\u2013"
	}
	rows = []costRow{{a.say("this run"), format.Grouped(float64(n.Draws), 0), strong, v.ink}}
	auto := format.Grouped(float64(n.Auto), 0)
	return append(rows, costRow{a.say("picked (inner = 0)"), auto, plain, t.Ink},
		costRow{a.say("least time, counted"), count(n.Counted.Best), plain, t.Ink},
		costRow{a.say("least time, timed here"), count(n.Timed.Best), plain, t.Ink})
}

// verdict says what noise costs the run: by the variance that it measured itself, else as tried.
func (v *noiseView) verdict() string {
	s := v.n.Seen
	if !num.Finite(s) {
		s = v.at(float64(v.n.Draws))
	}
	return strings.NewReplacer("#", format.Short(s, 2), "@", format.AtMost(100*math.Exp(-v.n.Tau*s), 0)).Replace(
		v.a.say("With \u03c3\u00b2 = # this run keeps @\u00a0% of its effective samples."))
}

// timing draws the time of an estimate by its draws, with the line that fits it best.
func (v *noiseView) timing(l *layer, b rect) {
	a, u, t, price := v.a, v.a.u, v.a.theme, &v.n.Timed
	if b.h < 50*u || !num.Finite(price.One) || !(price.One > 0) {
		return
	}
	b = snap(b)
	l.label(a.say("Time of an estimate, here"), b.x, b.y-22*u, strong, t.Ink, left)
	l.label(brief(price.Base)+" + N \u00d7 "+brief(price.One), b.x, b.y-6*u, plain, v.ink, left)
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
	x, y := axis{0, 1.06 * last, b.x, b.x + b.w}, axis{0, 1.1 * most, b.y + b.h, b.y}
	l.hline(a, b.x, b.x+b.w, b.y+b.h, t.Line2)
	end := b.x - 9*u
	for _, n := range [...]float64{0, math.Round(last / 2), last} {
		s := format.Grouped(n, 0)
		half := a.fonts.width(s, tick) / 2
		if px := min(max(x.at(n), b.x+half), b.x+b.w-half); px-half > end+8*u {
			l.label(s, px, b.y+b.h+15*u, tick, t.Ink3, centre)
			end = px + half
		}
	}
	l.label("N", b.x+b.w, b.y+b.h+30*u, tick, t.Ink2, right)
	l.add(mark{kind: stroke, pts: []point{{x.at(0), y.at(price.Base)}, {x.at(last), y.at(price.Base + price.One*last)}},
		width: 2 * u * t.Stroke, color: v.ink})
	for _, q := range v.tests {
		if q.Seconds > 0 {
			at := point{x.at(float64(q.Draws)), y.at(q.Seconds)}
			l.add(mark{kind: disc, at: at, r: 3.2 * u, color: t.Ink2, halo: true})
			if a.asks(b) {
				a.probe.offer(a.probe.near(at), 14*u, at, 3.2*u, rect{}, func() string {
					return "N = " + format.Grouped(float64(q.Draws), 0) + "\n" + brief(q.Seconds)
				})
			}
		}
	}
}
