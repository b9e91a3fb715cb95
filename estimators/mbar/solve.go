package mbar

import (
	"math"
	"slices"

	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/core/num/kernel"
)

// pool holds the samples of some rungs, each with its densities at all of these rungs. It solves for their log Z by
// maximum likelihood ([Shirts2008]; [RTS] eq. 18 with its sign corrected): lambda = log Z minimises
//
//	sum_i log sum_k n_k f_k(x_i)/e^lambda_k + sum_k n_k lambda_k,
//
// with n_k samples at rung k and lambda_1 = 0.
type pool struct {
	*Sorted
	kernel.Pool // with weights E_ik = f_k(x_i) e^(-reference_k - norm_i)
	work        *meter.Meter
	rungs       []int              // the rungs, which have samples
	sample      []int32            // samples at these rungs, in order of rungs
	reference   []float64          // lambda at which the weights were computed
	spare       []*kernel.PoolSums // unused buffers
}

// point is the outcome of one pass over the samples at some lambda. With
//
//	P_ik = n_k f_k(x_i) e^-lambda_k / D_i,  D_i = sum_l n_l f_l(x_i) e^-lambda_l,
//
// the probability of rung k given x_i, it holds the sums over samples in the equations of MBAR.
type point struct {
	*kernel.PoolSums           // with A_k = n_k e^(reference_k - lambda_k), so P_ik = A_k E_ik Inv_i
	z                []float64 // lambda
	next             []float64 // see selfConsistent
	gradient         []float64 // see pool.gradientAt
	off              float64   // the largest |gradient_k|
}

// sum returns sum_i P_ik, which is n_k at the solution.
func (p *point) sum(k int) float64 { return num.Mul(p.A[k], p.Sum[k]) }

// Sorted are samples in order of rungs.
type Sorted struct {
	*Samples
	all          int     // number of rungs with densities
	Order, First []int32 // the samples at rung k are Order[First[k]:First[k+1]]
	row          []int32 // row of each sample, counting only rows with samples; nil: all 0
	rows         int
}

// logF fills in log f of a sample at some rungs.
func (s *Sorted) logF(sample int32, at []int, out []float64) {
	if s.given != nil {
		s.given(int(sample), at, out)
		return
	}
	f := s.LogF[8*int(sample)*s.all:]
	for k, rung := range at {
		out[k] = f.At(rung)
	}
}

// Sorted returns the samples in order of rungs.
func (s *Samples) Sorted() *Sorted {
	out := &Sorted{Samples: s, all: len(s.LogF) / 8 / max(len(s.Rung), 1), Order: make([]int32, len(s.Rung))}
	if s.given != nil {
		out.all, out.rows = s.rungs, 1
	} else {
		out.row = make([]int32, len(s.Rung))
	}
	place := make([]int, s.Rows)
	for i, r := range s.Row {
		if place[r] == 0 {
			out.rows++
			place[r] = out.rows
		}
		out.row[i] = int32(place[r] - 1)
	}
	first := make([]int32, out.all+2)
	for _, k := range s.Rung {
		first[k+2]++
	}
	for k := range out.all {
		first[k+2] += first[k+1]
	}
	for i, k := range s.Rung {
		out.Order[first[k+1]] = int32(i)
		first[k+1]++
	}
	out.First = first
	return out
}

// newPool returns the pool of the samples at the given rungs, in rising order. All of them have samples, and rungs
// between them have none.
func newPool(s *Sorted, rungs []int, work *meter.Meter) *pool {
	width := len(rungs)
	j := &pool{Sorted: s, work: work, rungs: rungs, reference: make([]float64, width)}
	j.Rungs, j.N, j.LogN = width, make([]float64, width), make([]float64, width)
	j.sample = s.Order[s.First[rungs[0]]:s.First[rungs[width-1]+1]]
	for i, k := range rungs {
		j.N[i] = float64(s.First[k+1] - s.First[k])
		j.LogN[i] = num.Log(j.N[i])
	}
	j.Norm = make([]float64, len(j.sample))
	j.E = make([]float64, (len(j.sample)+3)/4*4*width)
	return j
}

// chunkSize is the approximate number of floats processed between two reports of progress.
const chunkSize = 1 << 15

// prepare computes the weights at z, so that passes near z need only products and sums.
func (j *pool) prepare(z []float64) error {
	copy(j.reference, z)
	width, to := len(z), 0
	for from := 0; from < len(j.sample); from = to {
		to = min(from+chunkSize/width+1, len(j.sample))
		for i := from; i < to; i++ {
			e := j.E[i*width : (i+1)*width]
			j.logF(j.sample[i], j.rungs, e)
			for k := range e {
				e[k] -= z[k]
			}
		}
		j.Weigh(from, to)
		if err := j.work.Did(float64(6 * width * (to - from))); err != nil {
			return err
		}
	}
	return nil
}

