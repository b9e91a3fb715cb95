package formation

import (
	"image/color"
	"math"

	"logzlab/render/paint"
	"logzlab/render/record"
)

// large returns the number of pictures that are shown in a large size.
func (v *stageView) large() int {
	if v.a.Compact() {
		return 12
	}
	return 24
}

// maxTiles returns the number of pictures if all particles are shown. It counts the particles that remain after
// resampling, so that the layout does not change while additional ones exist temporarily.
func (v *stageView) maxTiles() int {
	if r := v.Island.Growth.R; r > 0 {
		return min(r, record.MaxSlots)
	}
	return v.Moment.Rows
}

// tileGrid is the arrangement of the pictures of the gallery.
type tileGrid struct {
	n, cols, rows  int
	tw, th, px, py float64
	x, y           float64
}

func (g *tileGrid) at(i int) paint.Point {
	return paint.Pt(g.x+float64(i%g.cols)*g.px, g.y+float64(i/g.cols)*g.py)
}

func (g *tileGrid) bottom() float64 { return g.y + float64(g.rows-1)*g.py + g.th }

// fit arranges preferredCount tiles in the box b, or fewer but if possible at least minCount, as large as possible: with
// whole device pixels per cell, and spaceBelow pixels below each tile. If large is true, there is also a large picture
// at the right, as high as the tiles; side is the size of its cells in pixels, 0 if there is no large picture.
func (v *stageView) fit(b paint.Rect, preferredCount, minCount int, gap, spaceBelow float64, large bool) (g tileGrid, side float64) {
	w, h, u := float64(v.Island.W), float64(v.Island.H), v.a.Unit
	maxTileSize := 96 * u
	if !v.a.Shows("details") {
		maxTileSize = b.H // nothing else needs the space
	}
	wholePixels := func(cell float64) float64 {
		if cell >= 1 {
			return math.Floor(cell)
		}
		return cell
	}

	// For each number of rows, as many columns as fit: more tiles are preferred, then larger ones.
	for rows := 1; rows <= 40; rows++ {
		r := float64(rows)
		cell := wholePixels(min((b.H+gap)/r-gap-spaceBelow, maxTileSize) / h)
		cell = min(cell, wholePixels(0.4*b.W/w))
		if cell <= 0 || rows > 1 && max(w, h)*cell < paint.SmallestPicture*u*0.9 {
			break
		}
		largeCell, freeWidth := 0.0, b.W
		if large {
			largeCell = wholePixels(min((r*(h*cell+gap+spaceBelow)-gap-spaceBelow-22*u)/h, 0.4*b.W/w))
			if largeCell < 2*cell {
				continue
			}
			freeWidth -= largeCell*w + 36*u
		}
		cols := int((freeWidth + gap) / (cell*w + gap))
		if cols < 1 {
			continue
		}
		n := min(preferredCount, cols*rows)
		if g.n > 0 && (n <= g.n || g.n >= minCount && cell*w < g.tw) {
			continue
		}
		g = tileGrid{n: n, cols: cols, rows: rows, tw: cell * w, th: cell * h, x: math.Round(b.X), y: math.Round(b.Y)}
		side = largeCell
		g.px, g.py = g.tw+gap, g.th+gap+spaceBelow
		if columns := (n + rows - 1) / rows; columns < cols { // rows of equal length
			g.cols = columns
			g.rows = (n + columns - 1) / columns
		}
		if wide := int((freeWidth + 2*gap) / (g.tw + 2*gap)); wide > g.cols && n == preferredCount && !v.a.Compact() && rows > 1 {
			g.cols, g.n = wide, max(n, min(wide*g.rows, v.maxTiles())) // a wide screen has space for more
		}
		if g.cols > 1 {
			maxGap := 2.2 * gap
			if v.a.Compact() { // the tiles are alone
				maxGap = 5 * gap
			}
			if !v.a.Shows("details") {
				maxGap = freeWidth
			}
			g.px = math.Floor(min((freeWidth-g.tw)/float64(g.cols-1), g.tw+maxGap))
		}
	}

	return g, side
}

