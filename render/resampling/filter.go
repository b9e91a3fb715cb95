package resampling

import (
	"image/color"
	"math"

	"logzlab/render/chart"
	"logzlab/render/paint"
	"logzlab/render/record"
	"logzlab/render/series"
)

// states draws the particles of a filter at their datum, during their run through the series.
func (v *changeView) states(b paint.Rect) []paint.Layer {
	a, u, t, q := v.a, v.a.Unit, v.a.Theme, v.is.Filter
	at := float64(v.m.Stage)
	if v.q != nil {
		at += (float64(v.q.Stage) - at) * (1 - ease(v.progress, 0, 1))
	}
	if b.W < 126*u || b.H < 80*u {
		return nil
	}
	dataAhead := 1.4
	dataBehind := max(b.W/(90*u)-dataAhead, 2)
	c := chart.New(a, b, series.Times(q, at-dataBehind, at+dataAhead), chart.Axis{})
	ms := v.is.Moments
	low, high := series.Height(a, c, q, ms[0].Stage, ms[len(ms)-1].Stage, 2.5)
	c.TopRight = series.At(v.w, q)
	b = c.Plot()
	sx, sy := paint.NewAxis(at-dataBehind, at+dataAhead, b.X, b.X+b.W), paint.NewAxis(low, high, b.Y+b.H, b.Y)

	// The likelihood of the states, the past trajectories, and the particles.
	c.Draw(func(l *paint.Layer) {
		v.trajectories(l, sx, sy, int(math.Floor(at-dataBehind)))
		v.likelihood(l, sx, sy, low, high)
	})
	r0 := 3.6 * u * math.Sqrt(min(60/float64(q.N), 1))
	c.DrawOver(func(l *paint.Layer) {
		positionBefore := v.drawDots(l, b, sx, sy, r0, t.Methods[0], func(s *record.Moment) []paint.Point {
			return s.Beeswarm(sy, r0, 78*u)
		})
		v.counts(l, positionBefore, b)
	})
	return c.Layers()
}

// counts draws the numbers of copies of the copied particles in a column at the right.
func (v *changeView) counts(l *paint.Layer, positionBefore func(row int) paint.Point, b paint.Rect) {
	u, right := v.a.Unit, 0.0
	for p := range v.children {
		right = max(right, positionBefore(p).X)
	}
	right = min(right+14*u, b.X+b.W-22*u)
	v.copyCounts(l, func(p int) paint.Point { return paint.Pt(right, positionBefore(p).Y+5*u) }, paint.Left, v.m.Rows)
}

// likelihood draws the likelihood of the states at the datum. If it is unknown, it draws the datum among the states.
func (v *changeView) likelihood(l *paint.Layer, sx, sy paint.Axis, low, high float64) {
	a, u, t, q := v.a, v.a.Unit, v.a.Theme, v.is.Filter
	if v.m.Phase != record.Reweighting && v.m.Phase != record.Resampling {
		return
	}
	k := v.m.Stage
	y, x := float64(q.Y[k]), sx.At(float64(k))
	opacity := 1.0
	if v.m.Phase == record.Reweighting {
		opacity = ease(v.progress, 0, 0.3)
	}

	if !q.Logs {
		l.Add(paint.Mark{Kind: paint.Disc, At: paint.Pt(x-11*u, sy.At(y)), R: 6 * u, Color: paint.Fade(t.Ink, opacity),
			Hollow: 2 * u, Halo: true})
		return
	}

	const n = 60
	// The log density of y under N(0, e^h), in nats, without the constant.
	likelihood := func(h float64) float64 { return -(h + y*y*math.Exp(-h)) / 2 }
	logLikelihoods, top := a.Numbers(n+1), math.Inf(-1)
	for i := range n + 1 {
		logLikelihoods = append(logLikelihoods, likelihood(low+(high-low)*float64(i)/n))
		top = max(top, logLikelihoods[i])
	}
	band := paint.Mark{Kind: paint.Band, Color: paint.Fade(t.Ink3, 0.3*opacity)}
	for i, v := range logLikelihoods {
		py := sy.At(low + (high-low)*float64(i)/n)
		band.Pts = append(band.Pts, paint.Pt(x, py))
		band.Lower = append(band.Lower, paint.Pt(x+84*u*math.Exp(v-top), py))
	}
	l.Add(band)
}

// trajectories draws the paths of the particles from datum lo to the shown one, with dark lines for the ancestors of the
// shown particles.
func (v *changeView) trajectories(l *paint.Layer, sx, sy paint.Axis, lo int) {
	u, t, q := v.a.Unit, v.a.Theme, v.is.Filter
	hi, lastFraction := v.m.Stage, 1.0
	if v.m.Phase == record.Moving {
		lastFraction = ease(v.progress, 0, 1)
	}
	if lo = max(lo, v.is.Moments[0].Stage); lo >= hi {
		return
	}

	// Lines that died out, then lines of ancestors.
	alive := q.Ancestors(lo, hi)
	for pass, ink := range [...]color.RGBA{paint.Mix(t.Ground, t.Line2, 0.6), paint.Mix(t.Ground, t.Methods[0], 0.6)} {
		m := paint.Mark{Kind: paint.Segments, Width: 1.1 * u * t.Stroke}
		for k := lo + 1; k <= hi; k++ {
			for i := range q.N {
				if alive[k-lo][i] != (pass == 1) {
					continue
				}
				from, _ := q.State(k-1, q.ParentOf(k, i))
				to, _ := q.State(k, i)
				end := 1.0
				if k == hi {
					end = lastFraction
				}
				m.Pts = append(m.Pts, paint.Pt(sx.At(float64(k-1)), sy.At(from)),
					paint.Pt(sx.At(float64(k-1)+end), sy.At(from+(to-from)*end)))
				m.Colors = append(m.Colors, ink)
			}
		}
		l.Add(m)
	}
}
