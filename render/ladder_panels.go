package render

import (
	"image/color"
	"math"

	"logzlab/core/frame"
)

// descends tells whether rows go through the temperatures once, as annealing
// does, with weights, rather than hopping among them.
func (w *wall) descends() bool {
	for i := range w.slots {
		if s := &w.slots[i]; s.filled {
			return !math.IsNaN(s.logW)
		}
	}
	return false
}

// span is the number of sweeps the chains' histories cover, rounded down to one
// that stands still for a while.
func (w *wall) span() float64 {
	longest := 0.0
	for i := range w.slots {
		if s := &w.slots[i]; len(s.hops) > 0 {
			longest = max(longest, s.lane.now-s.hops[0].clock)
		}
	}
	if longest < 8 {
		return 8
	}
	mag := math.Pow(10, math.Floor(math.Log10(longest)))
	for _, m := range [...]float64{8, 6, 5, 4, 3, 2, 1.5} {
		if m*mag <= longest {
			return m * mag
		}
	}
	return mag
}

// crowd draws every chain faintly and three in the colours of their temperatures.
func (v *ladderView) crowd(l *layer) {
	a, t, u, w := v.a, v.a.theme, v.a.u, v.w
	b := v.chains
	right := math.Round(b.x + b.w - v.swarm)
	span, down := w.span(), w.descends()
	x := axis{-span, 0, b.x, right}
	if down {
		x = axis{0, max(float64(w.steps), 1), b.x, right}
	}
	when := func(s *slot, c float64) float64 {
		if down {
			return x.at(min(max(c-s.lane.started, 0), x.d1))
		}
		return x.at(max(c-s.lane.now, -span))
	}
	live := 0
	for i := range min(len(w.slots), maxSlots) {
		if len(w.slots[i].hops) > 0 {
			live++
		}
	}
	for _, i := range [...]int{0, live / 3, 2 * live / 3} {
		if i < len(w.slots) && !v.follows(i) && len(w.slots[i].hops) > 0 {
			v.followed = append(v.followed, i)
		}
	}
	crowd := mark{kind: wires, width: a.hair(), color: fade(t.Ink3, t.Crowd), pts: a.points(4 * hopLength * max(live, 1))}
	for i := range min(len(w.slots), maxSlots) {
		s := &w.slots[i]
		v.path(s, when, func(p, q point, from, to int) { crowd.pts = append(crowd.pts, p, q) })
	}
	l.add(crowd)
	for _, i := range v.followed {
		s := &w.slots[i]
		m := mark{kind: wires, width: 1.75 * u * t.Stroke, halo: true}
		v.path(s, when, func(p, q point, from, to int) {
			// A jump takes the colours of what it passes.
			n := 1
			if from != to {
				n = min(6, max(2, int(math.Abs(q.y-p.y)/(3*u))))
			}
			for j := range n {
				f, g := float64(j)/float64(n), float64(j+1)/float64(n)
				m.pts = append(m.pts, point{p.x + (q.x-p.x)*f, p.y + (q.y-p.y)*f}, point{p.x + (q.x-p.x)*g, p.y + (q.y-p.y)*g})
				beta := v.betaAt(from) + (v.betaAt(to)-v.betaAt(from))*(f+g)/2
				m.colors = append(m.colors, t.BetaColor(beta))
			}
		})
		l.add(m)
	}
	l.vline(a, right, v.top-4*u, v.bottom+4*u, t.Line2)
	if down {
		at, step := ticks(0, x.d1, max(2, int((right-b.x)/(56*u))))
		for _, s := range at {
			l.label(axisLabel(s, step), x.at(s), v.bottom+18*u, tick, t.Ink3, centre)
		}
		l.label(a.say("sweep"), (b.x+right)/2, v.bottom+34*u, tick, t.Ink3, centre)
		l.label(a.say("now"), right+v.swarm/2, v.bottom+18*u, tick, t.Ink3, centre)
		return
	}
	l.label(a.say("now"), right, v.bottom+18*u, tick, t.Ink3, centre)
	at, step := ticks(-span, 0, max(3, int((right-b.x)/(36*u))))
	for _, s := range at {
		if x.at(s) < right-26*u {
			l.label(axisLabel(s, step), x.at(s), v.bottom+18*u, tick, t.Ink3, centre)
		}
	}
	s := a.say("sweeps before now")
	if a.fonts.width(s, tick) > right-b.x+20*u {
		s = a.say("sweeps")
	}
	l.label(s, (b.x+right)/2, v.bottom+34*u, tick, t.Ink3, centre)
}

