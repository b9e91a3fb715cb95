package render

import (
	"image/color"
	"math"
	"slices"
	"strconv"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/render/paint"
)

var _ = register(scene{name: "graph", draw: graphScene, moves: (*Picture).playing, key: (*Picture).turnGraph,
	tell: tellGraph})

// graphScene shows a particle as the states of the variables of a graph: edges whose coupling is not satisfied stand
// out, and a tap flips the sign of a coupling. Beside it, how ordered the particles are at each temperature.
func graphScene(a *paint.Area, p *Picture) []paint.Layer {
	u, pad := a.Unit, 24*a.Unit
	if a.Compact() {
		pad = 16 * u
	}
	if p.places.of == nil || a.W < 160*u || a.H < 160*u {
		return []paint.Layer{paint.Note(a, "No graph yet")}
	}
	live, w, among := p.pickHeld(a, func(w *wall) bool { return w.w == p.places.of.W && w.h == p.places.of.H })
	var top, back, front paint.Layer
	down := 0.0
	if live != nil {
		down = header(a, p, &top, pad, live, among)
		if live.recorded() && a.H >= 200*u {
			a = p.barBelow(a, &top, live)
		}
		if live.tempered() {
			a = columnBeside(a, &top, p.level(live, a), down)
		}
	}
	box := paint.XYWH(pad, 28*u+down, a.W-2*pad, a.H-44*u-down)
	v := &graphView{a: a, p: p, w: w, g: p.places.of, box: box}
	if w != nil && w.tempered() && box.W > 560*u && box.H > 200*u {
		side := 0.3 * box.W
		v.box.W -= side + 32*u
		ordered(a, &back, w, paint.XYWH(box.X+box.W-side+28*u, box.Y+10*u, side-28*u, box.H-44*u))
	}
	v.at, v.pitch = p.places.in(v.box, 14*u)
	v.edges(&back)
	v.nodes(&front)
	v.title(&top, pad, 17*u+down)
	return []paint.Layer{back, front, top}
}

// graphView is the geometry of a particle on its graph.
type graphView struct {
	a     *paint.Area
	p     *Picture
	w     *wall // nil: no rows yet
	g     *frame.Graph
	box   paint.Rect
	at    []paint.Point
	pitch float64
}

// cells are the states of the particle on show, nil before there is one.
func (v *graphView) cells() []byte {
	if v.w == nil || len(v.w.slots) == 0 {
		return nil
	}
	s := &v.w.slots[v.p.graphRow%len(v.w.slots)]
	if !s.filled || len(s.cells) < len(v.g.States) {
		return nil
	}
	return s.cells
}

// strained reports whether a coupling is not satisfied.
func (v *graphView) strained(cells []byte, edge int) bool {
	x, y := cells[v.g.Edges[2*edge]], cells[v.g.Edges[2*edge+1]]
	return x < 2 && y < 2 && (x == y) != (v.g.J[edge] > 0)
}

// strainColour is that of couplings that are not satisfied.
func strainColour(t *paint.Theme) color.RGBA {
	if t.Dark {
		return color.RGBA{0xff, 0x6b, 0x62, 0xff}
	}
	return color.RGBA{0xc8, 0x1e, 0x2b, 0xff}
}

// edges draws the edges, those that are not satisfied thick and red, a bar across the middle of negative couplings, and
// takes taps on them.
func (v *graphView) edges(l *paint.Layer) {
	t, u := v.a.Theme, v.a.Unit
	cells := v.cells()
	plain := paint.Mark{Kind: paint.Segments, Width: 1.25 * u * t.Stroke, Color: t.Line2}
	bad := paint.Mark{Kind: paint.Segments, Width: 3 * u * t.Stroke, Color: strainColour(t)}
	for e := range len(v.g.Edges) / 2 {
		a, b := v.at[v.g.Edges[2*e]], v.at[v.g.Edges[2*e+1]]
		coupling := e < len(v.g.J)
		m := &plain
		if coupling && cells != nil && v.strained(cells, e) {
			m = &bad
		}
		mid := paint.Pt((a.X+b.X)/2, (a.Y+b.Y)/2)
		if far := v.around(e); far { // over the edge of a torus: a stub at either end
			d := paint.Pt(sign(a.X-b.X), sign(a.Y-b.Y))
			m.Pts = append(m.Pts, a, paint.Pt(a.X+.45*v.pitch*d.X, a.Y+.45*v.pitch*d.Y),
				b, paint.Pt(b.X-.45*v.pitch*d.X, b.Y-.45*v.pitch*d.Y))
			mid = paint.Pt(a.X+.4*v.pitch*d.X, a.Y+.4*v.pitch*d.Y)
		} else {
			m.Pts = append(m.Pts, a, b)
		}
		if !coupling {
			continue
		}
		if long := math.Hypot(b.X-a.X, b.Y-a.Y); v.g.J[e] < 0 && long > 0 {
			c := min(.22*v.pitch, 5*u)
			n := paint.Pt(-(b.Y-a.Y)/long*c, (b.X-a.X)/long*c)
			m.Pts = append(m.Pts, paint.Pt(mid.X-n.X, mid.Y-n.Y), paint.Pt(mid.X+n.X, mid.Y+n.Y))
		}
		r := max(.3*v.pitch, 5*u)
		hit := paint.XYWH(mid.X-r, mid.Y-r, 2*r, 2*r)
		v.a.OnTap(hit, paint.Action{Do: func(paint.Point) { v.p.flip(e) }})
		if v.a.Pointed(hit) {
			v.a.Pointer.Offer(0, 1, mid, 0, hit, func() string { return v.p.readEdge(v.a, e) })
		}
		if v.p.graphOn && v.p.graphEdge == e {
			l.Add(paint.Mark{Kind: paint.Disc, At: mid, R: max(.34*v.pitch, 8*u), Hollow: 2 * u, Color: t.Ink})
		}
	}
	l.Add(plain, bad)
}

