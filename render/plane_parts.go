package render

import (
	"math"

	"logzlab/core/format"
)

// marginals draws the weight found in bins along the upper and right edge, and
// the exact density as a line.
func (v *planeView) marginals(l *layer) {
	a, t, u, b := v.a, v.a.theme, v.a.u, v.box
	n := 0
	for i := range v.rel {
		if v.rel[i] > 0 {
			n++
		}
	}
	if n == 0 {
		return
	}
	cols := int(min(max(2.2*math.Sqrt(float64(n)), 12), b.w/(8*u)))
	rows := max(int(float64(cols)*b.h/b.w), 6)
	hx, hy := make([]float64, cols), make([]float64, rows)
	for i := range v.w.slots {
		if v.share[i] == 0 {
			continue
		}
		q := v.w.slots[i].at
		if k := int(math.Floor((q.x - v.sx.d0) / (v.sx.d1 - v.sx.d0) * float64(cols))); k >= 0 && k < cols {
			hx[k] += v.share[i]
		}
		if k := int(math.Floor((q.y - v.sy.d0) / (v.sy.d1 - v.sy.d0) * float64(rows))); k >= 0 && k < rows {
			hy[k] += v.share[i]
		}
	}
	var ex, ey []point // place on the axis and mass per bin
	if v.d != nil {
		s := v.exact()
		ex = expected(s.x, float64(v.d.f.X0), float64(v.d.f.X1), v.sx, cols)
		flip := make([]float64, len(s.y))
		for i := range flip {
			flip[i] = s.y[len(s.y)-1-i]
		}
		ey = expected(flip, float64(v.d.f.Y0), float64(v.d.f.Y1), v.sy, rows)
	}
	height := func(bars []float64, line []point, room float64) float64 {
		// One bar must not flatten the line: bars above twice its peak are cut.
		top, peak := 0.0, 0.0
		for _, x := range bars {
			top = max(top, x)
		}
		for _, q := range line {
			peak = max(peak, q.y)
		}
		if peak > 0 {
			top = max(peak, min(top, 2*peak))
		}
		return room / max(top, 1e-12)
	}
	c := fade(v.dotColour(v.beta), 0.32)
	if t.Dark {
		c = fade(v.dotColour(v.beta), 0.45)
	}
	room := v.top - 14*u
	if v.head {
		room -= 22 * u
	}
	k := height(hx, ex, room)
	edge := func(i, n int, from, length float64) (float64, float64) {
		x0, x1 := math.Round(from+length*float64(i)/float64(n)), math.Round(from+length*float64(i+1)/float64(n))
		return x0, max(x1-x0-a.hair(), 1)
	}
	for i, x := range hx {
		x0, w := edge(i, cols, b.x, b.w)
		h := min(x*k, room)
		l.add(mark{kind: fill, box: rect{x0, math.Round(b.y - 4*u - h), w, math.Round(h)}, color: c})
	}
	line := func(pts []point) {
		if len(pts) > 1 {
			l.add(mark{kind: stroke, pts: pts, width: 1.25 * u * t.Stroke, color: t.Ink})
		}
	}
	pts := a.points(len(ex))
	for _, q := range ex {
		pts = append(pts, point{q.x, b.y - 4*u - q.y*k})
	}
	line(pts)
	room = v.side - 28*u
	if a.compact() {
		room = v.side - 16*u
	}
	k = height(hy, ey, room)
	for i, x := range hy {
		y0, h := edge(rows-1-i, rows, b.y, b.h)
		l.add(mark{kind: fill, box: rect{b.x + b.w + 4*u, y0, math.Round(min(x*k, room)), h}, color: c})
	}
	pts = a.points(len(ey))
	for _, q := range ey {
		pts = append(pts, point{b.x + b.w + 4*u + q.y*k, q.x})
	}
	line(pts)
}

// exact are the sums of the density at the temperatures of the particles.
func (v *planeView) exact() *sums {
	if v.shared || !v.known {
		return v.d.blend(1, func(int) float64 { return v.beta }, func(int) float64 { return 1 })
	}
	return v.d.blend(len(v.w.slots), func(i int) float64 { return v.w.slots[i].beta }, func(i int) float64 { return v.share[i] })
}

