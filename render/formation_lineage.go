package render

import (
	"math"

	"logzlab/render/paint"
)

// node is a time at which lines of descent are drawn: a moment of the record, and
// for each of its rows the row at the node before that it descends from, nobody if
// there is none.
type node struct {
	x     float64
	at    int // place of the moment
	from  []int32
	kids  []int32 // how many rows of the last moment descend from each row
	drawn []tone
}

// tone says how the line through a row is drawn.
type tone uint8

const (
	hidden  tone = iota
	extinct      // nobody at the last moment descends from it
	alive
)

// tree is the nodes of a record, kept while they are drawn again and again.
type tree struct {
	of     [2]int // id of the last moment, number of moments up to it
	layout treeLayout
	nodes  []node
}

// treeLayout is how densely lines of descent are drawn. Of many lines only some can be told apart: of the last moment
// at most the first of room are drawn, evenly chosen, with their ancestors; the second of room is the number of bundles
// of neighbours at each node, and of every bundle that has none yet one line that died out is drawn until its end. So
// ten thousand rows make as dense a picture as a hundred.
type treeLayout struct {
	x      paint.Axis
	inTurn bool    // x is of places of moments, not of stages
	gap    float64 // least distance of nodes in pixels
	room   [2]int
}

// at is where a moment lies.
func (y *treeLayout) at(ms []moment, j int) float64 {
	if y.inTurn {
		return y.x.At(float64(j))
	}
	return y.x.At(float64(ms[j].stage))
}

// descent thins the record up to a moment to times at which something changed, the first and the last moment among
// them.
func (is *island) descent(upTo int, y treeLayout) []node {
	t, ms := &is.tree, is.moments[:upTo+1]
	if of := [2]int{ms[upTo].id, len(ms)}; t.of != of || t.layout != y {
		*t = tree{of, y, y.nodes(ms)}
		t.choose(ms, max(y.room[0], 1), max(y.room[1], 1))
	}
	return t.nodes
}

// nodes are the nodes of a record without what is drawn of them.
func (y *treeLayout) nodes(ms []moment) []node {
	out := []node{{x: y.at(ms, 0)}}
	var since, next []int32 // nil: every row is itself

	// since gathers parents until there is room for a node.
	for j := 1; j < len(ms); j++ {
		m := &ms[j]
		if m.parents != nil {
			next = make([]int32, m.lines)
			for i, p := range m.parents {
				if next[i] = p; p >= 0 && since != nil {
					next[i] = since[p]
				}
			}
			since = next
		}
		last := j == len(ms)-1
		x := y.at(ms, j)
		if !last && (since == nil || x-out[len(out)-1].x < y.gap) {
			continue
		}
		if n := len(out); last && n > 1 && x-out[n-1].x < y.gap/2 {
			// Too near to be drawn apart: this one takes the place of the one before.
			if since == nil {
				since = identity(m.lines)
			}
			for i, p := range since {
				if p >= 0 && out[n-1].from != nil {
					since[i] = out[n-1].from[p]
				}
			}
			out = out[:n-1]
		}
		if since == nil {
			since = identity(m.lines)
		}
		out = append(out, node{x: x, at: j, from: since})
		since = nil
	}
	return out
}