func sign(x float64) float64 {
	switch {
	case x > .5:
		return 1
	case x < -.5:
		return -1
	}
	return 0
}

// around reports whether an edge joins opposite sides of a torus.
func (v *graphView) around(e int) bool {
	a, b := int(v.g.Edges[2*e]), int(v.g.Edges[2*e+1])
	if !v.g.Grid {
		return false
	}
	dx, dy := a%v.g.W-b%v.g.W, a/v.g.W-b/v.g.W
	return max(dx, -dx) > 1 || max(dy, -dy) > 1
}

// nodes draws the variables: spins as rings and discs, others by colour and shape.
func (v *graphView) nodes(l *paint.Layer) {
	t, u := v.a.Theme, v.a.Unit
	cells := v.cells()
	r := min(max(.27*v.pitch, 2*u), 11*u)
	shapes := [...]paint.Kind{paint.Disc, paint.Square, paint.Diamond}
	for i, at := range v.at {
		l.Add(paint.Mark{Kind: paint.Disc, At: at, R: r + 1.5*u, Color: t.Ground})
		m := paint.Mark{Kind: paint.Disc, At: at, R: r, Color: t.Ink2, Hollow: max(1.25*u, .16*r)}
		switch {
		case cells == nil || v.g.States[i] == 2 && cells[i] > 1: // not there
			m.Color, m.R = t.Line2, .5*r
		case v.g.States[i] == 2 && cells[i] == 1:
			m.Color, m.Hollow = t.Ink, 0
		case v.g.States[i] > 2:
			k := min(int(cells[i]), len(shapes)-1)
			m.Kind, m.Color, m.Hollow = shapes[k], t.Method(k), 0
		}
		l.Add(m)
	}
}

// title says which particle is on show, and how many of its couplings are not satisfied.
func (v *graphView) title(l *paint.Layer, x, y float64) {
	a, t, u := v.a, v.a.Theme, v.a.Unit
	cells := v.cells()
	if cells == nil {
		return
	}
	s := a.Say("Particle") + " " + strconv.Itoa(v.p.graphRow%len(v.w.slots)+1)
	l.Label(s, x, y, paint.Strong, t.Ink, paint.Left)
	end := x + a.Fonts.Width(s, paint.Strong) + 12*u
	if n := len(v.g.J); n > 0 {
		bad := 0
		for e := range n {
			if v.strained(cells, e) {
				bad++
			}
		}
		s = format.Grouped(float64(bad), 0) + " " + a.Say("of") + " " + format.Grouped(float64(n), 0) + " " +
			a.Say("couplings not satisfied")
		if end+a.Fonts.Width(s, paint.Plain) < v.box.X+v.box.W {
			l.Label(s, end, y, paint.Plain, strainColour(t), paint.Left)
			end += a.Fonts.Width(s, paint.Plain) + 16*u
		}
	}
	s = a.Say("Next particle")
	if end+a.Fonts.Width(s, paint.Plain) < v.box.X+v.box.W && !a.Print {
		a.Link(l, s, end, y, paint.Plain, t.Ink2, 8, paint.Action{Do: func(paint.Point) { v.p.graphRow++ }})
	}
}

// ordered draws how ordered each particle was at the temperatures of its record: the share of its variables that are in
// the state that most of them are in.
func ordered(a *paint.Area, l *paint.Layer, w *wall, b paint.Rect) {
	t, u := a.Theme, a.Unit
	x, y := paint.NewAxis(0, 1, b.X+28*u, b.X+b.W), paint.NewAxis(0, 1, b.Y+b.H, b.Y+24*u)
	l.Label(a.Say("In the most common state"), b.X, b.Y+8*u, paint.Strong, t.Ink, paint.Left)
	a.GridLines(l, x, y, []float64{0, .5, 1}, func(q float64) string { return format.AtMost(100*q, 0) + "\u00a0%" })
	for _, q := range []float64{0, .5, 1} {
		l.Label(format.AtMost(q, 1), x.At(q), y.P0+16*u, paint.Tick, t.Ink3, paint.Centre)
	}
	l.Label("\u03b2", x.At(.75), y.P0+16*u, paint.Tick, t.Ink3, paint.Centre)
	dots := paint.Mark{Kind: paint.Dots, Width: 0}
	put := func(beta float64, cells []byte, r float64) {
		if len(cells) == 0 || !num.Known(beta) {
			return
		}
		var count [3]int
		for _, c := range cells {
			count[min(c, 2)]++
		}
		dots.Pts = append(dots.Pts, paint.Pt(x.At(beta), y.At(float64(slices.Max(count[:]))/float64(len(cells)))))
		dots.Radii, dots.Colors = append(dots.Radii, r), append(dots.Colors, paint.Fade(t.BetaColor(beta), .8))
	}
	for i := range w.slots {
		s := &w.slots[i]
		for k := range s.shots {
			if q := &s.shots[k]; q.ok {
				put(q.beta, q.cells, 1.5*u)
			}
		}
		put(s.beta, s.cells, 3.5*u)
	}
	l.Add(dots)
}
