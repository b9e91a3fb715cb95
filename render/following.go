package render

import (
	"math"
	"strconv"

	"logzlab/core/format"
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
func (v *forming) follow(row int) func(point) {
	is, mark := v.is, [2]int{v.m.id, row}
	return func(point) { is.marked = mark }
}

// portrait draws the followed particle large, its newest cell ringed.
func (v *forming) portrait(l *layer, b rect, cell float64) {
	a, u, t, m := v.a, v.a.u, v.a.theme, v.m
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
	cw, ch := v.is.w, v.is.h
	blank := row >= m.rows
	var cells []byte
	if blank {
		says, gone = "no picture at", true
		v.blank(l, b)
	} else {
		cells = v.picture(m, row, q)
		l.add(mark{kind: picture, box: b, cells: cells, cw: cw, ch: ch, slot: row})
	}
	v.frame(l, b, 4*u)
	name := a.say(says) + " n = " + format.Grouped(float64(m.stage), 0)
	if c := v.is.cell(m.stage - 1); c >= 0 && !gone {
		if m.stage < v.is.growth.Stages {
			x, y := b.x+float64(c%cw)*cell, b.y+float64(c/cw)*cell
			tone := t.cells()[cellNewOff]
			if cells[c] == cellOn || cells[c] == cellNewOn || cells[c] == cellWentOn {
				tone = v.eye
			}
			gap := math.Round(2 * u)
			if cell < 24*u {
				l.add(mark{kind: fill, box: snap(rect{x - gap, y - gap, cell + 2*gap, cell + 2*gap}), color: t.Ground})
				v.frame(l, rect{x, y, cell, cell}, gap+u)
			}
			l.add(mark{kind: fill, box: snap(rect{x, y, cell, cell}), color: tone})
		}
		on := 0
		for r := range m.rows {
			if m.bit(r, c, cw*ch) {
				on++
			}
		}
		name = a.say("Pixel") + " " + format.Grouped(float64(m.stage), 0) + ": " + a.say("on in") + " " +
			format.Grouped(float64(on), 0) + " " + a.say("of") + " " + format.Grouped(float64(m.rows), 0)
	}
	if wd := a.fonts.width(name, plain); wd > b.w+30*u {
		name = "n = " + format.Grouped(float64(m.stage), 0)
	}
	half := a.fonts.width(name, plain) / 2
	l.label(name, min(b.x+b.w/2, a.w-v.pad/2-half), b.y+b.h+20*u, plain, t.Ink2, centre)
	if !v.p.board.on {
		a.on(b, action{do: func(point) { v.is.marked = [2]int{} }})
	}
	v.drawOn(l, b, cell)
}

// film shows the ancestors of the followed particle, from the first stage on
// record to the newest; a tap on one goes back to it.
func (v *forming) film(l *layer, g wallGrid, foot float64) {
	a, u, t, is := v.a, v.a.u, v.a.theme, v.is
	last := is.index(is.marked[0])
	line := is.line(last, is.marked[1])
	first := 0
	for line[first] < 0 {
		first++
	}
	s0, s1 := float64(is.moments[first].stage), float64(is.moments[last].stage)
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
		m, row := &is.moments[j], line[j]
		at := g.at(shown)
		box := rect{at.x, at.y, g.tw, g.th}
		if row < m.rows {
			l.add(mark{kind: picture, box: box, cells: m.cells(row, a.bytes(is.w*is.h)), cw: is.w, ch: is.h, slot: row})
		} else {
			v.blank(l, box)
		}
		st, c := tick, t.Ink3
		if m.stage == v.m.stage {
			st, c = mark11, t.Ink
			v.frame(l, box, 2*u)
		}
		l.label(format.Grouped(float64(m.stage), 0), at.x+g.tw/2, at.y+g.th+foot-3*u, st, c, centre)
		if a.asks(box) {
			a.probe.offer(0, 1, a.probe.at, 0, rect{}, func() string { return v.readRow(j, row) })
		}
		a.on(box, action{do: func(point) { is.show(j) }})
	}
}

// blank is the place of a picture that there is none of: an empty, dashed frame.
func (v *forming) blank(l *layer, b rect) {
	u := v.a.u
	l.add(mark{kind: stroke, width: v.a.hair(), dash: [2]float64{3 * u, 3 * u}, color: v.a.theme.Ink3,
		pts: []point{{b.x, b.y}, {b.x + b.w, b.y}, {b.x + b.w, b.y + b.h}, {b.x, b.y + b.h}, {b.x, b.y}}})
}

// readRow says what is known of a row of a moment.
func (v *forming) readRow(i, row int) string {
	a, m := v.a, &v.is.moments[i]
	text := a.say("Particle") + " " + strconv.Itoa(row+1) + "\nn = " + format.Grouped(float64(m.stage), 0) + " " + v.unit()
	if row >= m.rows {
		return text + "\n" + a.say("no picture: not among the first") + " " + strconv.Itoa(m.rows)
	}
	if v.is.w > 0 {
		on, here := 0, 0
		for _, c := range m.cells(row, make([]byte, v.is.w*v.is.h)) {
			if c != cellAbsent {
				here++
			}
			if c == cellOn {
				on++
			}
		}
		text += "\n" + format.Grouped(float64(on), 0) + " " + a.say("of") + " " + format.Grouped(float64(here), 0) +
			" " + a.say("units on")
	}
	if row < len(m.logW) {
		text += "\n" + a.say("log weight") + " " + format.Grouped(float64(m.logW[row]), 2)
	}
	if i == v.i && !v.following() {
		text += "\n" + a.say("tap: its ancestors")
	}
	return text
}