// choose says what is drawn, from the newest node back.
func (t *tree) choose(ms []moment, most, bundles int) {
	ns := t.nodes
	// The first child of each row that anybody alive descends from, else the first; at
	// the newest node, and where there is none, nobody.
	heirs := make([][]int32, len(ns))

	// draw goes on with a line to its end.
	draw := func(e, row int, as tone) {
		for ; row >= 0; e++ {
			ns[e].drawn[row] = as
			row = int(heirs[e][row])
		}
	}

	// From the newest rows back: who has heirs alive, and which lines of the others are drawn.
	for e := len(ns) - 1; e >= 0; e-- {
		n := &ns[e]
		order := ms[n.at].order()
		n.kids, n.drawn, heirs[e] = make([]int32, len(order)), make([]tone, len(order)), make([]int32, len(order))
		for i := range heirs[e] {
			heirs[e][i] = nobody
		}
		if e == len(ns)-1 {
			for i := range n.kids {
				n.kids[i] = 1
			}
			for _, i := range evenly(order, most) {
				n.drawn[i] = alive
			}
			continue
		}
		next := &ns[e+1]
		for i, p := range next.from {
			if p < 0 {
				continue
			}
			if heirs[e][p] < 0 || n.kids[p] == 0 && next.kids[i] > 0 {
				heirs[e][p] = int32(i)
			}
			n.kids[p] += next.kids[i]
			n.drawn[p] = max(n.drawn[p], next.drawn[i])
		}
		for row, k := range n.kids {
			if n.drawn[row] == extinct && k > 0 { // its heirs alive are not drawn: the line begins with its child
				n.drawn[row] = hidden
			}
		}
		b := min(bundles, len(order))
		for k := range b {
			draw(e, n.tip(heirs[e], order[k*len(order)/b:(k+1)*len(order)/b]), extinct)
		}
	}
}

// tip is the row of a bundle whose line is drawn for all: a row that ends in this generation, else a row that ends
// later; nobody if such a line is drawn already or no row dies out.
func (n *node) tip(heirs []int32, bundle []int) int {
	best := nobody
	for k, row := range bundle {
		switch {
		case n.drawn[row] != hidden:
			return nobody
		case n.kids[row] > 0:
		case heirs[row] < 0 && (best < 0 || heirs[best] >= 0 || k <= len(bundle)/2), best < 0:
			best = row
		}
	}
	return best
}

func identity(n int) []int32 {
	out := make([]int32, n)
	for i := range out {
		out[i] = int32(i)
	}
	return out
}

// bendPoints are the points of a bend from one row to another.
const bendPoints = 8

// bend appends a smooth line from a to b that leaves and arrives level.
func bend(out []paint.Point, a, b paint.Point) []paint.Point {
	for k := range bendPoints {
		f := float64(k) / (bendPoints - 1)
		out = append(out, paint.Pt(a.X+(b.X-a.X)*f, a.Y+(b.Y-a.Y)*f*f*(3-2*f)))
	}
	return out
}

