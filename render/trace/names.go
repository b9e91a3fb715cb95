package trace

import (
	"cmp"
	"slices"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/render/chart"
	"logzlab/render/paint"
)

// names are the labels at the right of the chart: of the curves, of the exact value and of the bounds.
type names struct {
	plates []plate
	lead   float64 // space for leader lines between the chart and the names, in pixels
	pitch  float64 // distance of names
}

// plate is a label.
type plate struct {
	logZ, y     float64 // value, and y coordinate of the label in pixels
	name, value string
	curve       int // index of a curve, or one of the following constants
	style       chart.Style
}

// Labels of other things than curves.
const (
	exactPlate = -1 - iota
	boundPlate
	runPlate // a heading above the readers of a run
)

// list lists the labels from top to bottom, sorted by value. If there are many methods, the readers of one run are
// grouped below a heading with the cost of the run.
func (v *view) list() {
	a, t := v.a, v.a.Theme
	var groups [][]plate
	finest, bounds := 0.0, 0
	for i := range v.cs {
		c, e := &v.cs[i], v.cs[i].last()
		if bounded(e) {
			bounds++
		}
		if e.SE > 0 && (finest == 0 || e.SE < finest) {
			finest = e.SE
		}
		if slices.ContainsFunc(v.cs[:i], func(d curve) bool { return d.run == c.run }) {
			continue // grouped with the first reader
		}
		var g []plate
		for j := i; j < len(v.cs); j++ {
			if q := v.cs[j].last(); v.cs[j].run == c.run {
				s := chart.Method(t, v.cs[j].order, "")
				s.Hollow = !q.Final
				g = append(g, plate{q.LogZ, 0, v.cs[j].name, format.Value(q.LogZ, q.SE), j, s})
			}
		}
		slices.SortStableFunc(g, func(m, n plate) int { return cmp.Compare(n.logZ, m.logZ) })
		if len(g) > 1 && v.many {
			head := plate{g[0].logZ, 0, a.Say("one run"), format.SI(e.Sweeps, 2), runPlate, chart.Style{}}
			g = append([]plate{head}, g...)
		}
		groups = append(groups, g)
	}
	put := func(logZ, se float64, name string, kind int, s chart.Style) {
		groups = append(groups, []plate{{logZ, 0, a.Say(name), format.Value(logZ, se), kind, s}})
	}
	if v.p.HasTruth {
		put(v.p.Truth, finest, "exact", exactPlate, chart.Style{Color: t.Ink, Width: 1.5})
	}

	// The bounds of one method are labelled; with several the fill shows them, and the table has the numbers.
	for i := range v.cs {
		if e := v.cs[i].last(); bounds == 1 && !v.many && bounded(e) {
			put(e.Upper, e.SE, "upper", boundPlate, v.edge())
			put(e.Lower, e.SE, "lower", boundPlate, v.edge())
		}
	}

	mean := func(g []plate) (m float64) {
		for _, n := range g {
			m += n.logZ / float64(len(g))
		}
		return m
	}
	slices.SortStableFunc(groups, func(g, h []plate) int { return cmp.Compare(mean(h), mean(g)) })
	v.plates = slices.Concat(groups...)
	if v.lead = 12 * a.Unit; v.many {
		v.lead = 30 * a.Unit
	}
}

// gutter returns the width of the labels. On a phone they have no values.
func (v *view) gutter() (wide float64) {
	a, u := v.a, v.a.Unit
	if !a.Compact() {
		wide = 94*u + v.lead
	}
	for _, n := range v.plates {
		need := a.Fonts.Width(n.name, paint.Strong) + 20*u + v.lead
		if !a.Compact() {
			need += 6*u + 12*u + a.Fonts.Width(n.value, paint.Plain)
		}
		wide = max(wide, need)
	}
	return min(wide, 0.43*a.W)
}

// place spreads the labels vertically.
func (v *view) place() {
	u, b := v.a.Unit, v.value.Plot()
	ys := make([]float64, len(v.plates))
	for i, n := range v.plates {
		ys[i] = v.at(n.logZ)
	}
	lo, hi := b.Y-4*u, b.Y+b.H
	v.pitch = 17 * u
	if n := float64(len(ys) - 1); n*v.pitch > hi-lo { // there is also space below the chart of values
		if v.errs != nil {
			hi = v.errs.Plot().Y + v.errs.Plot().H
		}
		v.pitch = min(v.pitch, max((hi-lo)/n, 12*u))
	}
	for i, y := range paint.Spread(ys, v.pitch, lo, hi) {
		v.plates[i].y = y
	}
}

