package render

import (
	"math"
	"sort"

	"logzlab/core/format"
	"logzlab/core/num"
)

// scatter shows two coordinates of each particle: area is weight,
// colour is inverse temperature. Both axes have the same scale.
func scatter(a *area, w *wall, b rect) []layer {
	t, u := a.theme, a.u
	foot, gutter := 24*u, 32*u
	plot := rect{b.x + gutter, b.y + 4*u, b.w - gutter, b.h - foot - 4*u}
	lo, hi, any := extent(w)
	if !any || plot.w < 40*u || plot.h < 40*u {
		return nil
	}
	// One scale for both: widen the axis that has room to spare, about its middle.
	unit := max((hi.x-lo.x)/plot.w, (hi.y-lo.y)/plot.h)
	mx, my := (lo.x+hi.x)/2, (lo.y+hi.y)/2
	sx := axis{mx - unit*plot.w/2, mx + unit*plot.w/2, plot.x, plot.x + plot.w}
	sy := axis{my - unit*plot.h/2, my + unit*plot.h/2, plot.y + plot.h, plot.y}

	var back layer
	bottom := plot.y + plot.h
	xt, step := format.Ticks(sx.d0, sx.d1, 7)
	for _, v := range xt {
		back.vline(a, sx.at(v), bottom, bottom+4*u, t.Line2)
		back.label(format.Tick(v, step), sx.at(v), bottom+16*u, tick, t.Ink3, centre)
	}
	yt, step := format.Ticks(sy.d0, sy.d1, 7)
	for _, v := range yt {
		back.hline(a, plot.x, plot.x+plot.w, sy.at(v), t.Line)
		back.label(format.Tick(v, step), plot.x-8*u, sy.at(v)+4*u, tick, t.Ink3, right)
	}
	back.hline(a, plot.x, plot.x+plot.w, bottom, t.Line2)

	front := layer{clip: plot}
	rel, weighted := w.weights()
	mean := 0.0
	for _, r := range rel {
		mean += r / float64(w.filled())
	}
	order := make([]int, 0, len(w.slots))
	for i := range w.slots {
		if w.slots[i].filled {
			order = append(order, i)
		}
	}
	sort.SliceStable(order, func(i, j int) bool { return rel[order[i]] > rel[order[j]] })
	for _, i := range order {
		s := &w.slots[i]
		r := 3.1 * u
		if weighted {
			r *= min(math.Sqrt(rel[i]/mean), 4)
		}
		at := point{sx.at(s.at.x), sy.at(s.at.y)}
		if r > 0 && num.Known(at.x+at.y) {
			front.add(mark{kind: disc, at: at, r: r + 0.75*u, color: t.Ground},
				mark{kind: disc, at: at, r: r, color: t.BetaColor(s.beta)})
		}
	}
	return []layer{back, front}
}

// extent is the smallest box of round numbers around the finite points; round,
// so that it stands still while the points move.
func extent(w *wall) (lo, hi point, any bool) {
	lo, hi = point{math.Inf(1), math.Inf(1)}, point{math.Inf(-1), math.Inf(-1)}
	for i := range w.slots {
		p := w.slots[i].at
		if !w.slots[i].filled || !num.Known(p.x+p.y) || math.IsInf(p.x, 0) || math.IsInf(p.y, 0) {
			continue
		}
		any = true
		lo, hi = point{min(lo.x, p.x), min(lo.y, p.y)}, point{max(hi.x, p.x), max(hi.y, p.y)}
	}
	if !any {
		return lo, hi, false
	}
	step := format.Step(max(hi.x-lo.x, hi.y-lo.y, 1e-3*math.Abs(hi.x), 1e-3*math.Abs(hi.y), 0.01), 8)
	out := func(v, dir float64) float64 { return math.Round(v/step+0.6*dir) * step }
	return point{out(lo.x, -1), out(lo.y, -1)}, point{out(hi.x, 1), out(hi.y, 1)}, true
}
