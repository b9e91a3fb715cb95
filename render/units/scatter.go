package units

import (
	"math"
	"sort"

	"logzlab/core/format"
	"logzlab/render/paint"
	"logzlab/render/record"
)

// scatter draws two coordinates of each particle: area is weight, colour is inverse temperature. Both axes have the
// same scale.
func scatter(a *paint.Area, w *record.Particles, b paint.Rect) []paint.Layer {
	t, u := a.Theme, a.Unit
	foot, gutter := 24*u, 32*u
	plot := paint.XYWH(b.X+gutter, b.Y+4*u, b.W-gutter, b.H-foot-4*u)
	lo, hi, found := record.Extent(w, false)
	if !found || plot.W < 40*u || plot.H < 40*u {
		return nil
	}

	// One scale for both: widen the axis with more space, around its centre.
	unit := max((hi.X-lo.X)/plot.W, (hi.Y-lo.Y)/plot.H)
	mx, my := (lo.X+hi.X)/2, (lo.Y+hi.Y)/2
	sx := paint.NewAxis(mx-unit*plot.W/2, mx+unit*plot.W/2, plot.X, plot.X+plot.W)
	sy := paint.NewAxis(my-unit*plot.H/2, my+unit*plot.H/2, plot.Y+plot.H, plot.Y)

	var back paint.Layer
	bottom := plot.Y + plot.H
	xt, step := format.Ticks(sx.D0, sx.D1, 7)
	for _, v := range xt {
		back.VLine(a, sx.At(v), bottom, bottom+4*u, t.Line2)
		back.Label(format.Tick(v, step), sx.At(v), bottom+16*u, paint.Tick, t.Ink3, paint.Centre)
	}
	yt, step := format.Ticks(sy.D0, sy.D1, 7)
	for _, v := range yt {
		back.HLine(a, plot.X, plot.X+plot.W, sy.At(v), t.Line)
		back.Label(format.Tick(v, step), plot.X-8*u, sy.At(v)+4*u, paint.Tick, t.Ink3, paint.Right)
	}
	back.HLine(a, plot.X, plot.X+plot.W, bottom, t.Line2)

	front := paint.Layer{Clip: plot}
	rel, weighted := w.Weights()
	mean := 0.0
	for _, r := range rel {
		mean += r / float64(w.CountFilled())
	}
	order := make([]int, 0, len(w.Slots))
	for i := range w.Slots {
		if w.Slots[i].Filled {
			order = append(order, i)
		}
	}
	sort.SliceStable(order, func(i, j int) bool { return rel[order[i]] > rel[order[j]] })
	for _, i := range order {
		s := &w.Slots[i]
		r := 3.1 * u
		if weighted {
			r *= min(math.Sqrt(rel[i]/mean), 4)
		}
		at := paint.Pt(sx.At(s.At.X), sy.At(s.At.Y))
		if r > 0 && !math.IsNaN(at.X+at.Y) {
			front.Add(paint.Mark{Kind: paint.Disc, At: at, R: r + 0.75*u, Color: t.Ground},
				paint.Mark{Kind: paint.Disc, At: at, R: r, Color: t.BetaColor(s.Beta)})
		}
	}
	return []paint.Layer{back, front}
}
