package render

import "math"

// node is a time at which lines of descent are drawn: a moment of the record, and
// for each of its rows the row at the node before that it descends from, -1 if
// none was shown.
type node struct {
	x    float64
	at   int // place of the moment
	from []int
	kids []int  // how many rows of the newest moment descend from each row
	seen []bool // whether one of those that are drawn does
}

// nodes thins the record to times at which something changed, at least gap pixels
// apart, the first and the last moment among them. Of the rows of the newest moment
// at most the given number are drawn.
func (v *forming) nodes(gap float64, most int) []node {
	ms := v.is.moments
	out := []node{{x: v.x.at(float64(ms[0].stage)), kids: make([]int, ms[0].rows)}}
	since, next := identity(ms[0].rows), []int(nil)
	changed := false
	for j := 1; j < len(ms); j++ {
		m := &ms[j]
		next = next[:0]
		for i, p := range m.parents {
			next = append(next, -1)
			if p != nobody {
				next[i] = since[p]
			}
			changed = changed || int(p) != i
		}
		changed = changed || len(since) != len(next)
		since, next = next, since
		last := j == len(ms)-1
		x := v.x.at(float64(m.stage))
		if !last && (!changed || x-out[len(out)-1].x < gap) {
			continue
		}
		if n := len(out); last && n > 1 && x-out[n-1].x < gap/2 {
			// Too near to be drawn apart: this one takes the place of the one before.
			for i, p := range since {
				if p >= 0 {
					since[i] = out[n-1].from[p]
				}
			}
			out = out[:n-1]
		}
		out = append(out, node{x: x, at: j, from: since, kids: make([]int, m.rows)})
		since, changed = identity(m.rows), false
	}
	for e := len(out) - 1; e >= 0; e-- {
		n := &out[e]
		if n.seen == nil {
			n.seen = make([]bool, len(n.kids))
		}
		if e == len(out)-1 {
			for i := range n.kids {
				n.kids[i] = 1
			}
			for _, i := range picks(&ms[n.at], max(most, 1)) {
				n.seen[i] = true
			}
		}
		if e > 0 {
			out[e-1].seen = make([]bool, len(out[e-1].kids))
		}
		for i, p := range n.from {
			if p >= 0 {
				out[e-1].kids[p] += n.kids[i]
				out[e-1].seen[p] = out[e-1].seen[p] || n.seen[i]
			}
		}
	}
	return out
}

