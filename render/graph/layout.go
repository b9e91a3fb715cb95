package graph

import (
	"math"
	"slices"

	"logzlab/core/frame"
	"logzlab/render/paint"
)

// graphPlaces are the positions of the variables of a graph, in a box of width 1 and height high, computed once per
// graph.
type graphPlaces struct {
	graph *frame.Graph
	at    []paint.Point
	high  float64
}

// springPairs is the approximate number of pairs of variables that a layout evaluates, in at most springRounds rounds.
const springPairs, springRounds = 3e7, 200

// springs computes a force-directed layout: attraction along edges and repulsion between all pairs
// ([Fruchterman1991]). It is deterministic. gonum has the same layout, but would make the picture's program a fifth
// larger.
func springs(n int, edges []int32) []paint.Point {
	at, force := make([]paint.Point, n), make([]paint.Point, n)
	for v := range at { // initial positions on a spiral
		r, turn := math.Sqrt((float64(v)+.5)/float64(n))/2, float64(v)*math.Pi*(3-math.Sqrt(5))
		at[v] = paint.Pt(r*math.Cos(turn), r*math.Sin(turn))
	}

	// Fewer rounds for a large graph.
	best := 1 / math.Sqrt(float64(n)) // the desired length of an edge
	rounds := min(max(int(springPairs/float64(n*n)), 12), springRounds)
	for round := range rounds {
		clear(force)
		pull := func(v, u int, f func(d float64) float64) {
			dx, dy := at[v].X-at[u].X, at[v].Y-at[u].Y
			d := max(math.Hypot(dx, dy), 1e-6)
			x := f(d) / d
			force[v].X, force[v].Y = force[v].X+x*dx, force[v].Y+x*dy
			force[u].X, force[u].Y = force[u].X-x*dx, force[u].Y-x*dy
		}

		// Repulsion between all pairs, attraction along edges.
		for v := range at {
			for u := range v {
				pull(v, u, func(d float64) float64 { return best * best / d })
			}
			// A weak force to the centre keeps components together.
			force[v].X, force[v].Y = force[v].X-.3*best*at[v].X, force[v].Y-.3*best*at[v].Y
		}
		for e := 0; e+1 < len(edges); e += 2 {
			pull(int(edges[e]), int(edges[e+1]), func(d float64) float64 { return -d * d / best })
		}

		// The step along the force is limited, to less in later rounds.
		hot := .1 * (1 - float64(round)/float64(rounds))
		for v, f := range force {
			long := max(math.Hypot(f.X, f.Y), 1e-12)
			step := min(long, hot) / long
			at[v] = paint.Pt(at[v].X+step*f.X, at[v].Y+step*f.Y)
		}
	}
	return at
}

// take stores a graph, and computes a layout if its edges have changed.
func (p *graphPlaces) take(g *frame.Graph) {
	old := p.graph
	if p.graph = g; old != nil && old.Model == g.Model && slices.Equal(old.Edges, g.Edges) {
		return
	}
	n := len(g.States)
	p.at, p.high = make([]paint.Point, n), 1
	if g.Grid {
		wide := float64(max(g.W-1, 1))
		for v := range p.at {
			p.at[v] = paint.Pt(float64(v%g.W)/wide, float64(v/g.W)/wide)
		}
		p.high = float64(g.H-1) / wide
		return
	}

	p.at = springs(n, g.Edges)
	lo, hi := paint.Pt(math.Inf(1), math.Inf(1)), paint.Pt(math.Inf(-1), math.Inf(-1))
	for _, c := range p.at {
		lo, hi = paint.Pt(min(lo.X, c.X), min(lo.Y, c.Y)), paint.Pt(max(hi.X, c.X), max(hi.Y, c.Y))
	}
	wide := max(hi.X-lo.X, 1e-9)
	for v, c := range p.at {
		p.at[v] = paint.Pt((c.X-lo.X)/wide, (c.Y-lo.Y)/wide)
	}
	p.high = (hi.Y - lo.Y) / wide
}

// in returns the positions in a box, on whole pixels, as large as possible with a margin r, and the approximate
// distance of neighbours.
func (p *graphPlaces) in(b paint.Rect, r float64) (at []paint.Point, pitch float64) {
	scale := min(b.W-2*r, (b.H-2*r)/max(p.high, 1e-9))
	x, y := b.X+(b.W-scale)/2, b.Y+(b.H-scale*p.high)/2
	at = make([]paint.Point, len(p.at))
	for v, c := range p.at {
		at[v] = paint.Pt(math.Round(x+c.X*scale), math.Round(y+c.Y*scale))
	}
	pitch = scale
	for e := 0; e+1 < len(p.graph.Edges); e += 2 {
		a, b := at[p.graph.Edges[e]], at[p.graph.Edges[e+1]]
		pitch = min(pitch, max(math.Hypot(a.X-b.X, a.Y-b.Y), scale/40))
	}
	return at, pitch
}