// maxDistance is the largest distance (nats) of a pass from the lambda at which the weights were computed.
const maxDistance = 30

// evaluate passes over the samples at z.
func (j *pool) evaluate(z []float64) (*point, error) {
	p := &point{PoolSums: j.newSums(), z: z}
	for k, n := range j.N {
		p.A[k] = num.Mul(n, num.Exp(j.reference[k]-z[k]))
	}
	j.Pass(p.PoolSums, 0, len(p.Inv))
	p.next, p.gradient = j.selfConsistent(p), j.gradientAt(p)
	for _, g := range p.gradient {
		if off := math.Abs(g); !(off <= p.off) {
			p.off = off
		}
	}
	return p, j.work.Did(float64(len(j.E)))
}

// selfConsistent returns lambda of every rung after one step of the self-consistent equations ([Shirts2008] eq. C3),
//
//	lambda_k <- log sum_i f_k(x_i) / D_i,
//
// minus lambda of the first rung. It falls by at most maxDistance nats, as when no sample has mass at a rung.
func (j *pool) selfConsistent(p *point) []float64 {
	next := make([]float64, len(p.z))
	for k, s := range p.Sum { // relative to the lambda at which E was computed
		move := math.Inf(-1)
		if s > 0 {
			move = j.reference[k] + num.Log(s) - p.z[k]
		}
		next[k] = p.z[k] + max(move, -maxDistance)
	}
	for k := len(next) - 1; k >= 0; k-- {
		next[k] -= next[0]
	}
	return next
}

// gradientAt returns the derivative of the objective in lambda_k, for every rung ([Shirts2008] eq. C6):
//
//	g_k = n_k - sum_i P_ik.
func (j *pool) gradientAt(p *point) []float64 {
	g := make([]float64, len(p.z))
	for k, n := range j.N {
		g[k] = n - p.sum(k)
	}
	return g
}

// newSums reuses the buffers of a recycled point, if there is one: they take as much memory as the densities of a rung.
func (j *pool) newSums() *kernel.PoolSums {
	last := len(j.spare) - 1
	if last < 0 {
		return j.NewSums()
	}
	s := j.spare[last]
	j.spare = j.spare[:last]
	clear(s.Sum)
	return s
}

// recycle marks the buffers of a point as unused.
func (j *pool) recycle(p *point) { j.spare = append(j.spare, p.PoolSums) }

// products returns the sums over samples of P_ik P_il, rungs x rungs.
func (j *pool) products(p *point) ([]float64, error) {
	width, to := len(j.N), 0
	p.G = nil
	for from := 0; from < len(p.Inv); from = to {
		to = min(from+4*(chunkSize/(width*width)+1), len(p.Inv))
		j.Products(p.PoolSums, from, to)
		if err := j.work.Did(float64((to - from) / 4 * width * width)); err != nil {
			return nil, err
		}
	}
	g := p.G[:width*width]
	for k := range width {
		for l := range k {
			g[l*width+k] = g[k*width+l]
		}
	}
	return g, nil
}

// hessian returns the Cholesky factor of the Hessian ([Shirts2008] eq. C9)
//
//	H_kl = delta_kl sum_i P_ik - sum_i P_ik P_il
//
// at p without the first rung, (K-1) x (K-1), from products = P'P. It is nil if H is singular because some rungs share
// no samples with the others.
func (j *pool) hessian(p *point, products []float64) []float64 {
	width := len(p.z)
	n := width - 1
	h := make([]float64, n*n)
	for k := range n {
		for l := range k + 1 {
			h[k*n+l] = -products[(k+1)*width+l+1]
		}
		h[k*n+k] += p.sum(k + 1)
	}
	if !num.Cholesky(h, n, func(ops float64) { j.work.Did(ops) }) {
		return nil
	}
	return h
}

// solveWith overwrites b with the solution of H x = b, given the factor h of H. The first entry of b, for the rung left
// out of H, becomes 0.
func solveWith(h, b []float64) {
	b[0] = 0
	num.SolveLower(h, len(b)-1, b[1:])
	num.SolveUpperT(h, len(b)-1, b[1:])
}

