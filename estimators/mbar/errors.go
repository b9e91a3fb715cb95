package mbar

import (
	"math"

	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/core/num/stats"
	"logzlab/core/wire"
	"logzlab/estimators"
)

// solution is the solution of a pool: lambda, and the matrices for its errors.
type solution struct {
	*pool
	*point
	converged bool
	g         []float64 // P'P
	h         []float64 // factor of H without the first rung, nil if H is singular
}

// newSolution computes the matrices for the errors.
func (j *pool) newSolution(p *point, converged bool) (*solution, error) {
	j.spare = nil
	g, err := j.products(p)
	if err != nil {
		return nil, err
	}
	return &solution{j, p, converged, g, j.hessian(p, g)}, nil
}

// covariance returns the covariances of lambda_k with all lambda for independent samples, without a pseudo-inverse:
//
//	Cov = H^-1 - diag(1/n_k) - 1/n_1,
//
// with H without rung 1. For independent samples the robust covariance is the same. It is nil if H is singular.
func (s *solution) covariance(k int) []float64 {
	if s.h == nil {
		return nil
	}
	c := make([]float64, len(s.N))
	if k == 0 {
		return c
	}
	c[k] = 1
	solveWith(s.h, c)
	s.work.Did(float64(2 * len(c) * len(c)))
	c[k] -= 1 / s.N[k]
	for l := 1; l < len(c); l++ {
		c[l] -= 1 / s.N[0]
	}
	return c
}

// variance returns the variance of lambda of the last rung for independent samples, NaN if H is singular.
func (s *solution) variance() float64 {
	last := len(s.N) - 1
	c := s.covariance(last)
	if c == nil {
		return math.NaN()
	}
	return c[last]
}

// unknownVariance is the variance from which log Z counts as unknown: rungs that far apart share no samples.
const unknownVariance = 1e4

// influences returns the influence of every row of samples on each lambda. A sample at rung k has the score
// s_i = P_i - E_k[P]. With S the sum over a row, the influence of the row is H^-1 S, and the covariance of lambda is
// the sum over rows of outer products, H^-1 J H^-1 with J estimated between rows, so it includes the autocorrelation
// within a row. E_k[P] is P'P e_k / n_k, from the samples of all rungs, so that the samples of a rung are not centred
// on their own mean if they are few or all in one row. n_k need not be fixed: its variation between runs adds nothing.
func (s *solution) influences() Influence {
	width := len(s.N)
	out, count := make(Influence, s.rows), make([][]float64, s.rows)
	for r := range out {
		out[r], count[r] = make([]float64, width), make([]float64, width)
	}
	s.forEach(func(i, k int, row int32) {
		count[row][k]++
		s.add(out[row], i, 1)
	})
	for r, part := range out {
		for k, n := range count[r] {
			if n == 0 {
				continue
			}
			share := n / s.N[k]
			for l := range part {
				part[l] -= num.Mul(share, s.g[k*width+l])
			}
		}
		solveWith(s.h, part)
		s.work.Did(float64(2 * width * width))
	}
	return out
}

// add adds to sum the probabilities P_i of the i-th sample, times by.
func (s *solution) add(sum []float64, i int, by float64) {
	by *= s.Inv[i]
	for k, e := range s.E[i*len(sum) : (i+1)*len(sum)] {
		sum[k] += num.Mul(by, s.A[k]*e)
	}
}

// rungFit is the estimate at one rung.
type rungFit struct {
	z      float64   // log Z, NaN if the samples do not determine it
	parts  []float64 // influence of the rows
	shared []float64 // row of the overlap matrix: sum_i W_ik n_l W_il for each rung l with samples, W_ik = P_ik/n_k
	n      float64   // effective number of samples, 1/sum_i W_ik^2
}

// fitSampled returns the fit of the k-th rung of the pool; parts are the influences.
func (s *solution) fitSampled(k int, parts Influence) rungFit {
	width := len(s.N)
	r := rungFit{z: s.z[k], n: num.Mul(s.N[k], s.N[k]) / s.g[k*width+k]}
	if k > 0 && !(s.covariance(k)[k] < unknownVariance) {
		r.z = math.NaN()
	}
	for _, p := range parts {
		r.parts = append(r.parts, p[k])
	}
	for _, g := range s.g[k*width : (k+1)*width] {
		r.shared = append(r.shared, g/s.N[k])
	}
	return r
}

