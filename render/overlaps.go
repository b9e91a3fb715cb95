package render

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/core/num"
)

var _ = register(scene{name: "overlaps", draw: overlaps})

// lowOverlap is the overlap below which neighbouring rungs are too far apart: moves
// between them are accepted so rarely that a rung between them is worth its cost.
const lowOverlap = 0.2

// overlaps draws how much neighbouring rungs of a tempered method overlap: a bar for
// each pair from the base at the left to the target at the right, and the level that
// none should stay below. Rungs are evenly spaced, whatever their temperatures.
func overlaps(a *area, p *Picture) []layer {
	w, among, now := p.pickLadder(func(l *frame.Ladder) bool {
		return len(l.Overlap) > 0 && len(l.Beta) == len(l.Overlap)+1
	})
	if now == nil || a.w < 160*a.u || a.h < 140*a.u {
		return []layer{note(a, "No overlaps yet")}
	}
	var top layer
	v := &overlapView{a: a, l: now, pad: 24 * a.u}
	if a.compact() {
		v.pad = 16 * a.u
	}
	down := 0.0
	if w != nil {
		down = head(a, p, &top, v.pad, w, among)
	}
	v.lay(down)
	var back, bars, front layer
	v.scale(&back)
	v.bars(&bars)
	v.level(&front)
	v.signs(&front)
	v.rungs(&front)
	v.title(&top, down)
	v.offer()
	return []layer{back, bars, front, top}
}

// overlapView is the geometry of the bars.
type overlapView struct {
	a     *area
	l     *frame.Ladder
	pad   float64
	box   rect
	x, y  axis  // of rungs, of overlaps
	pairs []int // of each bar, the pair that it shows: the lowest of a group
	group int   // pairs to a bar
}

// lay places the box and, where pairs are too many to be told apart, groups them.
func (v *overlapView) lay(down float64) {
	a, u, n := v.a, v.a.u, len(v.l.Overlap)
	left, top, bottom := v.pad+28*u, 62*u+down, 48*u
	v.box = snap(rect{left, top, a.w - left - v.pad, a.h - top - bottom})
	v.x = axis{0, float64(n), v.box.x, v.box.x + v.box.w}
	v.y = axis{0, 1, v.box.y + v.box.h, v.box.y}
	v.group = max(1, int(math.Ceil(float64(n)*5*u/v.box.w)))
	for k := 0; k < n; k += v.group {
		low := k
		for j := k; j < min(k+v.group, n); j++ {
			if o := v.l.Overlap[j]; o < v.l.Overlap[low] || !num.Finite(v.l.Overlap[low]) {
				low = j
			}
		}
		v.pairs = append(v.pairs, low)
	}
}

// bar is the place of the i-th bar, whatever its height.
func (v *overlapView) bar(i int) rect {
	x0, x1 := v.x.at(float64(i*v.group)), v.x.at(float64(min((i+1)*v.group, len(v.l.Overlap))))
	gap := min(max((x1-x0)*0.16, v.a.hair()), 10*v.a.u)
	wide := min(x1-x0-gap, 72*v.a.u)
	return rect{(x0 + x1 - wide) / 2, v.box.y, wide, v.box.h}
}

// value is the overlap that the i-th bar shows, NaN where it is not known.
func (v *overlapView) value(i int) float64 {
	if o := v.l.Overlap[v.pairs[i]]; num.Finite(o) {
		return min(max(o, 0), 1)
	}
	return math.NaN()
}

// scale draws the levels from 0 to 1.
func (v *overlapView) scale(l *layer) {
	a, t, u := v.a, v.a.theme, v.a.u
	step := 0.2
	if v.box.h < 110*u {
		step = 0.5
	}
	for k := 0.0; k*step <= 1.001; k++ {
		y := v.y.at(k * step)
		if k > 0 {
			l.hline(a, v.box.x, v.box.x+v.box.w, y, t.Line)
		}
		if math.Abs(k*step-lowOverlap) > 0.01 { // that one is written in bold
			l.label(format.AtMost(k*step, 1), v.box.x-9*u, y+4*u, tick, t.Ink3, right)
		}
	}
	l.hline(a, v.box.x, v.box.x+v.box.w, v.y.p0, t.Line2)
}

// bars draws the overlaps. One below the level is hollow up to it: so much is missing.
func (v *overlapView) bars(l *layer) {
	a, t, u := v.a, v.a.theme, v.a.u
	for i, k := range v.pairs {
		o, b := v.value(i), v.bar(i)
		if !num.Known(o) {
			continue
		}
		y := v.y.at(o)
		c := t.BetaColor((v.l.Beta[k] + v.l.Beta[k+1]) / 2)
		l.add(mark{kind: fill, box: snap(rect{b.x, y, b.w, max(v.y.p0-y, a.hair())}), color: c})
		if level := v.y.at(lowOverlap); o < lowOverlap && y-level > 2*u {
			l.add(mark{kind: fill, box: snap(rect{b.x, level, b.w, y - level}), color: mix(t.Ground, t.Caution, 0.28)})
		}
	}
}

// level draws what no overlap should stay below.
func (v *overlapView) level(l *layer) {
	t, u, y := v.a.theme, v.a.u, v.y.at(lowOverlap)
	l.add(mark{kind: stroke, pts: []point{{v.box.x - 5*u, y}, {v.box.x + v.box.w, y}}, width: 1.75 * u * t.Stroke,
		color: t.Ink, halo: true})
	l.label(format.AtMost(lowOverlap, 1), v.box.x-9*u, y+4*u, mark11, t.Ink, right)
}

