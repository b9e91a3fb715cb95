package mbar

import (
	"math"
	"slices"

	"logzlab/core/meter"
	"logzlab/core/num"
)

// Given returns Samples of draws made by another program: n draws, each at one of the given number of rungs. logF fills
// in log f of draw i at some rungs, up to a constant that depends on the draw. It is called many times for the same
// draw, which avoids a second copy of millions of numbers. Draws of a rung must be in the order in which they were
// drawn.
func Given(rungs, n int, rung func(i int) int, logF func(i int, at []int, out []float64)) *Samples {
	s := &Samples{Every: 1, EveryChain: 1, Rung: make([]int32, n), Rows: 1, Batches: 1, rungs: rungs, given: logF}
	for i := range s.Rung {
		s.Rung[i] = int32(rung(i))
	}
	return s
}

// Solved is the result of bar or mbar for given samples.
type Solved struct {
	LogZ      []float64 // log Z of each rung minus log Z of the first; NaN if the samples do not determine it
	Overlap   []float64 // mass that the densities of each rung and the next have in common
	Overlaps  []float64 // mbar only, rungs x rungs: sum_i W_ik n_l W_il
	Effective []float64 // mbar only: effective number of samples at each rung
	IID       float64   // standard error of log Z of the last rung for independent samples
	Gap       float64   // mbar only: see solution.spectralGap
	Converged bool
	// Influence is the influence of each sample, in the order given, on log Z of the last rung. Its variance, rung by
	// rung and including its autocorrelation, is the variance of log Z.
	Influence []float64
}

// SolveBAR estimates log Z by bar from given samples.
func SolveBAR(s *Samples, work *meter.Meter) (*Solved, error) {
	parts := make([]float64, len(s.Rung))
	f, err := solveBAR(s, work, func(p *solution, from, to int) {
		p.spread(to, 1, parts)
		p.spread(from, -1, parts)
	})
	if err != nil {
		return nil, err
	}
	return f.solved(parts), nil
}

// SolveMBAR estimates log Z by mbar from given samples. It starts from bar, log Z by SolveBAR, or computes it if bar is
// nil.
func SolveMBAR(s *Samples, bar []float64, work *meter.Meter) (*Solved, error) {
	f, p, err := solveMBAR(s, bar, work)
	if err != nil {
		return nil, err
	}
	parts := make([]float64, len(s.Rung))
	p.spread(len(f.Z)-1, 1, parts)
	p.spread(0, -1, parts)
	return f.solved(parts), nil
}

func (f *Fit) solved(parts []float64) *Solved {
	return &Solved{LogZ: f.Z, Overlap: f.Overlap, Overlaps: f.Overlaps, Effective: f.Effective, IID: f.IID, Gap: f.Gap,
		Converged: f.Converged, Influence: parts}
}

// spread adds to out, by sample, by times the influence of the samples on lambda of a rung: c's, where s_i is the score
// of a sample (see influences) and c = H^-1 e_k. For a rung without samples c is H^-1 times the shares of the sampled
// rungs, and the variation of the weights is added. It is NaN if H is singular.
func (s *solution) spread(rung int, by float64, out []float64) {
	width := len(s.N)
	c := make([]float64, width)
	var direct []float64
	if at := slices.Index(s.rungs, rung); at >= 0 {
		c[at] = 1
	} else {
		_, direct, c = s.weights(rung)
	}
	shared := slices.Clone(c)

	// A singular Hessian gives no influence.
	if s.h == nil {
		for _, n := range s.sample {
			out[n] = math.NaN()
		}
		return
	}
	solveWith(s.h, c)

	// Scores of samples, minus the mean over the rung.
	mean := make([]float64, width) // mean of c's over the samples of each rung
	for k := range mean {
		mean[k] = num.Dot(c, s.g[k*width:(k+1)*width]) / s.N[k]
	}
	s.forEach(func(i, k int, _ int32) {
		sum := -mean[k]
		for l, e := range s.E[i*width : (i+1)*width] {
			sum += num.Mul(num.Mul(c[l], s.Inv[i]), s.A[l]*e)
		}
		if direct != nil {
			sum += direct[i] - shared[k]/s.N[k]
		}
		out[s.sample[i]] += num.Mul(by, sum)
	})
}
