package render

import (
	"math"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/core/num"
)

// pathBar draws the temperatures as a bar with a handle, and, where particles have different
// ones, with their number above it; and below it five moments.
func (v *planeView) pathBar(p *Picture, live *wall) (l layer) {
	a, t, u := v.a, v.a.theme, v.a.u
	y0 := a.h - v.path + 8*u
	tw, th := 0.0, 0.0
	if v.film {
		th = v.path - 63*u
		tw = min(112*u, (a.w-2*v.pad)/5-8*u)
	}
	ends := max(tw/2, 28*u)
	bar := axis{0, 1, v.pad + ends, a.w - v.pad - ends}
	p.bar(a, &l, live, bar, y0+13*u)
	film := frame.Film(0, 0)
	for i, b := range film {
		if !v.film && i%2 == 1 {
			continue
		}
		s := format.AtMost(b, 2)
		if i == 0 || i == len(film)-1 {
			s = "\u03b2 = " + s
		}
		l.label(s, bar.at(b), y0+37*u, tick, t.Ink3, centre)
		if v.film {
			v.moment(&l, i, b, snap(rect{bar.at(b) - tw/2, y0 + 41*u, tw, th}))
		}
	}
	if v.shared {
		x := bar.at(v.beta)
		al, tx := left, x+15*u
		if x > bar.p1-120*u {
			al, tx = right, x-15*u
		}
		s := "\u03b2 = " + format.AtMost(v.beta, 2)
		if z, ok := p.logZAt(live.method, v.beta); ok && p.hand.on && !a.compact() {
			s += ", " + z
		}
		l.label(s, tx, y0+9*u, strong, t.Ink, al)
		return l
	}
	// How many stand where.
	const bins = 32
	var count [bins]float64
	most := 1.0
	for i := range v.w.slots {
		if s := &v.w.slots[i]; s.filled && num.Known(s.beta) {
			k := min(max(int(s.beta*bins), 0), bins-1)
			count[k]++
			most = max(most, count[k])
		}
	}
	for k, c := range count {
		if c > 0 {
			x0, x1 := math.Round(bar.at(float64(k)/bins)), math.Round(bar.at(float64(k+1)/bins))
			h := max(math.Round(16*u*c/most), 1)
			l.add(mark{kind: fill, box: rect{x0, math.Round(y0+13*u) - h, max(x1-x0-a.hair(), 1), h},
				color: t.BetaColor((float64(k) + 0.5) / bins)})
		}
	}
	return l
}

// moment draws the plane as it was near a temperature.
func (v *planeView) moment(l *layer, i int, beta float64, b rect) {
	u := v.a.u
	if b.h < 24*u || b.w < 24*u {
		return
	}
	sx, sy := v.window(b)
	l.add(mark{kind: ground, box: b, slot: i + 1, relief: v.d.relief(i+1, b, sx, sy, beta, 3*u, v.now)})
	m := mark{kind: dots, pts: v.a.points(maxSlots), radii: v.a.numbers(maxSlots), colors: v.a.colors(maxSlots)}
	for k := range min(len(v.w.slots), maxSlots) {
		q := v.w.slots[k].near(i*v.w.every, v.w.every/2)
		if q == nil {
			continue
		}
		r := 1.35 * u
		at := point{sx.at(q.at.x), sy.at(q.at.y)}
		if at.x > b.x+r && at.x < b.x+b.w-r && at.y > b.y+r && at.y < b.y+b.h-r {
			m.pts, m.radii, m.colors = append(m.pts, at), append(m.radii, r), append(m.colors, v.dotColour(q.beta))
		}
	}
	l.add(m)
}
