package function

import (
	"math"
	"sort"

	"logzlab/core/format"
	"logzlab/core/num"
	"logzlab/render/paint"
)

// sortedPictures draws pictures that are classified: one label at the left, the other at the right, each sorted by how
// well it fits, misfits first and framed; the newest picture in a large size.
func (c *classifier) sortedPictures() []paint.Layer {
	a, u, t, f := c.a, c.a.Unit, c.a.Theme, c.l
	b := c.box
	if len(f.Pictures) == 0 || c.assimilated == 0 {
		return []paint.Layer{paint.Note(a, "No functions yet")}
	}
	size := f.W * f.H
	picture := func(i int, box paint.Rect) paint.Mark {
		return paint.Mark{Kind: paint.Cells, Grey: true, Box: box, Cells: f.Pictures[i*size : (i+1)*size], Cols: f.W,
			Rows: f.H, Slot: i}
	}

	// The newest datum, large at the right.
	var l paint.Layer
	if !a.Compact() && c.last >= 0 {
		cell := max(1, math.Floor(min((b.H-24*u)/float64(f.H), 0.32*b.W/float64(f.W))))
		i := c.last
		box := paint.XYWH(math.Round(b.X+b.W-cell*float64(f.W)), b.Y, cell*float64(f.W), cell*float64(f.H))
		l.Add(picture(i, box))
		l.Add(paint.FrameAround(box, 4*u, 2*u*t.Stroke, t.Methods[0]))
		s := a.Say("label") + " " + format.Grouped(float64(f.Label[i]), 0)
		if p := c.fits(i); num.NotNaN(p) {
			s += ", " + a.Say("its probability") + " " + format.Fixed(p, 2)
		}
		l.Label(s, box.X+box.W/2, box.Y+box.H+20*u, paint.Plain, t.Ink2, paint.Centre)
		b.W -= box.W + 36*u
	}

	// Both classes side by side, as many pictures as are legible.
	half := (b.W - 20*u) / 2
	room := paint.XYWH(b.X, b.Y+20*u, half, b.H-20*u)
	most, g := 1, paint.Grid{}
	for _, label := range [...]int32{1, -1} {
		all, _, _ := c.of(label)
		most = max(most, all)
	}
	for n := most; ; n = n * 3 / 4 { // fewer pictures rather than specks: those that fit worst
		if g = paint.Arrange(n, f.W, f.H, room, 4*u, 0, 0, 16*u); n < 2 || max(g.TileW, g.TileH) >= 12*u {
			break
		}
	}

	if g.Cols == 0 {
		return []paint.Layer{l}
	}
	for k, label := range [...]int32{1, -1} {
		g.X = math.Round(b.X + float64(k)*(half+20*u))
		c.side(&l, paint.XYWH(g.X, b.Y, half, b.H), label, g, picture)
	}
	return []paint.Layer{l}
}

// of returns the number of data of a label, the number of misfits among those assimilated so far, and these data,
// worst fit first.
func (c *classifier) of(label int32) (all, bad int, there []int) {
	for i, k := range c.l.Label {
		if k != label {
			continue
		}
		if all++; i < c.assimilated {
			there = append(there, i)
			if c.misfit(i) {
				bad++
			}
		}
	}
	sort.SliceStable(there, func(i, j int) bool { return c.fits(there[i]) < c.fits(there[j]) })
	return all, bad, there
}

// side draws the pictures of one label in a box.
func (c *classifier) side(l *paint.Layer, b paint.Rect, label int32, g paint.Grid,
	picture func(int, paint.Rect) paint.Mark) {
	a, u, t := c.a, c.a.Unit, c.a.Theme
	all, bad, of := c.of(label)

	k := paint.Disc
	if label < 0 {
		k = paint.Square
	}
	l.Add(paint.Mark{Kind: k, At: paint.Pt(b.X+4*u, b.Y+5*u), R: 4 * u, Color: c.labelColor(label)})
	name := a.Say("label") + " " + format.Grouped(float64(label), 0)
	more := format.Grouped(float64(bad), 0) + " " + a.Say("misfits")
	l.Label(name, b.X+15*u, b.Y+9*u, paint.Strong, t.Ink, paint.Left)
	if wd := a.Fonts.Width(name, paint.Strong) + 25*u; wd+a.Fonts.Width(more, paint.Plain) < b.W {
		l.Label(more, b.X+wd, b.Y+9*u, paint.Plain, t.Ink2, paint.Left)
	}

	// Tiles. Misfits and the newest picture have a frame.
	for k := range min(all, g.Cols*g.Rows) {
		x, y := g.Origin(k)
		box := paint.XYWH(x, y, g.TileW, g.TileH)
		if k >= len(of) {
			l.Add(paint.Mark{Kind: paint.Fill, Box: box, Color: paint.Mix(t.Ground, t.Absent, 0.5)})
			continue
		}
		i := of[k]
		l.Add(picture(i, box))
		if c.misfit(i) {
			l.Add(paint.FrameAround(box, u, 1.5*u*t.Stroke, c.labelColor(-label)))
		}
		if i == c.last {
			l.Add(paint.FrameAround(box, 2*u, 2*u*t.Stroke, t.Methods[0]))
		}
		if a.Pointed(box) {
			a.Pointer.Offer(0, 1, a.Pointer.At, 0, paint.Rect{}, func() string { return c.describe(i) })
		}
	}
}
