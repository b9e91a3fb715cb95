package gpc

import (
	"math"

	"logzlab/core/frame"
	"logzlab/core/num"
)

// view shows random functions: in one dimension the latent values of each particle on a grid, in one and two dimensions
// the mean probability of label 1 on the grid, and always that probability at the data.
type view struct {
	f        frame.Latent
	n        int       // number of data of the weights below
	weight   []float64 // grid x n: the mean of f at a grid point is weight . (x or z)
	variance []float64 // variance of f given x or z at each grid point
	point    [2]float64
	share    []float64
	probs    []float64
}

// Limits of the grid of a frame: its work (grid points times N^2) and its sides.
const (
	maxViewWork = 12e6
	minGrid     = 16
	lineGrid    = 64
	planeGrid   = 40
)

// layout places data and grid, once.
func (v *view) layout(m *Classifier) {
	in, f := &m.data, &v.f
	for _, y := range m.y {
		f.Label = append(f.Label, int32(y))
	}
	if f.W, f.H = in.w, in.h; f.W > 0 {
		for _, x := range in.x {
			f.Pictures = append(f.Pictures, byte(num.Mul(x+1, 127.5)+0.5))
		}
	}
	if in.x == nil || in.d > 2 {
		return
	}

	// Bounds around the data.
	f.D = in.d
	lo, hi := [2]float64{}, [2]float64{}
	for i, x := range in.x {
		f.X = append(f.X, float32(x))
		if k := i % in.d; i < in.d {
			lo[k], hi[k] = x, x
		} else {
			lo[k], hi[k] = min(lo[k], x), max(hi[k], x)
		}
	}
	for k := range in.d {
		pad := max(0.08*(hi[k]-lo[k]), 1e-3)
		lo[k], hi[k] = lo[k]-pad, hi[k]+pad
	}
	f.X0, f.X1, f.Y0, f.Y1 = float32(lo[0]), float32(hi[0]), float32(lo[1]), float32(hi[1])
	if in.kernel.Name == "" {
		return
	}

	room := maxViewWork / float64(m.n*m.n)
	if in.d == 1 {
		f.GW, f.GH = int(min(max(room, minGrid), lineGrid)), 1
	} else {
		f.GW = int(min(max(math.Sqrt(room), minGrid), planeGrid))
		f.GH = f.GW
	}
}

// gridPoint returns the coordinates of grid point g.
func (v *view) gridPoint(g int) []float64 {
	f := &v.f
	v.point[0] = float64(f.X0) + float64(f.X1-f.X0)*float64(g%f.GW)/float64(f.GW-1)
	if f.GH > 1 {
		v.point[1] = float64(f.Y0) + float64(f.Y1-f.Y0)*float64(g/f.GW)/float64(f.GH-1)
	}
	return v.point[:f.D]
}

// prepare computes the weights for n data, if n has changed. solve multiplies the covariances of a point and the data
// by the inverse covariance of the data.
func (v *view) prepare(m *Classifier, n int, solve func(q, out []float64)) {
	if v.f.Label == nil {
		v.layout(m)
	}
	grid := v.f.GW * v.f.GH
	if v.n == n || grid == 0 {
		return
	}
	v.n = n
	v.weight, v.variance = num.Sized(v.weight, grid*n), num.Sized(v.variance, grid)
	q := make([]float64, n)
	for g := range grid {
		p := v.gridPoint(g)
		for i := range q {
			q[i] = m.data.covariance(p, m.data.row(i))
		}
		w := v.weight[g*n : (g+1)*n]
		solve(q, w)
		a := m.data.kernel.Amplitude
		v.variance[g] = max(num.Mul(a, a)-num.Dot(q, w), 0)
	}
}

// show writes rows particles into f: row(r) are the values to which the weights apply, chance(r, out) the probabilities
// of label 1 at the data.
func (v *view) show(m *Classifier, rows int, f *frame.Frame, row func(r int) []float64,
	chance func(r int, out []float64)) {
	l := &v.f
	f.Latent = l
	v.share = num.Sized(v.share, rows)
	top, sum := math.Inf(-1), 0.0
	for r := range v.share {
		v.share[r] = 0
		if len(f.LogW) == rows {
			v.share[r] = float64(f.LogW[r])
		}
		top = max(top, v.share[r])
	}
	for r, w := range v.share {
		v.share[r] = num.Exp(w - top)
		sum += v.share[r]
	}

	// Values, and weighted means over the particles.
	grid := l.GW * l.GH
	l.Values, l.Mean, l.At = l.Values[:0], num.Sized(l.Mean, grid), num.Sized(l.At, len(row(0)))
	clear(l.Mean)
	clear(l.At)
	v.probs = num.Sized(v.probs, len(l.At))
	for r, w := range v.share {
		w /= sum
		x := row(r)
		for g := range grid {
			value := num.Dot(x, v.weight[g*len(x):])
			if l.D == 1 {
				l.Values = append(l.Values, float32(value))
			}
			l.Mean[g] += float32(w * m.labelProb(value, v.variance[g]))
		}
		chance(r, v.probs)
		for i, p := range v.probs {
			l.At[i] += float32(w * p)
		}
	}
}

// Read shows the mean of the latent function given z of each particle, K_*n S z, and the probabilities of the labels: x
// given z is N(z - S z, I - S); with gibbs = x it is known.
func (p *particles) Read(n int, f *frame.Frame) {
	b := p.b
	p.view.prepare(p.m, b.n, func(q, out []float64) { symMul(b.s, q, out) })
	p.view.show(p.m, n, f, p.row, func(r int, out []float64) {
		z := p.row(r)
		if p.m.noiseless {
			for i, x := range z {
				out[i] = num.Phi(x)
			}
			return
		}
		symMul(b.s, z, out)
		for i, sz := range out {
			out[i] = num.Phi((z[i] - sz) / math.Sqrt(2-b.s[i*b.n+i]))
		}
	})
}

// symMul sets out = S q.
func symMul(s, q, out []float64) {
	for i := range out {
		out[i] = num.Dot(q, s[i*len(q):])
	}
}

// Read shows the mean of the function given the latent values of each row.
func (c *chains) Read(n int, f *frame.Frame) {
	c.view.prepare(c.m, c.m.n, func(q, out []float64) {
		copy(out, q)
		num.SolveLower(c.l(), c.m.n, out)
		num.SolveUpperT(c.l(), c.m.n, out)
	})
	c.view.show(c.m, n, f, func(r int) []float64 {
		c.toLatent(c.row(r), c.s.x, c.s.tmp)
		return c.s.x
	}, func(r int, out []float64) {
		for i, x := range c.s.x {
			out[i] = c.m.labelProb(x, 0)
		}
	})
}