// follows tells whether slot i is one of the three.
func (v *ladderView) follows(i int) bool {
	for _, f := range v.followed {
		if f == i {
			return true
		}
	}
	return false
}

// path calls draw for the pieces of a chain's history: a stay on a rung, from and
// to the same, or a jump.
func (v *ladderView) path(s *slot, when func(*slot, float64) float64, draw func(p, q point, from, to int)) {
	n := len(s.hops)
	if n == 0 {
		return
	}
	x0 := when(s, s.hops[0].clock)
	stay := s.hops[0].rung
	for i := 1; i <= n; i++ {
		at, rung := s.lane.now, stay
		if i < n {
			at, rung = s.hops[i].clock, s.hops[i].rung
			if rung == stay {
				continue
			}
		}
		x1 := when(s, at)
		y := v.y.at(float64(stay))
		if x1 > x0 {
			draw(point{x0, y}, point{x1, y}, stay, stay)
		}
		if rung != stay && (x1 > x0 || i > 1 && x1 > v.chains.x) {
			draw(point{x1, y}, point{x1, v.y.at(float64(rung))}, stay, rung)
		}
		x0, stay = x1, rung
	}
}

// standing draws a dot for each chain on the row where it is now.
func (v *ladderView) standing(l *layer) {
	a, t, u := v.a, v.a.theme, v.a.u
	count, ringed := make([]int, len(v.rows)), make([]int, len(v.rows))
	for i := range v.w.slots {
		if g := v.w.slots[i].rung; v.w.slots[i].filled && g >= 0 && g < v.k {
			count[v.row(g)]++
			if v.follows(i) {
				ringed[v.row(g)]++
			}
		}
	}
	step := min(6.4*u, (v.swarm-12*u)/11)
	fits := max(int((v.swarm-8*u)/step), 1)
	m := mark{kind: dots, pts: a.points(256), radii: a.numbers(256), colors: a.colors(256)}
	x0 := v.chains.x + v.chains.w - v.swarm + 7*u
	r := min(2.5*u, v.pitch*0.4)
	for row, n := range count {
		y := v.rowY(row)
		shown := n
		if n > fits {
			shown = max(fits-int(math.Ceil(26*u/step)), 1)
			l.label("+"+decimal(float64(n-shown), 0), x0+float64(shown)*step, y+4*u, tick, t.Ink2, left)
		}
		for i := range shown {
			m.pts, m.radii = append(m.pts, point{x0 + float64(i)*step, y}), append(m.radii, r)
			m.colors = append(m.colors, v.colour(v.rows[row]))
		}
	}
	l.add(m)
	for row, n := range ringed { // the followed ones stand first
		for i := n - 1; i >= 0; i-- {
			at := point{x0 + float64(i)*step, v.rowY(row)}
			l.add(mark{kind: disc, at: at, r: r + 2.2*u, color: t.Ink, halo: true},
				mark{kind: disc, at: at, r: r + 0.9*u, color: v.colour(v.rows[row])})
		}
	}
}

// foot writes the ticks and the unit under a panel.
func (v *ladderView) foot(l *layer, x axis, at []float64, name func(float64) string, truth float64, unit string) {
	u, t := v.a.u, v.a.theme
	for _, q := range at {
		st, c := tick, t.Ink3
		if q == truth {
			st, c = mark11, t.Ink
		}
		l.label(name(q), x.at(q), v.bottom+18*u, st, c, centre)
	}
	l.label(unit, (x.p0+x.p1)/2, v.bottom+34*u, tick, t.Ink3, centre)
}

