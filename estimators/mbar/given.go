package mbar

import (
	"math"
	"slices"

	"logzlab/core/meter"
	"logzlab/core/num"
)

// Given makes Samples of draws that another program left behind: n of them, each at one of so many rungs. logF fills
// in log f of draw i at some rungs, up to a constant of the draw's own; it is asked again and again, so that millions
// of numbers need not be there twice. Draws of a rung come in the order in which they were drawn.
func Given(rungs, n int, rung func(i int) int, logF func(i int, at []int, out []float64)) *Samples {
	s := &Samples{Every: 1, EveryChain: 1, Rung: make([]int32, n), Rows: 1, Batches: 1, rungs: rungs, given: logF}
	for i := range s.Rung {
		s.Rung[i] = int32(rung(i))
	}
	return s
}

// Solved is the solution of bar or mbar for given samples.
type Solved struct {
	LogZ      []float64 // of each rung, minus log Z of the first; NaN: the samples do not tell
	Overlap   []float64 // of each rung and the next: the mass that their densities have in common
	Overlaps  []float64 // rungs x rungs, of mbar: sum_i W_ik n_l W_il
	Effective []float64 // of mbar: the effective number of samples at each rung
	IID       float64   // standard error of log Z of the last rung if the samples were independent
	Gap       float64   // of mbar: see solution.gap
	Converged bool
	// Influence is the part of each sample, in the order given, in the error of log Z of the last rung. Its variance,
	// rung by rung and with its autocorrelation, is that of log Z.
	Influence []float64
}

// SolveBAR is bar of given samples.
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

// SolveMBAR is mbar of given samples. bar is their log Z by SolveBAR, where it starts, or nil.
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

// spread adds to out, by samples, their parts in the error of lambda of a rung, times a factor: c's, with s_i the score
// of a sample (see influences) and c = H^-1 e_k, or H^-1 times what the rungs have of a rung without samples, whose
// weights vary as well. NaN where H is singular.
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

	// Without the Hessian no part is known.
	if s.h == nil {
		for _, n := range s.sample {
			out[n] = math.NaN()
		}
		return
	}
	solveWith(s.h, c)

	// Scores of samples, less the mean over the rung.
	mean := make([]float64, width) // c's mean over the samples of each rung
	for k := range mean {
		mean[k] = num.Dot(c, s.g[k*width:(k+1)*width]) / s.N[k]
	}
	s.each(func(i, k int, _ int32) {
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
