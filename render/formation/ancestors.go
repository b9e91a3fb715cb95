package formation

import (
	"math"
	"strconv"

	"logzlab/core/format"
	"logzlab/render/paint"
)

// HighlightedRow returns the row of the shown moment on the highlighted line. If the viewer has not selected a line,
// it is that through a row in the middle of the gallery. It returns NoRow if the line does not extend to this moment.
func (v *stageView) HighlightedRow() int {
	if v.Following() {
		return v.Island.FollowLine(v.Island.Index(v.Island.Marked[0]), v.Island.Marked[1], v.index)
	}
	if v.Moment.Rows == 0 {
		return -1
	}
	on := pickRows(v.Moment, max(v.tileCount, 1))
	return on[len(on)*2/5]
}

// hasMissing reports whether the highlighted line includes rows without a picture.
func (v *stageView) hasMissing() bool {
	last := v.Island.Index(v.Island.Marked[0])
	for j, row := range v.Island.Line(last, v.Island.Marked[1]) {
		if row >= v.Island.Moments[j].Rows {
			return true
		}
	}
	return false
}

// Following reports whether the viewer has selected a line.
func (v *stageView) Following() bool { return v.Island.Marked[0] != 0 }

// Follow returns an action that selects a row of the shown moment.
func (v *stageView) Follow(row int) func(paint.Point) {
	is, mark := v.Island, [2]int{v.Moment.ID, row}
	return func(paint.Point) { is.Marked = mark }
}

// drawLarge draws the highlighted particle in a large size, with its newest cell in a ring.
func (v *stageView) drawLarge(l *paint.Layer, b paint.Rect, cell float64) {
	a, u, t, m := v.a, v.a.Unit, v.a.Theme, v.Moment
	row := v.HighlightedRow()
	gone := row < 0
	says := "died out at"
	if gone { // show the last moment of the line, or its first
		at := v.Island.Index(v.Island.Marked[0])
		row = v.Island.Marked[1]
		if v.index < at {
			says = "begins at"
			line := v.Island.Line(at, row)
			for at = 0; line[at] < 0; at++ {
			}
			row = line[at]
		}
		m = &v.Island.Moments[at]
	}
	q := v.before()
	if gone {
		q = nil
	}

	cw, ch := v.Island.W, v.Island.H
	blank := row >= m.Rows
	var cells []byte
	if blank {
		says, gone = "no picture at", true
		v.drawMissing(l, b)
	} else {
		cells = v.picture(m, row, q)
		l.Add(paint.Mark{Kind: paint.Cells, Box: b, Cells: cells, Cols: cw, Rows: ch, Slot: row})
	}
	v.frame(l, b, 4*u)

	// The stage; for the newest pixel, the number of pictures in which it is on.
	name := a.Say(says) + " n = " + format.Grouped(float64(m.Stage), 0)
	if c := v.Island.Cell(m.Stage - 1); c >= 0 && !gone {
		if m.Stage < v.Island.Growth.Stages {
			x, y := b.X+float64(c%cw)*cell, b.Y+float64(c/cw)*cell
			tone := t.CellColors()[paint.CellNewOff]
			if cells[c] == paint.CellOn || cells[c] == paint.CellNewOn || cells[c] == paint.CellWentOn {
				tone = v.highlight
			}
			gap := math.Round(2 * u)
			if cell < 24*u {
				l.Add(paint.Mark{Kind: paint.Fill, Box: paint.Snap(paint.XYWH(x-gap, y-gap, cell+2*gap, cell+2*gap)),
					Color: t.Ground})
				v.frame(l, paint.XYWH(x, y, cell, cell), gap+u)
			}
			l.Add(paint.Mark{Kind: paint.Fill, Box: paint.Snap(paint.XYWH(x, y, cell, cell)), Color: tone})
		}
		on := 0
		for r := range m.Rows {
			if m.CellIsOn(r, c, cw*ch) {
				on++
			}
		}
		name = a.Say("Pixel") + " " + format.Grouped(float64(m.Stage), 0) + ": " + a.Say("on in") + " " +
			format.Grouped(float64(on), 0) + " " + a.Say("of") + " " + format.Grouped(float64(m.Rows), 0)
	}

	if wd := a.Fonts.Width(name, paint.Plain); wd > b.W+30*u {
		name = "n = " + format.Grouped(float64(m.Stage), 0)
	}
	half := a.Fonts.Width(name, paint.Plain) / 2
	l.Label(name, min(b.X+b.W/2, a.W-v.Pad/2-half), b.Y+b.H+20*u, paint.Plain, t.Ink2, paint.Centre)
	if !v.s.clamps.active {
		a.OnTap(b, paint.Action{Do: func(paint.Point) { v.Island.Marked = [2]int{} }})
	}
	v.drawClamps(l, b, cell)
}