// signs writes the overlap over each bar where there is room, and a sign over those that
// stay below the level, the lowest first.
func (v *overlapView) signs(l *layer) {
	a, t, u := v.a, v.a.theme, v.a.u
	all := v.bar(0).w > a.fonts.width("0.00", tick)-2*u
	var low []int
	for i := range v.pairs {
		if o, b := v.value(i), v.bar(i); o < lowOverlap {
			low = append(low, i)
		} else if all && num.Known(o) {
			l.label(format.Fixed(o, 2), b.x+b.w/2, v.y.at(o)-6*u, tick, t.Ink2, centre)
		}
	}
	slices.SortStableFunc(low, func(i, j int) int { return cmp.Compare(v.value(i), v.value(j)) })
	var put []float64
	for _, i := range low {
		b := v.bar(i)
		x, y := b.x+b.w/2, v.y.at(lowOverlap)-8*u
		if slices.ContainsFunc(put, func(o float64) bool { return math.Abs(o-x) < 38*u }) {
			continue // their signs would overlap
		}
		put = append(put, x)
		l.label(overlapName(v.value(i)), x, y, strong, t.Ink, centre)
		caution(l, a, point{x, y - 22*u}, 7*u)
	}
}

// rungs draws the rungs between the bars and names some of them, the ends first.
func (v *overlapView) rungs(l *layer) {
	a, t, u := v.a, v.a.theme, v.a.u
	n := len(v.l.Overlap)
	if v.group == 1 && v.x.at(1)-v.x.at(0) > 9*u {
		for k, b := range v.l.Beta {
			x := v.x.at(float64(k))
			l.add(mark{kind: fill, box: snap(rect{x - 1.5*u, v.y.p0, 3 * u, 6 * u}), color: t.BetaColor(b)})
		}
	}
	var put []rect
	name := func(k int) {
		b := v.l.Beta[k]
		if !num.Known(b) {
			return
		}
		s := rungName(b)
		wide := a.fonts.width(s, tick)
		x := min(max(v.x.at(float64(k)), v.box.x+wide/2-8*u), v.box.x+v.box.w-wide/2+8*u)
		for _, o := range put {
			if math.Abs(o.x-x) < (o.w+wide)/2+12*u {
				return
			}
		}
		put = append(put, rect{x, 0, wide, 0})
		l.label(s, x, v.y.p0+21*u, tick, t.Ink3, centre)
	}
	name(0)
	name(n)
	for k, step := 0, max(1, int(math.Ceil(58*u/(v.x.at(1)-v.x.at(0))))); k < n; k += step {
		name(k)
	}
	s := format.Grouped(float64(n+1), 0) + " " + a.say("rungs")
	if v.group > 1 {
		s += ", " + a.say("each bar the lowest of") + " " + format.Grouped(float64(v.group), 0)
	}
	l.label(s, v.box.x+v.box.w/2, v.y.p0+38*u, tick, t.Ink3, centre)
}

// title says what is drawn, what the level means, and the lowest overlap.
func (v *overlapView) title(l *layer, down float64) {
	a, t, u := v.a, v.a.theme, v.a.u
	y, end := 19*u+down, a.w-v.pad
	low := -1
	for i := range v.pairs {
		if o := v.value(i); num.Known(o) && (low < 0 || o < v.value(low)) {
			low = i
		}
	}
	if low >= 0 {
		s, value := a.say("lowest"), overlapName(v.value(low))
		l.label(value, end, y+u, figure, t.Ink, right)
		end -= a.fonts.width(value, figure) + 6*u
		l.label(s, end, y, plain, t.Ink2, right)
		end -= a.fonts.width(s, plain) + 16*u
	}
	a.headline(l, v.pad, y, end, a.say("Overlap of neighbouring rungs"), a.say("Overlap"),
		a.say("below the line: add a rung"))
}

// headline writes the longer of two titles of a panel that ends before end, and a line below it where there is room.
func (a *area) headline(l *layer, pad, y, end float64, title, short, below string) {
	for _, s := range [...]string{title, short} {
		if pad+a.fonts.width(s, strong) < end {
			l.label(s, pad, y, strong, a.theme.Ink, left)
			break
		}
	}
	if pad+a.fonts.width(below, plain) < a.w-pad {
		l.label(below, pad, y+17*a.u, plain, a.theme.Ink2, left)
	}
}

// offerBar offers the pointer what a bar of a box says, by its distance along the axis.
func (a *area) offerBar(x float64, box rect, text func() string) {
	a.probe.offer(math.Abs(a.probe.at.x-x), box.w, point{x, a.probe.at.y}, 0, rect{x, box.y, 0, box.h}, text)
}

// offer lets the pointer read a bar.
func (v *overlapView) offer() {
	a := v.a
	if !a.asks(rect{v.box.x, v.box.y, v.box.w, v.box.h + 24*a.u}) {
		return
	}
	for i, k := range v.pairs {
		b := v.bar(i)
		x := b.x + b.w/2
		a.offerBar(x, v.box, func() string {
			text := a.say("Rungs") + " " + strconv.Itoa(k+1) + " \u2013 " + strconv.Itoa(k+2) + "\n\u03b2 = " +
				strconv.FormatFloat(v.l.Beta[k], 'g', 3, 64) + " \u2013 " + strconv.FormatFloat(v.l.Beta[k+1], 'g', 3, 64)
			if o := v.value(i); num.Known(o) {
				text += "\n" + a.say("overlap") + " " + overlapName(o)
			}
			return text
		})
	}
}

// overlapName writes an overlap; one that rounds to nothing is not nothing.
func overlapName(o float64) string {
	if o > 0 && o < 0.005 {
		return "< 0.01"
	}
	return format.Fixed(o, 2)
}