// expected turns shares of cells on [lo, hi] into places on the axis and mass per
// bin of n on that axis.
func expected(cells []float64, lo, hi float64, ax axis, n int) []point {
	cell := (hi - lo) / float64(len(cells))
	perBin := (ax.d1 - ax.d0) / float64(n) / cell
	var out []point
	for i, m := range cells {
		x := lo + (float64(i)+0.5)*cell
		if x >= ax.d0 && x <= ax.d1 {
			out = append(out, point{ax.at(x), m * perBin})
		}
	}
	return out
}

// maxNamed is the most hills whose mass is written out.
const maxNamed = 9

// masses writes the share found and the exact one beside each hill.
func (v *planeView) masses(l *layer) {
	if v.d == nil || len(v.d.f.Hills) < 2 || len(v.d.f.Hills) > maxNamed {
		return
	}
	a, t, u := v.a, v.a.theme, v.a.u
	hills := v.d.f.Hills
	found := make([]float64, len(hills))
	for i := range v.w.slots {
		if v.share[i] > 0 {
			q := v.w.slots[i].at
			found[v.d.basin[v.d.cell(q.x, q.y)]] += v.share[i]
		}
	}
	exact := v.exact().hills
	tail := " " + a.say("of the mass")
	if a.compact() || len(hills) > 4 {
		tail = ""
	}
	width := max(a.fonts.width("0.00"+tail, strong), a.fonts.width(a.say("exact")+" 0.00", tick)) + 8*u
	boxes := v.places(width, 32*u)
	for i, h := range hills {
		e := exact[i]
		if v.beta == 1 && (v.shared || !v.known) && math.Abs(e-float64(h.Mass)) < 0.02 {
			e = float64(h.Mass) // the same, without the error of the grid
		}
		b := boxes[i]
		l.label(format.Grouped(found[i], 2)+tail, b.x+b.w/2, b.y+13*u, strong, t.Ink, centre)
		l.label(a.say("exact")+" "+format.Grouped(e, 2), b.x+b.w/2, b.y+28*u, tick, t.Ink2, centre)
	}
}

// places finds a box beside each hill: off its middle, on the plot, and off the
// others as well as can be.
func (v *planeView) places(w, h float64) []rect {
	u := v.a.u
	n := len(v.d.f.Hills)
	at, rad := make([]point, n), make([]float64, n)
	for i, q := range v.d.f.Hills {
		at[i] = point{v.sx.at(float64(q.X)), v.sy.at(float64(q.Y))}
		rad[i] = max(1.9*v.d.spread[i]/(v.sx.d1-v.sx.d0)*v.box.w, 14*u)
	}
	in := rect{v.box.x + 4*u, v.box.y + 4*u, v.box.w - 8*u, v.box.h - 8*u}
	out := make([]rect, n)
	for i := range out {
		best := math.Inf(1)
		for k := range 16 {
			sin, cos := math.Sincos(2 * math.Pi * float64(k) / 16)
			cx, cy := at[i].x+cos*(rad[i]+w*0.42), at[i].y-sin*(rad[i]+h*0.6)
			b := rect{min(max(cx-w/2, in.x), in.x+in.w-w), min(max(cy-h/2, in.y), in.y+in.h-h), w, h}
			cost := math.Hypot(b.x+w/2-cx, b.y+h/2-cy)/(10*u) + 0.3*(1-sin) // rather above
			for j := range at {
				// Keep off the middle of every hill.
				dx := max(math.Abs(at[j].x-b.x-w/2)-w/2, 0)
				dy := max(math.Abs(at[j].y-b.y-h/2)-h/2, 0)
				off := math.Hypot(dx, dy)
				cost += 6 * max(0, 1-off/(rad[j]*0.9))
				if j != i { // and nearer to its own than to others
					own := math.Hypot(b.x+w/2-at[i].x, b.y+h/2-at[i].y)
					cost += 5 * max(0, 1.5-(off+h/2)/max(own, 1))
				}
			}
			for _, o := range out[:i] {
				if b.x < o.x+o.w && o.x < b.x+b.w && b.y < o.y+o.h+8*u && o.y < b.y+b.h+8*u {
					cost += 50
				}
			}
			if cost < best {
				best, out[i] = cost, b
			}
		}
	}
	return out
}

