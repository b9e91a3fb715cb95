package render

import (
	"math"
	"strconv"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/core/num"
)

var _ = register(scene{name: "visits", draw: visits})

// visits draws how often each rung was visited against what was planned, c_k / r_k, on a log scale: a bar up from one
// where chains are too often, down where they are too rarely. Where visits were counted as well, a ring is the count.
func visits(a *area, p *Picture) []layer {
	w, among, now := p.pickLadder(func(l *frame.Ladder) bool { return len(l.Occupancy) > 0 })
	if now == nil || a.w < 160*a.u || a.h < 140*a.u {
		return []layer{note(a, "No visits yet")}
	}
	v := &visitView{a: a, l: now, pad: 24 * a.u}
	if a.compact() {
		v.pad = 16 * a.u
	}
	if t := p.travel(func(t *frame.Travel) bool {
		return len(t.Visits) == len(now.Beta) && indexOf(t.Methods, now.Method) >= 0
	}); t != nil {
		v.counts = t.Visits
	}
	var back, bars, front, top layer
	down := 0.0
	if w != nil {
		down = head(a, p, &top, v.pad, w, among)
	}
	v.lay(down)
	v.scale(&back)
	v.bars(&bars, &front)
	v.signs(&front)
	v.title(&top, down)
	v.offer()
	return []layer{back, bars, front, top}
}

// visitView is the geometry of the bars.
type visitView struct {
	a      *area
	l      *frame.Ladder
	counts []float64 // visits against those planned, nil if they were not counted
	pad    float64
	box    rect
	x, y   axis // rungs, log10 of c / r
	group  int  // rungs to a bar
	show   []int
}

// lay places the box and, where rungs are too many to be told apart, groups them.
func (v *visitView) lay(down float64) {
	a, u, n := v.a, v.a.u, len(v.l.Occupancy)
	left, top, bottom := v.pad+30*u, 58*u+down, 46*u
	v.box = snap(rect{left, top, a.w - left - v.pad, a.h - top - bottom})
	v.x = axis{-0.5, float64(n) - 0.5, v.box.x, v.box.x + v.box.w}
	reach := math.Log10(2)
	for _, x := range [...][]float64{v.l.Occupancy, v.counts} {
		for _, c := range x {
			if num.Finite(c) && c > 0 {
				reach = max(reach, math.Abs(math.Log10(c)))
			}
		}
	}
	reach = min(reach*1.08, 2.2)
	v.y = axis{-reach, reach, v.box.y + v.box.h, v.box.y}
	v.group = max(1, int(math.Ceil(float64(n)*4.5*u/v.box.w)))
	for k := 0; k < n; k += v.group { // the one farthest from the plan stands for its group
		far := k
		for j := k; j < min(k+v.group, n); j++ {
			if !(v.off(j) <= v.off(far)) {
				far = j
			}
		}
		v.show = append(v.show, far)
	}
}

// height is the log10 of c / r, at most what the axis shows; NaN if it is not known.
func (v *visitView) height(c float64) float64 {
	if !(c >= 0) || math.IsInf(c, 0) {
		return math.NaN()
	}
	return min(max(math.Log10(max(c, 1e-9)), v.y.d0), v.y.d1)
}

// off is how far rung k is from the plan, -1 if that is not known.
func (v *visitView) off(k int) float64 {
	if h := math.Abs(v.height(v.l.Occupancy[k])); num.Known(h) {
		return h
	}
	return -1
}

// scale draws the levels and the plan.
func (v *visitView) scale(l *layer) {
	a, t, u := v.a, v.a.theme, v.a.u
	last := math.Inf(1)
	for _, c := range [...]float64{0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100} {
		h := math.Log10(c)
		if h < v.y.d0 || h > v.y.d1 {
			continue
		}
		y := v.y.at(h)
		if c == lowOccupancy || c == highOccupancy {
			l.add(mark{kind: stroke, pts: []point{{v.box.x, y}, {v.box.x + v.box.w, y}}, width: a.hair(),
				dash: [2]float64{4 * u, 3 * u}, color: t.Ink3})
		} else {
			l.hline(a, v.box.x, v.box.x+v.box.w, y, t.Line)
		}
		if last-y > 15*u {
			st, ink := tick, t.Ink3
			if c == 1 {
				st, ink = mark11, t.Ink
			}
			l.label(format.AtMost(c, 2), v.box.x-9*u, y+4*u, st, ink, right)
			last = y
		}
	}
	ladderFoot(a, l, v.l.Beta, v.x, v.box, v.group)
}

