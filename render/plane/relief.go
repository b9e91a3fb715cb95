package plane

import (
	"math"

	"logzlab/core/num"
	"logzlab/render/paint"
)

// relief is a tempered density in the window of a scene: contours by marching squares on a grid that is finer than the
// field.
type relief struct {
	beta   float64
	made   float64 // time of creation, in seconds
	w, h   float64
	sx, sy paint.Axis // window
	nx, ny int
	v0, v1 []float64 // log densities at the nodes
	paint.Relief
}

// minReliefInterval is the minimum time between two reliefs, in seconds. The density may lag behind the particles when
// temperatures change fast.
const minReliefInterval = 0.05

// Relief returns the relief for a position on the canvas. It is computed only if the window has changed or beta has
// changed by more than 0.01. g is the size of a grid cell in pixels.
func (d *density) Relief(place int, b paint.Rect, sx, sy paint.Axis, beta, g, now float64) *relief {
	r := d.reliefs[place]
	if r == nil || r.w != b.W || r.h != b.H || r.sx != sx || r.sy != sy {
		r = &relief{beta: math.NaN(), w: b.W, h: b.H, sx: sx, sy: sy}
		r.nx, r.ny = max(2, int(math.Ceil(b.W/g))+1), max(2, int(math.Ceil(b.H/g))+1)
		r.v0, r.v1 = d.interpolate(d.log0, r, b), d.interpolate(d.log1, r, b)
		d.reliefs[place] = r
	}
	if r.beta == beta || math.Abs(r.beta-beta) <= 0.01 && beta > 0 && beta < 1 {
		return r
	}
	if num.NotNaN(r.beta) && now < r.made+minReliefInterval {
		d.ReliefPending = true // the next painting computes it
		return r
	}
	// A new value, because the painter caches reliefs by their address.
	n := *r
	n.beta, n.made, n.Relief = beta, now, paint.Relief{}
	n.march()
	d.reliefs[place] = &n
	return &n
}

// interpolate interpolates a field at the nodes of a relief, cubically between cell centres; beyond the edge cells it
// is extrapolated as a parabola.
func (d *density) interpolate(v []float64, r *relief, b paint.Rect) []float64 {
	f := d.f
	// Node positions in cells, from the centre of cell 0.
	cols, rows := make([]float64, r.nx), make([]float64, r.ny)
	for i := range cols {
		x := r.sx.D0 + (r.sx.D1-r.sx.D0)*float64(i)/float64(r.nx-1)
		cols[i] = (x-float64(f.X0))/float64(f.X1-f.X0)*float64(f.W) - 0.5
	}
	for j := range rows {
		y := r.sy.D1 + (r.sy.D0-r.sy.D1)*float64(j)/float64(r.ny-1)
		rows[j] = (float64(f.Y1)-y)/float64(f.Y1-f.Y0)*float64(f.H) - 0.5
	}
	mid := make([]float64, r.nx*f.H)
	for j := range f.H {
		cubic(v[j*f.W:(j+1)*f.W], cols, mid[j*r.nx:(j+1)*r.nx])
	}
	out, col, got := make([]float64, r.nx*r.ny), make([]float64, f.H), make([]float64, r.ny)
	for i := range r.nx {
		for j := range f.H {
			col[j] = mid[j*r.nx+i]
		}
		cubic(col, rows, got)
		for j := range r.ny {
			out[j*r.nx+i] = got[j]
		}
	}
	return out
}