// highlight selects the highlighted method among many: the one whose label the pointer is on, the one selected by the
// viewer, or the one on the page, in this order.
func (v *view) highlight() {
	for _, want := range [...]string{v.p.Focus, v.s.selected} {
		if i := slices.IndexFunc(v.cs, func(c curve) bool { return c.method == want }); i >= 0 {
			v.highlightIndex = i
		}
	}
	for _, n := range v.plates {
		if n.curve >= 0 && v.a.Pointed(v.box(n)) {
			v.highlightIndex = n.curve
		}
	}
}

// left returns the left end of the labels.
func (v *view) left() float64 {
	b := v.value.Plot()
	return b.X + b.W + v.lead
}

// end returns the right end of the labels.
func (v *view) end() float64 {
	b := v.value.Box()
	return b.X + b.W
}

// box returns the box of a label.
func (v *view) box(n plate) paint.Rect {
	x := v.left() - 8*v.a.Unit
	return paint.XYWH(x, n.y-v.pitch/2, v.a.W-x, v.pitch)
}

// write draws the labels. If there are many methods, leader lines connect them with their curves, and a tap on a label
// selects the method.
func (v *view) write(l *paint.Layer) {
	a, u, t, x := v.a, v.a.Unit, v.a.Theme, v.left()
	v.runLines(l)
	for _, n := range v.plates {
		name, value, ink, at := paint.Strong, paint.Plain, t.Ink, x+15*u
		switch n.curve {
		case runPlate:
			name, value, ink, at = paint.Tick, paint.Tick, t.Ink3, x-2*u
		case boundPlate:
			name, ink = paint.Plain, t.Ink2
		case exactPlate:
		default:
			if method := v.cs[n.curve].method; v.many {
				a.OnTap(v.box(n), paint.Action{Do: func(paint.Point) { v.s.selected = method }})
			}
			if !v.highlighted(n.curve) {
				name = paint.Plain
			}
		}
		if n.curve != runPlate {
			if v.many {
				v.leader(l, n)
			}
			n.style.Swatch(l, a, x-u, n.y, 10*u)
		}
		l.Label(n.name, at, n.y+4*u, name, ink, paint.Left)
		if !a.Compact() && at+8*u+a.Fonts.Width(n.name, name)+a.Fonts.Width(n.value, value) <= v.end() {
			l.Label(n.value, v.end(), n.y+4*u, value, ink, paint.Right)
		}
	}
}

// leader draws a line from the end of a curve to its label.
func (v *view) leader(l *paint.Layer, n plate) {
	u, b := v.a.Unit, v.value.Plot()
	y := min(max(v.at(n.logZ), b.Y), b.Y+b.H)
	m := paint.Mark{Kind: paint.Stroke, Pts: []paint.Point{{X: b.X + b.W + 5*u, Y: y}, {X: v.left() - 9*u, Y: n.y}},
		Width: v.a.Hairline(), Color: v.a.Theme.Line2}
	if n.curve >= 0 && v.highlighted(n.curve) {
		m.Color, m.Width = v.a.Theme.Ink, 1.25*u
	}
	l.Add(m)
}

// runLines draws a vertical line along the readers of each run.
func (v *view) runLines(l *paint.Layer) {
	u := v.a.Unit
	for i, n := range v.plates {
		if n.curve != runPlate {
			continue
		}
		last := i + 1
		for last+1 < len(v.plates) && v.plates[last+1].curve >= 0 &&
			v.cs[v.plates[last+1].curve].run == v.cs[v.plates[i+1].curve].run {
			last++
		}
		l.VLine(v.a, v.left()-7*u, n.y-5*u, v.plates[last].y+7*u, v.a.Theme.Line2)
	}
}

// Key selects the next or previous of many methods with the arrow keys; Escape ends the selection.
func (s *trace) Key(key string) bool {
	p := s.Run
	way := map[string]int{"ArrowDown": 1, "ArrowUp": -1}[key]
	if key == "Escape" && s.selected != "" {
		s.selected = ""
		return true
	}
	if way == 0 || len(p.Curves) <= few {
		return false
	}
	now := slices.IndexFunc(p.Curves, func(c frame.Curve) bool { return c.Method == s.selected })
	if now < 0 {
		now = slices.IndexFunc(p.Curves, func(c frame.Curve) bool { return c.Method == p.Focus })
	}
	n := len(p.Curves)
	s.selected = p.Curves[(max(now, 0)+way+n)%n].Method
	return true
}
