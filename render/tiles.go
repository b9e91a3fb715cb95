package render

import (
	"image/color"
	"math"

	"logzlab/core/format"
)

// smallest is the least long side of a picture in CSS pixels; pictures that change under a hand are larger.
const smallest, legible = 24, 48

// tiles lays out a wall of pictures: a bar in the colour of its inverse
// temperature at the left of each, and below it the number, where temperatures
// differ and there is room, and the weight as a dot. It returns how many of the
// slots there was room for, with pictures of at least so many CSS pixels.
// Copies slide away from the picture that they are copies of, and pictures that were resampled away drop.
func tiles(a *area, w *wall, b rect, least float64) (l layer, shown int) {
	t, u := a.theme, a.u
	gap := 8 * u
	if a.compact() {
		gap = 6 * u
	}
	rel, weighted := w.weights()
	_, shared, known := w.beta()
	bar, side := max(2, math.Round(3*u)), 0.0
	if known {
		side = bar + math.Round(3*u)
	}
	const dot = 4.5
	foot := 0.0
	if weighted {
		foot = (2*dot + 2) * u
	}
	g, n := readable(len(w.slots), w.w, w.h, b, gap, side, foot, 40*u, least*u)
	numbers := false
	if known && !shared {
		roomy := arrange(n, w.w, w.h, b, gap, side, 16*u, 40*u)
		if roomy.tw >= 40*u {
			g, foot, numbers = roomy, 16*u, true
		}
	}
	if g.cols == 0 {
		return l, 0
	}
	for k := range w.fallen {
		if d := &w.fallen[k]; d.i < n && w.w > 0 {
			x, y := g.origin(d.i)
			if gone := d.gone(w.now, a.still); gone < 1 {
				l.add(mark{kind: picture, box: rect{x, y + g.th*gone*gone, g.tw, g.th}, cells: d.cells, cw: w.w, ch: w.h,
					slot: d.i, color: fade(color.RGBA{255, 255, 255, 255}, max(0.5*(1-gone), 0.02))})
			}
		}
	}
	for i := range n {
		s := &w.slots[i]
		x, y := g.origin(i)
		if f := s.slid(w.now, a.still); f < 1 && s.of < n {
			fx, fy := g.origin(s.of)
			x, y = math.Round(fx+(x-fx)*f), math.Round(fy+(y-fy)*f)
		}
		box := rect{x, y, g.tw, g.th}
		if !s.filled {
			l.add(mark{kind: fill, box: box, color: t.Absent})
			continue
		}
		l.add(mark{kind: picture, box: box, cells: s.cells, cw: w.w, ch: w.h, slot: i})
		if a.asks(box) {
			a.probe.offer(0, 1, point{a.probe.at.x, a.probe.at.y}, 0, box, func() string { return w.read(a, i, nil) })
		}
		if known {
			l.add(mark{kind: fill, box: rect{x - side, y, bar, g.th}, color: t.BetaColor(s.beta)})
		}
		cy := y + g.th + foot/2 + 1*u
		if numbers && !math.IsNaN(s.beta) {
			l.label(format.AtMost(s.beta, 2), x-side, cy+4*u, tick, t.Ink2, left)
		}
		if rel[i] > 0 {
			cx := x + (g.tw-side)/2
			if numbers {
				cx = x + g.tw - dot*u
			}
			l.add(mark{kind: disc, at: point{cx, cy}, r: dot * u * math.Sqrt(rel[i]), color: t.BetaColor(s.beta)})
		}
	}
	return l, n
}