// lineage draws who begot whom: a line is as thick as the crowd that lives of it,
// and lines that died out are thin, grey and end in the open.
func (v *forming) lineage(s *strip, l *paint.Layer) {
	u, t := v.a.Unit, v.a.Theme
	high := s.y1 - s.y0
	ns := v.is.descent(len(v.is.moments)-1, treeLayout{x: v.x, gap: 9 * u,
		room: [2]int{int(high / (3.4 * u)), int(high / (2.4 * u * t.Stroke))}})
	y := func(e, row int) float64 {
		m := &v.is.moments[ns[e].at]
		return s.y0 + (float64(m.rank[row])+0.5)/float64(m.lines)*high
	}
	turn := func(e int) float64 { return ns[e].x - min(16*u, 0.85*(ns[e].x-ns[e-1].x)) }

	rows := 0
	for e := range ns {
		for _, d := range ns[e].drawn {
			if d != hidden {
				rows++
			}
		}
	}
	level := func() paint.Mark {
		return paint.Mark{Kind: paint.Polylines, Slot: 2, Pts: v.a.Points(2 * rows), Radii: v.a.Numbers(rows)}
	}
	bends := func() paint.Mark {
		return paint.Mark{Kind: paint.Polylines, Slot: bendPoints, Pts: v.a.Points(bendPoints * rows),
			Radii: v.a.Numbers(rows)}
	}
	gone, goneBend, live, liveBend := level(), bends(), level(), bends()
	faint := paint.Mix(t.Absent, t.Line2, 0.4)
	gone.Color, goneBend.Color, live.Color, liveBend.Color = faint, faint, t.Ink2, t.Ink2
	ends := paint.Mark{Kind: paint.Dots}
	hair := 0.75 * u * t.Stroke

	// Thickness goes with the crowd, as if there were no more than are drawn.
	many := min(1, high/(3.4*u)/float64(len(ns[len(ns)-1].kids)))
	width := func(n int32) float64 {
		return (0.8 + 0.6*math.Sqrt(max(float64(n-1)*many, 0))) * u * t.Stroke
	}
	for e := 1; e < len(ns); e++ {
		from, to := &ns[e-1], &ns[e]
		x0, x1, xc := from.x, to.x, turn(e)
		begot := make([]bool, len(from.kids))
		for i, p := range to.from {
			if p < 0 || to.drawn[i] == hidden {
				continue
			}
			begot[p] = true
			a, b := paint.Pt(xc, y(e-1, int(p))), paint.Pt(x1, y(e, i))
			if to.drawn[i] == alive {
				liveBend.Pts, liveBend.Radii = bend(liveBend.Pts, a, b), append(liveBend.Radii, width(to.kids[i]))
			} else {
				goneBend.Pts, goneBend.Radii = bend(goneBend.Pts, a, b), append(goneBend.Radii, hair)
			}
		}
		for p, d := range from.drawn {
			if d == hidden {
				continue
			}
			a, b := paint.Pt(x0, y(e-1, p)), paint.Pt(xc, y(e-1, p))
			switch {
			case d == alive:
				live.Pts, live.Radii = append(live.Pts, a, b), append(live.Radii, width(from.kids[p]))
			default:
				gone.Pts, gone.Radii = append(gone.Pts, a, b), append(gone.Radii, hair)
				if !begot[p] {
					ends.Pts, ends.Radii, ends.Colors = append(ends.Pts, b), append(ends.Radii, 1.1*u), append(ends.Colors, faint)
				}
			}
		}
	}
	l.Add(gone, goneBend, ends, live, liveBend)
	v.ancestry(s, l, ns, y, turn)
}

// ancestry draws the line of the particle that the eye follows, as far as it goes: y is
// where a row of a node lies, turn where the bend to a node begins.
func (v *forming) ancestry(s *strip, l *paint.Layer, ns []node, y func(e, row int) float64, turn func(e int) float64) {
	u, t := v.a.Unit, v.a.Theme
	row, end := v.eyed(), v.i
	dead := row < 0
	if dead {
		if end, row = v.is.index(v.is.marked[0]), v.is.marked[1]; end > v.i {
			return
		}
	}

	// The line of ancestors.
	line := v.is.line(end, row)
	var pts []paint.Point
	for e := range ns {
		if ns[e].at > end || line[ns[e].at] < 0 {
			continue
		}
		at := paint.Pt(ns[e].x, y(e, line[ns[e].at]))
		if len(pts) > 0 {
			pts = bend(pts, paint.Pt(turn(e), pts[len(pts)-1].Y), at)
		} else {
			pts = append(pts, at)
		}
	}

	// From the last node to the particle itself, which has the mark.
	m := &v.is.moments[end]
	head := paint.Pt(v.x.At(float64(m.stage)), s.y0+(float64(m.rank[row])+0.5)/float64(m.lines)*(s.y1-s.y0))
	if n := len(pts); n > 0 && head.X-pts[n-1].X > u {
		pts = bend(pts, pts[n-1], head)
	}
	if len(pts) > 1 {
		l.Add(paint.Mark{Kind: paint.Stroke, Pts: paint.Distinct(pts), Width: 2 * u * t.Stroke, Color: v.eye, Halo: true})
	}
	last := paint.Mark{Kind: paint.Disc, At: head, R: 3.6 * u, Color: v.eye, Halo: true}
	if dead {
		last.Hollow = 1.5 * u
	}
	l.Add(last)
}
