package render

import (
	"image/color"
	"math"
	"strconv"
	"strings"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/core/num"
)

var _ = register(scene{name: "heat", draw: heat})

// thinOverlap is the overlap of neighbouring rungs below which few samples of one say anything of the other.
const thinOverlap = 0.03

// heat draws how much every two rungs of a tempering run overlap: a row for the rung that samples come from, a column
// for the rung that they may belong to, the darker the more. A whole ladder has a dark band from corner to corner.
func heat(a *area, p *Picture) []layer {
	t := p.travel(func(t *frame.Travel) bool { return t.Size() > 1 })
	if t == nil || a.w < 200*a.u || a.h < 160*a.u {
		return []layer{note(a, "No overlaps yet")}
	}
	v := &heatView{a: a, t: t, n: t.Size(), beta: p.betas(t), pad: 24 * a.u}
	if a.compact() {
		v.pad = 16 * a.u
	}
	v.rungs = max(len(v.beta), v.n)
	v.lay()
	var back, front layer
	v.title(&front)
	v.cells(&back)
	v.sides(&back)
	v.signs(&front)
	v.scale(&back)
	v.says(&front)
	v.offer()
	return []layer{back, front}
}

// heatView is the geometry of the map.
type heatView struct {
	a     *area
	t     *frame.Travel
	n     int // cells along a side
	rungs int
	beta  []float64
	pad   float64
	box   rect
	cell  float64
	key   rect // the scale of shades
}

