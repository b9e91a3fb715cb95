package formation

import (
	"math"

	"logzlab/render/paint"
	"logzlab/render/record"
)

// bendPoints is the number of points of a bend from one row to another.
const bendPoints = 8

// bend appends a smooth line from a to b that is horizontal at both ends.
func bend(out []paint.Point, a, b paint.Point) []paint.Point {
	for k := range bendPoints {
		f := float64(k) / (bendPoints - 1)
		out = append(out, paint.Pt(a.X+(b.X-a.X)*f, a.Y+(b.Y-a.Y)*f*f*(3-2*f)))
	}
	return out
}

// lineage draws the genealogy of the particles. The width of a line grows with the number of descendants; lines that
// died out are thin and grey.
func (v *stageView) lineage(s *strip, l *paint.Layer) {
	u, t := v.a.Unit, v.a.Theme
	high := s.y1 - s.y0
	ns := v.Island.Genealogy(len(v.Island.Moments)-1, record.TreeLayout{X: v.X, Gap: 9 * u,
		Limits: [2]int{int(high / (3.4 * u)), int(high / (2.4 * u * t.Stroke))}})
	y := func(e, row int) float64 {
		m := &v.Island.Moments[ns[e].Moment]
		return s.y0 + (float64(m.Rank[row])+0.5)/float64(m.AllRows)*high
	}
	turn := func(e int) float64 { return ns[e].X - min(16*u, 0.85*(ns[e].X-ns[e-1].X)) }

	rows := 0
	for e := range ns {
		for _, d := range ns[e].LineStates {
			if d != record.Hidden {
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
	extinct, extinctBend, alive, aliveBend := level(), bends(), level(), bends()
	faint := paint.Mix(t.Absent, t.Line2, 0.4)
	extinct.Color, extinctBend.Color, alive.Color, aliveBend.Color = faint, faint, t.Ink2, t.Ink2
	ends := paint.Mark{Kind: paint.Dots}
	thin := 0.75 * u * t.Stroke

	// Widths are scaled as if there were no more rows than lines that are drawn.
	many := min(1, high/(3.4*u)/float64(len(ns[len(ns)-1].Descendants)))
	width := func(n int32) float64 {
		return (0.8 + 0.6*math.Sqrt(max(float64(n-1)*many, 0))) * u * t.Stroke
	}
	for e := 1; e < len(ns); e++ {
		from, to := &ns[e-1], &ns[e]
		x0, x1, xc := from.X, to.X, turn(e)
		hasChild := make([]bool, len(from.Descendants))
		for i, p := range to.From {
			if p < 0 || to.LineStates[i] == record.Hidden {
				continue
			}
			hasChild[p] = true
			a, b := paint.Pt(xc, y(e-1, int(p))), paint.Pt(x1, y(e, i))
			if to.LineStates[i] == record.Alive {
				aliveBend.Pts, aliveBend.Radii = bend(aliveBend.Pts, a, b), append(aliveBend.Radii, width(to.Descendants[i]))
			} else {
				extinctBend.Pts, extinctBend.Radii = bend(extinctBend.Pts, a, b), append(extinctBend.Radii, thin)
			}
		}
		for p, d := range from.LineStates {
			if d == record.Hidden {
				continue
			}
			a, b := paint.Pt(x0, y(e-1, p)), paint.Pt(xc, y(e-1, p))
			switch {
			case d == record.Alive:
				alive.Pts, alive.Radii = append(alive.Pts, a, b), append(alive.Radii, width(from.Descendants[p]))
			default:
				extinct.Pts, extinct.Radii = append(extinct.Pts, a, b), append(extinct.Radii, thin)
				if !hasChild[p] {
					ends.Pts, ends.Radii, ends.Colors = append(ends.Pts, b), append(ends.Radii, 1.1*u), append(ends.Colors, faint)
				}
			}
		}
	}
	l.Add(extinct, extinctBend, ends, alive, aliveBend)
	v.highlightedLine(s, l, ns, y, turn)
}

// highlightedLine draws the highlighted line of descent, as far as it extends. y returns the y coordinate of a row of
// a node, turn the x coordinate at which the bend to a node starts.
func (v *stageView) highlightedLine(s *strip, l *paint.Layer, ns []record.Node, y func(e, row int) float64,
	turn func(e int) float64) {
	u, t := v.a.Unit, v.a.Theme
	row, end := v.HighlightedRow(), v.index
	dead := row < 0
	if dead {
		if end, row = v.Island.Index(v.Island.Marked[0]), v.Island.Marked[1]; end > v.index {
			return
		}
	}

	line := v.Island.Line(end, row)
	var pts []paint.Point
	for e := range ns {
		if ns[e].Moment > end || line[ns[e].Moment] < 0 {
			continue
		}
		at := paint.Pt(ns[e].X, y(e, line[ns[e].Moment]))
		if len(pts) > 0 {
			pts = bend(pts, paint.Pt(turn(e), pts[len(pts)-1].Y), at)
		} else {
			pts = append(pts, at)
		}
	}

	// From the last node to the row itself, with a mark.
	m := &v.Island.Moments[end]
	head := paint.Pt(v.X.At(float64(m.Stage)), s.y0+(float64(m.Rank[row])+0.5)/float64(m.AllRows)*(s.y1-s.y0))
	if n := len(pts); n > 0 && head.X-pts[n-1].X > u {
		pts = bend(pts, pts[n-1], head)
	}
	if len(pts) > 1 {
		l.Add(paint.Mark{Kind: paint.Stroke, Pts: paint.Distinct(pts), Width: 2 * u * t.Stroke, Color: v.highlight, Halo: true})
	}
	last := paint.Mark{Kind: paint.Disc, At: head, R: 3.6 * u, Color: v.highlight, Halo: true}
	if dead {
		last.Hollow = 1.5 * u
	}
	l.Add(last)
}
