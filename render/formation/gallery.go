package formation

import (
	"image/color"
	"math"

	"logzlab/render/paint"
	"logzlab/render/record"
)

// large is how many pictures are shown when they are large: on small canvases in two lines.
func (v *forming) large() int {
	if v.a.Compact() {
		return 12
	}
	return 24
}

// wallSize is how many pictures a wall of all has room for: those that the run goes on
// with, so that the wall stands still while others are generated and resampled away.
func (v *forming) wallSize() int {
	if r := v.Is.Growth.R; r > 0 {
		return min(r, record.MaxSlots)
	}
	return v.M.Rows
}

// wallGrid is the arrangement of the tiles of a gallery.
type wallGrid struct {
	n, cols, rows  int
	tw, th, px, py float64
	x, y           float64
}

func (g *wallGrid) at(i int) paint.Point {
	return paint.Pt(g.x+float64(i%g.cols)*g.px, g.y+float64(i/g.cols)*g.py)
}

func (g *wallGrid) bottom() float64 { return g.y + float64(g.rows-1)*g.py + g.th }

// fit arranges about want tiles, at least least of them if they can be, in a box, as large
// as possible: whole device pixels to a cell, foot below each. beside asks for one large
// picture at the right, as high as the tiles; its cell is returned, 0 for none.
func (v *forming) fit(b paint.Rect, want, least int, gap, foot float64, beside bool) (g wallGrid, side float64) {
	w, h, u := float64(v.Is.W), float64(v.Is.H), v.a.Unit
	largest := 96 * u
	if !v.a.Shows("details") {
		largest = b.H // nothing else wants the room
	}
	whole := func(cell float64) float64 {
		if cell >= 1 {
			return math.Floor(cell)
		}
		return cell
	}

	// Each number of rows, with as many columns as there is room for: more tiles win, then larger ones.
	for rows := 1; rows <= 40; rows++ {
		r := float64(rows)
		cell := whole(min((b.H+gap)/r-gap-foot, largest) / h)
		cell = min(cell, whole(0.4*b.W/w))
		if cell <= 0 || rows > 1 && max(w, h)*cell < paint.SmallestPicture*u*0.9 {
			break
		}
		large, room := 0.0, b.W
		if beside {
			large = whole(min((r*(h*cell+gap+foot)-gap-foot-22*u)/h, 0.4*b.W/w))
			if large < 2*cell {
				continue
			}
			room -= large*w + 36*u
		}
		cols := int((room + gap) / (cell*w + gap))
		if cols < 1 {
			continue
		}
		n := min(want, cols*rows)
		if g.n > 0 && (n <= g.n || g.n >= least && cell*w < g.tw) {
			continue
		}
		g = wallGrid{n: n, cols: cols, rows: rows, tw: cell * w, th: cell * h, x: math.Round(b.X), y: math.Round(b.Y)}
		side = large
		g.px, g.py = g.tw+gap, g.th+gap+foot
		if used := (n + rows - 1) / rows; used < cols { // even the rows out
			g.cols = used
			g.rows = (n + used - 1) / used
		}
		if wide := int((room + 2*gap) / (g.tw + 2*gap)); wide > g.cols && n == want && !v.a.Compact() && rows > 1 {
			g.cols, g.n = wide, max(n, min(wide*g.rows, v.wallSize())) // a wide screen has room for more
		}
		if g.cols > 1 {
			most := 2.2 * gap
			if v.a.Compact() { // there the tiles stand alone
				most = 5 * gap
			}
			if !v.a.Shows("details") {
				most = room
			}
			g.px = math.Floor(min((room-g.tw)/float64(g.cols-1), g.tw+most))
		}
	}

	return g, side
}

