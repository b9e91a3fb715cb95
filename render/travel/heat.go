package travel

import (
	"image/color"
	"math"
	"strconv"
	"strings"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/render/ladder"
	"logzlab/render/paint"
	"logzlab/render/record"
	"logzlab/render/scene"
)

var _ = scene.Register("heat", func(r *record.Run) scene.Scene { return &heat{Base: scene.Base{Run: r}} })

// thinOverlap is the overlap of neighbouring rungs below which few samples of one say anything of the other.
const thinOverlap = 0.03

// heat draws how much every two rungs of a tempering run overlap: a row for the rung that samples come from, a column
// for the rung that they may belong to, the darker the more. A whole ladder has a dark band from corner to corner.
type heat struct {
	scene.Base
}

// Draw lays the scene out.
func (s *heat) Draw(a *paint.Area) []paint.Layer {
	p := s.Run
	t := p.Travel(func(t *frame.Travel) bool { return t.Size() > 1 })
	if t == nil || a.W < 200*a.Unit || a.H < 160*a.Unit {
		return []paint.Layer{paint.Note(a, "No overlaps yet")}
	}
	v := &heatView{a: a, t: t, n: t.Size(), beta: p.Betas(t), pad: 24 * a.Unit}
	if a.Compact() {
		v.pad = 16 * a.Unit
	}
	v.rungs = max(len(v.beta), v.n)
	v.lay()
	var back, front paint.Layer
	v.title(&front)
	v.cells(&back)
	v.sides(&back)
	v.signs(&front)
	v.scale(&back)
	v.says(&front)
	v.offer()
	return []paint.Layer{back, front}
}

// heatView is the geometry of the map.
type heatView struct {
	a     *paint.Area
	t     *frame.Travel
	n     int // cells along a side
	rungs int
	beta  []float64
	pad   float64
	box   paint.Rect
	cell  float64
	key   paint.Rect // the scale of shades
}

func (v *heatView) lay() {
	a, u := v.a, v.a.Unit
	left, head, foot := v.pad+50*u, 52*u, 46*u
	side := min(a.W-left-v.pad, a.H-head-foot)
	beside := !a.Compact() && a.W-left-v.pad-side > 120*u
	if !beside {
		side = min(side, a.H-head-foot-36*u)
	}
	v.cell = side / float64(v.n)
	if v.cell >= 4 {
		v.cell = math.Floor(v.cell)
	}
	side = v.cell * float64(v.n)
	v.box = paint.Snap(paint.XYWH(left, head, side, side))
	if beside {
		v.key = paint.XYWH(v.box.X+side+40*u, head, 14*u, min(side, 220*u))
	} else {
		v.key = paint.XYWH(v.box.X, v.box.Y+side+46*u, side, 10*u)
	}
}

// at is the overlap of the rungs of row i with those of column j, NaN if it is not known.
func (v *heatView) at(i, j int) float64 {
	if o := v.t.Matrix[i*v.n+j]; num.Finite(o) {
		return min(max(o, 0), 1)
	}
	return math.NaN()
}

// place is the cell of row i and column j: rungs run upwards and to the right.
func (v *heatView) place(i, j int) paint.Rect {
	return paint.XYWH(v.box.X+float64(j)*v.cell, v.box.Y+v.box.H-float64(i+1)*v.cell, v.cell, v.cell)
}

// shadeOf is the colour of an overlap: even steps of the square root, so that small ones can be told from none.
func (v *heatView) shadeOf(o float64) color.RGBA {
	t := v.a.Theme
	if !num.Known(o) {
		return t.Ground
	}
	s := math.Sqrt(o)
	if s < 0.5 {
		return paint.Mix(t.Track, t.Grey, 2*s*0.75)
	}
	return paint.Mix(paint.Mix(t.Track, t.Grey, 0.75), t.Ink, 2*s-1)
}

func (v *heatView) cells(l *paint.Layer) {
	gap := 0.0
	if v.cell >= 9*v.a.Unit {
		gap = v.a.Hairline()
	}
	for i := range v.n {
		for j := range v.n {
			b := v.place(i, j)
			if gap > 0 {
				b = paint.XYWH(math.Round(b.X), math.Round(b.Y), math.Round(b.W)-gap, math.Round(b.H)-gap)
			}
			l.Add(paint.Mark{Kind: paint.Fill, Box: b, Color: v.shadeOf(v.at(i, j))})
			if !num.Known(v.at(i, j)) && v.cell > 8*v.a.Unit { // not known: a dot instead of a shade
				l.Add(paint.Mark{Kind: paint.Fill, Box: paint.Snap(paint.XYWH(b.X+b.W/2-v.a.Unit, b.Y+b.H/2-v.a.Unit, 2*v.a.Unit,
					2*v.a.Unit)),
					Color: v.a.Theme.Line2})
			}
		}
	}
}