// drawAncestors draws the ancestors of the selected particle, from the first recorded stage to the newest. A tap on
// one shows its stage.
func (v *stageView) drawAncestors(l *paint.Layer, g tileGrid, foot float64) {
	a, u, t, is := v.a, v.a.Unit, v.a.Theme, v.Island
	last := is.Index(is.Marked[0])
	line := is.Line(last, is.Marked[1])
	first := 0
	for line[first] < 0 {
		first++
	}
	s0, s1 := float64(is.Moments[first].Stage), float64(is.Moments[last].Stage)

	// A picture for each of n equidistant stages.
	prev, shown := -1, -1
	n := g.n
	for k := range n {
		// The last moment of this stage; if the ancestor has no picture there, the nearest earlier one since the
		// previous picture.
		want, pace := s1, 0.0
		if n > 1 {
			pace = (s1 - s0) / float64(n-1)
			want = s0 + pace*float64(k)
		}
		j := first
		for j < last && float64(is.Moments[j+1].Stage) <= want+0.5 {
			j++
		}
		if j <= prev {
			continue
		}
		for i := j; i > prev && i >= first && float64(is.Moments[i].Stage) > want-pace; i-- {
			if line[i] < is.Moments[i].Rows {
				j = i
				break
			}
		}
		prev = j
		shown++

		m, row := &is.Moments[j], line[j]
		at := g.at(shown)
		box := paint.XYWH(at.X, at.Y, g.tw, g.th)
		if row < m.Rows {
			l.Add(paint.Mark{Kind: paint.Cells, Box: box, Cells: m.Cells(row, a.Bytes(is.W*is.H)), Cols: is.W, Rows: is.H,
				Slot: row})
		} else {
			v.drawMissing(l, box)
		}
		st, c := paint.Tick, t.Ink3
		if m.Stage == v.Moment.Stage {
			st, c = paint.StrongTick, t.Ink
			v.frame(l, box, 2*u)
		}
		l.Label(format.Grouped(float64(m.Stage), 0), at.X+g.tw/2, at.Y+g.th+foot-3*u, st, c, paint.Centre)
		if a.Pointed(box) {
			a.Pointer.Offer(0, 1, a.Pointer.At, 0, paint.Rect{}, func() string { return v.describeRow(j, row) })
		}
		a.OnTap(box, paint.Action{Do: func(paint.Point) { is.Show(j) }})
	}
}

// drawMissing draws a dashed frame for a picture that is not available.
func (v *stageView) drawMissing(l *paint.Layer, b paint.Rect) {
	u := v.a.Unit
	l.Add(paint.Mark{Kind: paint.Stroke, Width: v.a.Hairline(), Dash: [2]float64{3 * u, 3 * u}, Color: v.a.Theme.Ink3,
		Pts: []paint.Point{{X: b.X, Y: b.Y}, {X: b.X + b.W, Y: b.Y}, {X: b.X + b.W, Y: b.Y + b.H}, {X: b.X, Y: b.Y + b.H},
			{X: b.X, Y: b.Y}}})
}

// describeRow returns the tooltip of a row of a moment.
func (v *stageView) describeRow(i, row int) string {
	a, m := v.a, &v.Island.Moments[i]
	text := a.Say("Particle") + " " + strconv.Itoa(row+1) + "\nn = " + format.Grouped(float64(m.Stage), 0) + " " + v.unit()
	if row >= m.Rows {
		return text + "\n" + a.Say("no picture: not among the first") + " " + strconv.Itoa(m.Rows)
	}
	if v.Island.W > 0 {
		on, here := 0, 0
		for _, c := range m.Cells(row, make([]byte, v.Island.W*v.Island.H)) {
			if c != paint.CellAbsent {
				here++
			}
			if c == paint.CellOn {
				on++
			}
		}
		text += "\n" + format.Grouped(float64(on), 0) + " " + a.Say("of") + " " + format.Grouped(float64(here), 0) +
			" " + a.Say("units on")
	}
	if row < len(m.LogW) {
		text += "\n" + a.Say("log weight") + " " + format.Grouped(float64(m.LogW[row]), 2)
	}
	if i == v.index && !v.Following() {
		text += "\n" + a.Say("tap: its ancestors")
	}
	return text
}