// fitUnsampled returns the fit of a rung without samples, from the samples of the others:
//
//	Z = sum_i f(x_i) / D_i,  D_i = sum_k n_k f_k(x_i)/Z_k.
func (s *solution) fitUnsampled(rung int, parts Influence) rungFit {
	z, w, shared := s.weights(rung)
	r := rungFit{z: z, parts: make([]float64, s.rows), shared: shared}
	r.n = stats.KishESS(1, num.Dot(w, w))
	s.forEach(func(i, k int, row int32) { r.parts[row] += w[i] - r.shared[k]/s.N[k] })
	for row, p := range parts {
		r.parts[row] += num.Dot(r.shared, p)
	}
	return r
}

// weights returns log Z of a rung without samples, the weight of each sample there (they sum to 1), and the total
// weight of the samples of each rung.
func (s *solution) weights(rung int) (z float64, w, shared []float64) {
	w, shared = make([]float64, len(s.sample)), make([]float64, len(s.N))
	at := []int{rung}
	for i := range w {
		s.logF(s.sample[i], at, w[i:i+1])
		w[i] -= (s.Norm[i] - num.Log(s.Inv[i]))
	}
	z = num.LogSumExp(w)
	for i := range w {
		w[i] = num.Exp(w[i] - z)
		s.add(shared, i, w[i])
	}
	return z, w, shared
}

// forEach calls visit for every sample with its index, the index of its rung in the pool, and its row.
func (s *solution) forEach(visit func(i, k int, row int32)) {
	k, row := 0, int32(0)
	for i, n := range s.sample {
		for s.rungs[k] != int(s.Rung[n]) {
			k++
		}
		if s.row != nil {
			row = s.row[n]
		}
		visit(i, k, row)
	}
}

// neighbourOverlaps returns, for each rung of the pool and the next one, the mass that their densities have in common,
// estimated by sum_i min(P_ik/n_k, P_il/n_l).
func (s *solution) neighbourOverlaps() []float64 {
	width := len(s.N)
	out, by := make([]float64, width-1), make([]float64, width)
	for k, a := range s.A {
		by[k] = a / s.N[k]
	}
	for i := range s.sample {
		e := s.E[i*width : (i+1)*width]
		last := num.Mul(by[0], e[0])
		for k := range out {
			this := num.Mul(by[k+1], e[k+1])
			out[k] += num.Mul(min(last, this), s.Inv[i])
			last = this
		}
	}
	return out
}

// spectralGap returns 1 minus the second largest eigenvalue of the overlap matrix O: 0 if the samples fall into groups
// that share nothing. I - O is similar to N^-1/2 H N^-1/2, whose smallest eigenvalue, apart from the 0 of sqrt(n), is
// found by inverse iteration. It is NaN if H is singular.
func (s *solution) spectralGap() float64 {
	width := len(s.N)
	if s.h == nil || width < 2 {
		return math.NaN()
	}

	// The vector sqrt(n), to project out, and a start close to the slowest mode.
	total, root := 0.0, make([]float64, width)
	v, u := make([]float64, width), make([]float64, width)
	for k, n := range s.N {
		total += n
		root[k] = math.Sqrt(n)
		v[k] = num.Mul(root[k], float64(k)) // close to the slowest mode along the ladder
	}
	project := func(x []float64) {
		along := num.Dot(root, x) / total
		for k := range x {
			x[k] -= num.Mul(along, root[k])
		}
		norm := math.Sqrt(num.Dot(x, x))
		for k := range x {
			x[k] /= norm
		}
	}
	project(v)

	// Inverse iteration for the smallest remaining eigenvalue.
	found := math.Inf(1)
	for range 1000 {
		for k := range u {
			u[k] = num.Mul(root[k], v[k])
		}
		solveWith(s.h, u)
		for k := range u {
			u[k] *= root[k]
		}
		last := found
		found = 1 / num.Dot(u, v) // v is orthogonal to root
		s.work.Did(float64(2 * width * width))
		project(u)
		u, v = v, u
		if math.Abs(found-last) <= num.Mul(1e-13, found) {
			break
		}
	}
	return found
}

