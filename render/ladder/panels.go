package ladder

import (
	"image/color"
	"math"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/render/paint"
	"logzlab/render/record"
)

// foot draws the ticks and the unit below a panel. The tick at truth is bold.
func (v *ladderView) foot(l *paint.Layer, x paint.Axis, at []float64, name func(float64) string, truth float64,
	unit string) {
	u, t := v.a.Unit, v.a.Theme
	for _, q := range at {
		st, c := paint.Tick, t.Ink3
		if q == truth {
			st, c = paint.StrongTick, t.Ink
		}
		l.Label(name(q), x.At(q), v.bottom+18*u, st, c, paint.Centre)
	}
	l.Label(unit, (x.P0+x.P1)/2, v.bottom+34*u, paint.Tick, t.Ink3, paint.Centre)
}

// occupancy draws visits over planned visits as bars, the plan as a line, and a caution sign at rungs that fail.
func (v *ladderView) occupancy(l *paint.Layer) {
	a, t, u, b := v.a, v.a.Theme, v.a.Unit, v.occ
	if b.W == 0 {
		return
	}
	vals, most := v.rowMeans(v.newest.Occupancy), 2.0
	for i, r := range v.badRows {
		vals[r] = v.badValues[i] // the mean of a row of several rungs would hide it
	}
	for _, c := range vals {
		if num.Finite(c) {
			most = max(most, min(c, 4))
		}
	}
	most = math.Ceil(most)

	x := paint.NewAxis(0, most, b.X, b.X+b.W)
	h := min(10*u, v.pitch*0.56)
	for r, c := range vals {
		if !num.Finite(c) {
			continue
		}
		y, end := v.rowY(r), x.At(min(c, most))
		l.Add(paint.Mark{Kind: paint.Fill, Color: t.Ground, Box: paint.XYWH(b.X, y-h/2-u, end-b.X+2*u, h+2*u)},
			paint.Mark{Kind: paint.Fill, Color: v.colour(v.rows[r]),
				Box: paint.Snap(paint.XYWH(b.X, y-h/2, max(end-b.X, 1), h))})
	}

	// The line of the planned visits, and a sign at each failing rung.
	l.VLine(a, b.X, v.top-4*u, v.bottom+4*u, t.Line2)
	one := x.At(1)
	l.Add(paint.Mark{Kind: paint.Stroke, Pts: []paint.Point{{X: one, Y: v.top - 6*u}, {X: one, Y: v.bottom + 4*u}},
		Width: 1.25 * u * t.Stroke, Color: t.Ink})
	v.foot(l, x, []float64{0, 1, most}, func(q float64) string { return format.Grouped(q, 0) }, 1, "c / r")
	for i, r := range v.badRows {
		y := v.rowY(r)
		s := format.Ratio(v.badValues[i])
		at := x.At(min(v.badValues[i], most)) + 11*u
		at = min(at, b.X+b.W-12*u-a.Fonts.Width(s, paint.Strong))
		Caution(l, a, paint.Pt(at, y), 6*u)
		l.Label(s, at+10*u, y+4*u, paint.Strong, t.Ink, paint.Left)
	}
}

// Caution draws the sign of a failed check: a triangle of radius r with an exclamation mark.
func Caution(l *paint.Layer, a *paint.Area, at paint.Point, r float64) {
	t, e := a.Theme, r/6
	l.Add(paint.Mark{Kind: paint.Triangle, At: at, R: r, Color: t.Caution, Halo: true},
		paint.Mark{Kind: paint.Fill, Box: paint.XYWH(at.X-0.8*e, at.Y-2.2*e, 1.6*e, 3.6*e), Color: t.Ground},
		paint.Mark{Kind: paint.Fill, Box: paint.XYWH(at.X-0.8*e, at.Y+2.4*e, 1.6*e, 1.4*e), Color: t.Ground})
}

// eachRun converts values of rungs to points, with x by the axis, and calls use for each maximal run of finite values.
// If rows contain several rungs, one rung per row is used.
func (v *ladderView) eachRun(x paint.Axis, val func(k int) float64, use func(pts []paint.Point, rungs []int)) {
	pts := v.a.Points(len(v.rows))
	rungs := make([]int, 0, len(v.rows))
	for r, k := range v.rows {
		if q := val(k); num.Finite(q) {
			pts, rungs = append(pts, paint.Pt(x.At(q), v.rowY(r))), append(rungs, k)
		} else if len(pts) > 0 {
			use(pts, rungs)
			pts, rungs = v.a.Points(len(v.rows)), nil
		}
	}
	if len(pts) > 0 {
		use(pts, rungs)
	}
}

// get returns x[k], NaN beyond the end.
func get(x []float64, k int) float64 {
	if k < len(x) {
		return x[k]
	}
	return math.NaN()
}

// include extends a range to values that can be drawn.
func include(lo, hi float64, xs ...float64) (float64, float64) {
	for _, x := range xs {
		if math.Abs(x) <= record.MaxLogZ {
			lo, hi = min(lo, x), max(hi, x)
		}
	}
	return lo, hi
}

// drawEarlier draws the lines of earlier ladders faintly.
func (v *ladderView) drawEarlier(l *paint.Layer, x paint.Axis, val func(e *frame.Ladder, k int) float64) {
	for i, e := range v.earlier {
		o := 0.18 + 0.3*float64(i+1)/float64(len(v.earlier))
		v.eachRun(x, func(k int) float64 { return val(e, k) }, func(pts []paint.Point, _ []int) {
			if len(pts) > 1 {
				l.Add(paint.Mark{Kind: paint.Stroke, Pts: pts, Width: v.a.Unit * v.a.Theme.Stroke,
					Color: paint.Fade(v.a.Theme.Ink3, o)})
			}
		})
	}
}

