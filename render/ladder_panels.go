package render

import (
	"image/color"
	"math"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/core/num"
)

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
		if num.Finite(c) {
			most = max(most, min(c, 4))
		}
	}
	most = math.Ceil(most)
	x := axis{0, most, b.x, b.x + b.w}
	h := min(10*u, v.pitch*0.56)
	for r, c := range vals {
		if !num.Finite(c) {
			continue
		}
		y, end := v.rowY(r), x.at(min(c, most))
		l.add(mark{kind: fill, color: t.Ground, box: rect{b.x, y - h/2 - u, end - b.x + 2*u, h + 2*u}},
			mark{kind: fill, color: v.colour(v.rows[r]), box: snap(rect{b.x, y - h/2, max(end-b.x, 1), h})})
	}
	l.vline(a, b.x, v.top-4*u, v.bottom+4*u, t.Line2)
	one := x.at(1)
	l.add(mark{kind: stroke, pts: []point{{one, v.top - 6*u}, {one, v.bottom + 4*u}}, width: 1.25 * u * t.Stroke,
		color: t.Ink})
	v.foot(l, x, []float64{0, 1, most}, func(q float64) string { return format.Grouped(q, 0) }, 1, "c / r")
	for i, r := range v.bad {
		y := v.rowY(r)
		s := format.Ratio(v.worst[i])
		at := x.at(min(v.worst[i], most)) + 11*u
		at = min(at, b.x+b.w-12*u-a.fonts.width(s, strong))
		caution(l, a, point{at, y}, 6*u)
		l.label(s, at+10*u, y+4*u, strong, t.Ink, left)
	}
}

// caution is the sign of a check that fails: a triangle of radius r with an exclamation
// mark.
func caution(l *layer, a *area, at point, r float64) {
	t, e := a.theme, r/6
	l.add(mark{kind: triangle, at: at, r: r, color: t.Caution, halo: true},
		mark{kind: fill, box: rect{at.x - 0.8*e, at.y - 2.2*e, 1.6 * e, 3.6 * e}, color: t.Ground},
		mark{kind: fill, box: rect{at.x - 0.8*e, at.y + 2.4*e, 1.6 * e, 1.4 * e}, color: t.Ground})
}

// along turns the values of rungs into points, x by the axis, in runs of finite
// ones; with more rungs than rows only the rows are joined.
func (v *ladderView) along(x axis, val func(k int) float64, use func(pts []point, rungs []int)) {
	pts := v.a.points(len(v.rows))
	rungs := make([]int, 0, len(v.rows))
	for r, k := range v.rows {
		if q := val(k); num.Finite(q) {
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
	at, step := format.Ticks(lo, hi, max(3, int(b.w/(40*u))))
	v.foot(l, x, at, func(q float64) string { return format.Tick(q, step) }, math.NaN(), a.say("nats"))
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
	axisLine := mark{kind: stroke, pts: []point{{zero, v.top - 6*u}, {zero, v.bottom + 4*u}},
		width: 1.25 * u * t.Stroke, color: t.Ink}
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
	at, step := format.Ticks(lo, hi, max(3, int(b.w/(40*u))))
	v.foot(l, x, at, func(q float64) string { return format.Tick(q, step) }, 0, a.say("nats"))
}
