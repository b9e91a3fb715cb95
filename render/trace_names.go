package render

import (
	"math"
	"slices"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/core/num"
)

// nameplate is a line of the names at the right ends of curves.
type nameplate struct {
	y           float64 // of what it names, then its own
	end         float64 // of what it names
	name, value string
	curve       int // index, or one of the following
	so          bool
}

// What else is named.
const (
	exactPlate = -1 - iota
	boundPlate
	runPlate // above the readers of a run
)

// plates lists the names from top to bottom: by value, but readers of one run stay together under a line that says
// what the run cost. It returns how far the names stand from the chart: leaders need room.
func (d *chart) plates(a *area, p *Picture, cs []curve) (lead float64) {
	type group struct {
		mean float64
		list []nameplate
	}
	var groups []group
	put := func(list ...nameplate) {
		g := group{list: list}
		for _, n := range list {
			g.mean += n.y / float64(len(list))
		}
		groups = append(groups, g)
	}
	bounded, finest := 0, 0.0
	for i := range cs {
		e := cs[i].last()
		if num.Finite(e.Upper - e.Lower) {
			bounded++
		}
		if e.SE > 0 && (finest == 0 || e.SE < finest) {
			finest = e.SE
		}
		if slices.ContainsFunc(cs[:i], func(c curve) bool { return c.run == cs[i].run }) {
			continue // it stands with the first reader
		}
		var list []nameplate
		for j := i; j < len(cs); j++ {
			if q := cs[j].last(); cs[j].run == cs[i].run {
				list = append(list, nameplate{d.value.at(q.LogZ), 0, cs[j].name, format.Value(q.LogZ, q.SE), j, !q.Final})
			}
		}
		slices.SortStableFunc(list, func(m, n nameplate) int { return order(m.y, n.y) })
		if len(list) > 1 && d.many {
			says := a.say("one run")
			list = append([]nameplate{{list[0].y, 0, says, format.Short(e.Sweeps, 2), runPlate, false}}, list...)
		}
		put(list...)
	}
	if p.hasTruth {
		put(nameplate{d.value.at(p.truth), 0, a.say("exact"), format.Value(p.truth, finest), exactPlate, false})
	}
	// One sandwich can be named; with several the fill tells, the table has numbers.
	for i := range cs {
		if e := cs[i].last(); bounded == 1 && !a.compact() && !d.many && num.Finite(e.Upper-e.Lower) {
			put(nameplate{d.value.at(e.Upper), 0, a.say("upper"), format.Value(e.Upper, e.SE), boundPlate, false})
			put(nameplate{d.value.at(e.Lower), 0, a.say("lower"), format.Value(e.Lower, e.SE), boundPlate, false})
		}
	}
	slices.SortStableFunc(groups, func(g, h group) int { return order(g.mean, h.mean) })
	for _, g := range groups {
		d.names = append(d.names, g.list...)
	}
	if d.many {
		return 30 * a.u
	}
	return 12 * a.u
}

// order is that of numbers, equal where one is not a number.
func order(x, y float64) int {
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}

// gutter is the width that the names take.
func (d *chart) gutter(a *area, lead float64) (wide float64) {
	u := a.u
	if !a.compact() {
		wide = 118*u + lead
	}
	for _, n := range d.names {
		need := a.fonts.width(n.name, strong) + 26*u + lead
		if d.many && !a.compact() {
			need += 12*u + a.fonts.width(n.value, plain) + d.pad
		}
		wide = max(wide, need)
	}
	return min(wide, 0.46*a.w)
}

// place moves the names apart.
func (d *chart) place() {
	ys := make([]float64, len(d.names))
	for i, n := range d.names {
		ys[i] = n.y
	}
	lo, hi := d.value.p1-4*d.unit, d.value.p0
	d.pitch = 17 * d.unit
	if n := float64(len(ys) - 1); n*d.pitch > hi-lo { // below the chart of values there is room, too
		hi = max(hi, d.err.p0)
		d.pitch = min(d.pitch, max((hi-lo)/n, 12*d.unit))
	}
	for i, y := range spread(ys, d.pitch, lo, hi) {
		d.names[i].end, d.names[i].y = d.names[i].y, y
	}
}

// light finds the method that stands out among many.
func (d *chart) light(a *area, p *Picture, cs []curve) {
	if !d.many {
		return
	}
	d.bright = cs[0].order
	for _, want := range [...]string{p.focus, p.lit} {
		for i := range cs {
			if cs[i].method == want {
				d.bright = cs[i].order
			}
		}
	}
	for _, n := range d.names { // the name at the pointer
		if n.curve >= 0 && a.asks(d.plate(a, n)) {
			d.bright = cs[n.curve].order
		}
	}
}

