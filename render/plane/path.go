package plane

import (
	"math"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/render/paint"
	"logzlab/render/record"
)

// drawBetaBar draws the bar of inverse temperatures with a handle; above it the number of particles by temperature, if
// they differ, and below it snapshots at five temperatures.
func (v *planeView) drawBetaBar(p *record.Run, live *record.Particles) (l paint.Layer) {
	a, t, u := v.a, v.a.Theme, v.a.Unit
	y0 := a.H - v.barHeight + 8*u
	tw, th := 0.0, 0.0
	if v.hasSnapshots {
		th = v.barHeight - 63*u
		tw = min(112*u, (a.W-2*v.pad)/5-8*u)
	}
	ends := max(tw/2, 28*u)
	bar := paint.NewAxis(0, 1, v.pad+ends, a.W-v.pad-ends)
	p.Bar(a, &l, live, bar, y0+13*u)

	// Labels, and snapshots below them.
	film := frame.FilmBetas(0, 0)
	for i, b := range film {
		if !v.hasSnapshots && i%2 == 1 {
			continue
		}
		s := format.Trimmed(b, 2)
		if i == 0 || i == len(film)-1 {
			s = "\u03b2 = " + s
		}
		l.Label(s, bar.At(b), y0+37*u, paint.Tick, t.Ink3, paint.Centre)
		if v.hasSnapshots {
			v.snapshot(&l, i, b, paint.Snap(paint.XYWH(bar.At(b)-tw/2, y0+41*u, tw, th)))
		}
	}

	if v.hasSharedBeta {
		x := bar.At(v.Beta)
		al, tx := paint.Left, x+15*u
		if x > bar.P1-120*u {
			al, tx = paint.Right, x-15*u
		}
		l.Label(record.FormatBeta(v.Beta), tx, y0+9*u, paint.Strong, t.Ink, al)
		return l
	}

	// Otherwise a histogram of the temperatures.
	const bins = 32
	var count [bins]float64
	most := 1.0
	for i := range v.w.Slots {
		if s := &v.w.Slots[i]; s.Filled && num.NotNaN(s.Beta) {
			k := min(max(int(s.Beta*bins), 0), bins-1)
			count[k]++
			most = max(most, count[k])
		}
	}
	for k, c := range count {
		if c > 0 {
			x0, x1 := math.Round(bar.At(float64(k)/bins)), math.Round(bar.At(float64(k+1)/bins))
			h := max(math.Round(16*u*c/most), 1)
			l.Add(paint.Mark{Kind: paint.Fill, Box: paint.XYWH(x0, math.Round(y0+13*u)-h, max(x1-x0-a.Hairline(), 1), h),
				Color: t.BetaColor((float64(k) + 0.5) / bins)})
		}
	}
	return l
}

// snapshot draws the plane near an inverse temperature.
func (v *planeView) snapshot(l *paint.Layer, i int, beta float64, b paint.Rect) {
	u := v.a.Unit
	if b.H < 24*u || b.W < 24*u {
		return
	}
	sx, sy := v.Window(b)
	l.Add(paint.Mark{Kind: paint.Ground, Box: b, Slot: i + 1,
		Relief: &v.d.Relief(i+1, b, sx, sy, beta, 3*u, v.now).Relief})
	m := paint.Mark{Kind: paint.Dots, Pts: v.a.Points(record.MaxSlots), Radii: v.a.Numbers(record.MaxSlots),
		Colors: v.a.Colors(record.MaxSlots)}
	for k := range min(len(v.w.Slots), record.MaxSlots) {
		q := v.w.Slots[k].NearestSnapshot(i*v.w.FilmStride, v.w.FilmStride/2)
		if q == nil {
			continue
		}
		r := 1.35 * u
		at := paint.Pt(sx.At(q.At.X), sy.At(q.At.Y))
		if at.X > b.X+r && at.X < b.X+b.W-r && at.Y > b.Y+r && at.Y < b.Y+b.H-r {
			m.Pts, m.Radii, m.Colors = append(m.Pts, at), append(m.Radii, r), append(m.Colors, v.DotColour(q.Beta))
		}
	}
	l.Add(m)
}
