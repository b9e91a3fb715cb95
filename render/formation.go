package render

import (
	"image/color"
	"math"
	"strconv"
)

// formation shows particles that form coordinate by coordinate: a wall of
// pictures with kin side by side, one of them large, and below them, on one axis
// of stages, who begot whom, the evidence, and what it took. A tap on a picture
// follows its line of ancestors: the wall becomes their film.
func formation(a *area, p *Picture) []layer {
	w, among := p.pick(forms)
	if w == nil || a.w < 200*a.u || a.h < 140*a.u {
		return []layer{note(a, "No particles yet")}
	}
	v := newForming(a, p, w)
	if v == nil {
		return []layer{note(a, "No particles yet")}
	}
	var top layer
	down := head(a, p, &top, v.pad, w, among)
	v.stateLine(&top, down)
	y := 32*a.u + down
	if v.is.w == 0 || v.m.rows == 0 {
		return append(v.charts(y), top)
	}
	share := 0.48
	if p.crowd {
		share = 0.66
	}
	wall, bottom := v.gallery(rect{v.pad, y, a.w - 2*v.pad, share*a.h - y + 12*a.u})
	return append(append(wall, v.charts(bottom+18*a.u)...), top)
}

// stateLine says what happens now, at the left, and at the right whether the
// picture is live.
func (v *forming) stateLine(l *layer, down float64) {
	a, u, t := v.a, v.a.u, v.a.theme
	y := 16*u + down
	end := a.w - v.pad
	x := v.pad
	// The way back to the newest frame.
	if s := a.say("Back to live"); v.is.back != 0 {
		wd := a.fonts.width(s, strong)
		l.label(s, end-wd, y, strong, t.Ink, left)
		l.hline(a, end-wd, end, y+3*u, t.Line2)
		is := v.is
		a.on(rect{end - wd - 16*u, y - 16*u, wd + 32*u, 26 * u}, action{do: func(point) { is.back = 0 }})
		end -= wd + 18*u
	} else {
		s := a.say("live")
		wd := a.fonts.width(s, plain)
		l.label(s, end-wd, y, plain, t.Ink2, left)
		l.add(mark{kind: disc, at: point{end - wd - 8*u, y - 4*u}, r: 3.5 * u, color: v.eye})
		end -= wd + 30*u
	}
	if s := a.say("All particles"); v.following() {
		wd := a.fonts.width(s, plain)
		l.label(s, end-wd, y, plain, t.Ink2, left)
		l.hline(a, end-wd, end, y+3*u, t.Line2)
		is := v.is
		a.on(rect{end - wd - 8*u, y - 16*u, wd + 16*u, 26 * u}, action{do: func(point) { is.marked = [2]int{} }})
		end -= wd + 18*u
		l.label(a.say("Particle")+" "+strconv.Itoa(v.is.marked[1]+1), x, y, strong, t.Ink, left)
		x += a.fonts.width(a.say("Particle")+" "+strconv.Itoa(v.is.marked[1]+1), strong) + 12*u
		if s := a.say("and its ancestors"); x+a.fonts.width(s, plain) < end {
			l.label(s, x, y, plain, t.Ink2, left)
		}
		return
	}
	end = v.crowdSwitch(l, y, end)
	// Phases are words one by one when they can be followed.
	if v.is.slow || v.is.back != 0 {
		var wide float64
		var seen []int
		for k := 1; k < len(phases); k++ {
			if v.is.phases>>k&1 != 0 {
				seen = append(seen, k)
				wide += a.fonts.width(a.say(phases[k]), strong) + 14*u
			}
		}
		if wide > end-x {
			seen = nil
			if v.m.phase >= 0 {
				seen = []int{v.m.phase}
			}
		}
		for _, k := range seen {
			s := a.say(phases[k])
			wd := a.fonts.width(s, strong)
			if x+wd > end {
				break
			}
			st, c := plain, t.Ink3
			if k == v.m.phase {
				st, c = strong, t.Ink
				l.add(mark{kind: fill, box: snap(rect{x, y + 4*u, wd, 2 * u}), color: v.eye})
			}
			l.label(s, x+(wd-a.fonts.width(s, st))/2, y, st, c, left)
			x += wd + 14*u
		}
		return
	}
	// At full speed: how many there are.
	text := []string{methodLabel(v.w.method), decimal(float64(v.is.growth.R), 0) + " " + a.say("particles")}
	if r := v.is.growth.R; r > 0 && v.islands() > 1 {
		text = append(text, a.say("island")+" 1 "+a.say("of")+" "+decimal(float64(v.islands()), 0))
	}
	for i, s := range text {
		st, c := plain, t.Ink2
		if i == 0 {
			st, c = strong, t.Ink
		}
		wd := a.fonts.width(s, st)
		if x+wd > end {
			break
		}
		l.label(s, x, y, st, c, left)
		x += wd + 14*u
	}
}

