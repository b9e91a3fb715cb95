package render

import (
	"math"
	"sort"

	"logzlab/core/format"
	"logzlab/core/num"
)

// album shows pictures that are classified: one label at the left, the other at
// the right, each sorted by how well it fits, misfits framed and first; the newest
// one large.
func (c *classifier) album() []layer {
	a, u, t, f := c.a, c.a.u, c.a.theme, c.l
	b := c.box
	if len(f.Pictures) == 0 || c.there == 0 {
		return []layer{note(a, "No functions yet")}
	}
	size := f.W * f.H
	picture := func(i int, box rect) mark {
		return mark{kind: picture, grey: true, box: box, cells: f.Pictures[i*size : (i+1)*size], cw: f.W, ch: f.H, slot: i}
	}
	var l layer
	if !a.compact() && c.last >= 0 {
		cell := max(1, math.Floor(min((b.h-24*u)/float64(f.H), 0.32*b.w/float64(f.W))))
		i := c.last
		box := rect{math.Round(b.x + b.w - cell*float64(f.W)), b.y, cell * float64(f.W), cell * float64(f.H)}
		l.add(picture(i, box))
		l.add(frameOf(box, 4*u, 2*u*t.Stroke, t.Methods[0]))
		s := a.say("label") + " " + format.Grouped(float64(f.Label[i]), 0)
		if p := c.fits(i); num.Known(p) {
			s += ", " + a.say("its probability") + " " + format.Fixed(p, 2)
		}
		l.label(s, box.x+box.w/2, box.y+box.h+20*u, plain, t.Ink2, centre)
		b.w -= box.w + 36*u
	}
	half := (b.w - 20*u) / 2
	room := rect{b.x, b.y + 20*u, half, b.h - 20*u}
	most, g := 1, grid{}
	for _, label := range [...]int32{1, -1} {
		all, _, _ := c.of(label)
		most = max(most, all)
	}
	for n := most; ; n = n * 3 / 4 { // rather fewer than specks: those that fit worst
		if g = arrange(n, f.W, f.H, room, 4*u, 0, 0, 16*u); n < 2 || max(g.tw, g.th) >= 12*u {
			break
		}
	}
	if g.cols == 0 {
		return []layer{l}
	}
	for k, label := range [...]int32{1, -1} {
		g.x = math.Round(b.x + float64(k)*(half+20*u))
		c.side(&l, rect{g.x, b.y, half, b.h}, label, g, picture)
	}
	return []layer{l}
}

// of lists the data of a label that are there, those that fit worst first: how many
// there will be, how many of those that are there do not fit, and which they are.
func (c *classifier) of(label int32) (all, bad int, there []int) {
	for i, k := range c.l.Label {
		if k != label {
			continue
		}
		if all++; i < c.there {
			there = append(there, i)
			if c.misfit(i) {
				bad++
			}
		}
	}
	sort.SliceStable(there, func(i, j int) bool { return c.fits(there[i]) < c.fits(there[j]) })
	return all, bad, there
}

// side shows the pictures of one label in a box.
func (c *classifier) side(l *layer, b rect, label int32, g grid, picture func(int, rect) mark) {
	a, u, t := c.a, c.a.u, c.a.theme
	all, bad, of := c.of(label)
	k := disc
	if label < 0 {
		k = square
	}
	l.add(mark{kind: k, at: point{b.x + 4*u, b.y + 5*u}, r: 4 * u, color: c.hueOf(label)})
	name := a.say("label") + " " + format.Grouped(float64(label), 0)
	more := format.Grouped(float64(bad), 0) + " " + a.say("misfits")
	l.label(name, b.x+15*u, b.y+9*u, strong, t.Ink, left)
	if wd := a.fonts.width(name, strong) + 25*u; wd+a.fonts.width(more, plain) < b.w {
		l.label(more, b.x+wd, b.y+9*u, plain, t.Ink2, left)
	}
	for k := range min(all, g.cols*g.rows) {
		x, y := g.origin(k)
		box := rect{x, y, g.tw, g.th}
		if k >= len(of) {
			l.add(mark{kind: fill, box: box, color: mix(t.Ground, t.Absent, 0.5)})
			continue
		}
		i := of[k]
		l.add(picture(i, box))
		if c.misfit(i) {
			l.add(frameOf(box, u, 1.5*u*t.Stroke, c.hueOf(-label)))
		}
		if i == c.last {
			l.add(frameOf(box, 2*u, 2*u*t.Stroke, t.Methods[0]))
		}
		if a.asks(box) {
			a.probe.offer(0, 1, a.probe.at, 0, rect{}, func() string { return c.read(i) })
		}
	}
}