// gallery draws the pictures, or the ancestors of the selected particle, and one large picture. It returns the y
// coordinate of the lower end of the gallery.
func (v *stageView) gallery(b paint.Rect) ([]paint.Layer, float64) {
	a, u := v.a, v.a.Unit
	gap, foot := 8*u, 6*u
	if a.Compact() {
		gap = 6 * u
	}

	preferredCount := min(v.large(), v.maxTiles())
	minCount := preferredCount * 4 / 5
	if !a.Shows("details") { // the pictures fill the canvas
		preferredCount, minCount = min(24, v.maxTiles()), min(9, v.maxTiles()) // large enough for the last row of an audience
	}
	if v.s.showAll {
		preferredCount, minCount = v.maxTiles(), v.maxTiles()*9/10
		gap, foot = 5*u, 5*u
	}
	if v.Following() {
		preferredCount, minCount, gap, foot = v.large(), v.large()*4/5, 8*u, 16*u
	}
	if v.s.clamps.active && a.Compact() { // a finger needs the whole width
		cell := min(b.W/float64(v.Island.W), (b.H-24*u)/float64(v.Island.H))
		var l paint.Layer
		wide, high := cell*float64(v.Island.W), cell*float64(v.Island.H)
		v.drawLarge(&l, paint.XYWH(math.Round(b.X+(b.W-wide)/2), math.Round(b.Y), wide, high), cell)
		return []paint.Layer{l}, b.Y + high + 24*u
	}

	// Tiles with a large picture next to them, or without one.
	g, side := v.fit(b, preferredCount, minCount, gap, foot, !a.Compact() && (!v.s.showAll || v.Following()))
	if g.n == 0 {
		g, side = v.fit(b, preferredCount, minCount, gap, foot, false)
	}
	if g.n == 0 {
		return nil, b.Y
	}
	v.tileCount = g.n

	var l paint.Layer
	if v.Following() {
		v.drawAncestors(&l, g, foot)
	} else {
		v.tiles(&l, g, foot)
	}
	if side > 0 {
		wide, high := side*float64(v.Island.W), side*float64(v.Island.H)
		v.drawLarge(&l, paint.XYWH(math.Round(b.X+b.W-wide), g.y, wide, high), side)
	}
	return []paint.Layer{l}, g.bottom() + foot
}

// pickRows returns the rows in the gallery: all, or n of them, evenly spaced by rank.
func pickRows(m *record.Moment, n int) []int {
	return record.EvenlySpaced(m.Ranked(), n)
}

// before returns the previous moment if the change from it can be animated: one step of the same stage or the next, in
// slow motion. Otherwise it returns nil.
func (v *stageView) before() *record.Moment {
	if v.index == 0 || !v.Island.Slow && v.Island.ShownID == 0 {
		return nil
	}
	if q := &v.Island.Moments[v.index-1]; v.Moment.Stage-q.Stage <= 1 {
		return q
	}
	return nil
}

// picture returns the picture of a row, with the last changes marked.
func (v *stageView) picture(m *record.Moment, row int, before *record.Moment) []byte {
	n := v.Island.W * v.Island.H
	out := m.Cells(row, v.a.Bytes(n))
	p := m.Parent(row)
	if before == nil || p == record.NoRow || p >= before.Rows {
		return out
	}
	keepsMarks := v.a.Still || v.Island.ShownID != 0 // without animation the changes stay marked until the next frame
	switch {
	case m.Phase == record.Moving && (keepsMarks || v.done < 0.75):
		for j, c := range out {
			if was := before.CellIsOn(p, j, n); c == paint.CellOn && !was {
				out[j] = paint.CellWentOn
			} else if c == paint.CellOff && was {
				out[j] = paint.CellWentOff
			}
		}
	case m.Phase == record.Augmenting && (keepsMarks || v.done < 0.6):
		if c := v.Island.Cell(m.Stage - 1); c >= 0 && out[c] <= paint.CellOn {
			out[c] = paint.CellNewOff - out[c]
		}
	}
	return out
}