func identity(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// bendPoints are the points of a bend from one row to another.
const bendPoints = 8

// bend appends a smooth line from a to b that leaves and arrives level.
func bend(out []point, a, b point) []point {
	for k := range bendPoints {
		f := float64(k) / (bendPoints - 1)
		out = append(out, point{a.x + (b.x-a.x)*f, a.y + (b.y-a.y)*f*f*(3-2*f)})
	}
	return out
}

// lineage draws who begot whom: a line is as thick as the crowd that lives of it,
// and lines that died out are thin, grey and end in the open.
func (v *forming) lineage(s *strip, l *layer) {
	u, t := v.a.u, v.a.theme
	ns := v.nodes(9*u, int((s.y1-s.y0)/(3.1*u)))
	y := func(e, row int) float64 {
		m := &v.is.moments[ns[e].at]
		return s.y0 + (float64(m.rank[row])+0.5)/float64(m.rows)*(s.y1-s.y0)
	}
	pitch := func(e int) float64 { return (s.y1 - s.y0) / float64(v.is.moments[ns[e].at].rows) }
	// Of lines too dense to tell apart, one in so many is drawn.
	dense := func(e int) int { return max(1, int(math.Ceil(2.4*u*t.Stroke/pitch(e)))) }
	turn := func(e int) float64 { return ns[e].x - min(16*u, 0.85*(ns[e].x-ns[e-1].x)) }

	rows := 0
	for e := range ns {
		rows += len(ns[e].kids)
	}
	level := func() mark { return mark{kind: vines, slot: 2, pts: v.a.points(2 * rows), radii: v.a.numbers(rows)} }
	bends := func() mark {
		return mark{kind: vines, slot: bendPoints, pts: v.a.points(bendPoints * rows), radii: v.a.numbers(rows)}
	}
	gone, goneBend, live, liveBend := level(), bends(), level(), bends()
	gone.color, goneBend.color, live.color, liveBend.color = t.Absent, t.Absent, t.Ink2, t.Ink2
	ends := mark{kind: dots}
	put := func(m *mark, width float64) { m.radii = append(m.radii, width) }
	hair := 0.75 * u * t.Stroke
	// Thickness goes with the crowd, as if there were no more than are drawn.
	many := min(1, (s.y1-s.y0)/(3.1*u)/float64(len(ns[len(ns)-1].kids)))
	width := func(n int) float64 {
		return (0.8 + 0.6*math.Sqrt(float64(n-1)*many)) * u * t.Stroke
	}
	for e := 1; e < len(ns); e++ {
		from, to := &ns[e-1], &ns[e]
		x0, x1, xc := from.x, to.x, turn(e)
		begot := make([]bool, len(from.kids))
		skip, before := dense(e), dense(e-1)
		for i, p := range to.from {
			if p < 0 {
				continue
			}
			begot[p] = true
			switch {
			case to.seen[i]:
				liveBend.pts = bend(liveBend.pts, point{xc, y(e-1, p)}, point{x1, y(e, i)})
				put(&liveBend, width(to.kids[i]))
			case to.kids[i] == 0 && int(v.is.moments[to.at].rank[i])%skip == 0:
				goneBend.pts = bend(goneBend.pts, point{xc, y(e-1, p)}, point{x1, y(e, i)})
				put(&goneBend, hair)
				gone.pts = append(gone.pts, point{x0, y(e-1, p)}, point{xc, y(e-1, p)})
				put(&gone, hair)
			}
		}
		for p, n := range from.kids {
			switch {
			case from.seen[p]:
				live.pts = append(live.pts, point{x0, y(e-1, p)}, point{xc, y(e-1, p)})
				put(&live, width(n))
			case n == 0 && !begot[p] && int(v.is.moments[from.at].rank[p])%before == 0:
				gone.pts = append(gone.pts, point{x0, y(e-1, p)}, point{xc, y(e-1, p)})
				put(&gone, hair)
				if pitch(e-1) > 2.4*u {
					ends.pts = append(ends.pts, point{xc, y(e-1, p)})
					ends.radii = append(ends.radii, 1.1*u)
					ends.colors = append(ends.colors, t.Absent)
				}
			}
		}
	}
	l.add(gone, goneBend, ends, live, liveBend)

	// The line of the particle that the eye follows, as far as it goes.
	row, end := v.eyed(), v.i
	dead := row < 0
	if dead {
		if end, row = v.is.index(v.is.marked[0]), v.is.marked[1]; end > v.i {
			return
		}
	}
	line := v.is.line(end, row)
	var pts []point
	for e := range ns {
		if ns[e].at > end || line[ns[e].at] < 0 {
			continue
		}
		at := point{ns[e].x, y(e, line[ns[e].at])}
		if len(pts) > 0 {
			pts = bend(pts, point{turn(e), pts[len(pts)-1].y}, at)
		} else {
			pts = append(pts, at)
		}
	}
	m := &v.is.moments[end]
	head := point{v.x.at(float64(m.stage)), s.y0 + (float64(m.rank[row])+0.5)/float64(m.rows)*(s.y1-s.y0)}
	if n := len(pts); n > 0 && head.x-pts[n-1].x > u {
		pts = bend(pts, pts[n-1], head)
	}
	if len(pts) > 1 {
		l.add(mark{kind: stroke, pts: distinct(pts), width: 2 * u * t.Stroke, color: v.eye, halo: true})
	}
	last := mark{kind: disc, at: head, r: 3.6 * u, color: v.eye, halo: true}
	if dead {
		last.hollow = 1.5 * u
	}
	l.add(last)
}

// distinct drops points that repeat the one before.
func distinct(pts []point) []point {
	out := pts[:1]
	for _, q := range pts[1:] {
		if q != out[len(out)-1] {
			out = append(out, q)
		}
	}
	return out
}