// islands is how many there are: those of the run, or at least those that were seen.
func (v *forming) islands() int {
	n := len(v.among)
	if last := v.among[n-1]; last.first > 0 && n > 1 {
		if gap := v.among[1].first - v.among[0].first; gap > 0 {
			n = max(n, (v.w.total+gap-1)/gap)
		}
	}
	return n
}

// crowdSwitch changes between large pictures and all of them.
func (v *forming) crowdSwitch(l *layer, y, end float64) float64 {
	a, u := v.a, v.a.u
	if v.is.w == 0 || v.following() || v.m.rows <= v.large() {
		return end
	}
	s := a.say("Show all") + " " + decimal(float64(v.m.rows), 0)
	if v.p.crowd {
		s = a.say("Larger pictures")
	}
	wd := a.fonts.width(s, plain)
	if end-wd < v.pad+a.fonts.width(a.say("resample"), strong)+14*u {
		return end
	}
	l.label(s, end-wd, y, plain, a.theme.Ink2, left)
	l.hline(a, end-wd, end, y+3*u, a.theme.Line2)
	a.on(rect{end - wd - 8*u, y - 16*u, wd + 16*u, 26 * u}, action{turn: "crowd"})
	return end - wd - 18*u
}

// large is how many pictures are shown when they are large.
func (v *forming) large() int {
	if v.a.compact() {
		return 18
	}
	return 24
}

// wallGrid is the arrangement of the tiles of a gallery.
type wallGrid struct {
	n, cols, rows  int
	tw, th, px, py float64
	x, y           float64
}

func (g *wallGrid) at(i int) point {
	return point{g.x + float64(i%g.cols)*g.px, g.y + float64(i/g.cols)*g.py}
}

func (g *wallGrid) bottom() float64 { return g.y + float64(g.rows-1)*g.py + g.th }

