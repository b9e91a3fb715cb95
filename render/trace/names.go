package trace

import (
	"math"
	"slices"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/render/paint"
	"logzlab/render/record"
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
func (d *Chart) plates(a *paint.Area, p *record.Run, cs []Curve) (lead float64) {
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

	// The readers of one run stand together.
	bounded, finest := 0, 0.0
	for i := range cs {
		e := cs[i].Last()
		if num.Finite(e.Upper - e.Lower) {
			bounded++
		}
		if e.SE > 0 && (finest == 0 || e.SE < finest) {
			finest = e.SE
		}
		if slices.ContainsFunc(cs[:i], func(c Curve) bool { return c.run == cs[i].run }) {
			continue // it stands with the first reader
		}
		var list []nameplate
		for j := i; j < len(cs); j++ {
			if q := cs[j].Last(); cs[j].run == cs[i].run {
				list = append(list, nameplate{d.value.At(q.LogZ), 0, cs[j].Name, format.Value(q.LogZ, q.SE), j, !q.Final})
			}
		}
		slices.SortStableFunc(list, func(m, n nameplate) int { return order(m.y, n.y) })
		if len(list) > 1 && d.many {
			says := a.Say("one run")
			list = append([]nameplate{{list[0].y, 0, says, format.Short(e.Sweeps, 2), runPlate, false}}, list...)
		}
		put(list...)
	}
	if p.HasTruth {
		put(nameplate{d.value.At(p.Truth), 0, a.Say("exact"), format.Value(p.Truth, finest), exactPlate, false})
	}

	// One sandwich can be named; with several the fill tells, the table has numbers.
	for i := range cs {
		if e := cs[i].Last(); bounded == 1 && !d.many && num.Finite(e.Upper-e.Lower) {
			put(nameplate{d.value.At(e.Upper), 0, a.Say("upper"), format.Value(e.Upper, e.SE), boundPlate, false})
			put(nameplate{d.value.At(e.Lower), 0, a.Say("lower"), format.Value(e.Lower, e.SE), boundPlate, false})
		}
	}

	slices.SortStableFunc(groups, func(g, h group) int { return order(g.mean, h.mean) })
	for _, g := range groups {
		d.names = append(d.names, g.list...)
	}
	if d.many {
		return 30 * a.Unit
	}
	return 12 * a.Unit
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
func (d *Chart) gutter(a *paint.Area, lead float64) (wide float64) {
	u := a.Unit
	if !a.Compact() {
		wide = 118*u + lead
	}
	for _, n := range d.names {
		need := a.Fonts.Width(n.name, paint.Strong) + 26*u + lead
		if !a.Compact() {
			need += 12*u + a.Fonts.Width(n.value, paint.Plain) + d.pad
		}
		wide = max(wide, need)
	}
	return min(wide, 0.46*a.W)
}

// place moves the names apart.
func (d *Chart) place() {
	ys := make([]float64, len(d.names))
	for i, n := range d.names {
		ys[i] = n.y
	}
	lo, hi := d.value.P1-4*d.unit, d.value.P0
	d.pitch = 17 * d.unit
	if n := float64(len(ys) - 1); n*d.pitch > hi-lo { // below the chart of values there is room, too
		hi = max(hi, d.Err.P0)
		d.pitch = min(d.pitch, max((hi-lo)/n, 12*d.unit))
	}
	for i, y := range paint.Spread(ys, d.pitch, lo, hi) {
		d.names[i].end, d.names[i].y = d.names[i].y, y
	}
}

// light finds the method that stands out among many.
func (d *Chart) light(a *paint.Area, p *record.Run, lit string, cs []Curve) {
	if !d.many {
		return
	}
	d.bright = cs[0].Order
	for _, want := range [...]string{p.Focus, lit} {
		for i := range cs {
			if cs[i].method == want {
				d.bright = cs[i].Order
			}
		}
	}
	for _, n := range d.names { // the name at the pointer
		if n.curve >= 0 && a.Pointed(d.plate(a, n)) {
			d.bright = cs[n.curve].Order
		}
	}
}

// plate is the box of a name.
func (d *Chart) plate(a *paint.Area, n nameplate) paint.Rect {
	return paint.XYWH(d.labels-8*a.Unit, n.y-d.pitch/2, a.W-d.labels+8*a.Unit, d.pitch)
}

// stands tells whether the bands of curve i are drawn.
func (d *Chart) stands(order int) bool { return !d.many || order == d.bright }

// turns is the order of drawing: what stands out comes last.
func (d *Chart) turns(cs []Curve) (out []int) {
	last := -1
	for i := range cs {
		if d.many && cs[i].Order == d.bright {
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
func (d *Chart) endLabels(a *paint.Area, p *record.Run, cs []Curve, l *paint.Layer) {
	t, u := a.Theme, a.Unit
	d.runBrackets(a, cs, l)

	// The mark of a name, by the kind of plate.
	for _, n := range d.names {
		st, ink, y := paint.Strong, t.Ink, n.y
		switch {
		case n.curve >= 0:
			c := &cs[n.curve]
			if d.many {
				d.leader(a, l, n, c.Order == d.bright)
				if c.Order != d.bright {
					st = paint.Plain
				}
				a.OnTap(d.plate(a, n), paint.Action{Do: func(paint.Point) { d.scene.lit = c.method }})
			}
			l.MethodMark(a, c.Order, d.labels+4*u, y, 4*u, n.so)
		case n.curve == exactPlate:
			if d.many {
				d.leader(a, l, n, false)
			}
			l.Add(paint.Mark{Kind: paint.Stroke, Pts: []paint.Point{{X: d.labels - u, Y: y}, {X: d.labels + 9*u, Y: y}},
				Width: 1.5 * u * t.Stroke, Color: t.Ink})
		case n.curve == boundPlate:
			st, ink = paint.Plain, t.Ink2
			l.Add(edge(a, paint.Pt(d.labels-u, y), paint.Pt(d.labels+9*u, y)))
		case n.curve == runPlate:
			st, ink = paint.Tick, t.Ink3
		}

		// The name, with the value where there is space.
		x := d.labels + 15*u
		if n.curve == runPlate {
			x = d.labels - 2*u
		}
		l.Label(n.name, x, y+4*u, st, ink, paint.Left)
		value := paint.Plain
		if n.curve == runPlate {
			value = paint.Tick
		}
		if !a.Compact() && x+8*u+a.Fonts.Width(n.name, st)+a.Fonts.Width(n.value, value) <= d.edge {
			l.Label(n.value, d.edge, y+4*u, value, ink, paint.Right)
		}
	}
}

// leader joins the end of a line with its name.
func (d *Chart) leader(a *paint.Area, l *paint.Layer, n nameplate, bright bool) {
	end := min(max(n.end, d.value.P1), d.value.P0)
	x0, x1 := d.Cost.P1+5*a.Unit, d.labels-9*a.Unit
	m := paint.Mark{Kind: paint.Stroke, Pts: []paint.Point{{X: x0, Y: end}, {X: x1, Y: n.y}}, Width: a.Hairline(),
		Color: a.Theme.Line2}
	if bright {
		m.Color, m.Width = a.Theme.Ink, 1.25*a.Unit
	}
	if math.Abs(end-n.y) < 0.5 {
		m.Pts[1].Y = end
	}
	l.Add(m)
}

// runBrackets holds the readers of one run together.
func (d *Chart) runBrackets(a *paint.Area, cs []Curve, l *paint.Layer) {
	for i, n := range d.names {
		if n.curve != runPlate {
			continue
		}
		run, last := cs[d.names[i+1].curve].run, i+1
		for j := last; j < len(d.names) && d.names[j].curve >= 0 && cs[d.names[j].curve].run == run; j++ {
			last = j
		}
		l.VLine(a, d.labels-7*a.Unit, n.y-5*a.Unit, d.names[last].y+7*a.Unit, a.Theme.Line2)
	}
}

// Key picks the next or the previous of many methods out, by the arrow keys.
func (s *trace) Key(key string) bool {
	p := s.Run
	way := map[string]int{"ArrowDown": 1, "ArrowUp": -1}[key]
	if key == "Escape" && s.lit != "" {
		s.lit = ""
		return true
	}
	if way == 0 || len(p.Curves) <= few {
		return false
	}
	now := slices.IndexFunc(p.Curves, func(c frame.Curve) bool { return c.Method == s.lit })
	if now < 0 {
		now = slices.IndexFunc(p.Curves, func(c frame.Curve) bool { return c.Method == p.Focus })
	}
	n := len(p.Curves)
	s.lit = p.Curves[(max(now, 0)+way+n)%n].Method
	return true
}