// occupancy draws visits against those planned as bars, the plan as a line, and a
// sign beside rungs that fail.
func (v *ladderView) occupancy(l *layer) {
	a, t, u, b := v.a, v.a.theme, v.a.u, v.occ
	if b.w == 0 {
		return
	}
	vals, most := v.binned(v.now.Occupancy), 2.0
	for i, r := range v.bad {
		vals[r] = v.worst[i] // the mean of a row of several rungs would hide it
	}
	for _, c := range vals {
		if finite(c) {
			most = max(most, min(c, 4))
		}
	}
	most = math.Ceil(most)
	x := axis{0, most, b.x, b.x + b.w}
	h := min(10*u, v.pitch*0.56)
	for r, c := range vals {
		if !finite(c) {
			continue
		}
		y, end := v.rowY(r), x.at(min(c, most))
		l.add(mark{kind: fill, color: t.Ground, box: rect{b.x, y - h/2 - u, end - b.x + 2*u, h + 2*u}},
			mark{kind: fill, color: v.colour(v.rows[r]), box: snap(rect{b.x, y - h/2, max(end-b.x, 1), h})})
	}
	l.vline(a, b.x, v.top-4*u, v.bottom+4*u, t.Line2)
	one := x.at(1)
	l.add(mark{kind: stroke, pts: []point{{one, v.top - 6*u}, {one, v.bottom + 4*u}}, width: 1.25 * u * t.Stroke, color: t.Ink})
	v.foot(l, x, []float64{0, 1, most}, func(q float64) string { return decimal(q, 0) }, 1, "c / r")
	for i, r := range v.bad {
		y := v.rowY(r)
		s := short(v.worst[i])
		at := x.at(min(v.worst[i], most)) + 11*u
		at = min(at, b.x+b.w-12*u-a.fonts.width(s, strong))
		l.add(mark{kind: triangle, at: point{at, y}, r: 6 * u, color: t.Caution, halo: true},
			mark{kind: fill, box: rect{at - 0.8*u, y - 2.2*u, 1.6 * u, 3.6 * u}, color: t.Ground},
			mark{kind: fill, box: rect{at - 0.8*u, y + 2.4*u, 1.6 * u, 1.4 * u}, color: t.Ground})
		l.label(s, at+10*u, y+4*u, strong, t.Ink, left)
	}
}

// along turns the values of rungs into points, x by the axis, in runs of finite
// ones; with more rungs than rows only the rows are joined.
func (v *ladderView) along(x axis, val func(k int) float64, use func(pts []point, rungs []int)) {
	pts := v.a.points(len(v.rows))
	rungs := make([]int, 0, len(v.rows))
	for r, k := range v.rows {
		if q := val(k); finite(q) {
			pts, rungs = append(pts, point{x.at(q), v.rowY(r)}), append(rungs, k)
		} else if len(pts) > 0 {
			use(pts, rungs)
			pts, rungs = v.a.points(len(v.rows)), nil
		}
	}
	if len(pts) > 0 {
		use(pts, rungs)
	}
}

func get(x []float64, k int) float64 {
	if k < len(x) {
		return x[k]
	}
	return math.NaN()
}

// spanOf widens a range by values that can be drawn.
func spanOf(lo, hi float64, xs ...float64) (float64, float64) {
	for _, x := range xs {
		if math.Abs(x) <= largest {
			lo, hi = min(lo, x), max(hi, x)
		}
	}
	return lo, hi
}

// faint joins what earlier iterations knew.
func (v *ladderView) faint(l *layer, x axis, val func(e *frame.Ladder, k int) float64) {
	for i, e := range v.earlier {
		o := 0.18 + 0.3*float64(i+1)/float64(len(v.earlier))
		v.along(x, func(k int) float64 { return val(e, k) }, func(pts []point, _ []int) {
			if len(pts) > 1 {
				l.add(mark{kind: stroke, pts: pts, width: v.a.u * v.a.theme.Stroke, color: fade(v.a.theme.Ink3, o)})
			}
		})
	}
}