// plate is the box of a name.
func (d *chart) plate(a *area, n nameplate) rect {
	return rect{d.labels - 8*a.u, n.y - d.pitch/2, a.w - d.labels + 8*a.u, d.pitch}
}

// stands tells whether the bands of curve i are drawn.
func (d *chart) stands(order int) bool { return !d.many || order == d.bright }

// turns is the order of drawing: what stands out comes last.
func (d *chart) turns(cs []curve) (out []int) {
	last := -1
	for i := range cs {
		if d.many && cs[i].order == d.bright {
			last = i
		} else {
			out = append(out, i)
		}
	}
	if last >= 0 {
		out = append(out, last)
	}
	return out
}

// endLabels writes the names, and leads to each of many from the end of its line.
func (d *chart) endLabels(a *area, p *Picture, cs []curve, l *layer) {
	t, u := a.theme, a.u
	d.runBrackets(a, cs, l)
	for _, n := range d.names {
		st, ink, y := strong, t.Ink, n.y
		switch {
		case n.curve >= 0:
			c := &cs[n.curve]
			if d.many {
				d.leader(a, l, n, c.order == d.bright)
				if c.order != d.bright {
					st = plain
				}
				a.on(d.plate(a, n), action{do: func(point) { p.lit = c.method }})
			}
			l.glyph(a, c.order, d.labels+4*u, y, 4*u, n.so)
		case n.curve == exactPlate:
			if d.many {
				d.leader(a, l, n, false)
			}
			l.add(mark{kind: stroke, pts: []point{{d.labels - u, y}, {d.labels + 9*u, y}}, width: 1.5 * u, color: t.Ink})
		case n.curve == boundPlate:
			st, ink = plain, t.Ink2
			l.add(mark{kind: stroke, pts: []point{{d.labels - u, y}, {d.labels + 9*u, y}}, width: a.hair(),
				dash: [2]float64{2 * u, 3 * u}, color: t.Ink3})
		case n.curve == runPlate:
			st, ink = tick, t.Ink3
		}
		x := d.labels + 15*u
		if n.curve == runPlate {
			x = d.labels - 2*u
		}
		l.label(n.name, x, y+4*u, st, ink, left)
		value := plain
		if n.curve == runPlate {
			value = tick
		}
		if !a.compact() && x+8*u+a.fonts.width(n.name, st)+a.fonts.width(n.value, value) <= d.edge {
			l.label(n.value, d.edge, y+4*u, value, ink, right)
		}
	}
}

// leader joins the end of a line with its name.
func (d *chart) leader(a *area, l *layer, n nameplate, bright bool) {
	end := min(max(n.end, d.value.p1), d.value.p0)
	x0, x1 := d.cost.p1+5*a.u, d.labels-9*a.u
	m := mark{kind: stroke, pts: []point{{x0, end}, {x1, n.y}}, width: a.hair(), color: a.theme.Line2}
	if bright {
		m.color, m.width = a.theme.Ink, 1.25*a.u
	}
	if math.Abs(end-n.y) < 0.5 {
		m.pts[1].y = end
	}
	l.add(m)
}

// runBrackets holds the readers of one run together.
func (d *chart) runBrackets(a *area, cs []curve, l *layer) {
	for i, n := range d.names {
		if n.curve != runPlate {
			continue
		}
		run, last := cs[d.names[i+1].curve].run, i+1
		for j := last; j < len(d.names) && d.names[j].curve >= 0 && cs[d.names[j].curve].run == run; j++ {
			last = j
		}
		l.vline(a, d.labels-7*a.u, n.y-5*a.u, d.names[last].y+7*a.u, a.theme.Line2)
	}
}

// lightNext picks the next or the previous of many methods out, by the arrow keys.
func (p *Picture) lightNext(key string) bool {
	way := map[string]int{"ArrowDown": 1, "ArrowUp": -1}[key]
	if key == "Escape" && p.lit != "" {
		p.lit = ""
		return true
	}
	if way == 0 || len(p.curves) <= few {
		return false
	}
	now := slices.IndexFunc(p.curves, func(c frame.Curve) bool { return c.Method == p.lit })
	if now < 0 {
		now = slices.IndexFunc(p.curves, func(c frame.Curve) bool { return c.Method == p.focus })
	}
	n := len(p.curves)
	p.lit = p.curves[(max(now, 0)+way+n)%n].Method
	return true
}
