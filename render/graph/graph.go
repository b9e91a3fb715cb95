// Package graph is the scene of a particle as the states of the variables of a graph. The viewer can flip couplings.
package graph

import (
	"image/color"
	"math"
	"strconv"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/render/paint"
	"logzlab/render/record"
	"logzlab/render/scene"
)

var _ = scene.Register("graph", func(r *record.Run) scene.Scene { return &graphScene{Base: scene.Base{Run: r}} })

// graphScene shows a particle as the states of the variables of a graph. Edges with an unsatisfied coupling are
// emphasized, and a tap flips the sign of a coupling. A chart at the right shows how ordered the particles are at each
// temperature.
type graphScene struct {
	scene.Base
	places     graphPlaces
	measures   measures
	row        int  // the particle that is shown
	edge       int  // the coupling selected by keys
	keysActive bool // keys select couplings
	flipped    bool // a coupling has changed, and TakeEdit has not reported it
}

// Draw implements Scene.
func (s *graphScene) Draw(a *paint.Area) []paint.Layer {
	p := s.Run
	u, pad := a.Unit, 24*a.Unit
	if a.Compact() {
		pad = 16 * u
	}
	if s.places.graph == nil || a.W < 160*u || a.H < 160*u {
		return []paint.Layer{paint.Note(a, "No graph yet")}
	}
	live, w, among := p.PickReplayed(a, func(w *record.Particles) bool {
		return w.W == s.places.graph.W && w.H == s.places.graph.H
	})

	// Around the graph: header, bar of temperatures, and log Z.
	var top, back, front paint.Layer
	down := 0.0
	if live != nil {
		down = record.Header(a, p, &top, pad, live, among)
		if live.HasHistory() && a.H >= 200*u {
			a = p.BarBelow(a, &top, live)
		}
		if live.HasBetas() {
			a = record.DrawColumn(a, &top, p.Level(live, a), down)
		}
	}

	// The graph, and at its right the order by temperature if there is space.
	box := paint.XYWH(pad, 28*u+down, a.W-2*pad, a.H-44*u-down)
	v := &graphView{a: a, s: s, w: w, g: s.places.graph, box: box}
	var charts []paint.Layer
	if w != nil && w.HasBetas() && box.W > 560*u && box.H > 200*u {
		side := 0.3 * box.W
		v.box.W -= side + 32*u
		charts = v.orderCharts(live, paint.XYWH(box.X+box.W-side, box.Y, side, box.H))
	}
	v.at, v.pitch = s.places.in(v.box, 14*u)
	v.edges(&back)
	v.nodes(&front)
	v.title(&top, pad, 17*u+down)
	return append(charts, back, front, top)
}

// Take stores the graph, unless it is older than a coupling that the viewer has just flipped.
func (s *graphScene) Take(f *frame.Frame) {
	if f.Graph != nil && !s.flipped {
		s.places.take(f.Graph)
	}
}

// Clear implements Scene.
func (s *graphScene) Clear() { *s = graphScene{Base: s.Base} }

// TakeEdit returns the couplings that the viewer has flipped.
func (s *graphScene) TakeEdit() string {
	if !s.flipped {
		return ""
	}
	s.flipped = false
	return "flips=" + s.places.graph.Flips
}

// IsAnimating implements Scene.
func (s *graphScene) IsAnimating(still bool) bool { return s.Run.IsPlaying(still) }

// graphView is the layout of a particle on its graph.
type graphView struct {
	a     *paint.Area
	s     *graphScene
	w     *record.Particles // nil: no rows yet
	g     *frame.Graph
	box   paint.Rect
	at    []paint.Point
	pitch float64
}

// cells returns the states of the shown particle, nil if there is none.
func (v *graphView) cells() []byte {
	if v.w == nil || len(v.w.Slots) == 0 {
		return nil
	}
	s := &v.w.Slots[v.s.row%len(v.w.Slots)]
	if !s.Filled || len(s.Cells) < len(v.g.States) {
		return nil
	}
	return s.Cells
}

// unsatisfied reports whether a coupling is not satisfied.
func (v *graphView) unsatisfied(cells []byte, edge int) bool {
	x, y := cells[v.g.Edges[2*edge]], cells[v.g.Edges[2*edge+1]]
	return x < 2 && y < 2 && v.g.J[edge] != 0 && (x == y) != (v.g.J[edge] > 0)
}

// satisfied returns the fraction of couplings that are satisfied.
func (v *graphView) satisfied(cells []byte) float64 {
	bad := 0
	for e := range v.g.J {
		if v.unsatisfied(cells, e) {
			bad++
		}
	}
	return 1 - float64(bad)/float64(max(len(v.g.J), 1))
}

