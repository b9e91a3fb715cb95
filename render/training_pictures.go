package render

import (
	"image/color"
	"math"
	"slices"
	"strconv"

	"logzlab/core/format"
)

// mostShown is the largest number of fantasies and of data beside them.
const mostShown = 20

// weights shows the weights of each hidden unit as a picture, or, where rows are no pictures, as a line of a matrix;
// all on one scale.
func (v *trainingView) weights(b rect) (l layer) {
	a, u, th, t := v.a, v.a.u, v.a.theme, v.t
	n := t.hidden()
	if n == 0 || b.w < 60*u || b.h < 44*u {
		return l
	}
	name := a.say("Weights")
	x, y := b.x+a.fonts.width(name, strong)+10*u, b.y+12*u
	l.label(name, b.x, y, strong, th.Ink, left)
	scale := format.AtMost(t.scale, 1)
	end := a.colorScale(&l, x, y, b.x+b.w, "\u2212"+scale, scale, func(f float64) color.RGBA {
		return th.WeightColor(2*f - 1)
	})
	count := func(shown int) {
		s := a.say("hidden units") + " 1\u2013" + strconv.Itoa(shown)
		if shown > 1 && x+a.fonts.width(s, tick) < end {
			l.label(s, x, y, tick, th.Ink3, left)
		}
	}
	b.y, b.h = b.y+22*u, b.h-22*u
	if t.w == 0 {
		m := v.lines(n, t.units, b, func(j, from, to int) byte {
			return strongest(t.tones[j*t.units+from : j*t.units+to])
		})
		m.signed = true
		l.add(m)
		count(m.ch)
		if a.asks(m.box) {
			high := m.box.h / float64(m.ch)
			j := min(int((a.probe.at.y-m.box.y)/high), m.ch-1)
			line := rect{m.box.x, m.box.y + float64(j)*high, m.box.w, high}
			a.probe.offer(0, 1, a.probe.at, 0, line, func() string { return v.readUnit(j) })
		}
		return l
	}
	g, n := readable(n, t.w, t.h, b, 6*u, 0, 0, 12*u, smallest*u)
	n = min(n, g.cols*g.rows)
	count(n)
	for i := range n {
		box := g.box(i)
		l.add(mark{kind: picture, signed: true, box: box, cells: t.tones[i*t.units : (i+1)*t.units], cw: t.w, ch: t.h,
			slot: i}, frameOf(box, a.hair()/2, a.hair(), th.Line))
		if a.asks(box) {
			a.probe.offer(0, 1, a.probe.at, 0, box, func() string { return v.readUnit(i) })
		}
	}
	return l
}

// readUnit says what the weights of a hidden unit are.
func (v *trainingView) readUnit(j int) string {
	w := v.t.filters[j*v.t.units : (j+1)*v.t.units]
	return v.a.say("Hidden unit") + " " + strconv.Itoa(j+1) + "\n" + v.a.say("weights") + " " +
		format.Fixed(float64(slices.Min(w)), 2) + " \u2013 " + format.Fixed(float64(slices.Max(w)), 2)
}

// strongest is the tone farthest from that of 0.
func strongest(tones []byte) (far byte) {
	far = 128
	for _, x := range tones {
		if max(x, -x) > max(far, -far) {
			far = x
		}
	}
	return far
}

// lines shows rows of units that are no pictures as one picture: a line for each row, as many as there is room for. A
// cell may stand for several units.
func (v *trainingView) lines(n, units int, b rect, cell func(row, from, to int) byte) mark {
	u := v.a.u
	cols, rows := max(min(units, int(b.w), maxTexture), 1), max(min(n, int(b.h/(3*u))), 1)
	high := min(b.h/float64(rows), 14*u)
	if high >= 1 {
		high = math.Floor(high)
	}
	m := mark{kind: picture, box: snap(rect{b.x, b.y, b.w, high * float64(rows)}), cw: cols, ch: rows,
		cells: v.a.bytes(cols * rows)}
	for k := range m.cells {
		m.cells[k] = cell(k/cols, k%cols*units/cols, (k%cols+1)*units/cols)
	}
	return m
}

// beside shows fantasies, samples of the machine from the chains at its temperature, beside data.
func (v *trainingView) beside(b rect) []layer {
	u, first, second := v.a.u, b, b
	if b.h > b.w {
		first.h = math.Round((b.h - 12*u) / 2)
		second.y, second.h = b.y+first.h+12*u, b.h-first.h-12*u
	} else {
		first.w = math.Round((b.w - 18*u) / 2)
		second.x, second.w = b.x+first.w+18*u, b.w-first.w-18*u
	}
	return []layer{v.gallery(v.a.say("Fantasies"), "\u03b2 = 1", v.t.fantasies, first),
		v.gallery(v.a.say("Data"), "", v.t.data, second)}
}

// gallery shows rows below a heading, in places that stay while the number of rows changes.
func (v *trainingView) gallery(name, more string, rows []byte, b rect) (l layer) {
	a, u, th, t := v.a, v.a.u, v.a.theme, v.t
	if b.w < 30*u || b.h < 44*u {
		return l
	}
	l.label(name, b.x, b.y+12*u, strong, th.Ink, left)
	if wd := a.fonts.width(name, strong) + 8*u; wd+a.fonts.width(more, tick) < b.w {
		l.label(more, b.x+wd, b.y+12*u, tick, th.Ink3, left)
	}
	b.y, b.h = b.y+22*u, b.h-22*u
	n := len(t.data) / t.row
	if t.w == 0 {
		units := t.row
		if t.units > 0 {
			units = min(units, t.units)
		}
		m := v.lines(n, units, b, func(i, from, to int) byte {
			on := 0
			for k := i*t.row + from; k < min(i*t.row+to, len(rows)); k++ {
				if rows[k] == cellOn {
					on++
				}
			}
			return byte(255 * on / max(to-from, 1))
		})
		m.grey = true
		l.add(m)
		return l
	}
	tiles := func(n int) (grid, int) { return readable(n, t.w, t.h, b, 6*u, 0, 0, 12*u, smallest*u) }
	g, n := tiles(min(n, mostShown))
	for k := n - 1; k >= mostShown/2; k-- { // fewer ones, where these are so much larger that they take more of the room
		if o, m := tiles(k); float64(m)*o.tw*o.th > float64(n)*g.tw*g.th {
			g, n = o, m
		}
	}
	for i := range min(n, g.cols*g.rows, len(rows)/t.row) {
		box := g.box(i)
		l.add(mark{kind: picture, box: box, cells: rows[i*t.row : (i+1)*t.row], cw: t.w, ch: t.h, slot: i},
			frameOf(box, a.hair()/2, a.hair(), th.Line))
	}
	return l
}
