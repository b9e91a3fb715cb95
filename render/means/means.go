// Package means is the scene of the mean of each unit under the target: from the samples of all rungs, from those at
// the target alone, and exactly if it is known.
package means

import (
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/render/paint"
	"logzlab/render/record"
	"logzlab/render/scene"
)

var _ = scene.Register("means", func(r *record.Run) scene.Scene { return &means{Base: scene.Base{Run: r}} })

// means draws the probability that each unit is on under the target, as pictures: from the samples of all rungs and
// from those at the target alone, with their standard errors and, if the exact means are known, their errors.
type means struct {
	scene.Base
	data *frame.Means
}

// Draw implements Scene.
func (s *means) Draw(a *paint.Area) []paint.Layer {
	if s.data == nil || a.W < 160*a.Unit || a.H < 160*a.Unit {
		return []paint.Layer{paint.Note(a, "No means yet")}
	}
	v := newMeansView(a, s.data)
	var back, front paint.Layer
	top := v.title(&front)
	v.layOut(top)
	v.names(&front)
	for i := range v.quantities {
		for s := range v.sources {
			if s < 2 || i == 0 {
				v.tile(&back, &front, i, s)
			}
		}
	}
	return []paint.Layer{back, front}
}

// Take implements Scene.
func (s *means) Take(f *frame.Frame) {
	if f.Means != nil {
		s.data = f.Means
	}
}

// Clear implements Scene.
func (s *means) Clear() { s.data = nil }

// meansView is the layout of the scene: a table of quantities by sources, with either as columns.
type meansView struct {
	a          *paint.Area
	m          *frame.Means
	sources    []string // all rungs, the target alone, and the exact means if they are known
	quantities []quantity
	byColumn   bool // columns are quantities

	x, y         float64 // of the first tile
	w, h         float64 // of a tile
	pitchX, rowH float64
	headHeight   float64 // height of the line above a row of tiles, 0: no line and no caption
}

// quantity is a quantity by each source.
type quantity struct {
	name     string
	values   [3][]float32
	maxValue float64 // end of its scale
	signed   bool
	rms      [2]float64 // root mean squares by the first two sources, 0: none
}

func newMeansView(a *paint.Area, m *frame.Means) *meansView {
	v := &meansView{a: a, m: m, sources: []string{a.Say("All rungs"), a.Say("\u03b2 = 1 alone")},
		quantities: []quantity{{name: a.Say("Mean"), values: [3][]float32{m.All, m.Target, m.Exact}, maxValue: 1},
			{name: a.Say("Standard error"), values: [3][]float32{m.AllSE, m.TargetSE}}}}

	// The errors of both estimates, if the exact means are known.
	if len(m.Exact) > 0 {
		v.sources = append(v.sources, a.Say("Exact"))
		errors := quantity{name: a.Say("Error"), signed: true}
		for s, x := range [...][]float32{m.All, m.Target} {
			d := make([]float32, len(x))
			for i := range x {
				if d[i] = x[i] - m.Exact[i]; !num.NotNaN(float64(m.AllSE[i])) { // a unit whose mean is known exactly
					d[i] = m.AllSE[i]
				}
			}
			errors.values[s] = d
		}
		v.quantities = append(v.quantities, errors)
	}

	// The scale of each error: root mean squares, and the largest value.
	for i := range v.quantities[1:] {
		q := &v.quantities[1+i]
		for s := range q.rms {
			n := 0.0
			for _, x := range q.values[s] {
				if e := float64(x); num.Finite(e) {
					n, q.rms[s], q.maxValue = n+1, q.rms[s]+e*e, max(q.maxValue, math.Abs(e))
				}
			}
			q.rms[s] = math.Sqrt(q.rms[s] / max(n, 1))
		}
	}
	return v
}

// title writes the ratio of the errors from all rungs and from the target alone or, if it is unknown, the subject of
// the picture. It returns the y at which the pictures begin.
func (v *meansView) title(l *paint.Layer) float64 {
	a, u, pad := v.a, v.a.Unit, v.pad()
	ratio := func(q *quantity) string { return format.Ratio(q.rms[0] / q.rms[1]) }
	text := a.Say("How often each unit is on")
	if se := &v.quantities[1]; se.rms[1] > 0 {
		text = a.Say("From all rungs the standard error is # times that from \u03b2 = 1 alone.")
		if len(v.quantities) > 2 {
			text = a.Say("From all rungs the standard error is # times that from \u03b2 = 1 alone, and the error @ times.")
			text = strings.Replace(text, "@", ratio(&v.quantities[2]), 1)
		}
		text = strings.Replace(text, "#", ratio(se), 1)
	}
	y := 2 * u
	for _, part := range a.Wrap(text, paint.Strong, a.W-2*pad) {
		y += 17 * u
		l.Label(part, pad, y, paint.Strong, a.Theme.Ink, paint.Left)
	}
	return y + 12*u
}

func (v *meansView) pad() float64 {
	if v.a.Compact() {
		return 16 * v.a.Unit
	}
	return 24 * v.a.Unit
}

// Heights around tiles, in CSS pixels: a line of names, and a caption.
const (
	meansHead    = 20
	meansCaption = 18
)