// unsatisfiedColour returns the colour of couplings that are not satisfied.
func unsatisfiedColour(t *paint.Theme) color.RGBA {
	if t.Dark {
		return color.RGBA{0xff, 0x6b, 0x62, 0xff}
	}
	return color.RGBA{0xc8, 0x1e, 0x2b, 0xff}
}

// edges draws the edges: broken for negative couplings, thick and red for unsatisfied ones. It registers taps on them.
func (v *graphView) edges(l *paint.Layer) {
	t, u := v.a.Theme, v.a.Unit
	cells := v.cells()
	plain := paint.Mark{Kind: paint.Segments, Width: 1.25 * u * t.Stroke, Color: t.Line2}
	bad := paint.Mark{Kind: paint.Segments, Width: 3 * u * t.Stroke, Color: unsatisfiedColour(t)}
	for e := range len(v.g.Edges) / 2 {
		a, b := v.at[v.g.Edges[2*e]], v.at[v.g.Edges[2*e+1]]
		coupling := e < len(v.g.J)
		m := &plain
		if coupling && cells != nil && v.unsatisfied(cells, e) {
			m = &bad
		}

		mid := paint.Pt((a.X+b.X)/2, (a.Y+b.Y)/2)
		if far := v.wraps(e); far { // across the boundary of a torus: a stub at both ends
			d := paint.Pt(sign(a.X-b.X), sign(a.Y-b.Y))
			m.Pts = append(m.Pts, a, paint.Pt(a.X+.45*v.pitch*d.X, a.Y+.45*v.pitch*d.Y),
				b, paint.Pt(b.X-.45*v.pitch*d.X, b.Y-.45*v.pitch*d.Y))
			mid = paint.Pt(a.X+.4*v.pitch*d.X, a.Y+.4*v.pitch*d.Y)
		} else if coupling && v.g.J[e] < 0 {
			gap := min(.1, 6*u/max(math.Hypot(b.X-a.X, b.Y-a.Y), 1))
			n := paint.Pt((b.X-a.X)*gap, (b.Y-a.Y)*gap)
			m.Pts = append(m.Pts, a, paint.Pt(mid.X-n.X, mid.Y-n.Y), paint.Pt(mid.X+n.X, mid.Y+n.Y), b)
		} else {
			m.Pts = append(m.Pts, a, b)
		}
		if !coupling {
			continue
		}

		// A coupling has a tap action and a tooltip.
		r := max(.3*v.pitch, 5*u)
		hit := paint.XYWH(mid.X-r, mid.Y-r, 2*r, 2*r)
		v.a.OnTap(hit, paint.Action{Do: func(paint.Point) { v.s.flip(e) }})
		if v.a.Pointed(hit) {
			v.a.Pointer.Offer(0, 1, mid, 0, hit, func() string { return v.s.describeEdge(v.a, e) })
		}
		if v.s.keysActive && v.s.edge == e {
			l.Add(paint.Mark{Kind: paint.Disc, At: mid, R: max(.34*v.pitch, 8*u), Hollow: 2 * u, Color: t.Ink})
		}
	}
	l.Add(plain, bad)
}

// sign returns the sign of x rounded to an integer.
func sign(x float64) float64 {
	switch {
	case x > .5:
		return 1
	case x < -.5:
		return -1
	}
	return 0
}

// wraps reports whether an edge connects opposite sides of a torus.
func (v *graphView) wraps(e int) bool {
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
		case cells == nil || v.g.States[i] == 2 && cells[i] > 1: // unknown
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

// title writes which particle is shown, and how many of its couplings are not satisfied.
func (v *graphView) title(l *paint.Layer, x, y float64) {
	a, t, u := v.a, v.a.Theme, v.a.Unit
	cells := v.cells()
	if cells == nil {
		return
	}
	s := a.Say("Particle") + " " + strconv.Itoa(v.s.row%len(v.w.Slots)+1)
	l.Label(s, x, y, paint.Strong, t.Ink, paint.Left)
	end := x + a.Fonts.Width(s, paint.Strong) + 12*u
	if n := len(v.g.J); n > 0 {
		bad := n - int(math.Round(v.satisfied(cells)*float64(n)))
		s = format.Grouped(float64(bad), 0) + " " + a.Say("of") + " " + format.Grouped(float64(n), 0) + " " +
			a.Say("couplings not satisfied")
		if end+a.Fonts.Width(s, paint.Plain) < v.box.X+v.box.W {
			l.Label(s, end, y, paint.Plain, unsatisfiedColour(t), paint.Left)
			end += a.Fonts.Width(s, paint.Plain) + 16*u
		}
	}
	s = a.Say("Next particle")
	if end+a.Fonts.Width(s, paint.Plain) < v.box.X+v.box.W && !a.Print {
		a.Link(l, s, end, y, paint.Plain, t.Ink2, 8, paint.Action{Do: func(paint.Point) { v.s.row++ }})
	}
}
