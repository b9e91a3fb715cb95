package gpc

import (
	"math"

	"logzlab/core/frame"
	"logzlab/core/num"
)

// view fills frames with random functions. For inputs in one dimension a frame has the latent function of each particle
// on a grid; for inputs in one or two dimensions it has the mean probability of label 1 on the grid. A frame always has
// the mean probability of label 1 at the data.
type view struct {
	f         frame.Latent
	n         int        // number of data for which weight and variance were computed
	weight    []float64  // grid x n by rows: the mean of the latent function at a grid point is weight . x (or weight . z)
	variance  []float64  // variance of the latent function at each grid point, given x (or z)
	point     [2]float64 // result of gridPoint
	rowWeight []float64
	probs     []float64
}

// Limits of the grid of a frame: of the number of grid points times N^2, and of the number of points along a side.
const (
	maxViewWork = 12e6
	minGrid     = 16
	lineGrid    = 64
	planeGrid   = 40
)

// layout sets the data and the bounds of the grid in the frame. It is called once.
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

	maxPoints := maxViewWork / float64(m.n*m.n)
	if in.d == 1 {
		f.GW, f.GH = int(min(max(maxPoints, minGrid), lineGrid)), 1
	} else {
		f.GW = int(min(max(math.Sqrt(maxPoints), minGrid), planeGrid))
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

// prepare computes weight and variance for the first n data, if n has changed. solve sets out to the inverse covariance
// matrix of these data times q.
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

// show writes particles 0..rows-1 into f, weighted by f.LogW, or equally without it. row(r) returns the values x or z
// of particle r; labelProbs(r, out) sets out to the probabilities of label 1 at the data, given particle r.
func (v *view) show(m *Classifier, rows int, f *frame.Frame, row func(r int) []float64,
	labelProbs func(r int, out []float64)) {
	latent := &v.f
	f.Latent = latent
	v.rowWeight = num.Sized(v.rowWeight, rows)
	maxLogW, sum := math.Inf(-1), 0.0
	for r := range v.rowWeight {
		v.rowWeight[r] = 0
		if len(f.LogW) == rows {
			v.rowWeight[r] = float64(f.LogW[r])
		}
		maxLogW = max(maxLogW, v.rowWeight[r])
	}
	for r, w := range v.rowWeight {
		v.rowWeight[r] = num.Exp(w - maxLogW)
		sum += v.rowWeight[r]
	}

	// Values, and weighted means over the particles.
	grid := latent.GW * latent.GH
	latent.Values, latent.Mean, latent.ProbAtData = latent.Values[:0], num.Sized(latent.Mean, grid), num.Sized(latent.ProbAtData, len(row(0)))
	clear(latent.Mean)
	clear(latent.ProbAtData)
	v.probs = num.Sized(v.probs, len(latent.ProbAtData))
	for r, w := range v.rowWeight {
		w /= sum
		x := row(r)
		for g := range grid {
			value := num.Dot(x, v.weight[g*len(x):])
			if latent.D == 1 {
				latent.Values = append(latent.Values, float32(value))
			}
			latent.Mean[g] += float32(w * m.labelProb(value, v.variance[g]))
		}
		labelProbs(r, v.probs)
		for i, p := range v.probs {
			latent.ProbAtData[i] += float32(w * p)
		}
	}
}

// Read shows, for each particle, the mean of the latent function given z, which is K_*n S z at a point *, and the
// probabilities of the labels. Given z, the distribution of x is N(z - S z, I - S); with gibbs = x the particle holds
// x.
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

// symMul sets out = S q, for a symmetric matrix by rows.
func symMul(s, q, out []float64) {
	for i := range out {
		out[i] = num.Dot(q, s[i*len(q):])
	}
}

// Read shows the mean of the latent function given the latent values x of each row.
func (c *chains) Read(n int, f *frame.Frame) {
	c.view.prepare(c.m, c.m.n, func(q, out []float64) {
		copy(out, q)
		num.SolveLower(c.l(), c.m.n, out)
		num.SolveUpperT(c.l(), c.m.n, out)
	})
	c.view.show(c.m, n, f, func(r int) []float64 {
		c.toLatent(c.row(r), c.scratch.x, c.scratch.tmp)
		return c.scratch.x
	}, func(r int, out []float64) {
		for i, x := range c.scratch.x {
			out[i] = c.m.labelProb(x, 0)
		}
	})
}