// layOut selects the columns such that the pictures are as large as possible.
func (v *meansView) layOut(top float64) {
	a, u, m := v.a, v.a.Unit, v.m
	available := paint.XYWH(v.pad(), top+meansHead*u, a.W-2*v.pad(), a.H-top-(meansHead+6)*u)
	gap, best, cols, rows := 14*u, 0.0, 1, 1
	for _, byColumn := range [...]bool{false, true} {
		c, r, tileMargin := len(v.sources), len(v.quantities), (meansHead+meansCaption)*u
		switch {
		case byColumn: // the exact means are at the right of the quantities
			c, r = len(v.quantities)+len(v.sources)-2, 2
		case c > 2: // names are below the exact means
			tileMargin = 10 * u
		}
		cell := min((available.W-gap*float64(c-1))/float64(c*m.W), (available.H/float64(r)-tileMargin)/float64(m.H))
		if cell > best {
			best, cols, rows, v.byColumn = cell, c, r, byColumn
			v.headHeight, v.rowH = 0, tileMargin
			if tileMargin > 10*u {
				v.headHeight = meansHead * u
			}
		}
	}
	if best >= 1 {
		best = math.Floor(best)
	}
	v.x, v.y, v.w, v.h = math.Round(available.X), math.Round(available.Y), best*float64(m.W), best*float64(m.H)
	v.rowH = math.Round(min(available.H/float64(rows), v.h+v.rowH+12*u))
	v.pitchX = math.Round(min((available.W-v.w)/float64(max(cols-1, 1)), v.w+max(v.w/4, 40*u)))
}

// place returns the box of a tile.
func (v *meansView) place(i, s int) paint.Rect {
	col, row := s, i
	switch {
	case v.byColumn && s == 2:
		col, row = len(v.quantities), 0
	case v.byColumn:
		col, row = i, s
	}
	return paint.XYWH(v.x+v.pitchX*float64(col), v.y+v.rowH*float64(row)+v.headHeight, v.w, v.h)
}

// names draws the names of sources and quantities, with the scale of each quantity.
func (v *meansView) names(l *paint.Layer) {
	a, u, t := v.a, v.a.Unit, v.a.Theme
	first := v.place(0, 0)
	columnBaseline := first.Y - v.headHeight - 8*u // baseline
	style := paint.Strong
	tooWide := func(q quantity) bool { return a.Fonts.Width(q.name, style) > v.pitchX-6*u }
	if v.byColumn && slices.ContainsFunc(v.quantities, tooWide) {
		style = paint.StrongTick
	}

	for s, name := range v.sources {
		if b := v.place(0, s); v.byColumn && s < 2 {
			l.Label(name, b.X, b.Y-6*u, paint.Plain, t.Ink2, paint.Left)
		} else {
			l.Label(name, b.X, columnBaseline, style, t.Ink, paint.Left)
		}
	}
	for i := range v.quantities {
		q, b := &v.quantities[i], v.place(i, 0)
		switch {
		case v.headHeight == 0 && i > 0:
			v.legend(l, i)
		case v.byColumn:
			l.Label(q.name, b.X, columnBaseline, style, t.Ink, paint.Left)
			if end := b.X + b.W; len(v.sources) > 2 {
				v.scaleBelow(l, i)
			} else if v.scale(l, q, b.X+a.Fonts.Width(q.name, paint.Strong)+12*u, columnBaseline, end) == end {
				v.scale(l, q, b.X+a.Fonts.Width(v.caption(q, 0), paint.Tick)+8*u, b.Y+b.H+14*u, end)
			}
		case v.headHeight > 0:
			l.Label(q.name, b.X, b.Y-6*u, paint.Plain, t.Ink2, paint.Left)
			v.scale(l, q, b.X+a.Fonts.Width(q.name, paint.Plain)+12*u, b.Y-6*u, v.place(i, 1).X+v.w)
		}
	}
}

// legend draws the name of the quantity of a row at the right end of the row, with scale and sizes.
func (v *meansView) legend(l *paint.Layer, i int) {
	a, u, t := v.a, v.a.Unit, v.a.Theme
	q, b := &v.quantities[i], v.place(i, 2)
	y, freeWidth := b.Y+b.H/2-22*u, a.W-6*u-b.X
	if a.Fonts.Width(q.name, paint.Strong) < freeWidth {
		l.Label(q.name, b.X, y, paint.Strong, t.Ink, paint.Left)
	}
	v.scale(l, q, b.X, y+18*u, b.X+min(freeWidth, v.scaleLength(q)))
	if q.rms[0] == 0 {
		return
	}
	// As many words as fit.
	fits := func(s string) bool { return a.Fonts.Width(s, paint.Tick) < freeWidth }
	lines := []string{v.sources[0] + ": " + v.caption(q, 0), v.sources[1] + ": " + v.caption(q, 1)}
	if !fits(lines[0]) || !fits(lines[1]) {
		lines = []string{v.caption(q, 0) + " / " + format.Glance(q.rms[1])}
	}
	if !fits(lines[0]) {
		lines[0] = format.Glance(q.rms[0]) + " / " + format.Glance(q.rms[1])
	}
	for k, s := range lines {
		l.Label(s, b.X, y+float64(36+16*k)*u, paint.Tick, t.Ink2, paint.Left)
	}
}

