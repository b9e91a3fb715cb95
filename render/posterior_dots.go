package render

import (
	"math"
	"sort"
	"strconv"

	"logzlab/core/format"
	"logzlab/core/num"
)

// mostDots is the largest number of particles that a panel draws one by one.
const mostDots = 600

// strew is the height of a row in a strip from y0 to y1: evenly spread, the same in all panels and frames.
func strew(place int, y0, y1 float64) float64 {
	_, part := math.Modf(float64(place+1) * 0.6180339887498949)
	return y0 + (y1-y0)*part
}

// crowd draws the particles of a panel in a strip: heavy ones first, those that were resampled away as they drop, and
// lines from parents to children on their way.
func (v *posteriorView) crowd(l *layer, k int, x axis, floor, foot float64) {
	a, u, w, t := v.a, v.a.u, v.w, v.a.theme
	every := 1 + (v.dots-1)/mostDots
	n := v.dots / every
	r0 := 3.1 * u
	if a.compact() {
		r0 = 2.5 * u
	}
	r0 *= math.Sqrt(min(1, max(150/float64(max(n, 1)), 0.25)))
	y0, y1 := floor+min(4*u, r0), foot-min(4*u, r0)
	spot := func(i int) point {
		at := v.place[i]
		q := point{x.at(v.rows[i].value(k, w.now, w.still)), strew(at, y0, y1)}
		if f := v.rows[i].slid(w.now, w.still); f < 1 {
			from := strew(v.rows[i].of, y0, y1)
			q.y = from + (q.y-from)*f
		}
		return q
	}
	sum := 0.0
	order := make([]int, 0, n)
	for i := 0; i < v.dots; i += every {
		sum += v.share[i]
		if v.share[i] > 0 {
			order = append(order, i)
		}
	}
	sort.SliceStable(order, func(i, j int) bool { return v.share[order[i]] > v.share[order[j]] })
	ways := mark{kind: threads, width: u * t.Stroke}
	m := mark{kind: dots, pts: a.points(len(order)), radii: a.numbers(len(order)), colors: a.colors(len(order)),
		width: 0.75 * u * t.Stroke}
	for _, i := range order {
		s, q := &v.rows[i], spot(i)
		r := max(r0*min(math.Sqrt(v.share[i]*float64(n)/max(sum, 1e-300)), 5), 0.5*u)
		hue := v.hue(s.beta)
		m.pts, m.radii, m.colors = append(m.pts, q), append(m.radii, r), append(m.colors, hue)
		if f := s.slid(w.now, w.still); f < 1 && len(s.past) == len(s.own) {
			ways.pts = append(ways.pts, point{x.at(float64(s.past[k])), strew(s.of, y0, y1)}, q)
			ways.colors = append(ways.colors, fade(hue, 0.6*(1-f)))
		}
		if a.asks(rect{x.p0, floor, x.p1 - x.p0, foot - floor}) {
			a.probe.offer(max(a.probe.near(q)-r, 0), 14*u, q, r, rect{}, func() string { return v.readRow(i, k) })
		}
	}
	gone := mark{kind: dots}
	for i := range w.fallen {
		d := &w.fallen[i]
		if g := d.gone(w.now, w.still); g < 1 && len(d.own) == len(v.own) && !v.p.hand.on {
			gone.pts = append(gone.pts, point{x.at(float64(d.own[k])), strew(d.i, y0, y1) + 24*u*g*g})
			gone.radii, gone.colors = append(gone.radii, 2.5*u), append(gone.colors, fade(t.Ink3, 1-g))
		}
	}
	for _, q := range [...]mark{gone, ways, m} {
		if len(q.pts) > 0 {
			l.add(q)
		}
	}
}

// readRow says what is known of a row.
func (v *posteriorView) readRow(i, k int) string {
	s := &v.rows[i]
	text := v.a.say("Particle") + " " + strconv.Itoa(v.place[i]+1)
	for j, name := range v.own {
		if len(v.own) <= 4 || j == k {
			text += "\n" + name + " = " + format.Grouped(float64(s.own[j]), 2)
		}
	}
	if num.Known(s.beta) {
		text += "\n\u03b2 = " + format.AtMost(s.beta, 2)
	}
	if num.Known(s.logW) {
		text += "\n" + v.a.say("weight") + " " + format.Grouped(v.share[i]*float64(len(v.rows)), 2) + " " +
			v.a.say("of the mean")
	}
	return text
}
