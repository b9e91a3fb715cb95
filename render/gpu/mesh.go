package gpu

import (
	"logzlab/render/paint"
	"math"
)

// corner is a vertex with an opacity. Opacity falls to 0 over one pixel at edges, which is the only anti-aliasing.
type corner struct{ x, y, a float64 }

// mesh is a list of triangles.
type mesh struct {
	pts []corner
	tri []uint32
}

// quad appends two triangles.
func (m *mesh) quad(a, b, c, d uint32) { m.tri = append(m.tri, a, b, c, a, c, d) }

// point appends a vertex and returns its index.
func (m *mesh) point(x, y, a float64) uint32 {
	m.pts = append(m.pts, corner{x, y, a})
	return uint32(len(m.pts) - 1)
}

// strip appends an open polyline with mitred joints. At turns too sharp for a mitre the line is split. Consecutive
// points must differ.
func (m *mesh) strip(p []paint.Point, width float64) {
	if len(p) < 2 {
		return
	}
	half := width / 2
	inner, outer := max(half-0.5, 0), half+0.5
	full := min(width, 1) // a line thinner than a pixel is fainter instead

	// A cross-section has four vertices: transparent, full, full, transparent. join connects two cross-sections.
	var prev [4]uint32
	open := false
	put := func(q paint.Point, nx, ny float64) [4]uint32 {
		return [4]uint32{
			m.point(q.X+nx*outer, q.Y+ny*outer, 0), m.point(q.X+nx*inner, q.Y+ny*inner, full),
			m.point(q.X-nx*inner, q.Y-ny*inner, full), m.point(q.X-nx*outer, q.Y-ny*outer, 0)}
	}
	join := func(now [4]uint32) {
		if open {
			for i := range 3 {
				m.quad(prev[i], prev[i+1], now[i+1], now[i])
			}
		}
		prev, open = now, true
	}

	for i := range p {
		var ax, ay, bx, by float64 // normals before and after the point
		if i > 0 {
			ax, ay = normal(p[i-1], p[i])
		}
		if i+1 < len(p) {
			bx, by = normal(p[i], p[i+1])
		}
		switch {
		case i == 0:
			join(put(p[i], bx, by))
		case i+1 == len(p):
			join(put(p[i], ax, ay))
		default:
			// The mitre is the sum of the normals, scaled to reach both edges.
			sx, sy := ax+bx, ay+by
			if d := sx*sx + sy*sy; d > 1 {
				join(put(p[i], 2*sx/d, 2*sy/d))
			} else {
				join(put(p[i], ax, ay))
				open = false
				join(put(p[i], bx, by))
			}
		}
	}
}

// normal returns the unit normal of the segment from a to b.
func normal(a, b paint.Point) (x, y float64) {
	dx, dy := b.X-a.X, b.Y-a.Y
	l := math.Hypot(dx, dy)
	if l == 0 {
		return 0, 0
	}
	return -dy / l, dx / l
}

// convex appends a filled convex polygon, with its corners in either order.
func (m *mesh) convex(p []paint.Point) {
	n := len(p)
	turn := 1.0
	if cross(p[0], p[1], p[2]) < 0 {
		turn = -1
	}
	base := uint32(len(m.pts))
	for i := range p {
		ax, ay := normal(p[(i+n-1)%n], p[i])
		bx, by := normal(p[i], p[(i+1)%n])
		sx, sy := ax+bx, ay+by
		d := max(sx*sx+sy*sy, 0.1)
		ox, oy := -turn*sx/d, -turn*sy/d // half a pixel outwards from both edges
		m.point(p[i].X-ox, p[i].Y-oy, 1)
		m.point(p[i].X+ox, p[i].Y+oy, 0)
	}
	for i := range n {
		a, b := base+uint32(2*i), base+uint32(2*((i+1)%n))
		m.quad(a, a+1, b+1, b)
		if i > 1 {
			m.tri = append(m.tri, base, base+uint32(2*i-2), a)
		}
	}
}

// cross returns the cross product of b - a and c - b.
func cross(a, b, c paint.Point) float64 { return (b.X-a.X)*(c.Y-b.Y) - (b.Y-a.Y)*(c.X-b.X) }

// between appends the area between two boundaries with the same x values.
func (m *mesh) between(up, lo []paint.Point) {
	for i := range up {
		m.point(up[i].X, up[i].Y-0.5, 0)
		m.point(up[i].X, up[i].Y+0.5, 1)
		m.point(lo[i].X, lo[i].Y-0.5, 1)
		j := m.point(lo[i].X, lo[i].Y+0.5, 0) - 3
		if i > 0 {
			for k := range uint32(3) {
				m.quad(j-4+k, j-3+k, j+1+k, j+k)
			}
		}
	}
}

// dashes divides a polyline into pieces of length on with gaps of length off.
func dashes(p []paint.Point, on, off float64) [][]paint.Point {
	if on <= 0 || off <= 0 || len(p) < 2 {
		return [][]paint.Point{p}
	}
	var out [][]paint.Point
	drawn, room := true, on
	cur := []paint.Point{p[0]}

	for i := 1; i < len(p); i++ {
		a, b := p[i-1], p[i]
		l, pos := math.Hypot(b.X-a.X, b.Y-a.Y), 0.0
		for l-pos > room {
			pos += room
			q := paint.Pt(a.X+(b.X-a.X)*pos/l, a.Y+(b.Y-a.Y)*pos/l)
			if drawn {
				out = append(out, append(cur, q))
				room = off
			} else {
				room = on
			}
			cur, drawn = []paint.Point{q}, !drawn
		}
		room -= l - pos
		if drawn {
			cur = append(cur, b)
		}
	}
	if drawn && len(cur) > 1 {
		out = append(out, cur)
	}
	return out
}