// sides draws the temperatures along both sides and names some of them.
func (v *heatView) sides(l *paint.Layer) {
	a, t, u := v.a, v.a.Theme, v.a.Unit
	var wide, tall float64
	for i := range v.n {
		first, _ := v.of(i)
		c, b := t.BetaColor(v.betaOf(first)), v.place(i, i)
		l.Add(paint.Mark{Kind: paint.Fill, Box: paint.Snap(paint.XYWH(v.box.X-8*u, b.Y, 4*u, b.H)), Color: c},
			paint.Mark{Kind: paint.Fill, Box: paint.Snap(paint.XYWH(b.X, v.box.Y+v.box.H+4*u, b.W, 4*u)), Color: c})
	}

	// Names where they do not overlap; those of both ends always.
	wide, tall = math.Inf(-1), math.Inf(-1)
	name := func(i int) {
		first, _ := v.of(i)
		b, s := v.place(i, i), ladder.RungName(v.betaOf(first))
		if i > 0 && i < v.n-1 {
			s = format.Fixed(v.betaOf(first), 2)
		}
		w := a.Fonts.Width(s, paint.Tick)
		x, y := b.X+b.W/2, v.box.Y+v.box.H-b.Y
		end := v.box.X + v.box.W
		if i == 0 || i == v.n-1 || x-w/2 > wide+8*u && x+w/2 < end-a.Fonts.Width(ladder.RungName(1), paint.Tick)-6*u {
			at := min(max(x, v.box.X+w/2-6*u), end-w/2+6*u)
			l.Label(s, at, v.box.Y+v.box.H+20*u, paint.Tick, t.Ink3, paint.Centre)
			wide = at + w/2
		}
		if i == 0 || i == v.n-1 || y > tall+18*u && y < v.box.H-16*u {
			l.Label(s, v.box.X-12*u, min(max(b.Y+b.H/2+4*u, v.box.Y+9*u), v.box.Y+v.box.H), paint.Tick, t.Ink3, paint.Right)
			tall = y
		}
	}
	for i := range v.n {
		name(i)
	}
	l.Label(a.Say("rung it may belong to"), v.box.X+v.box.W/2, v.box.Y+v.box.H+36*u, paint.Tick, t.Ink3, paint.Centre)
}

// of are the rungs that row i stands for: the first and the last.
func (v *heatView) of(i int) (first, last int) {
	return (i*v.rungs + v.n - 1) / v.n, ((i+1)*v.rungs+v.n-1)/v.n - 1
}

func (v *heatView) betaOf(rung int) float64 {
	if rung < len(v.beta) && num.Finite(v.beta[rung]) {
		return v.beta[rung]
	}
	return float64(rung) / float64(max(v.rungs-1, 1))
}

// thin lists the pairs of neighbours whose overlap is too small, the smallest first, at most three that stand apart.
func (v *heatView) thin() (list []int) {
	if v.n < v.rungs { // neighbours in the map stand for several rungs
		return nil
	}
	for len(list) < 3 {
		least := -1
		for i := range v.n - 1 {
			near := false
			for _, o := range list {
				near = near || math.Abs(float64(o-i))*v.cell < 20*v.a.Unit
			}
			if o := v.pair(i); !near && o < thinOverlap && (least < 0 || o < v.pair(least)) {
				least = i
			}
		}
		if least < 0 {
			break
		}
		list = append(list, least)
	}
	return list
}

// pair is the smaller of the overlaps of rungs i and i+1.
func (v *heatView) pair(i int) float64 { return min(v.at(i, i+1), v.at(i+1, i)) }

// signs marks neighbours that hardly overlap.
func (v *heatView) signs(l *paint.Layer) {
	for _, i := range v.thin() {
		b := v.place(i, i+1)
		ladder.Caution(l, v.a, paint.Pt(b.X, b.Y+b.H), min(7*v.a.Unit, max(v.cell, 5*v.a.Unit)))
	}
}

func (v *heatView) title(l *paint.Layer) {
	a, t, u := v.a, v.a.Theme, v.a.Unit
	end := a.W - v.pad
	least := -1
	for i := range v.n - 1 {
		if o := v.pair(i); num.Known(o) && (least < 0 || o < v.pair(least)) {
			least = i
		}
	}
	if least >= 0 && v.n == v.rungs {
		value := overlapName(v.pair(least))
		l.Label(value, end, 20*u, paint.Figure, t.Ink, paint.Right)
		end -= a.Fonts.Width(value, paint.Figure) + 6*u
		if s := a.Say("lowest of neighbours"); end-a.Fonts.Width(s, paint.Plain) > a.W/2 {
			l.Label(s, end, 19*u, paint.Plain, t.Ink2, paint.Right)
			end -= a.Fonts.Width(s, paint.Plain) + 16*u
		}
	}
	for _, s := range [...]string{a.Say("Overlap of every two rungs"), a.Say("Overlap")} {
		if v.pad+a.Fonts.Width(s, paint.Strong) < end {
			l.Label(s, v.pad, 19*u, paint.Strong, t.Ink, paint.Left)
			break
		}
	}
	if s := a.Say("rung that samples come from"); v.pad+a.Fonts.Width(s, paint.Tick) < a.W-v.pad {
		l.Label(s, v.pad, 40*u, paint.Tick, t.Ink3, paint.Left)
	}
}