// scaleBelow draws the scale of an error below the exact means.
func (v *meansView) scaleBelow(l *paint.Layer, i int) {
	a, u, q, b := v.a, v.a.Unit, &v.quantities[i], v.place(0, 2)
	y, end := b.Y+v.rowH+float64(38*i-26)*u, min(b.X+v.scaleLength(q), a.W-6*u)
	if i > 0 && y+14*u < a.H && v.scale(l, q, b.X, y+16*u, end) < end {
		l.Label(q.name, b.X, y, paint.Tick, a.Theme.Ink2, paint.Left)
	}
}

// scaleLength returns the preferred length of the scale of a quantity.
func (v *meansView) scaleLength(q *quantity) float64 {
	from, to := q.ends()
	return v.a.Fonts.Width(from, paint.Tick) + v.a.Fonts.Width(to, paint.Tick) + 80*v.a.Unit
}

// ends returns the labels of the ends of a scale.
func (q *quantity) ends() (from, to string) {
	switch to = format.Glance(q.maxValue); {
	case q.signed:
		return "\u2212" + to, to
	case q.maxValue == 1:
		to = "1"
	}
	return "0", to
}

// scale draws the scale of a quantity, right aligned. Like paint.Area.ColorScale, it returns the right end of the free
// space.
func (v *meansView) scale(l *paint.Layer, q *quantity, x, y, end float64) float64 {
	if q.maxValue <= 0 {
		return end
	}
	t := v.a.Theme
	from, to := q.ends()
	return v.a.ColorScale(l, x, y, end, from, to, func(f float64) color.RGBA {
		if q.signed {
			return t.WeightColor(2*f - 1)
		}
		return paint.Mix(t.Ground, t.Ink, f)
	})
}

// caption returns the root mean square of a quantity by a source, with the word "rms" if it fits.
func (v *meansView) caption(q *quantity, s int) string {
	if s > 1 || q.rms[s] == 0 {
		return ""
	}
	size := format.Glance(q.rms[s])
	if labelled := v.a.Say("rms") + " " + size; v.a.Fonts.Width(labelled, paint.Tick) < v.pitchX-4*v.a.Unit {
		return labelled
	}
	return size
}

// tile draws a quantity by a source.
func (v *meansView) tile(l, front *paint.Layer, i, s int) {
	a, u, q, b := v.a, v.a.Unit, &v.quantities[i], v.place(i, s)
	if v.w < 8*u {
		return
	}

	// Values as grey levels or as signed colours.
	cells := a.Bytes(v.m.W * v.m.H)
	for k, x := range q.values[s] {
		f := float64(x) / max(q.maxValue, 1e-300)
		switch {
		case !num.NotNaN(f):
			f = 0
		case q.signed:
			f = 128 + 127*min(max(f, -1), 1)
		default:
			f = 255 * min(max(f, 0), 1)
		}
		cells[k] = byte(math.Round(f))
		if q.signed && !num.NotNaN(float64(x)) {
			cells[k] = 128
		}
	}

	l.Add(paint.Mark{Kind: paint.Cells, Grey: !q.signed, Signed: q.signed, Box: b, Cells: cells, Cols: v.m.W, Rows: v.m.H,
		Slot: 3*i + s})
	front.Add(paint.FrameAround(b, a.Hairline()/2, a.Hairline(), a.Theme.Line2))
	if v.headHeight > 0 {
		front.Label(v.caption(q, s), b.X, b.Y+b.H+14*u, paint.Tick, a.Theme.Ink2, paint.Left)
	}

	if a.Pointed(b) {
		cell := b.W / float64(v.m.W)
		x := min(int((a.Pointer.At.X-b.X)/cell), v.m.W-1)
		y := min(int((a.Pointer.At.Y-b.Y)/cell), v.m.H-1)
		a.Pointer.Offer(0, 1, a.Pointer.At, 0, paint.XYWH(b.X+cell*float64(x), b.Y+cell*float64(y), cell, cell),
			func() string { return v.describe(x, y) })
	}
}

// describe returns the tooltip of a unit.
func (v *meansView) describe(x, y int) string {
	k, m := y*v.m.W+x, v.m
	s := v.a.Say("row") + " " + strconv.Itoa(y+1) + ", " + v.a.Say("column") + " " + strconv.Itoa(x+1)
	for i, q := range [...][2][]float32{{m.All, m.AllSE}, {m.Target, m.TargetSE}} {
		if mean, se := float64(q[0][k]), float64(q[1][k]); num.Finite(se) {
			s += "\n" + v.sources[i] + ": " + record.WithError(mean, se)
		} else if num.Finite(mean) {
			s += "\n" + v.sources[i] + ": " + format.Trimmed(mean, 4)
		}
	}
	if len(m.Exact) > 0 && num.Finite(float64(m.Exact[k])) {
		s += "\n" + v.sources[2] + ": " + format.Fixed(float64(m.Exact[k]), 4)
	}
	return s
}
