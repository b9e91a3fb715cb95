package render

import "math"

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