// tiles draws the gallery. Children move away from their parents; rows without children fade.
func (v *stageView) tiles(l *paint.Layer, g tileGrid, foot float64) {
	a, u, t, m := v.a, v.a.Unit, v.a.Theme, v.Moment
	shownRows := pickRows(m, g.n)
	relativeWeights := m.Weights()
	q := v.before()
	cw, ch := v.Island.W, v.Island.H
	drawsArcs := q != nil && (v.done < 1 || a.Still && v.Island.ShownID == 0) &&
		(m.Phase == record.Resampling || m.Phase == record.Generating)

	// Positions of the rows of the previous moment, whether or not they are in the gallery, and of the parent of a
	// row.
	var places []paint.Point
	if q != nil && v.done < 1 || drawsArcs {
		places = make([]paint.Point, q.Rows)
		for k, row := range q.Ranked() {
			places[row] = g.at(min(k*g.n/max(q.Rows, g.n), g.n-1))
		}
	}
	origin := func(row int) (paint.Point, bool) {
		if p := m.Parent(row); p >= 0 && p < len(places) {
			return places[p], true
		}
		return paint.Point{}, false
	}
	if q != nil && v.done < 1 && m.Phase >= record.Generating && m.Phase != record.Augmenting {
		v.dropped(l, g, q, places)
	}

	// The rows, on their way from their parents to their own positions.
	highlighted := v.HighlightedRow()
	parentArcs := paint.Mark{Kind: paint.Polylines, Slot: bendPoints, Color: paint.Fade(v.highlight, 0.75*(1-v.done))}
	if a.Still {
		parentArcs.Color = paint.Fade(v.highlight, 0.6)
	}
	for i, row := range shownRows {
		at, tone, arrived := g.at(i), color.RGBA{}, true
		from, known := origin(row)
		switch {
		case known && v.done < 1:
			arrived = from == at
			if from.Y == at.Y {
				at.X = math.Round(from.X + (at.X-from.X)*v.done)
			} else if !arrived { // fades in in another line of tiles, rather than moving across the others
				tone = paint.Fade(color.RGBA{255, 255, 255, 255}, max(v.done, 0.02))
			}
		case q != nil && v.done < 1: // has no parent with a picture
			tone, arrived = paint.Fade(color.RGBA{255, 255, 255, 255}, max(v.done, 0.02)), false
		}
		if to := g.at(i); drawsArcs && known {
			if from.Y == to.Y && from != to { // an arc below the pictures, from parent to child
				for k := range bendPoints {
					f := float64(k) / (bendPoints - 1)
					parentArcs.Pts = append(parentArcs.Pts, paint.Pt(from.X+g.tw/2+(to.X-from.X)*f, from.Y+g.th+u+4*f*(1-f)*(foot+2*u)))
				}
				parentArcs.Radii = append(parentArcs.Radii, 1.5*u*t.Stroke)
			}
		}
		box := paint.XYWH(at.X, at.Y, g.tw, g.th)
		l.Add(paint.Mark{Kind: paint.Cells, Box: box, Cells: v.picture(m, row, q), Cols: cw, Rows: ch, Slot: row,
			Color: tone})
		if row < len(relativeWeights) && arrived {
			v.weight(l, box, foot, relativeWeights[row])
		}
		switch { // a frame around pictures without a visible edge
		case cw*ch < 100:
			l.Add(paint.FrameAround(box, 0, a.Hairline(), t.Line2))
		case m.Stage == v.Island.Growth.Stages: // no cell is grey any more
			l.Add(paint.FrameAround(box, a.Hairline()/2, a.Hairline(), t.Line))
		}
		if row == highlighted {
			v.frame(l, box, 3*u)
		}
		if a.Pointed(box) {
			a.Pointer.Offer(0, 1, a.Pointer.At, 0, paint.Rect{}, func() string { return v.describeRow(v.index, row) })
		}
		a.OnTap(box, paint.Action{Do: v.Follow(row)})
	}
	l.Add(parentArcs)
}

// dropped draws the pictures of the previous moment whose rows have no children. They fade and fall.
func (v *stageView) dropped(l *paint.Layer, g tileGrid, before *record.Moment, places []paint.Point) {
	cw, ch := v.Island.W, v.Island.H
	faint := paint.Fade(color.RGBA{255, 255, 255, 255}, max(0.6*(1-1.6*v.done), 0.02))
	for _, row := range pickRows(before, g.n) {
		if v.Moment.Child(row) < 0 {
			l.Add(paint.Mark{Kind: paint.Cells, Box: paint.XYWH(places[row].X, places[row].Y+math.Round(0.6*g.th*v.done*v.done),
				g.tw, g.th),
				Cells: before.Cells(row, v.a.Bytes(cw*ch)), Cols: cw, Rows: ch, Color: faint})
		}
	}
}

// weight draws the weight of a particle, relative to the largest, as a bar below its picture.
func (v *stageView) weight(l *paint.Layer, b paint.Rect, foot, share float64) {
	u, t := v.a.Unit, v.a.Theme
	y := math.Round(b.Y + b.H + foot/2 - u)
	l.Add(paint.Mark{Kind: paint.Fill, Box: paint.Snap(paint.XYWH(b.X, y, b.W, 2*u)), Color: t.Track})
	if share*b.W >= 0.5 {
		l.Add(paint.Mark{Kind: paint.Fill, Box: paint.Snap(paint.XYWH(b.X, y, b.W*share, 2*u)), Color: t.Line2})
	}
}

// frame draws a frame in the highlight colour.
func (v *stageView) frame(l *paint.Layer, b paint.Rect, off float64) {
	l.Add(paint.FrameAround(b, off, 2*v.a.Unit*v.a.Theme.Stroke, v.highlight))
}