// logZ draws log Z by rung on the exact curve.
func (v *ladderView) logZ(l, clipped *layer) {
	a, t, u, b := v.a, v.a.theme, v.a.u, v.logz
	if b.w == 0 {
		return
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, k := range v.rows {
		lo, hi = spanOf(lo, hi, get(v.now.LogZ, k), get(v.now.Exact, k))
	}
	if !(lo <= hi) {
		lo, hi = 0, 1
	}
	if hi-lo < 1e-9*max(math.Abs(lo), 1) {
		lo, hi = lo-0.5, hi+0.5
	}
	hi += 0.06 * (hi - lo)
	x := axis{lo, hi, b.x, b.x + b.w}
	v.faint(clipped, x, func(e *frame.Ladder, k int) float64 { return get(e.LogZ, k) })
	line := func(val []float64, c color.RGBA, w float64) {
		v.along(x, func(k int) float64 { return get(val, k) }, func(pts []point, _ []int) {
			if len(pts) > 1 {
				clipped.add(mark{kind: stroke, pts: pts, width: w * u * t.Stroke, color: c})
			}
		})
	}
	if len(v.now.Exact) > 0 {
		line(v.now.Exact, t.Ink, 1.25)
	} else {
		line(v.now.LogZ, t.Line2, 1)
	}
	r := min(3.2*u, v.pitch*0.3)
	v.along(x, func(k int) float64 { return get(v.now.LogZ, k) }, func(pts []point, rungs []int) {
		m := mark{kind: dots, pts: pts, radii: a.numbers(len(pts)), colors: a.colors(len(pts)), width: 1.5 * u}
		for _, k := range rungs {
			m.radii, m.colors = append(m.radii, r), append(m.colors, v.colour(k))
		}
		clipped.add(m)
	})
	l.vline(a, b.x, v.top-4*u, v.bottom+4*u, t.Line2)
	at, step := ticks(lo, hi, max(3, int(b.w/(40*u))))
	v.foot(l, x, at, func(q float64) string { return axisLabel(q, step) }, math.NaN(), a.say("nats"))
}

// errors draws the error of log Z by rung with its band, or only the band where
// the truth is not known.
func (v *ladderView) errors(l, clipped *layer) {
	a, t, u, b := v.a, v.a.theme, v.a.u, v.err
	if b.w == 0 {
		return
	}
	exact := len(v.now.Exact) > 0
	of := func(e *frame.Ladder, k int) float64 {
		if !exact {
			return 0 * get(e.LogZ, k)
		}
		return get(e.LogZ, k) - get(v.now.Exact, k)
	}
	lo, hi := 0.0, 0.0
	for _, k := range v.rows {
		e, s := of(v.now, k), get(v.now.SE, k)
		lo, hi = spanOf(lo, hi, e, e-s, e+s)
	}
	if hi-lo < 1e-12 {
		lo, hi = -1, 1
	}
	margin := 0.08 * (hi - lo)
	lo, hi = lo-margin, hi+margin
	x := axis{lo, hi, b.x, b.x + b.w}
	if exact {
		v.faint(clipped, x, of)
	}
	m := t.method(v.order)
	v.along(x, func(k int) float64 { return of(v.now, k) + 0*get(v.now.SE, k) }, func(pts []point, rungs []int) {
		if len(pts) < 2 {
			return
		}
		lower, upper := a.points(len(pts)), a.points(len(pts))
		for i, k := range rungs {
			e, s := of(v.now, k), get(v.now.SE, k)
			lower = append(lower, point{x.at(e - s), pts[i].y})
			upper = append(upper, point{x.at(e + s), pts[i].y})
		}
		clipped.add(mark{kind: band, sideways: true, pts: lower, more: upper, color: fade(m, t.BandAlpha+0.05)})
	})
	zero := x.at(0)
	axisLine := mark{kind: stroke, pts: []point{{zero, v.top - 6*u}, {zero, v.bottom + 4*u}}, width: 1.25 * u * t.Stroke, color: t.Ink}
	if !exact {
		axisLine.width, axisLine.color = a.hair(), t.Line2
	}
	clipped.add(axisLine)
	if exact {
		v.along(x, func(k int) float64 { return of(v.now, k) }, func(pts []point, _ []int) {
			if len(pts) > 1 {
				clipped.add(mark{kind: stroke, pts: pts, width: 1.75 * u * t.Stroke, color: m})
			}
			d := mark{kind: dots, pts: pts, radii: a.numbers(len(pts)), colors: a.colors(len(pts))}
			for range pts {
				d.radii, d.colors = append(d.radii, min(2.4*u, v.pitch*0.25)), append(d.colors, m)
			}
			clipped.add(d)
		})
	}
	at, step := ticks(lo, hi, max(3, int(b.w/(40*u))))
	v.foot(l, x, at, func(q float64) string { return axisLabel(q, step) }, 0, a.say("nats"))
}