// fit arranges about want tiles in a box, as large as possible: whole device pixels
// to a cell, foot below each. beside asks for one large picture at the right, as
// high as the tiles; its cell is returned, 0 for none.
func (v *forming) fit(b rect, want int, gap, foot float64, beside bool) (g wallGrid, side float64) {
	w, h, u := float64(v.is.w), float64(v.is.h), v.a.u
	whole := func(cell float64) float64 {
		if cell >= 1 {
			return math.Floor(cell)
		}
		return cell
	}
	for rows := 1; rows <= 40; rows++ {
		r := float64(rows)
		cell := whole(min((b.h+gap)/r-gap-foot, 96*u) / h)
		cell = min(cell, whole(0.4*b.w/w))
		if cell <= 0 || rows > 1 && max(w, h)*cell < smallest*u*0.9 {
			break
		}
		large, room := 0.0, b.w
		if beside {
			large = whole(min((r*(h*cell+gap+foot)-gap-foot-22*u)/h, 0.4*b.w/w))
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
		if g.n > 0 && (n <= g.n || g.n >= want*4/5) {
			continue
		}
		g = wallGrid{n: n, cols: cols, rows: rows, tw: cell * w, th: cell * h, x: math.Round(b.x), y: math.Round(b.y)}
		side = large
		g.px, g.py = g.tw+gap, g.th+gap+foot
		if used := (n + rows - 1) / rows; used < cols { // even the rows out
			g.cols = used
			g.rows = (n + used - 1) / used
		}
		if g.cols > 1 {
			g.px = math.Floor(min((room-g.tw)/float64(g.cols-1), g.tw+2.2*gap))
		}
	}
	return g, side
}

// gallery draws the wall, or the film of the particle that is followed, and one
// picture large. It returns where they end.
func (v *forming) gallery(b rect) ([]layer, float64) {
	a, u := v.a, v.a.u
	gap, foot := 8*u, 6*u
	if a.compact() {
		gap = 6 * u
	}
	want := min(v.large(), v.m.rows)
	if v.p.crowd {
		want = v.m.rows
		gap, foot = 5*u, 5*u
	}
	if v.following() {
		want, gap, foot = v.large(), 8*u, 16*u
	}
	g, side := v.fit(b, want, gap, foot, !a.compact() && (!v.p.crowd || v.following()))
	if g.n == 0 {
		g, side = v.fit(b, want, gap, foot, false)
	}
	if g.n == 0 {
		return nil, b.y
	}
	var l layer
	if v.following() {
		v.film(&l, g, foot)
	} else {
		v.tiles(&l, g, foot)
	}
	if side > 0 {
		wide, high := side*float64(v.is.w), side*float64(v.is.h)
		v.portrait(&l, rect{math.Round(b.x + b.w - wide), g.y, wide, high}, side)
	}
	return []layer{l}, g.bottom() + foot
}

// picks are the rows on the wall: all, or an even choice of the families.
func picks(m *moment, n int) []int {
	rows := m.ranked()
	if len(rows) <= n {
		return rows
	}
	out := make([]int, n)
	for i := range out {
		out[i] = rows[(2*i+1)*len(rows)/(2*n)]
	}
	return out
}

// eyed is the row that the eye follows on the moment on show: the one that was
// tapped, else one in the middle of the wall; -1 if its line does not reach here.
func (v *forming) eyed() int {
	if v.following() {
		return v.is.trace(v.is.index(v.is.marked[0]), v.is.marked[1], v.i)
	}
	if v.m.rows == 0 {
		return -1
	}
	on := picks(v.m, min(v.large(), v.m.rows))
	return on[len(on)*2/5]
}

func (v *forming) following() bool { return v.is.marked[0] != 0 }

// follow marks a row of the moment on show.
func (v *forming) follow(row int) func(point) {
	is, mark := v.is, [2]int{v.m.id, row}
	return func(point) { is.marked = mark }
}

// before is the moment that the one on show came from, if the change from it can
// be shown: one step of the same stage or the next, at a pace that can be followed.
func (v *forming) before() *moment {
	if v.i == 0 || !v.is.slow && v.is.back == 0 {
		return nil
	}
	if q := &v.is.moments[v.i-1]; v.m.stage-q.stage <= 1 {
		return q
	}
	return nil
}

// picture is a row's picture with what has just happened to it.
func (v *forming) picture(m *moment, row int, before *moment) []byte {
	n := v.is.w * v.is.h
	out := m.cells(row, v.a.bytes(n))
	if before == nil || row >= len(m.parents) || m.parents[row] == nobody {
		return out
	}
	lasting := v.a.still || v.is.back != 0 // no motion: tints stay until the next frame
	p := int(m.parents[row])
	switch {
	case m.phase == moving && (lasting || v.done < 0.75):
		for j, c := range out {
			if was := before.bit(p, j, n); c == cellOn && !was {
				out[j] = cellWentOn
			} else if c == cellOff && was {
				out[j] = cellWentOff
			}
		}
	case m.phase == augmenting && (lasting || v.done < 0.6):
		if c := v.is.cell(m.stage - 1); c >= 0 && out[c] <= cellOn {
			out[c] = cellNewOff - out[c]
		}
	}
	return out
}

// tiles draws the wall: children slide from their parents, lines that die out fade.
func (v *forming) tiles(l *layer, g wallGrid, foot float64) {
	a, u, t, m := v.a, v.a.u, v.a.theme, v.m
	on := picks(m, g.n)
	rel := m.weights()
	q := v.before()
	cw, ch := v.is.w, v.is.h
	// The place of a rank on the wall, whether or not it is among those shown.
	place := func(m *moment, rank uint8) point { return g.at(min(int(rank)*g.n/max(m.rows, g.n), g.n-1)) }
	if q != nil && v.done < 1 && m.phase >= generating && m.phase != augmenting {
		for _, row := range picks(q, g.n) {
			if m.child(row) < 0 { // died out
				at := place(q, q.rank[row])
				l.add(mark{kind: picture, box: rect{at.x, at.y, g.tw, g.th}, cells: q.cells(row, a.bytes(cw*ch)), cw: cw, ch: ch,
					color: fade(color.RGBA{255, 255, 255, 255}, max(0.6*(1-1.6*v.done), 0.02))})
			}
		}
	}
	eyed := v.eyed()
	kin := mark{kind: vines, slot: bendPoints, color: fade(v.eye, 0.75*(1-v.done))}
	if a.still {
		kin.color = fade(v.eye, 0.6)
	}
	splits := q != nil && (v.done < 1 || a.still && v.is.back == 0) && (m.phase == resampling || m.phase == generating)
	for i, row := range on {
		at, tone, arrived := g.at(i), color.RGBA{}, true
		if q != nil && v.done < 1 && m.parents[row] != nobody {
			from := place(q, q.rank[m.parents[row]])
			arrived = from == at
			if from.y == at.y {
				at.x = math.Round(from.x + (at.x-from.x)*v.done)
			} else if !arrived { // comes up in another line, rather than across the others
				tone = fade(color.RGBA{255, 255, 255, 255}, max(v.done, 0.02))
			}
		}
		if splits && m.parents[row] != nobody {
			from, to := place(q, q.rank[m.parents[row]]), g.at(i)
			if from.y == to.y && from != to { // an arc below the pictures, from parent to child
				for k := range bendPoints {
					f := float64(k) / (bendPoints - 1)
					kin.pts = append(kin.pts, point{from.x + g.tw/2 + (to.x-from.x)*f, from.y + g.th + u + 4*f*(1-f)*(foot+2*u)})
				}
				kin.radii = append(kin.radii, 1.5*u*t.Stroke)
			}
		}
		box := rect{at.x, at.y, g.tw, g.th}
		l.add(mark{kind: picture, box: box, cells: v.picture(m, row, q), cw: cw, ch: ch, slot: row, color: tone})
		if row < len(rel) && arrived {
			y := math.Round(at.y + g.th + foot/2 - u)
			l.add(mark{kind: fill, box: snap(rect{at.x, y, g.tw, 2 * u}), color: t.Track})
			if rel[row]*g.tw >= 0.5 {
				l.add(mark{kind: fill, box: snap(rect{at.x, y, g.tw * rel[row], 2 * u}), color: t.Line2})
			}
		}
		if cw*ch < 100 { // too few cells to tell where a picture ends
			l.add(frameOf(box, 0, a.hair(), t.Line2))
		}
		if row == eyed {
			v.frame(l, box, 3*u)
		}
		if a.asks(box) {
			a.probe.offer(0, 1, a.probe.at, 0, rect{}, func() string { return v.readRow(v.i, row) })
		}
		a.on(box, action{do: v.follow(row)})
	}
	l.add(kin)
}

// frame draws the frame of what the eye follows.
func (v *forming) frame(l *layer, b rect, off float64) {
	l.add(frameOf(b, off, 2*v.a.u*v.a.theme.Stroke, v.eye))
}

// frameOf is a frame around a box.
func frameOf(b rect, off, width float64, c color.RGBA) mark {
	x0, y0, x1, y1 := b.x-off, b.y-off, b.x+b.w+off, b.y+b.h+off
	return mark{kind: wires, width: width, color: c, pts: []point{
		{x0, y0}, {x1, y0}, {x1, y0}, {x1, y1}, {x1, y1}, {x0, y1}, {x0, y1}, {x0, y0}}}
}

// portrait draws the followed particle large, its newest cell ringed.
func (v *forming) portrait(l *layer, b rect, cell float64) {
	a, u, t, m := v.a, v.a.u, v.a.theme, v.m
	row, at := v.eyed(), v.i
	gone := false
	if row < 0 { // its last moment
		gone = true
		at, row = v.is.index(v.is.marked[0]), v.is.marked[1]
		m = &v.is.moments[at]
	}
	q := v.before()
	if gone {
		q = nil
	}
	cells := v.picture(m, row, q)
	cw, ch := v.is.w, v.is.h
	l.add(mark{kind: picture, box: b, cells: cells, cw: cw, ch: ch, slot: row})
	v.frame(l, b, 4*u)
	name := a.say("died out at") + " n = " + decimal(float64(m.stage), 0)
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
		name = a.say("Pixel") + " " + decimal(float64(m.stage), 0) + ": " + a.say("on in") + " " +
			decimal(float64(on), 0) + " " + a.say("of") + " " + decimal(float64(m.rows), 0)
	}
	if wd := a.fonts.width(name, plain); wd > b.w+30*u {
		name = "n = " + decimal(float64(m.stage), 0)
	}
	half := a.fonts.width(name, plain) / 2
	l.label(name, min(b.x+b.w/2, a.w-v.pad/2-half), b.y+b.h+20*u, plain, t.Ink2, centre)
	a.on(b, action{do: func(point) { v.is.marked = [2]int{} }})
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
		// The last moment of about this stage.
		want := s1
		if n > 1 {
			want = s0 + (s1-s0)*float64(k)/float64(n-1)
		}
		j := first
		for j < last && float64(is.moments[j+1].stage) <= want+0.5 {
			j++
		}
		if j <= prev {
			continue
		}
		prev = j
		shown++
		m, row := &is.moments[j], line[j]
		at := g.at(shown)
		box := rect{at.x, at.y, g.tw, g.th}
		l.add(mark{kind: picture, box: box, cells: m.cells(row, a.bytes(is.w*is.h)), cw: is.w, ch: is.h, slot: row})
		st, c := tick, t.Ink3
		if m.stage == v.m.stage {
			st, c = mark11, t.Ink
			v.frame(l, box, 2*u)
		}
		l.label(decimal(float64(m.stage), 0), at.x+g.tw/2, at.y+g.th+foot-3*u, st, c, centre)
		if a.asks(box) {
			a.probe.offer(0, 1, a.probe.at, 0, rect{}, func() string { return v.readRow(j, row) })
		}
		a.on(box, action{do: func(point) { is.show(j) }})
	}
}

// readRow says what is known of a row of a moment.
func (v *forming) readRow(i, row int) string {
	a, m := v.a, &v.is.moments[i]
	text := a.say("Particle") + " " + strconv.Itoa(row+1) + "\nn = " + decimal(float64(m.stage), 0) + " " + v.unit()
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
		text += "\n" + decimal(float64(on), 0) + " " + a.say("of") + " " + decimal(float64(here), 0) + " " + a.say("units on")
	}
	if row < len(m.logW) {
		text += "\n" + a.say("log weight") + " " + decimal(float64(m.logW[row]), 2)
	}
	if i == v.i && !v.following() {
		text += "\n" + a.say("tap: its ancestors")
	}
	return text
}