// Limits of solve.
const (
	selfConsistentSteps = 20    // largest number of self-consistent steps before Newton steps
	newtonFrom          = .1    // Newton steps start when an iteration moves by less (nats)
	maxNewtonSteps      = 200   // largest number of Newton steps
	tolerance           = 1e-10 // converged when a step moves by less (nats)
)

// solve finds lambda from a start, as in [Shirts2008] appendix C: self-consistent steps, then at each step the better
// of the Newton point and the self-consistent point, the one whose largest gradient is smaller. The Hessian, most of
// the work, is kept while steps reduce the gradient tenfold. ok is false if that takes too many steps.
func (j *pool) solve(start []float64) (p *point, ok bool, err error) {
	z := slices.Clone(start)
	for k := len(z) - 1; k >= 0; k-- {
		z[k] -= z[0]
	}
	if err = j.prepare(z); err != nil {
		return nil, false, err
	}
	if p, err = j.evaluate(z); err != nil {
		return nil, false, err
	}

	var h []float64
	last, again := math.Inf(1), 0
	for step := range selfConsistentSteps + maxNewtonSteps {
		best, err := j.evaluate(p.next)
		if err != nil {
			return nil, false, err
		}
		if step >= selfConsistentSteps || distance(best.z, p.z) < newtonFrom {
			if h == nil && step >= again || h != nil && !(p.off < last/10) {
				g, err := j.products(p)
				if err != nil {
					return nil, false, err
				}
				h, again = j.hessian(p, g), step+10
			}

			// The Newton point competes once the Hessian is known.
			last = p.off
			other, err := j.newton(p, h)
			if err != nil {
				return nil, false, err
			}
			if other != nil {
				if other.off < best.off {
					best, other = other, best
				}
				j.recycle(other)
			}
		}

		// Done, or so far from the reference that the weights are computed anew.
		moved := distance(best.z, p.z)
		j.recycle(p)
		if p = best; moved < tolerance {
			return p, true, nil
		}
		if !(distance(p.z, j.reference) < maxDistance) {
			j.recycle(p)
			if err = j.prepare(p.z); err == nil {
				p, err = j.evaluate(p.z)
			}
			if err != nil {
				return nil, false, err
			}
		}
	}
	return p, false, nil
}

// newton evaluates the Newton point lambda - H^-1 g, given the factored Hessian h. It returns nil if h is nil or the
// point is too far from the reference.
func (j *pool) newton(p *point, h []float64) (*point, error) {
	if h == nil {
		return nil, nil
	}
	z := slices.Clone(p.gradient)
	solveWith(h, z)
	for k := range z {
		z[k] = p.z[k] - z[k]
	}
	if !(distance(z, j.reference) < 2*maxDistance) {
		return nil, nil
	}
	return j.evaluate(z)
}

// distance returns the largest |x_k - y_k|.
func distance(x, y []float64) (d float64) {
	for k := range x {
		if a := math.Abs(x[k] - y[k]); !(a <= d) {
			d = a
		}
	}
	return d
}

// FitMBAR solves for all rungs from start, log Z of each, or from FitBAR if start is nil.
func FitMBAR(s *Samples, start []float64, work *meter.Meter) (*Fit, error) {
	f, _, err := solveMBAR(s, start, work)
	return f, err
}

// solveMBAR solves for all rungs from start, or from bar if start is nil.
func solveMBAR(s *Samples, start []float64, work *meter.Meter) (*Fit, *solution, error) {
	in := s.Sorted()
	f := newLadderFit(in)
	rungs := f.sampled()
	if start == nil {
		bar, err := FitBAR(s, nil, work)
		if err != nil {
			return nil, nil, err
		}
		start = bar.Z
	}

	// The start, on rungs with samples only.
	work.NextPart()
	n := float64(len(s.Rung))
	work.Expect(n * float64(len(rungs)*(50+len(rungs))))
	z := make([]float64, len(rungs))
	for i, k := range rungs {
		if z[i] = start[k]; !num.Finite(z[i]) { // bar cannot reach this rung
			z[i] = z[max(i-1, 0)]
		}
	}

	// The solution, and its errors.
	j := newPool(in, rungs, work)
	p, converged, err := j.solve(z)
	if err != nil {
		return nil, nil, err
	}
	solved, err := j.newSolution(p, converged)
	if err != nil {
		return nil, nil, err
	}

	// All rungs of the ladder.
	f.Effective, f.Overlaps = make([]float64, len(f.Z)), make([]float64, len(f.Z)*len(f.Z))
	f.extend(solved, 0, len(f.Z)-1)
	f.Gap = solved.spectralGap()
	return f.finish(solved.variance()), solved, nil
}