// cubic interpolates in at the positions at (Catmull-Rom).
func cubic(in, at, out []float64) {
	pad := max(2, len(in)) // a phone in portrait orientation shows twice the height of the field
	v := make([]float64, len(in)+2*pad)
	copy(v[pad:], in)
	for i := 1; i <= pad; i++ {
		l, r := pad-i, pad+len(in)-1+i
		if len(in) < 3 {
			v[l], v[r] = in[0], in[len(in)-1]
			continue
		}
		v[l] = min(v[l+1], max(3*v[l+1]-3*v[l+2]+v[l+3], -2*maxDepth))
		v[r] = min(v[r-1], max(3*v[r-1]-3*v[r-2]+v[r-3], -2*maxDepth))
	}
	for k, x := range at {
		x = min(max(x+float64(pad), 1), float64(len(v)-3)+0.999)
		i := min(int(x), len(v)-3)
		t := x - float64(i)
		a, b, c, d := v[i-1], v[i], v[i+1], v[i+2]
		out[k] = b + t/2*(c-a+t*(2*a-5*b+4*c-d+t*(3*(b-c)+d-a)))
	}
}

// march computes bands and lines.
func (r *relief) march() {
	nx, ny := r.nx, r.ny
	v, top := make([]float64, nx*ny), math.Inf(-1)
	for i := range v {
		v[i] = (1-r.beta)*r.v0[i] + r.beta*r.v1[i]
		top = max(top, v[i])
	}

	// For each contour: cells inside it, merged into wide boxes, and cells that it crosses, clipped.
	gx, gy := r.w/float64(nx-1), r.h/float64(ny-1)

	for k := range paint.Contours {
		cut := top - paint.Contours[k]
		tri, seg := make([]paint.Point, 0, 12*(nx+ny)), make([]paint.Point, 0, 6*(nx+ny))
		for j := range ny - 1 {
			y0, y1 := float64(j)*gy, float64(j+1)*gy
			from := -1
			flush := func(to int) {
				if from >= 0 {
					x0, x1 := float64(from)*gx, float64(to)*gx
					tri = append(tri, paint.Pt(x0, y0), paint.Pt(x1, y0), paint.Pt(x1, y1), paint.Pt(x0, y0), paint.Pt(x1, y1),
						paint.Pt(x0, y1))
					from = -1
				}
			}
			for i := range nx - 1 {
				q := [4]float64{v[j*nx+i] - cut, v[j*nx+i+1] - cut, v[(j+1)*nx+i+1] - cut, v[(j+1)*nx+i] - cut}
				in := 0
				for _, x := range q {
					if x >= 0 {
						in++
					}
				}
				if in == 4 {
					if from < 0 {
						from = i
					}
					continue
				}
				flush(i)
				if in == 0 {
					continue
				}
				x0, x1 := float64(i)*gx, float64(i+1)*gx
				p := [4]paint.Point{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}}
				if in == 2 && (q[0] >= 0) == (q[2] >= 0) { // a saddle: two triangles
					tri, seg = clip(tri, seg, p[:3], q[:3])
					tri, seg = clip(tri, seg, []paint.Point{p[0], p[2], p[3]}, []float64{q[0], q[2], q[3]})
				} else {
					tri, seg = clip(tri, seg, p[:], q[:])
				}
			}
			flush(nx - 1)
		}
		r.Bands[k] = tri
		r.Lines = append(r.Lines, seg...)
	}
}

// clip appends the part of a triangle or square with v >= 0, and the line v = 0.
func clip(tri, seg []paint.Point, p []paint.Point, v []float64) ([]paint.Point, []paint.Point) {
	var out [6]paint.Point
	var cut [2]paint.Point
	n, m := 0, 0
	for i := range p {
		j := (i + 1) % len(p)
		if v[i] >= 0 {
			out[n] = p[i]
			n++
		}
		if (v[i] >= 0) != (v[j] >= 0) {
			t := v[i] / (v[i] - v[j])
			c := paint.Pt(p[i].X+(p[j].X-p[i].X)*t, p[i].Y+(p[j].Y-p[i].Y)*t)
			out[n], cut[m] = c, c
			n, m = n+1, m+1
		}
	}
	for i := 2; i < n; i++ {
		tri = append(tri, out[0], out[i-1], out[i])
	}
	if m == 2 && cut[0] != cut[1] {
		seg = append(seg, cut[0], cut[1])
	}
	return tri, seg
}