// ladderFoot names rungs below a box, the ends first, and their number.
func ladderFoot(a *area, l *layer, beta []float64, x axis, box rect, group int) {
	t, u, n := a.theme, a.u, len(beta)
	var put []rect
	name := func(k int) {
		if !num.Known(beta[k]) {
			return
		}
		s := rungName(beta[k])
		wide := a.fonts.width(s, tick)
		at := min(max(x.at(float64(k)), box.x+wide/2-8*u), box.x+box.w-wide/2+8*u)
		for _, o := range put {
			if math.Abs(o.x-at) < (o.w+wide)/2+12*u {
				return
			}
		}
		put = append(put, rect{at, 0, wide, 0})
		l.label(s, at, box.y+box.h+19*u, tick, t.Ink3, centre)
	}
	name(0)
	name(n - 1)
	for k, step := 0, max(1, int(math.Ceil(58*u/max(x.at(1)-x.at(0), 1e-3)))); k < n; k += step {
		name(k)
	}
	s := format.Grouped(float64(n), 0) + " " + a.say("rungs")
	if group > 1 {
		s += ", " + a.say("each bar the farthest of") + " " + format.Grouped(float64(group), 0)
	}
	l.label(s, box.x+box.w/2, box.y+box.h+35*u, tick, t.Ink3, centre)
}

// bar is where the bar of the i-th group stands, whatever its height.
func (v *visitView) bar(i int) rect {
	x0 := v.x.at(float64(i*v.group) - 0.5)
	x1 := v.x.at(float64(min((i+1)*v.group, len(v.l.Occupancy))) - 0.5)
	gap := min(max((x1-x0)*0.2, v.a.hair()), 10*v.a.u)
	wide := min(x1-x0-gap, 40*v.a.u)
	return rect{(x0 + x1 - wide) / 2, v.box.y, wide, v.box.h}
}

func (v *visitView) bars(l, front *layer) {
	a, t, u := v.a, v.a.theme, v.a.u
	one := v.y.at(0)
	for i, k := range v.show {
		b, c := v.bar(i), t.BetaColor(v.l.Beta[k])
		if h := v.height(v.l.Occupancy[k]); num.Known(h) {
			y := v.y.at(h)
			l.add(mark{kind: fill, box: snap(rect{b.x, min(y, one), b.w, max(math.Abs(y-one), a.hair())}), color: c})
		}
		if v.counts == nil || v.group > 1 {
			continue
		}
		if h := v.height(v.counts[k]); num.Known(h) {
			front.add(mark{kind: disc, at: point{b.x + b.w/2, v.y.at(h)}, r: min(3.6*u, max(b.w*0.4, 2*u)), color: t.Ink,
				hollow: 1.3 * u, halo: true})
		}
	}
	l.add(mark{kind: stroke, pts: []point{{v.box.x - 5*u, one}, {v.box.x + v.box.w, one}}, width: 1.5 * u * t.Stroke,
		color: t.Ink})
}

// signs marks rungs that are visited ten times too often or too rarely, the worst first.
func (v *visitView) signs(l *layer) {
	a, t, u := v.a, v.a.theme, v.a.u
	var put []float64
	for {
		worst := -1
		for i, k := range v.show {
			c, x := v.l.Occupancy[k], v.bar(i).x
			near := false
			for _, o := range put {
				near = near || math.Abs(o-x) < 44*u
			}
			if near || !num.Finite(c) || c >= lowOccupancy && c <= highOccupancy {
				continue
			}
			if worst < 0 || v.off(k) > v.off(v.show[worst]) {
				worst = i
			}
		}
		if worst < 0 {
			return
		}
		b, k := v.bar(worst), v.show[worst]
		put = append(put, b.x)
		x, y := b.x+b.w/2, v.y.at(0)-26*u
		if v.l.Occupancy[k] > 1 {
			y = v.y.at(0) + 18*u
		}
		s := format.Ratio(v.l.Occupancy[k])
		half := a.fonts.width(s, strong) / 2
		x = min(max(x, v.box.x+half), v.box.x+v.box.w-half)
		caution(l, a, point{x, y}, 7*u)
		l.label(s, x, y+18*u, strong, t.Ink, centre)
	}
}

func (v *visitView) title(l *layer, down float64) {
	a, t, u := v.a, v.a.theme, v.a.u
	y, end := 19*u+down, a.w-v.pad
	if v.counts != nil && v.group == 1 {
		s := a.say("counted")
		x := end - a.fonts.width(s, plain)
		l.label(s, x, y, plain, t.Ink2, left)
		l.add(mark{kind: disc, at: point{x - 9*u, y - 4*u}, r: 3.6 * u, color: t.Ink, hollow: 1.3 * u, halo: true})
		end = x - 30*u
	}
	a.headline(l, v.pad, y, end, a.say("Visits against those planned, c / r"), a.say("Visits, c / r"),
		a.say("up: too often, down: too rarely"))
}

// offer lets the pointer read a bar.
func (v *visitView) offer() {
	a := v.a
	if !a.asks(rect{v.box.x, v.box.y, v.box.w, v.box.h + 24*a.u}) {
		return
	}
	for i, k := range v.show {
		b := v.bar(i)
		x := b.x + b.w/2
		a.offerBar(x, v.box, func() string {
			s := a.say("Rung") + " " + strconv.Itoa(k+1) + ", \u03b2 = " + strconv.FormatFloat(v.l.Beta[k], 'g', 3, 64)
			if c := v.l.Occupancy[k]; num.Finite(c) {
				s += "\nc / r = " + format.Ratio(c)
			}
			if v.counts != nil && num.Finite(v.counts[k]) {
				s += "\n" + a.say("counted") + " " + format.Ratio(v.counts[k])
			}
			return s
		})
	}
}