// gallery draws the wall, or the film of the particle that is followed, and one
// picture large. It returns where they end.
func (v *forming) gallery(b paint.Rect) ([]paint.Layer, float64) {
	a, u := v.a, v.a.Unit
	gap, foot := 8*u, 6*u
	if a.Compact() {
		gap = 6 * u
	}

	// How many tiles, and how far apart.
	want := min(v.large(), v.wallSize())
	least := want * 4 / 5
	if !a.Shows("details") { // the pictures fill the canvas
		want, least = min(24, v.wallSize()), min(9, v.wallSize()) // large ones can be seen from the last row
	}
	if v.s.crowd {
		want, least = v.wallSize(), v.wallSize()*9/10
		gap, foot = 5*u, 5*u
	}
	if v.Following() {
		want, least, gap, foot = v.large(), v.large()*4/5, 8*u, 16*u
	}
	if v.s.board.on && a.Compact() { // a finger needs all the room there is
		cell := min(b.W/float64(v.Is.W), (b.H-24*u)/float64(v.Is.H))
		var l paint.Layer
		wide, high := cell*float64(v.Is.W), cell*float64(v.Is.H)
		v.portrait(&l, paint.XYWH(math.Round(b.X+(b.W-wide)/2), math.Round(b.Y), wide, high), cell)
		return []paint.Layer{l}, b.Y + high + 24*u
	}

	// Tiles with a large picture beside them, or alone.
	g, side := v.fit(b, want, least, gap, foot, !a.Compact() && (!v.s.crowd || v.Following()))
	if g.n == 0 {
		g, side = v.fit(b, want, least, gap, foot, false)
	}
	if g.n == 0 {
		return nil, b.Y
	}
	v.tiled = g.n

	var l paint.Layer
	if v.Following() {
		v.film(&l, g, foot)
	} else {
		v.tiles(&l, g, foot)
	}
	if side > 0 {
		wide, high := side*float64(v.Is.W), side*float64(v.Is.H)
		v.portrait(&l, paint.XYWH(math.Round(b.X+b.W-wide), g.y, wide, high), side)
	}
	return []paint.Layer{l}, g.bottom() + foot
}

// picks are the rows on the wall: all, or an even choice of the families.
func picks(m *record.Moment, n int) []int {
	return record.Evenly(m.Ranked(), n)
}

// before is the moment that the one on show came from, if the change from it can
// be shown: one step of the same stage or the next, at a pace that can be followed.
func (v *forming) before() *record.Moment {
	if v.i == 0 || !v.Is.Slow && v.Is.Back == 0 {
		return nil
	}
	if q := &v.Is.Moments[v.i-1]; v.M.Stage-q.Stage <= 1 {
		return q
	}
	return nil
}

// picture is a row's picture with what has just happened to it.
func (v *forming) picture(m *record.Moment, row int, before *record.Moment) []byte {
	n := v.Is.W * v.Is.H
	out := m.Cells(row, v.a.Bytes(n))
	p := m.Parent(row)
	if before == nil || p == record.Nobody || p >= before.Rows {
		return out
	}
	lasting := v.a.Still || v.Is.Back != 0 // no motion: tints stay until the next frame
	switch {
	case m.Phase == record.Moving && (lasting || v.done < 0.75):
		for j, c := range out {
			if was := before.Bit(p, j, n); c == paint.CellOn && !was {
				out[j] = paint.CellWentOn
			} else if c == paint.CellOff && was {
				out[j] = paint.CellWentOff
			}
		}
	case m.Phase == record.Augmenting && (lasting || v.done < 0.6):
		if c := v.Is.Cell(m.Stage - 1); c >= 0 && out[c] <= paint.CellOn {
			out[c] = paint.CellNewOff - out[c]
		}
	}
	return out
}

