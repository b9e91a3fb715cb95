package training

import (
	"image/color"
	"math"
	"slices"
	"strconv"

	"logzlab/core/format"
	"logzlab/render/paint"
)

// maxShown is the maximum number of fantasies, and of data next to them.
const maxShown = 20

// weights draws the weights of each hidden unit as a picture or, if rows are not pictures, as a row of a matrix. All
// have the same scale.
func (v *trainingView) weights(b paint.Rect) (l paint.Layer) {
	a, u, th, t := v.a, v.a.Unit, v.a.Theme, v.t
	n := t.hidden()
	if n == 0 || b.W < 60*u || b.H < 44*u {
		return l
	}
	name := a.Say("Weights")
	x, y := b.X+a.Fonts.Width(name, paint.Strong)+10*u, b.Y+12*u
	l.Label(name, b.X, y, paint.Strong, th.Ink, paint.Left)
	scale := format.Trimmed(t.scale, 1)
	end := a.ColorScale(&l, x, y, b.X+b.W, "\u2212"+scale, scale, func(f float64) color.RGBA {
		return th.WeightColor(2*f - 1)
	})
	count := func(shown int) {
		s := a.Say("hidden units") + " 1\u2013" + strconv.Itoa(shown)
		if shown > 1 && x+a.Fonts.Width(s, paint.Tick) < end {
			l.Label(s, x, y, paint.Tick, th.Ink3, paint.Left)
		}
	}

	// Rows that are not pictures: a line for each unit.
	b.Y, b.H = b.Y+22*u, b.H-22*u
	if t.w == 0 {
		m := v.lines(n, t.units, b, func(j, from, to int) byte {
			return strongest(t.tones[j*t.units+from : j*t.units+to])
		})
		m.Signed = true
		l.Add(m)
		count(m.Rows)
		if a.Pointed(m.Box) {
			high := m.Box.H / float64(m.Rows)
			j := min(int((a.Pointer.At.Y-m.Box.Y)/high), m.Rows-1)
			line := paint.XYWH(m.Box.X, m.Box.Y+float64(j)*high, m.Box.W, high)
			a.Pointer.Offer(0, 1, a.Pointer.At, 0, line, func() string { return v.describeUnit(j) })
		}
		return l
	}

	g, n := paint.ArrangeLegible(n, t.w, t.h, b, 6*u, 0, 0, 12*u, paint.SmallestPicture*u)
	n = min(n, g.Cols*g.Rows)
	count(n)
	for i := range n {
		box := g.Box(i)
		l.Add(paint.Mark{Kind: paint.Cells, Signed: true, Box: box, Cells: t.tones[i*t.units : (i+1)*t.units], Cols: t.w,
			Rows: t.h,
			Slot: i}, paint.FrameAround(box, a.Hairline()/2, a.Hairline(), th.Line))
		if a.Pointed(box) {
			a.Pointer.Offer(0, 1, a.Pointer.At, 0, box, func() string { return v.describeUnit(i) })
		}
	}
	return l
}

// describeUnit returns the tooltip of a hidden unit.
func (v *trainingView) describeUnit(j int) string {
	w := v.t.filters[j*v.t.units : (j+1)*v.t.units]
	return v.a.Say("Hidden unit") + " " + strconv.Itoa(j+1) + "\n" + v.a.Say("weights") + " " +
		format.Fixed(float64(slices.Min(w)), 2) + " \u2013 " + format.Fixed(float64(slices.Max(w)), 2)
}

// strongest returns the tone farthest from 128, the tone of 0.
func strongest(tones []byte) (far byte) {
	far = 128
	for _, x := range tones {
		if max(x, -x) > max(far, -far) {
			far = x
		}
	}
	return far
}

// lines draws rows that are not pictures as one picture: a line for each row, as many as fit. A cell may contain
// several units.
func (v *trainingView) lines(n, units int, b paint.Rect, cell func(row, from, to int) byte) paint.Mark {
	u := v.a.Unit
	cols, rows := max(min(units, int(b.W), paint.MaxTexture), 1), max(min(n, int(b.H/(3*u))), 1)
	high := min(b.H/float64(rows), 14*u)
	if high >= 1 {
		high = math.Floor(high)
	}
	m := paint.Mark{Kind: paint.Cells, Box: paint.Snap(paint.XYWH(b.X, b.Y, b.W, high*float64(rows))), Cols: cols,
		Rows:  rows,
		Cells: v.a.Bytes(cols * rows)}
	for k := range m.Cells {
		m.Cells[k] = cell(k/cols, k%cols*units/cols, (k%cols+1)*units/cols)
	}
	return m
}

// samples draws fantasies, which are samples of the model from the chains at beta = 1, and data next to them.
func (v *trainingView) samples(b paint.Rect) []paint.Layer {
	u, first, second := v.a.Unit, b, b
	if b.H > b.W {
		first.H = math.Round((b.H - 12*u) / 2)
		second.Y, second.H = b.Y+first.H+12*u, b.H-first.H-12*u
	} else {
		first.W = math.Round((b.W - 18*u) / 2)
		second.X, second.W = b.X+first.W+18*u, b.W-first.W-18*u
	}
	return []paint.Layer{v.gallery(v.a.Say("Fantasies"), "\u03b2 = 1", v.t.fantasies, first),
		v.gallery(v.a.Say("Data"), "", v.t.data, second)}
}

// gallery draws rows below a heading. Their positions do not depend on the number of rows.
func (v *trainingView) gallery(name, more string, rows []byte, b paint.Rect) (l paint.Layer) {
	a, u, th, t := v.a, v.a.Unit, v.a.Theme, v.t
	if b.W < 30*u || b.H < 44*u {
		return l
	}
	l.Label(name, b.X, b.Y+12*u, paint.Strong, th.Ink, paint.Left)
	if wd := a.Fonts.Width(name, paint.Strong) + 8*u; wd+a.Fonts.Width(more, paint.Tick) < b.W {
		l.Label(more, b.X+wd, b.Y+12*u, paint.Tick, th.Ink3, paint.Left)
	}
	b.Y, b.H = b.Y+22*u, b.H-22*u

	// Rows that are not pictures: a line for each.
	n := len(t.data) / t.row
	if t.w == 0 {
		units := t.row
		if t.units > 0 {
			units = min(units, t.units)
		}
		m := v.lines(n, units, b, func(i, from, to int) byte {
			on := 0
			for k := i*t.row + from; k < min(i*t.row+to, len(rows)); k++ {
				if rows[k] == paint.CellOn {
					on++
				}
			}
			return byte(255 * on / max(to-from, 1))
		})
		m.Grey = true
		l.Add(m)
		return l
	}

	tiles := func(n int) (paint.Grid, int) {
		return paint.ArrangeLegible(n, t.w, t.h, b, 6*u, 0, 0, 12*u, paint.SmallestPicture*u)
	}
	g, n := tiles(min(n, maxShown))
	for k := n - 1; k >= maxShown/2; k-- { // fewer tiles if these are so much larger that they cover more area
		if o, m := tiles(k); float64(m)*o.TileW*o.TileH > float64(n)*g.TileW*g.TileH {
			g, n = o, m
		}
	}
	for i := range min(n, g.Cols*g.Rows, len(rows)/t.row) {
		box := g.Box(i)
		l.Add(paint.Mark{Kind: paint.Cells, Box: box, Cells: rows[i*t.row : (i+1)*t.row], Cols: t.w, Rows: t.h, Slot: i},
			paint.FrameAround(box, a.Hairline()/2, a.Hairline(), th.Line))
	}
	return l
}
