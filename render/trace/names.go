package trace

import (
	"cmp"
	"slices"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/render/chart"
	"logzlab/render/paint"
)

// names are the lines at the right of the chart: of the curves, of the exact value and of the bounds.
type names struct {
	plates []plate
	lead   float64 // from the chart to the names, in pixels: leaders need room
	pitch  float64 // between names
}

// plate is a line of the names.
type plate struct {
	logZ, y     float64 // of what it names, and its own height in pixels
	name, value string
	curve       int // place among the curves, or one of the following
	style       chart.Style
}

// What else is named.
const (
	exactPlate = -1 - iota
	boundPlate
	runPlate // above the readers of a run
)

// list lists the names from top to bottom: by value, but of many methods the readers of one run stay together under a
// line that says what the run cost.
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
			continue // it stands with the first reader
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

	// One sandwich can be named; with several the fill tells, the table has numbers.
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

// gutter is the width that the names take. On a phone they have no values.
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

// place moves the names apart.
func (v *view) place() {
	u, b := v.a.Unit, v.value.Plot()
	ys := make([]float64, len(v.plates))
	for i, n := range v.plates {
		ys[i] = v.at(n.logZ)
	}
	lo, hi := b.Y-4*u, b.Y+b.H
	v.pitch = 17 * u
	if n := float64(len(ys) - 1); n*v.pitch > hi-lo { // below the chart of values there is room, too
		if v.errs != nil {
			hi = v.errs.Plot().Y + v.errs.Plot().H
		}
		v.pitch = min(v.pitch, max((hi-lo)/n, 12*u))
	}
	for i, y := range paint.Spread(ys, v.pitch, lo, hi) {
		v.plates[i].y = y
	}
}

// light finds the method that stands out among many: that of the name at the pointer, else the one that the viewer
// picked, else the one on the page.
func (v *view) light() {
	for _, want := range [...]string{v.p.Focus, v.s.lit} {
		if i := slices.IndexFunc(v.cs, func(c curve) bool { return c.method == want }); i >= 0 {
			v.bright = i
		}
	}
	for _, n := range v.plates {
		if n.curve >= 0 && v.a.Pointed(v.box(n)) {
			v.bright = n.curve
		}
	}
}

// left is where the names begin.
func (v *view) left() float64 {
	b := v.value.Plot()
	return b.X + b.W + v.lead
}

// end is the right end of the names.
func (v *view) end() float64 {
	b := v.value.Box()
	return b.X + b.W
}

// box is that of a name.
func (v *view) box(n plate) paint.Rect {
	x := v.left() - 8*v.a.Unit
	return paint.XYWH(x, n.y-v.pitch/2, v.a.W-x, v.pitch)
}

// write writes the names. Of many methods leaders come from the ends of their lines, and a tap on a name picks the
// method.
func (v *view) write(l *paint.Layer) {
	a, u, t, x := v.a, v.a.Unit, v.a.Theme, v.left()
	v.hold(l)
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
				a.OnTap(v.box(n), paint.Action{Do: func(paint.Point) { v.s.lit = method }})
			}
			if !v.stands(n.curve) {
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

// leader joins the end of a line with its name.
func (v *view) leader(l *paint.Layer, n plate) {
	u, b := v.a.Unit, v.value.Plot()
	y := min(max(v.at(n.logZ), b.Y), b.Y+b.H)
	m := paint.Mark{Kind: paint.Stroke, Pts: []paint.Point{{X: b.X + b.W + 5*u, Y: y}, {X: v.left() - 9*u, Y: n.y}},
		Width: v.a.Hairline(), Color: v.a.Theme.Line2}
	if n.curve >= 0 && v.stands(n.curve) {
		m.Color, m.Width = v.a.Theme.Ink, 1.25*u
	}
	l.Add(m)
}

// hold draws a line beside the readers of one run.
func (v *view) hold(l *paint.Layer) {
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