func (v *heatView) lay() {
	a, u := v.a, v.a.u
	left, head, foot := v.pad+50*u, 52*u, 46*u
	side := min(a.w-left-v.pad, a.h-head-foot)
	beside := !a.compact() && a.w-left-v.pad-side > 120*u
	if !beside {
		side = min(side, a.h-head-foot-36*u)
	}
	v.cell = side / float64(v.n)
	if v.cell >= 4 {
		v.cell = math.Floor(v.cell)
	}
	side = v.cell * float64(v.n)
	v.box = snap(rect{left, head, side, side})
	if beside {
		v.key = rect{v.box.x + side + 40*u, head, 14 * u, min(side, 220*u)}
	} else {
		v.key = rect{v.box.x, v.box.y + side + 46*u, side, 10 * u}
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
func (v *heatView) place(i, j int) rect {
	return rect{v.box.x + float64(j)*v.cell, v.box.y + v.box.h - float64(i+1)*v.cell, v.cell, v.cell}
}

// shadeOf is the colour of an overlap: even steps of the square root, so that small ones can be told from none.
func (v *heatView) shadeOf(o float64) color.RGBA {
	t := v.a.theme
	if !num.Known(o) {
		return t.Ground
	}
	s := math.Sqrt(o)
	if s < 0.5 {
		return mix(t.Track, t.Grey, 2*s*0.75)
	}
	return mix(mix(t.Track, t.Grey, 0.75), t.Ink, 2*s-1)
}

func (v *heatView) cells(l *layer) {
	gap := 0.0
	if v.cell >= 9*v.a.u {
		gap = v.a.hair()
	}
	for i := range v.n {
		for j := range v.n {
			b := v.place(i, j)
			if gap > 0 {
				b = rect{math.Round(b.x), math.Round(b.y), math.Round(b.w) - gap, math.Round(b.h) - gap}
			}
			l.add(mark{kind: fill, box: b, color: v.shadeOf(v.at(i, j))})
			if !num.Known(v.at(i, j)) && v.cell > 8*v.a.u { // not known: a dot instead of a shade
				l.add(mark{kind: fill, box: snap(rect{b.x + b.w/2 - v.a.u, b.y + b.h/2 - v.a.u, 2 * v.a.u, 2 * v.a.u}),
					color: v.a.theme.Line2})
			}
		}
	}
}

// sides draws the temperatures along both sides and names some of them.
func (v *heatView) sides(l *layer) {
	a, t, u := v.a, v.a.theme, v.a.u
	var wide, tall float64
	for i := range v.n {
		first, _ := v.of(i)
		c, b := t.BetaColor(v.betaOf(first)), v.place(i, i)
		l.add(mark{kind: fill, box: snap(rect{v.box.x - 8*u, b.y, 4 * u, b.h}), color: c},
			mark{kind: fill, box: snap(rect{b.x, v.box.y + v.box.h + 4*u, b.w, 4 * u}), color: c})
	}
	wide, tall = math.Inf(-1), math.Inf(-1)
	name := func(i int) {
		first, _ := v.of(i)
		b, s := v.place(i, i), rungName(v.betaOf(first))
		if i > 0 && i < v.n-1 {
			s = format.Fixed(v.betaOf(first), 2)
		}
		w := a.fonts.width(s, tick)
		x, y := b.x+b.w/2, v.box.y+v.box.h-b.y
		end := v.box.x + v.box.w
		if i == 0 || i == v.n-1 || x-w/2 > wide+8*u && x+w/2 < end-a.fonts.width(rungName(1), tick)-6*u {
			at := min(max(x, v.box.x+w/2-6*u), end-w/2+6*u)
			l.label(s, at, v.box.y+v.box.h+20*u, tick, t.Ink3, centre)
			wide = at + w/2
		}
		if i == 0 || i == v.n-1 || y > tall+18*u && y < v.box.h-16*u {
			l.label(s, v.box.x-12*u, min(max(b.y+b.h/2+4*u, v.box.y+9*u), v.box.y+v.box.h), tick, t.Ink3, right)
			tall = y
		}
	}
	for i := range v.n {
		name(i)
	}
	l.label(a.say("rung it may belong to"), v.box.x+v.box.w/2, v.box.y+v.box.h+36*u, tick, t.Ink3, centre)
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
				near = near || math.Abs(float64(o-i))*v.cell < 20*v.a.u
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
func (v *heatView) signs(l *layer) {
	for _, i := range v.thin() {
		b := v.place(i, i+1)
		caution(l, v.a, point{b.x, b.y + b.h}, min(7*v.a.u, max(v.cell, 5*v.a.u)))
	}
}

func (v *heatView) title(l *layer) {
	a, t, u := v.a, v.a.theme, v.a.u
	end := a.w - v.pad
	least := -1
	for i := range v.n - 1 {
		if o := v.pair(i); num.Known(o) && (least < 0 || o < v.pair(least)) {
			least = i
		}
	}
	if least >= 0 && v.n == v.rungs {
		value := overlapName(v.pair(least))
		l.label(value, end, 20*u, figure, t.Ink, right)
		end -= a.fonts.width(value, figure) + 6*u
		if s := a.say("lowest of neighbours"); end-a.fonts.width(s, plain) > a.w/2 {
			l.label(s, end, 19*u, plain, t.Ink2, right)
			end -= a.fonts.width(s, plain) + 16*u
		}
	}
	for _, s := range [...]string{a.say("Overlap of every two rungs"), a.say("Overlap")} {
		if v.pad+a.fonts.width(s, strong) < end {
			l.label(s, v.pad, 19*u, strong, t.Ink, left)
			break
		}
	}
	if s := a.say("rung that samples come from"); v.pad+a.fonts.width(s, tick) < a.w-v.pad {
		l.label(s, v.pad, 40*u, tick, t.Ink3, left)
	}
}

// scale draws what the shades mean.
func (v *heatView) scale(l *layer) {
	a, t, u, b := v.a, v.a.theme, v.a.u, v.key
	const steps = 32
	upright := b.h > b.w
	for k := range steps {
		o := math.Pow((float64(k)+0.5)/steps, 2)
		box := rect{b.x + float64(k)*b.w/steps, b.y, b.w/steps + 1, b.h}
		if upright {
			box = rect{b.x, b.y + b.h - float64(k+1)*b.h/steps, b.w, b.h/steps + 1}
		}
		l.add(mark{kind: fill, box: snap(box), color: v.shadeOf(o)})
	}
	for _, o := range [...]float64{0, thinOverlap, 0.1, 0.25, 0.5, 1} {
		s, st, ink := format.AtMost(o, 2), tick, t.Ink3
		if o == thinOverlap {
			st, ink = mark11, t.Ink
		}
		if f := math.Sqrt(o); upright {
			y := b.y + b.h*(1-f)
			l.hline(a, b.x+b.w, b.x+b.w+4*u, y, t.Line2)
			l.label(s, b.x+b.w+9*u, y+4*u, st, ink, left)
		} else {
			l.label(s, b.x+b.w*f, b.y+b.h+14*u, st, ink, centre)
		}
	}
	if !upright {
		return
	}
	x := b.x + b.w + 9*u + a.fonts.width("0.03", mark11) + 10*u
	if s := a.say("too little for neighbours"); x+a.fonts.width(s, tick) < a.w-v.pad {
		l.label(s, x, b.y+b.h*(1-math.Sqrt(thinOverlap))+4*u, tick, t.Ink2, left)
	}
}

// says writes beside the map what the pair at the pointer means, else that of the neighbours that overlap least.
func (v *heatView) says(l *layer) {
	a, t, u := v.a, v.a.theme, v.a.u
	x, y := v.key.x, v.key.y+v.key.h+40*u
	if v.key.h < v.key.w || y > a.h-60*u {
		return
	}
	i, j := -1, -1
	if a.asks(v.box) {
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
		st, ink := plain, t.Ink2
		if n == 0 {
			st, ink = strong, t.Ink
		}
		for _, part := range a.wrap(line, st, a.w-v.pad-x) {
			if y > a.h-8*u {
				return
			}
			l.label(part, x, y, st, ink, left)
			y += 17 * u
		}
	}
}

// wrap cuts a text into lines of at most a width, between words.
func (a *area) wrap(s string, st style, width float64) (lines []string) {
	for _, word := range strings.FieldsFunc(s, func(r rune) bool { return r == ' ' }) { // not at spaces that hold
		if n := len(lines); n > 0 && a.fonts.width(lines[n-1]+" "+word, st) <= width {
			lines[n-1] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	return lines
}

// pointed is the cell at the pointer.
func (v *heatView) pointed() (i, j int) {
	at := v.a.probe.at
	return min(max(int((v.box.y+v.box.h-at.y)/v.cell), 0), v.n-1), min(max(int((at.x-v.box.x)/v.cell), 0), v.n-1)
}

// offer lets the pointer read two rungs.
func (v *heatView) offer() {
	a := v.a
	if !a.asks(v.box) {
		return
	}
	i, j := v.pointed()
	b := v.place(i, j)
	a.probe.offer(0, 1, point{b.x + b.w, b.y}, 0, b, func() string { return v.read(i, j) })
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
		return s + "\n" + a.say("no sample of the first yet")
	}
	s += "\n" + a.say("overlap") + " " + overlapName(o) + "\n"
	share := format.AtMost(100*o, 0)
	switch {
	case i == j:
		return s + strings.Replace(a.say("# of 100 draws here stay: the less, the better they mix"), "#", share, 1)
	case o < 0.005:
		return s + a.say("fewer than 1 of 100 draws would do there too")
	}
	return s + strings.Replace(a.say("# of 100 draws of the first would do for the second"), "#", share, 1)
}

// name is what the rungs of a row are called.
func (v *heatView) name(i int) string {
	first, last := v.of(i)
	if first == last {
		return v.a.say("Rung") + " " + strconv.Itoa(first+1)
	}
	return v.a.say("Rungs") + " " + strconv.Itoa(first+1) + " \u2013 " + strconv.Itoa(last+1)
}
