package render

import (
	"image/color"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"logzlab/core/format"
	"logzlab/core/num"
	"logzlab/core/schedule"
)

// names writes the name of each schedule on its curve, where the curve is farthest from the others. A curve that lies
// on others all along has none, but for the optimum: the costs list it.
func (v *scheduleView) names(l *layer) {
	a, t, now := v.a, v.a.theme, v.current()
	curves := v.shapes
	if v.bent || now < 0 {
		curves = append(curves[:len(curves):len(curves)], v.own)
		v.name(l, curves, len(curves)-1, a.say("your curve"), strong, v.ink)
	}
	order := []int{now, v.path.Index("varopt")}
	for i := range v.path.Lines {
		order = append(order, i)
	}
	done := map[int]bool{-1: true}
	for _, i := range order {
		if done[i] {
			continue
		}
		done[i] = true
		st, ink := tick, t.Ink3
		switch {
		case i == now && !v.bent:
			st, ink = strong, v.ink
		case i == now:
			ink = v.ink
		case v.path.Lines[i].Schedule == "varopt":
			st, ink = mark11, t.Ink
		}
		v.name(l, curves, i, a.scheduleName(v.path.Lines[i].Schedule), st, ink)
	}
}

// name writes the name of one of the curves on it.
func (v *scheduleView) name(l *layer, curves [][]point, i int, s string, st style, ink color.RGBA) {
	u, wd := v.a.u, v.a.fonts.width(s, st)
	best, box := 3*u, rect{}
	if i == v.path.Index("varopt") {
		best = 0
	}
	for k := 4; k <= 36; k++ {
		at := partWay(curves[i], float64(k)/40)
		b := rect{at.x - wd/2 - 3*u, at.y - 8*u, wd + 6*u, 16 * u}
		if st == strong { // too thick to be written on
			b.x, b.y = at.x+7*u, at.y
			at = point{b.x + b.w/2, b.y + 8*u}
		}
		if b.x < v.plot.x+2*u || b.x+b.w > v.plot.x+v.plot.w-2*u || b.y < v.plot.y || b.y+b.h > v.plot.y+v.plot.h {
			continue
		}
		free := 60 * u
		for j, other := range curves {
			if j != i {
				free = min(free, awayFrom(other, at))
				if crosses(other, b) {
					free = min(free, 5*u)
				}
			}
		}
		for _, o := range v.taken {
			if b.x < o.x+o.w && o.x < b.x+b.w && b.y < o.y+o.h && o.y < b.y+b.h {
				free = 0
			}
		}
		if free > best {
			best, box = free, b
		}
	}
	if box.w > 0 {
		v.taken = append(v.taken, box)
		l.label(s, box.x+box.w/2, box.y+12*u, st, ink, centre)
	}
}

// partWay is a point of a curve at a share of the run.
func partWay(pts []point, s float64) point {
	k := min(int(s*float64(len(pts)-1)), len(pts)-2)
	f := s*float64(len(pts)-1) - float64(k)
	return point{pts[k].x + (pts[k+1].x-pts[k].x)*f, pts[k].y + (pts[k+1].y-pts[k].y)*f}
}

// awayFrom is the distance of a point from a curve.
func awayFrom(pts []point, at point) float64 {
	d := math.Inf(1)
	for i := 1; i < len(pts); i++ {
		p, q := pts[i-1], pts[i]
		dx, dy := q.x-p.x, q.y-p.y
		f := 0.0
		if n := dx*dx + dy*dy; n > 0 {
			f = min(max(((at.x-p.x)*dx+(at.y-p.y)*dy)/n, 0), 1)
		}
		d = min(d, math.Hypot(at.x-p.x-f*dx, at.y-p.y-f*dy))
	}
	return d
}

// costRow is a schedule with the variance that it predicts.
type costRow struct {
	name, value string
	st          style
	ink         color.RGBA
}