// tiles draws the wall: children slide from their parents, lines that die out fade.
func (v *forming) tiles(l *paint.Layer, g wallGrid, foot float64) {
	a, u, t, m := v.a, v.a.Unit, v.a.Theme, v.M
	on := picks(m, g.n)
	rel := m.Weights()
	q := v.before()
	cw, ch := v.Is.W, v.Is.H
	splits := q != nil && (v.done < 1 || a.Still && v.Is.Back == 0) && (m.Phase == record.Resampling || m.Phase == record.Generating)

	// The places of the rows of the moment before, whether or not they were among those
	// on the wall, and where a row comes from, if it had a picture.
	var places []paint.Point
	if q != nil && v.done < 1 || splits {
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
		v.dying(l, g, q, places)
	}

	// The rows: on their way from their parents to their own places.
	eyed := v.Eyed()
	kin := paint.Mark{Kind: paint.Polylines, Slot: bendPoints, Color: paint.Fade(v.eye, 0.75*(1-v.done))}
	if a.Still {
		kin.Color = paint.Fade(v.eye, 0.6)
	}
	for i, row := range on {
		at, tone, arrived := g.at(i), color.RGBA{}, true
		from, known := origin(row)
		switch {
		case known && v.done < 1:
			arrived = from == at
			if from.Y == at.Y {
				at.X = math.Round(from.X + (at.X-from.X)*v.done)
			} else if !arrived { // comes up in another line, rather than across the others
				tone = paint.Fade(color.RGBA{255, 255, 255, 255}, max(v.done, 0.02))
			}
		case q != nil && v.done < 1: // of a parent without a picture, or of none
			tone, arrived = paint.Fade(color.RGBA{255, 255, 255, 255}, max(v.done, 0.02)), false
		}
		if to := g.at(i); splits && known {
			if from.Y == to.Y && from != to { // an arc below the pictures, from parent to child
				for k := range bendPoints {
					f := float64(k) / (bendPoints - 1)
					kin.Pts = append(kin.Pts, paint.Pt(from.X+g.tw/2+(to.X-from.X)*f, from.Y+g.th+u+4*f*(1-f)*(foot+2*u)))
				}
				kin.Radii = append(kin.Radii, 1.5*u*t.Stroke)
			}
		}
		box := paint.XYWH(at.X, at.Y, g.tw, g.th)
		l.Add(paint.Mark{Kind: paint.Cells, Box: box, Cells: v.picture(m, row, q), Cols: cw, Rows: ch, Slot: row,
			Color: tone})
		if row < len(rel) && arrived {
			v.weight(l, box, foot, rel[row])
		}
		switch { // where a picture ends
		case cw*ch < 100:
			l.Add(paint.FrameOf(box, 0, a.Hairline(), t.Line2))
		case m.Stage == v.Is.Growth.Stages: // nothing grey is left to tell
			l.Add(paint.FrameOf(box, a.Hairline()/2, a.Hairline(), t.Line))
		}
		if row == eyed {
			v.frame(l, box, 3*u)
		}
		if a.Pointed(box) {
			a.Pointer.Offer(0, 1, a.Pointer.At, 0, paint.Rect{}, func() string { return v.readRow(v.i, row) })
		}
		a.OnTap(box, paint.Action{Do: v.Follow(row)})
	}
	l.Add(kin)
}

// dying lets the pictures of the moment before grey out and drop whose rows have no children.
func (v *forming) dying(l *paint.Layer, g wallGrid, before *record.Moment, places []paint.Point) {
	cw, ch := v.Is.W, v.Is.H
	faint := paint.Fade(color.RGBA{255, 255, 255, 255}, max(0.6*(1-1.6*v.done), 0.02))
	for _, row := range picks(before, g.n) {
		if v.M.Child(row) < 0 {
			l.Add(paint.Mark{Kind: paint.Cells, Box: paint.XYWH(places[row].X, places[row].Y+math.Round(0.6*g.th*v.done*v.done),
				g.tw, g.th),
				Cells: before.Cells(row, v.a.Bytes(cw*ch)), Cols: cw, Rows: ch, Color: faint})
		}
	}
}

// weight draws a particle's weight, the largest being 1, as a bar below its picture.
func (v *forming) weight(l *paint.Layer, b paint.Rect, foot, share float64) {
	u, t := v.a.Unit, v.a.Theme
	y := math.Round(b.Y + b.H + foot/2 - u)
	l.Add(paint.Mark{Kind: paint.Fill, Box: paint.Snap(paint.XYWH(b.X, y, b.W, 2*u)), Color: t.Track})
	if share*b.W >= 0.5 {
		l.Add(paint.Mark{Kind: paint.Fill, Box: paint.Snap(paint.XYWH(b.X, y, b.W*share, 2*u)), Color: t.Line2})
	}
}

// frame draws the frame of what the eye follows.
func (v *forming) frame(l *paint.Layer, b paint.Rect, off float64) {
	l.Add(paint.FrameOf(b, off, 2*v.a.Unit*v.a.Theme.Stroke, v.eye))
}