// Fit is the estimate of the whole ladder: log Z of each rung minus log Z of the base, NaN if the samples do not
// determine it.
type Fit struct {
	Z         []float64
	Parts     Influence
	IID       float64   // standard error of log Z_K for independent samples
	N         []float64 // number of samples at each rung
	Overlap   []float64 // overlap of each rung and the next: see solution.neighbourOverlaps
	Converged bool

	// Set by mbar only. Overlaps is rungs x rungs: sum_i W_ik n_l W_il, with weights W_ik = P_ik/n_k.
	Effective, Overlaps []float64 // effective numbers of samples: 1/sum_i W_ik^2
	Gap                 float64
}

func newLadderFit(s *Sorted) *Fit {
	k := s.all
	f := &Fit{Z: make([]float64, k), N: make([]float64, k), Overlap: make([]float64, k-1), Converged: true,
		Gap: math.NaN(), Parts: make(Influence, s.rows)}
	for r := range f.Parts {
		f.Parts[r] = make([]float64, k)
	}
	for rung := range f.N {
		f.N[rung] = float64(s.First[rung+1] - s.First[rung])
	}
	estimators.Fill(f.Overlap, math.NaN())
	return f
}

// sampled returns the rungs with samples.
func (f *Fit) sampled() (rungs []int) {
	for k, n := range f.N {
		if n > 0 {
			rungs = append(rungs, k)
		}
	}
	return rungs
}

// extend fills in the rungs from..to from a solution whose first rung is filled in already.
func (f *Fit) extend(s *solution, from, to int) {
	f.Converged = f.Converged && s.converged

	// Overlaps of neighbours with samples, and influences.
	first, rungs := s.rungs[0], s.rungs
	for k, o := range s.neighbourOverlaps() {
		estimators.Fill(f.Overlap[rungs[k]:rungs[k+1]], o)
	}
	var parts Influence
	if s.h != nil {
		parts = s.influences()
	}

	// Each rung: from its own samples, or from the samples of others.
	for k, at := from, 0; k <= to; k++ {
		r := rungFit{z: math.NaN()}
		if s.h == nil {
			at++
		} else if at < len(rungs) && k == rungs[at] {
			r = s.fitSampled(at, parts)
			at++
		} else {
			r = s.fitUnsampled(k, parts)
		}
		if f.Overlaps != nil && s.h != nil {
			f.Effective[k] = r.n
			for l, rung := range rungs {
				f.Overlaps[k*len(f.Z)+rung] = r.shared[l]
			}
		}
		if k == first {
			continue
		}
		f.Z[k] = f.Z[first] + r.z
		for row, u := range f.Parts {
			if !num.NotNaN(r.z) {
				u[k] = math.NaN()
			} else {
				u[k] = u[first] + r.parts[row]
			}
		}
	}
}

// finish subtracts log Z of the base. variance is the variance of log Z_K for independent samples.
func (f *Fit) finish(variance float64) *Fit {
	if f.IID = math.NaN(); f.N[0] > 0 && f.N[len(f.N)-1] > 0 {
		f.IID = math.Sqrt(variance)
	}
	for _, z := range append(f.Parts, f.Z) {
		for k := len(z) - 1; k >= 0; k-- {
			z[k] -= z[0]
		}
	}
	return f
}

// Append encodes a fit.
func (f *Fit) Append(w *wire.Writer) {
	for _, x := range [][]float64{f.Z, f.N, f.Overlap, f.Effective, f.Overlaps, {f.IID, f.Gap}} {
		w.Floats(x)
	}
	w.Int(len(f.Parts))
	for _, row := range f.Parts {
		w.Floats(row)
	}
	w.Bool(f.Converged)
}

// Load decodes a fit that Append has encoded.
func (f *Fit) Load(r *wire.Reader) {
	var ends []float64
	for _, x := range []*[]float64{&f.Z, &f.N, &f.Overlap, &f.Effective, &f.Overlaps, &ends} {
		*x = r.Floats()
	}
	for range r.Int() {
		f.Parts = append(f.Parts, r.Floats())
	}
	if len(ends) != 2 {
		r.Err = wire.ErrDamaged
		return
	}
	f.IID, f.Gap, f.Converged = ends[0], ends[1], r.Bool()
}

// Solver estimates log Z of the rungs from samples. start is log Z of each rung by rts, or nil if chains stay at their
// rungs. work counts operations and may stop the solution with an error.
type Solver func(s *Samples, start []float64, work *meter.Meter) (*Fit, error)