// rows list what is compared: the optimum, the straight line, the experiment's schedule and the curve by hand.
func (v *scheduleView) rows() (rows []costRow) {
	a, t, now := v.a, v.a.theme, v.current()
	put := func(name string, x float64, st style, ink color.RGBA) {
		value := "\u2013"
		if num.Finite(x) {
			value = format.Ratio(x)
		}
		rows = append(rows, costRow{name, value, st, ink})
	}
	for _, text := range [...]string{"varopt", "linear"} {
		if i := v.path.Index(text); i >= 0 && i != now {
			put(a.scheduleName(text), v.path.Lines[i].Var, plain, t.Ink)
		}
	}
	st := strong
	if v.bent {
		st = plain
	}
	if now >= 0 {
		put(a.scheduleName(v.path.Schedule), v.path.Lines[now].Var, st, v.ink)
	}
	if v.bent || now < 0 {
		put(a.say("your curve"), v.cost(-1), strong, v.ink)
	}
	if num.Finite(v.path.Measured) {
		put(a.say("measured by this run"), v.path.Measured, plain, t.Ink2)
	}
	return rows
}

// verdict says how many chains a curve costs: the one by hand, or the experiment's.
func (v *scheduleView) verdict() string {
	a, i := v.a, v.current()
	name := a.say("your curve")
	if v.bent {
		i = -1
	} else if i >= 0 {
		name = a.scheduleName(v.path.Schedule)
	}
	cost := v.cost(i)
	switch {
	case !num.Finite(cost) && v.path.Measures:
		return a.say("A run shows what curves cost.")
	case !num.Finite(cost):
		return a.say("Annealing, or a learned schedule, shows what curves cost.")
	case i >= 0 && v.path.Lines[i].Schedule == "varopt":
		return a.say("No schedule needs fewer chains.")
	}
	n := schedule.Chains(cost, v.best)
	times := format.Ratio(n)
	if first, n := utf8.DecodeRuneInString(name); n > 0 {
		name = string(unicode.ToUpper(first)) + name[n:]
	}
	switch {
	case !(n < 1e4):
		times = "> " + format.Grouped(1e4, 0)
	case n < 1.05:
		return strings.Replace(a.say("# costs no more chains than the optimum."), "#", name, 1)
	}
	return strings.NewReplacer("#", name, "@", times).Replace(a.say("# costs @ times the optimum's chains."))
}

// costs writes what curves cost beside the chart, or below it.
func (v *scheduleView) costs(l *layer) {
	a, u, t, b := v.a, v.a.u, v.a.theme, v.pane
	if b.h < 40*u {
		return
	}
	rows, x, y := v.rows(), b.x, b.y
	columns := 1
	if b.w > 260*u {
		columns = 2
	}
	known := len(v.path.G) > 0
	if columns == 1 {
		l.label(a.say("Variance of log w"), x, y-14*u, strong, t.Ink, left)
		if known {
			l.label(a.say("predicted, with perfect moves"), x, y+4*u, tick, t.Ink3, left)
			y += 18 * u
		}
	}
	if known {
		wide := (b.w - 20*u*float64(columns-1)) / float64(columns)
		column := 0
		for _, r := range rows {
			end := x + float64(column)*(wide+20*u) + wide
			if a.fonts.width(r.name+r.value, r.st)+12*u > wide && columns > 1 { // has a line to itself
				y += float64(min(column, 1)) * 22 * u
				column, end = columns-1, x+b.w
				l.label(r.name, x, y+8*u, r.st, r.ink, left)
				l.hline(a, x, end, y+14*u, t.Line)
			} else {
				l.label(r.name, end-wide, y+8*u, r.st, r.ink, left)
				l.hline(a, end-wide, end, y+14*u, t.Line)
			}
			l.label(r.value, end, y+8*u, r.st, r.ink, right)
			if column++; column == columns {
				column = 0
				y += 22 * u
			}
		}
		y += float64(min(column, 1))*22*u + 4*u
	}
	for _, part := range a.wrap(v.verdict(), strong, b.w) {
		if y+12*u > a.h {
			return
		}
		l.label(part, x, y+12*u, strong, t.Ink, left)
		y += 17 * u
	}
	best := !v.bent && v.path.Schedule == "varopt"
	if s := a.say("Begin from the optimum"); num.Finite(v.best) && !best && y+20*u < a.h && len(v.p.own.beta) > 0 {
		a.link(l, s, x, y+18*u, plain, t.Ink, 8, action{do: func(point) { v.p.fromOptimum() }})
	}
}