// logZ draws log Z by rung over the exact curve.
func (v *ladderView) logZ(l, clipped *paint.Layer) {
	a, t, u, b := v.a, v.a.Theme, v.a.Unit, v.logz
	if b.W == 0 {
		return
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, k := range v.rows {
		lo, hi = include(lo, hi, get(v.newest.LogZ, k), get(v.newest.Exact, k))
	}
	if !(lo <= hi) {
		lo, hi = 0, 1
	}
	if hi-lo < 1e-9*max(math.Abs(lo), 1) {
		lo, hi = lo-0.5, hi+0.5
	}
	hi += 0.06 * (hi - lo)

	// Earlier estimates, then the exact curve, or a thin line through the estimates.
	x := paint.NewAxis(lo, hi, b.X, b.X+b.W)
	v.drawEarlier(clipped, x, func(e *frame.Ladder, k int) float64 { return get(e.LogZ, k) })
	line := func(val []float64, c color.RGBA, w float64) {
		v.eachRun(x, func(k int) float64 { return get(val, k) }, func(pts []paint.Point, _ []int) {
			if len(pts) > 1 {
				clipped.Add(paint.Mark{Kind: paint.Stroke, Pts: pts, Width: w * u * t.Stroke, Color: c})
			}
		})
	}
	if len(v.newest.Exact) > 0 {
		line(v.newest.Exact, t.Ink, 1.25)
	} else {
		line(v.newest.LogZ, t.Line2, 1)
	}

	r := min(3.2*u, v.pitch*0.3)
	v.eachRun(x, func(k int) float64 { return get(v.newest.LogZ, k) }, func(pts []paint.Point, rungs []int) {
		m := paint.Mark{Kind: paint.Dots, Pts: pts, Radii: a.Numbers(len(pts)), Colors: a.Colors(len(pts)), Width: 1.5 * u}
		for _, k := range rungs {
			m.Radii, m.Colors = append(m.Radii, r), append(m.Colors, v.colour(k))
		}
		clipped.Add(m)
	})

	l.VLine(a, b.X, v.top-4*u, v.bottom+4*u, t.Line2)
	at, step := format.Ticks(lo, hi, max(3, int(b.W/(40*u))))
	v.foot(l, x, at, func(q float64) string { return format.Tick(q, step) }, math.NaN(), a.Say("nats"))
}

// errors draws the error of log Z by rung with a band of one standard error, or only the band if the exact value is
// unknown.
func (v *ladderView) errors(l, clipped *paint.Layer) {
	a, t, u, b := v.a, v.a.Theme, v.a.Unit, v.err
	if b.W == 0 {
		return
	}
	exact := len(v.newest.Exact) > 0
	of := func(e *frame.Ladder, k int) float64 {
		if !exact {
			return 0 * get(e.LogZ, k)
		}
		return get(e.LogZ, k) - get(v.newest.Exact, k)
	}

	lo, hi := 0.0, 0.0
	for _, k := range v.rows {
		e, s := of(v.newest, k), get(v.newest.SE, k)
		lo, hi = include(lo, hi, e, e-s, e+s)
	}
	if hi-lo < 1e-12 {
		lo, hi = -1, 1
	}
	margin := 0.08 * (hi - lo)
	lo, hi = lo-margin, hi+margin
	x := paint.NewAxis(lo, hi, b.X, b.X+b.W)
	if exact {
		v.drawEarlier(clipped, x, of)
	}

	m := t.Method(v.method)
	known := func(k int) float64 { return of(v.newest, k) + 0*get(v.newest.SE, k) } // NaN without a standard error
	v.eachRun(x, known, func(pts []paint.Point, rungs []int) {
		if len(pts) < 2 {
			return
		}
		lower, upper := a.Points(len(pts)), a.Points(len(pts))
		for i, k := range rungs {
			e, s := of(v.newest, k), get(v.newest.SE, k)
			lower = append(lower, paint.Pt(x.At(e-s), pts[i].Y))
			upper = append(upper, paint.Pt(x.At(e+s), pts[i].Y))
		}
		clipped.Add(paint.Mark{Kind: paint.Band, Sideways: true, Pts: lower, Lower: upper,
			Color: paint.Fade(m, t.BandAlpha+0.05)})
	})

	// The line of zero error, and the errors.
	zero := x.At(0)
	axisLine := paint.Mark{Kind: paint.Stroke, Pts: []paint.Point{{X: zero, Y: v.top - 6*u}, {X: zero, Y: v.bottom + 4*u}},
		Width: 1.25 * u * t.Stroke, Color: t.Ink}
	if !exact {
		axisLine.Width, axisLine.Color = a.Hairline(), t.Line2
	}
	clipped.Add(axisLine)
	if exact {
		v.eachRun(x, func(k int) float64 { return of(v.newest, k) }, func(pts []paint.Point, _ []int) {
			if len(pts) > 1 {
				clipped.Add(paint.Mark{Kind: paint.Stroke, Pts: pts, Width: 1.75 * u * t.Stroke, Color: m})
			}
			d := paint.Mark{Kind: paint.Dots, Pts: pts, Radii: a.Numbers(len(pts)), Colors: a.Colors(len(pts))}
			for range pts {
				d.Radii, d.Colors = append(d.Radii, min(2.4*u, v.pitch*0.25)), append(d.Colors, m)
			}
			clipped.Add(d)
		})
	}

	at, step := format.Ticks(lo, hi, max(3, int(b.W/(40*u))))
	v.foot(l, x, at, func(q float64) string { return format.Tick(q, step) }, 0, a.Say("nats"))
}
