package mbar

import (
	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/estimators"
)

// FitBAR solves Bennett's equation for each pair of neighbouring rungs with samples. It ignores start.
func FitBAR(s *Samples, _ []float64, work *meter.Meter) (*Fit, error) {
	return solveBAR(s, work, nil)
}

// solveBAR solves for each pair of neighbouring rungs. visit, which may be nil, is called with each solution and the
// range of rungs whose log Z the pair gives: its own and, for the first and the last pair, the rungs beyond.
func solveBAR(s *Samples, work *meter.Meter, visit func(s *solution, from, to int)) (*Fit, error) {
	in := s.Sorted()
	f := newLadderFit(in)
	rungs, top := f.sampled(), len(f.Z)-1
	work.Expect(float64(400 * len(s.Rung)))
	variance := 0.0
	for i := 0; i == 0 || i < len(rungs)-1; i++ {
		pair, from, to := rungs[i:min(i+2, len(rungs))], rungs[i], top
		if i == 0 {
			from = 0
		}
		if i+2 < len(rungs) {
			to = pair[1]
		}

		// The difference in log Z of the pair.
		j := newPool(in, pair, work)
		z := make([]float64, len(pair))
		if len(pair) > 1 {
			z[1] = j.difference()
		}
		if err := j.prepare(z); err != nil {
			return nil, err
		}
		p, err := j.evaluate(z)
		if err != nil {
			return nil, err
		}
		solved, err := j.newSolution(p, true)
		if err != nil {
			return nil, err
		}

		// Extend the ladder as far as this pair determines log Z.
		f.extend(solved, from, to)
		if visit != nil {
			visit(solved, from, to)
		}
		variance += solved.variance()
	}
	return f.finish(variance), nil
}

// difference returns log Z_k - log Z_j for a pool of two rungs j and k (Bennett's acceptance ratio).
func (j *pool) difference() float64 {
	var forward, reverse []float64 // log f_k - log f_j of the samples of j, and log f_j - log f_k of the samples of k
	f := make([]float64, 2)
	for _, n := range j.sample {
		j.logF(n, j.rungs, f)
		if u := f[1] - f[0]; int(j.Rung[n]) == j.rungs[0] {
			forward = append(forward, u)
		} else {
			reverse = append(reverse, -u)
		}
	}
	c := estimators.BennettWithout(estimators.Bennett(forward, reverse), forward, reverse, 0, 0)
	return c + num.Log(float64(len(reverse))/float64(len(forward)))
}