// pathBar draws the temperatures as a bar with a pointer, or, where particles
// have different ones, with their number above it; and below it five moments.
func (v *planeView) pathBar() (l layer) {
	a, t, u := v.a, v.a.theme, v.a.u
	y0 := a.h - v.path + 8*u
	tw, th := 0.0, 0.0
	if v.film {
		th = v.path - 60*u
		tw = min(112*u, (a.w-2*v.pad)/5-8*u)
	}
	ends := max(tw/2, 18*u)
	bar := axis{0, 1, v.pad + ends, a.w - v.pad - ends}
	cells := 64
	if a.compact() {
		cells = 32
	}
	for k := range cells {
		x0, x1 := math.Round(bar.at(float64(k)/float64(cells))), math.Round(bar.at(float64(k+1)/float64(cells)))
		l.add(mark{kind: fill, box: snap(rect{x0, y0 + 14*u, x1 - x0, 6 * u}), color: t.BetaColor((float64(k) + 0.5) / float64(cells))})
	}
	film := v.w.film()
	for i, b := range film {
		if !v.film && i%2 == 1 {
			continue
		}
		s := format.AtMost(b, 2)
		if i == 0 || i == len(film)-1 {
			s = "\u03b2 = " + s
		}
		l.label(s, bar.at(b), y0+34*u, tick, t.Ink3, centre)
		if v.film {
			v.moment(&l, i, b, snap(rect{bar.at(b) - tw/2, y0 + 41*u, tw, th}))
		}
	}
	x := bar.at(v.beta)
	if v.shared {
		pointer(a, &l, x, y0+13*u)
		al, tx := left, x+9*u
		if x > bar.p1-60*u {
			al, tx = right, x-9*u
		}
		l.label("\u03b2 = "+format.AtMost(v.beta, 2), tx, y0+9*u, strong, t.Ink, al)
		return l
	}
	// How many stand where.
	const bins = 32
	var count [bins]float64
	most := 1.0
	for i := range v.w.slots {
		if s := &v.w.slots[i]; s.filled && s.beta == s.beta {
			k := min(max(int(s.beta*bins), 0), bins-1)
			count[k]++
			most = max(most, count[k])
		}
	}
	for k, c := range count {
		if c > 0 {
			x0, x1 := math.Round(bar.at(float64(k)/bins)), math.Round(bar.at(float64(k+1)/bins))
			h := max(math.Round(16*u*c/most), 1)
			l.add(mark{kind: fill, box: rect{x0, math.Round(y0+13*u) - h, max(x1-x0-a.hair(), 1), h}, color: t.BetaColor((float64(k) + 0.5) / bins)})
		}
	}
	return l
}

// pointer is a small triangle that points down at y, with a line through the bar.
func pointer(a *area, l *layer, x, y float64) {
	u := a.u
	x = math.Round(x)
	l.vline(a, x-a.hair()/2, y-1*u, y+9*u, a.theme.Ink)
	l.add(mark{kind: band, color: a.theme.Ink, pts: []point{{x - 5*u, y - 8*u}, {x, y - 8*u}, {x + 5*u, y - 8*u}},
		more: []point{{x - 5*u, y - 8*u}, {x, y}, {x + 5*u, y - 8*u}}})
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
		s := &v.w.slots[k]
		if i >= len(s.shots) || !s.shots[i].ok {
			continue
		}
		r := 1.35 * u
		at := point{sx.at(s.shots[i].at.x), sy.at(s.shots[i].at.y)}
		if at.x > b.x+r && at.x < b.x+b.w-r && at.y > b.y+r && at.y < b.y+b.h-r {
			m.pts, m.radii, m.colors = append(m.pts, at), append(m.radii, r), append(m.colors, v.dotColour(s.shots[i].beta))
		}
	}
	l.add(m)
}