// scale draws what the shades mean.
func (v *heatView) scale(l *paint.Layer) {
	a, t, u, b := v.a, v.a.Theme, v.a.Unit, v.key
	const steps = 32
	upright := b.H > b.W
	for k := range steps {
		o := math.Pow((float64(k)+0.5)/steps, 2)
		box := paint.XYWH(b.X+float64(k)*b.W/steps, b.Y, b.W/steps+1, b.H)
		if upright {
			box = paint.XYWH(b.X, b.Y+b.H-float64(k+1)*b.H/steps, b.W, b.H/steps+1)
		}
		l.Add(paint.Mark{Kind: paint.Fill, Box: paint.Snap(box), Color: v.shadeOf(o)})
	}

	// Ticks on the scale of the square root.
	for _, o := range [...]float64{0, thinOverlap, 0.1, 0.25, 0.5, 1} {
		s, st, ink := format.AtMost(o, 2), paint.Tick, t.Ink3
		if o == thinOverlap {
			st, ink = paint.StrongTick, t.Ink
		}
		if f := math.Sqrt(o); upright {
			y := b.Y + b.H*(1-f)
			l.HLine(a, b.X+b.W, b.X+b.W+4*u, y, t.Line2)
			l.Label(s, b.X+b.W+9*u, y+4*u, st, ink, paint.Left)
		} else {
			l.Label(s, b.X+b.W*f, b.Y+b.H+14*u, st, ink, paint.Centre)
		}
	}

	if !upright {
		return
	}
	x := b.X + b.W + 9*u + a.Fonts.Width("0.03", paint.StrongTick) + 10*u
	if s := a.Say("too little for neighbours"); x+a.Fonts.Width(s, paint.Tick) < a.W-v.pad {
		l.Label(s, x, b.Y+b.H*(1-math.Sqrt(thinOverlap))+4*u, paint.Tick, t.Ink2, paint.Left)
	}
}

// says writes beside the map what the pair at the pointer means, else that of the neighbours that overlap least.
func (v *heatView) says(l *paint.Layer) {
	a, t, u := v.a, v.a.Theme, v.a.Unit
	x, y := v.key.X, v.key.Y+v.key.H+40*u
	if v.key.H < v.key.W || y > a.H-60*u {
		return
	}

	// The cell at the pointer, else the pair of neighbours that overlaps least.
	i, j := -1, -1
	if a.Pointed(v.box) {
		i, j = v.pointed()
	} else {
		for k := range v.n - 1 {
			if o := v.pair(k); num.Known(o) && (i < 0 || o < v.pair(i)) {
				i, j = k, k+1
			}
		}
		if i >= 0 && v.at(j, i) < v.at(i, j) {
			i, j = j, i
		}
	}
	if i < 0 {
		return
	}

	for n, line := range strings.Split(v.read(i, j), "\n") {
		st, ink := paint.Plain, t.Ink2
		if n == 0 {
			st, ink = paint.Strong, t.Ink
		}
		for _, part := range a.Wrap(line, st, a.W-v.pad-x) {
			if y > a.H-8*u {
				return
			}
			l.Label(part, x, y, st, ink, paint.Left)
			y += 17 * u
		}
	}
}

// pointed is the cell at the pointer.
func (v *heatView) pointed() (i, j int) {
	at := v.a.Pointer.At
	return min(max(int((v.box.Y+v.box.H-at.Y)/v.cell), 0), v.n-1), min(max(int((at.X-v.box.X)/v.cell), 0), v.n-1)
}

// offer lets the pointer read two rungs.
func (v *heatView) offer() {
	a := v.a
	if !a.Pointed(v.box) {
		return
	}
	i, j := v.pointed()
	b := v.place(i, j)
	a.Pointer.Offer(0, 1, paint.Pt(b.X+b.W, b.Y), 0, b, func() string { return v.read(i, j) })
}

// read says what a cell means.
func (v *heatView) read(i, j int) string {
	a, o := v.a, v.at(i, j)
	s := v.name(i) + " \u2192 " + v.name(j)
	f0, _ := v.of(i)
	g0, _ := v.of(j)
	beta := func(k int) string { return strconv.FormatFloat(v.betaOf(k), 'g', 3, 64) }
	s += "\n\u03b2 = " + beta(f0) + " \u2192 " + beta(g0)
	if !num.Known(o) {
		return s + "\n" + a.Say("no sample of the first yet")
	}
	s += "\n" + a.Say("overlap") + " " + overlapName(o) + "\n"
	share := format.AtMost(100*o, 0)
	switch {
	case i == j:
		return s + strings.Replace(a.Say("# of 100 draws here stay: the less, the better they mix"), "#", share, 1)
	case o < 0.005:
		return s + a.Say("fewer than 1 of 100 draws would do there too")
	}
	return s + strings.Replace(a.Say("# of 100 draws of the first would do for the second"), "#", share, 1)
}

// name is what the rungs of a row are called.
func (v *heatView) name(i int) string {
	first, last := v.of(i)
	if first == last {
		return v.a.Say("Rung") + " " + strconv.Itoa(first+1)
	}
	return v.a.Say("Rungs") + " " + strconv.Itoa(first+1) + " \u2013 " + strconv.Itoa(last+1)
}
