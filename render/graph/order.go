package graph

import (
	"slices"

	"logzlab/core/format"
	"logzlab/core/num"
	"logzlab/render/paint"
	"logzlab/render/record"
)

// measure is how ordered a particle was at a temperature.
type measure struct {
	beta   float64
	common float64 // share of its variables in the state that most of them are in
	fits   float64 // share of its couplings that are satisfied
}

// measures are those of the record of a wall, made once for each frame and flip.
type measures struct {
	of      *record.Particles
	version int
	flips   string
	all     []measure
}

// measure measures a particle.
func (v *graphView) measure(beta float64, cells []byte) (m measure, ok bool) {
	if len(cells) < len(v.g.States) || !num.Known(beta) {
		return m, false
	}
	var count [3]int
	for _, c := range cells[:len(v.g.States)] {
		count[min(c, 2)]++
	}
	return measure{beta, float64(slices.Max(count[:])) / float64(len(v.g.States)), v.satisfied(cells)}, true
}

// beside draws how ordered the particles were at the temperatures of their record, and, larger, how they are now.
func (v *graphView) beside(l *paint.Layer, live *record.Particles, b paint.Rect) {
	old := &v.s.orders
	if old.of != live || old.version != live.Version || old.flips != v.g.Flips {
		*old = measures{of: live, version: live.Version, flips: v.g.Flips}
		for i := range live.Slots {
			for k := range live.Slots[i].Shots {
				q := &live.Slots[i].Shots[k]
				if m, ok := v.measure(q.Beta, q.Cells); ok && q.Ok {
					old.all = append(old.all, m)
				}
			}
		}
	}
	var now []measure
	for i := range v.w.Slots {
		if m, ok := v.measure(v.w.Slots[i].Beta, v.w.Slots[i].Cells); ok {
			now = append(now, m)
		}
	}
	h, u := b.H, v.a.Unit
	if len(v.g.J) > 0 {
		h = (b.H - 44*u) / 2
		v.panel(l, paint.XYWH(b.X, b.Y+h+44*u, b.W, h), "Couplings satisfied", now, func(m measure) float64 { return m.fits })
	}
	v.panel(l, paint.XYWH(b.X, b.Y, b.W, h), "In the most common state", now, func(m measure) float64 { return m.common })
}

// panel draws a share against temperature.
func (v *graphView) panel(l *paint.Layer, b paint.Rect, name string, now []measure, of func(measure) float64) {
	a, t, u := v.a, v.a.Theme, v.a.Unit
	x, y := paint.NewAxis(0, 1, b.X+28*u, b.X+b.W), paint.NewAxis(0, 1, b.Y+b.H, b.Y+24*u)
	l.Label(a.Say(name), b.X, b.Y+8*u, paint.Strong, t.Ink, paint.Left)
	a.GridLines(l, x, y, []float64{0, .5, 1}, func(q float64) string { return format.AtMost(100*q, 0) + "\u00a0%" })
	for _, q := range []float64{0, .5, 1} {
		l.Label(format.AtMost(q, 1), x.At(q), y.P0+16*u, paint.Tick, t.Ink3, paint.Centre)
	}
	l.Label("\u03b2", x.At(.75), y.P0+16*u, paint.Tick, t.Ink3, paint.Centre)
	dots := paint.Mark{Kind: paint.Dots}
	put := func(m measure, r, faint float64) {
		dots.Pts = append(dots.Pts, paint.Pt(x.At(m.beta), y.At(of(m))))
		dots.Radii, dots.Colors = append(dots.Radii, r), append(dots.Colors, paint.Fade(t.BetaColor(m.beta), faint))
	}
	for _, m := range v.s.orders.all {
		put(m, 1.25*u, .5)
	}
	for _, m := range now {
		put(m, 3*u, 1)
	}
	l.Add(dots)
}
