package paint

import "math"

// Grid is an arrangement of equal tiles in a box.
type Grid struct {
	Cols, Rows     int
	Cell           float64 // device pixels per cell; a whole number if at least 1
	TileW, TileH   float64 // size of a picture
	PitchX, PitchY float64 // from one picture to the next
	X, Y           float64 // top left corner of the first picture
}

// Arrange arranges n tiles of cw x ch cells in b. It picks the number of columns with the largest whole cell, then the
// most even gaps. Each tile has side pixels at its left and foot pixels below; gaps are at least gap, at most most.
func Arrange(n, cw, ch int, b Rect, gap, side, foot, most float64) Grid {
	best, bestUneven := Grid{}, math.Inf(1)

	for cols := 1; cols <= n; cols++ {
		rows := (n + cols - 1) / cols
		g := Grid{Cols: cols, Rows: rows}
		c, r := float64(cols), float64(rows)
		g.Cell = min(((b.W+gap)/c-gap-side)/float64(cw), ((b.H+gap)/r-gap-foot)/float64(ch))
		if g.Cell >= 1 {
			g.Cell = math.Floor(g.Cell)
		}
		if g.Cell <= 0 || g.Cell < best.Cell {
			continue
		}
		g.TileW, g.TileH = g.Cell*float64(cw), g.Cell*float64(ch)

		// How uneven the gaps are.
		gx, gy := most, most
		if cols > 1 {
			gx = (b.W - c*(g.TileW+side)) / (c - 1)
		}
		if rows > 1 {
			gy = (b.H - r*(g.TileH+foot)) / (r - 1)
		}
		uneven := math.Abs(math.Log(max(gx, 1) / max(gy, 1)))
		// A nearly empty last row looks like a mistake.
		uneven += 1.5 * float64(cols*rows-n) / c
		if g.Cell == best.Cell && uneven >= bestUneven {
			continue
		}

		bestUneven = uneven
		gx, gy = min(gx, most), min(gy, most)
		g.PitchX, g.PitchY = math.Floor(g.TileW+side+gx), math.Floor(g.TileH+foot+gy)
		g.X, g.Y = math.Round(b.X+side), math.Round(b.Y)
		best = g
	}
	return best
}

// ArrangeLegible is Arrange with as many of n tiles as possible whose long side is at least least. It also returns
// their number.
func ArrangeLegible(n, cw, ch int, b Rect, gap, side, foot, most, least float64) (Grid, int) {
	g := Arrange(n, cw, ch, b, gap, side, foot, most)
	for n > 1 && (g.Cell < 1 || max(g.TileW, g.TileH) < least) {
		n--
		g = Arrange(n, cw, ch, b, gap, side, foot, most)
	}
	return g, n
}

// Origin returns the top left corner of tile i.
func (g *Grid) Origin(i int) (x, y float64) {
	return g.X + float64(i%g.Cols)*g.PitchX, g.Y + float64(i/g.Cols)*g.PitchY
}

// Box returns the box of tile i.
func (g *Grid) Box(i int) Rect {
	x, y := g.Origin(i)
	return Rect{x, y, g.TileW, g.TileH}
}

// SmallestPicture is the minimum long side of a picture in CSS pixels.
const SmallestPicture = 24
