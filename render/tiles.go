package render

import (
	"image/color"
	"math"

	"logzlab/core/format"
	"logzlab/core/num"
)

// grid is the arrangement of n equal tiles of cw x ch cells in a box.
type grid struct {
	cols, rows int
	cell       float64 // device pixels per cell, whole if at least one
	tw, th     float64 // size of a picture
	px, py     float64 // pitch
	x, y       float64 // top left corner of the first picture
}

// arrange picks the number of columns that gives the largest whole cell, then
// the most even gaps. Each tile has side pixels to its left and foot below.
func arrange(n, cw, ch int, b rect, gap, side, foot, most float64) grid {
	best, bestUneven := grid{}, math.Inf(1)
	for cols := 1; cols <= n; cols++ {
		rows := (n + cols - 1) / cols
		g := grid{cols: cols, rows: rows}
		c, r := float64(cols), float64(rows)
		g.cell = min(((b.w+gap)/c-gap-side)/float64(cw), ((b.h+gap)/r-gap-foot)/float64(ch))
		if g.cell >= 1 {
			g.cell = math.Floor(g.cell)
		}
		if g.cell <= 0 || g.cell < best.cell {
			continue
		}
		g.tw, g.th = g.cell*float64(cw), g.cell*float64(ch)
		gx, gy := most, most
		if cols > 1 {
			gx = (b.w - c*(g.tw+side)) / (c - 1)
		}
		if rows > 1 {
			gy = (b.h - r*(g.th+foot)) / (r - 1)
		}
		uneven := math.Abs(math.Log(max(gx, 1) / max(gy, 1)))
		// A last row that is nearly empty looks like a mistake.
		uneven += 1.5 * float64(cols*rows-n) / c
		if g.cell == best.cell && uneven >= bestUneven {
			continue
		}
		bestUneven = uneven
		gx, gy = min(gx, most), min(gy, most)
		g.px, g.py = math.Floor(g.tw+side+gx), math.Floor(g.th+foot+gy)
		g.x, g.y = math.Round(b.x+side), math.Round(b.y)
		best = g
	}
	return best
}

// readable arranges at most n tiles: rather fewer than pictures nobody can read, with a long side of less than least.
func readable(n, cw, ch int, b rect, gap, side, foot, most, least float64) (grid, int) {
	g := arrange(n, cw, ch, b, gap, side, foot, most)
	for n > 1 && (g.cell < 1 || max(g.tw, g.th) < least) {
		n--
		g = arrange(n, cw, ch, b, gap, side, foot, most)
	}
	return g, n
}

// origin is the top left corner of picture i.
func (g *grid) origin(i int) (x, y float64) {
	return g.x + float64(i%g.cols)*g.px, g.y + float64(i/g.cols)*g.py
}

// box is the place of picture i.
func (g *grid) box(i int) rect {
	x, y := g.origin(i)
	return rect{x, y, g.tw, g.th}
}

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
		if numbers && num.Known(s.beta) {
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
