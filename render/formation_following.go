package render

import (
	"math"
	"strconv"

	"logzlab/core/format"
	"logzlab/render/paint"
)

// eyed is the row that the eye follows on the moment on show: the one that was
// tapped, else one in the middle of the wall; -1 if its line does not reach here.
func (v *forming) eyed() int {
	if v.following() {
		return v.is.trace(v.is.index(v.is.marked[0]), v.is.marked[1], v.i)
	}
	if v.m.rows == 0 {
		return -1
	}
	on := picks(v.m, max(v.tiled, 1))
	return on[len(on)*2/5]
}

// unseen tells whether the line that is followed goes through rows without a picture.
func (v *forming) unseen() bool {
	last := v.is.index(v.is.marked[0])
	for j, row := range v.is.line(last, v.is.marked[1]) {
		if row >= v.is.moments[j].rows {
			return true
		}
	}
	return false
}

func (v *forming) following() bool { return v.is.marked[0] != 0 }

// follow marks a row of the moment on show.
func (v *forming) follow(row int) func(paint.Point) {
	is, mark := v.is, [2]int{v.m.id, row}
	return func(paint.Point) { is.marked = mark }
}

// portrait draws the followed particle large, its newest cell ringed.
func (v *forming) portrait(l *paint.Layer, b paint.Rect, cell float64) {
	a, u, t, m := v.a, v.a.Unit, v.a.Theme, v.m
	row := v.eyed()
	gone := row < 0
	says := "died out at"
	if gone { // its last moment, or its first
		at := v.is.index(v.is.marked[0])
		row = v.is.marked[1]
		if v.i < at {
			says = "begins at"
			line := v.is.line(at, row)
			for at = 0; line[at] < 0; at++ {
			}
			row = line[at]
		}
		m = &v.is.moments[at]
	}
	q := v.before()
	if gone {
		q = nil
	}

	// The picture, or an empty frame for a row that was not sent.
	cw, ch := v.is.w, v.is.h
	blank := row >= m.rows
	var cells []byte
	if blank {
		says, gone = "no picture at", true
		v.blank(l, b)
	} else {
		cells = v.picture(m, row, q)
		l.Add(paint.Mark{Kind: paint.Cells, Box: b, Cells: cells, Cols: cw, Rows: ch, Slot: row})
	}
	v.frame(l, b, 4*u)

	// Which stage this is; of the newest pixel, in how many pictures it is on.
	name := a.Say(says) + " n = " + format.Grouped(float64(m.stage), 0)
	if c := v.is.cell(m.stage - 1); c >= 0 && !gone {
		if m.stage < v.is.growth.Stages {
			x, y := b.X+float64(c%cw)*cell, b.Y+float64(c/cw)*cell
			tone := t.CellColors()[paint.CellNewOff]
			if cells[c] == paint.CellOn || cells[c] == paint.CellNewOn || cells[c] == paint.CellWentOn {
				tone = v.eye
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
		for r := range m.rows {
			if m.bit(r, c, cw*ch) {
				on++
			}
		}
		name = a.Say("Pixel") + " " + format.Grouped(float64(m.stage), 0) + ": " + a.Say("on in") + " " +
			format.Grouped(float64(on), 0) + " " + a.Say("of") + " " + format.Grouped(float64(m.rows), 0)
	}

	if wd := a.Fonts.Width(name, paint.Plain); wd > b.W+30*u {
		name = "n = " + format.Grouped(float64(m.stage), 0)
	}
	half := a.Fonts.Width(name, paint.Plain) / 2
	l.Label(name, min(b.X+b.W/2, a.W-v.pad/2-half), b.Y+b.H+20*u, paint.Plain, t.Ink2, paint.Centre)
	if !v.s.board.on {
		a.OnTap(b, paint.Action{Do: func(paint.Point) { v.is.marked = [2]int{} }})
	}
	v.drawOn(l, b, cell)
}

// film shows the ancestors of the followed particle, from the first stage on
// record to the newest; a tap on one goes back to it.
func (v *forming) film(l *paint.Layer, g wallGrid, foot float64) {
	a, u, t, is := v.a, v.a.Unit, v.a.Theme, v.is
	last := is.index(is.marked[0])
	line := is.line(last, is.marked[1])
	first := 0
	for line[first] < 0 {
		first++
	}
	s0, s1 := float64(is.moments[first].stage), float64(is.moments[last].stage)

	// A picture for each of n stages, evenly apart.
	prev, shown := -1, -1
	n := g.n
	for k := range n {
		// The last moment of about this stage; if the ancestor has no picture there, the
		// nearest one since the stage before that has.
		want, pace := s1, 0.0
		if n > 1 {
			pace = (s1 - s0) / float64(n-1)
			want = s0 + pace*float64(k)
		}
		j := first
		for j < last && float64(is.moments[j+1].stage) <= want+0.5 {
			j++
		}
		if j <= prev {
			continue
		}
		for i := j; i > prev && i >= first && float64(is.moments[i].stage) > want-pace; i-- {
			if line[i] < is.moments[i].rows {
				j = i
				break
			}
		}
		prev = j
		shown++

		// The picture, its stage below it; a tap goes there.
		m, row := &is.moments[j], line[j]
		at := g.at(shown)
		box := paint.XYWH(at.X, at.Y, g.tw, g.th)
		if row < m.rows {
			l.Add(paint.Mark{Kind: paint.Cells, Box: box, Cells: m.cells(row, a.Bytes(is.w*is.h)), Cols: is.w, Rows: is.h,
				Slot: row})
		} else {
			v.blank(l, box)
		}
		st, c := paint.Tick, t.Ink3
		if m.stage == v.m.stage {
			st, c = paint.StrongTick, t.Ink
			v.frame(l, box, 2*u)
		}
		l.Label(format.Grouped(float64(m.stage), 0), at.X+g.tw/2, at.Y+g.th+foot-3*u, st, c, paint.Centre)
		if a.Pointed(box) {
			a.Pointer.Offer(0, 1, a.Pointer.At, 0, paint.Rect{}, func() string { return v.readRow(j, row) })
		}
		a.OnTap(box, paint.Action{Do: func(paint.Point) { is.show(j) }})
	}
}

// blank is the place of a picture that there is none of: an empty, dashed frame.
func (v *forming) blank(l *paint.Layer, b paint.Rect) {
	u := v.a.Unit
	l.Add(paint.Mark{Kind: paint.Stroke, Width: v.a.Hairline(), Dash: [2]float64{3 * u, 3 * u}, Color: v.a.Theme.Ink3,
		Pts: []paint.Point{{X: b.X, Y: b.Y}, {X: b.X + b.W, Y: b.Y}, {X: b.X + b.W, Y: b.Y + b.H}, {X: b.X, Y: b.Y + b.H},
			{X: b.X, Y: b.Y}}})
}

// readRow says what is known of a row of a moment.
func (v *forming) readRow(i, row int) string {
	a, m := v.a, &v.is.moments[i]
	text := a.Say("Particle") + " " + strconv.Itoa(row+1) + "\nn = " + format.Grouped(float64(m.stage), 0) + " " + v.unit()
	if row >= m.rows {
		return text + "\n" + a.Say("no picture: not among the first") + " " + strconv.Itoa(m.rows)
	}
	if v.is.w > 0 {
		on, here := 0, 0
		for _, c := range m.cells(row, make([]byte, v.is.w*v.is.h)) {
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
	if row < len(m.logW) {
		text += "\n" + a.Say("log weight") + " " + format.Grouped(float64(m.logW[row]), 2)
	}
	if i == v.i && !v.following() {
		text += "\n" + a.Say("tap: its ancestors")
	}
	return text
}
