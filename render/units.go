package render

import (
	"math"
	"strings"
)

// units shows the particles of each method: pictures on a wall, or dots on a
// plane. Several methods share the canvas, side by side or one above the other.
func units(a *area, p *Picture) []layer {
	pad := 24 * a.u
	if a.compact() {
		pad = 16 * a.u
	}
	box := rect{pad, 8 * a.u, a.w - 2*pad, a.h - 8*a.u - 16*a.u}
	if len(p.walls) == 0 || box.w < 32*a.u || box.h < 64*a.u {
		return []layer{note(a, "No particles yet")}
	}
	n, gap := float64(len(p.walls)), 24*a.u
	var out []layer
	for i, w := range p.walls {
		b := box
		if box.w >= box.h {
			b.w = (box.w - (n-1)*gap) / n
			b.x += float64(i) * (b.w + gap)
		} else {
			b.h = (box.h - (n-1)*gap) / n
			b.y += float64(i) * (b.h + gap)
		}
		line := b
		b.y, b.h = b.y+28*a.u, b.h-28*a.u
		shown := len(w.slots)
		if w.w > 0 {
			var wall layer
			wall, shown = tiles(a, w, b)
			out = append(out, wall)
		} else {
			out = append(out, scatter(a, w, b)...)
		}
		out = append(out, status(a, p, w, line, shown))
	}
	return out
}

// note is a single quiet line in the middle of an empty canvas.
func note(a *area, s string) layer {
	var l layer
	l.label(s, a.w/2, a.h/2, plain, a.theme.Ink3, centre)
	return l
}

// status writes one line: method, phase, sweep, what the colour means, and the
// number of particles. What does not fit is left out, the last of these first.
func status(a *area, p *Picture, w *wall, b rect, shown int) (l layer) {
	t, u := a.theme, a.u
	x, y := b.x, b.y+16*u
	end := b.x + b.w
	if len(p.methods) > 1 {
		l.glyph(a, p.order(w.method), x+4*u, y-4*u, 4*u, false)
		x += 14 * u
	}
	beta, shared, known := w.beta()
	type item struct {
		s  string
		st style
	}
	items := []item{{methodLabel(w.method), strong}}
	if w.phase != "" {
		items = append(items, item{w.phase, plain})
	}
	if w.steps > 0 {
		items = append(items, item{"sweep " + decimal(float64(w.step), 0) + " / " + decimal(float64(w.steps), 0), plain})
	}
	if known && shared {
		items = append(items, item{"\u03b2 = " + betaLabel(beta), plain})
	}
	items = append(items, item{particles(w, shown), plain})
	for i, it := range items {
		wd := a.fonts.width(it.s, it.st)
		if known && !shared && i+1 == len(items) {
			end = betaScale(a, &l, x, y, end) // comes before the count
		}
		if i > 0 && x+wd > end {
			break
		}
		if known && shared && i+2 == len(items) {
			if x+10*u+wd > end {
				break
			}
			l.add(mark{kind: fill, box: snap(rect{x, y - 9*u, 4 * u, 10 * u}), color: t.BetaColor(beta)})
			x += 10 * u
		}
		c := t.Ink2
		if it.st == strong {
			c = t.Ink
		}
		l.label(it.s, x, y, it.st, c, left)
		x += wd + 12*u
	}
	return l
}

// particles says how many there are, and how many of them are on show.
func particles(w *wall, shown int) string {
	n := w.filled()
	switch {
	case shown < len(w.slots):
		return decimal(float64(shown), 0) + " of " + decimal(float64(len(w.slots)), 0) + " shown"
	case n == 1:
		return "1 particle"
	}
	return decimal(float64(n), 0) + " particles"
}

// betaScale draws the colour map as cells with its two ends named, right aligned
// at end, if there is room after x. It returns the new end of what is free.
func betaScale(a *area, l *layer, x, y, end float64) float64 {
	u := a.u
	from, to := "\u03b2 = 0", "1"
	cell := math.Round(4 * u)
	w0, w1 := a.fonts.width(from, tick), a.fonts.width(to, tick)
	cells := 17
	if x+w0+w1+10*u+17*cell > end {
		cells = 9
	}
	start := math.Round(end - w1 - 5*u - float64(cells)*cell)
	free := start - 5*u - w0
	if free < x {
		return end
	}
	l.label(from, start-5*u, y, tick, a.theme.Ink3, right)
	l.label(to, end, y, tick, a.theme.Ink3, right)
	for i := range cells {
		l.add(mark{kind: fill, color: a.theme.BetaColor(float64(i) / float64(cells-1)),
			box: rect{start + float64(i)*cell, math.Round(y - 8*u), cell, math.Round(8 * u)}})
	}
	return free - 12*u
}

// methodLabel writes URL names the way people say them: AIS, RTS; longer names
// keep their letters.
func methodLabel(name string) string {
	if len(name) <= 5 {
		return strings.ToUpper(name)
	}
	return name
}

func snap(r rect) rect {
	x, y := math.Round(r.x), math.Round(r.y)
	return rect{x, y, max(1, math.Round(r.w)), max(1, math.Round(r.h))}
}

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
		uneven += 0.5 * float64(cols*rows-n) / c
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

// origin is the top left corner of picture i.
func (g *grid) origin(i int) (x, y float64) {
	return g.x + float64(i%g.cols)*g.px, g.y + float64(i/g.cols)*g.py
}

// smallest is the least long side of a picture in CSS pixels.
const smallest = 24

// tiles lays out a wall of pictures: a bar in the colour of its inverse
// temperature at the left of each, and below it the number, where temperatures
// differ and there is room, and the weight as a dot. It returns how many of the
// slots there was room for.
func tiles(a *area, w *wall, b rect) (l layer, shown int) {
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
	n := len(w.slots)
	g := arrange(n, w.w, w.h, b, gap, side, foot, 40*u)
	// Rather fewer particles than pictures nobody can read.
	for n > 1 && (g.cell < 1 || max(g.tw, g.th) < smallest*u) {
		n--
		g = arrange(n, w.w, w.h, b, gap, side, foot, 40*u)
	}
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
	for i := range n {
		s := &w.slots[i]
		x, y := g.origin(i)
		box := rect{x, y, g.tw, g.th}
		if !s.filled {
			l.add(mark{kind: fill, box: box, color: t.Absent})
			continue
		}
		l.add(mark{kind: picture, box: box, wall: w, slot: i})
		if known {
			l.add(mark{kind: fill, box: rect{x - side, y, bar, g.th}, color: t.BetaColor(s.beta)})
		}
		cy := y + g.th + foot/2 + 1*u
		if numbers && !math.IsNaN(s.beta) {
			l.label(betaLabel(s.beta), x-side, cy+4*u, tick, t.Ink2, left)
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
