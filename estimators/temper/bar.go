package temper

import (
	"logzlab/core/diag"
	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/core/spec"
	"logzlab/estimators"
)

// FlagNoOverlap is set where log Z is not known because neighbouring rungs share no samples.
var FlagNoOverlap = diag.NewFlag("no_overlap",
	"Some neighbouring rungs share no samples, so log Z cannot be carried over from one to the other: use more "+
		"temperatures or sweeps.")

// BAR is Bennett's acceptance ratio ([Bennett1976]; [RTS] eq. 17 with the best alpha), chained over the ladder: for
// neighbouring rungs j, k = j+1 with samples, D = log Z_k - log Z_j solves
//
//	sum rho(x) = n_k over the samples of both,  rho = 1/(1 + e^-(u - D + log n_k/n_j)),  u = log f_k(x) - log f_j(x).
//
// Rungs without samples are stepped over, and evaluated from the pair around them. Neighbouring pairs share samples, so
// the error is that of the sum of all differences in each row, never the sum of the pairs' variances. Bias: none of
// a fixed sign, of order 1/n.
var BAR = estimators.Info{
	Name: "bar", Label: "BAR", Short: "pairs of rungs", Path: estimators.Tempered, Provenance: estimators.OnRungs,
	About: "Bennett's acceptance ratio: the samples of two neighbouring rungs tell how far apart their log Z are, and " +
		"the steps along the ladder add up.",
	Params: estimators.With(Run.Params, paramSamples), Checks: sampleChecks,
	Overlaps: true, Reads: &Reader{Needs: Conditionals | Densities, Read: readBAR,
		Fit: &Fit{fitBAR, func(n, _ float64) float64 { return 1000 * n }}},
}

func readBAR(t *Record, _ spec.Values) *estimators.Result {
	res := t.fitted()
	if t.Fit != nil {
		res.Diagnose(estimators.DiagSEPairs, t.Fit.IID)
	}
	return res
}

func fitBAR(s *Samples, _ []float64, work *meter.Meter) (*ladderFit, error) {
	return solveBAR(s, work, nil)
}

// solveBAR solves for each pair of neighbouring rungs. visit, which may be nil, is given each solution and the rungs
// between which it carries log Z over: those of the pair, or the ends of the ladder beyond them.
func solveBAR(s *Samples, work *meter.Meter, visit func(s *solution, from, to int)) (*ladderFit, error) {
	in := s.sorted()
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
		j := newPool(in, pair, work)
		z := make([]float64, len(pair))
		if len(pair) > 1 {
			z[1] = j.difference()
		}
		if err := j.prepare(z); err != nil {
			return nil, err
		}
		p, err := j.at(z)
		if err != nil {
			return nil, err
		}
		solved, err := j.finished(p, true)
		if err != nil {
			return nil, err
		}
		f.extend(solved, from, to)
		if visit != nil {
			visit(solved, from, to)
		}
		variance += solved.variance()
	}
	return f.finish(variance), nil
}

// difference is log Z_k - log Z_j, for a pool of two rungs.
func (j *pool) difference() float64 {
	var forward, reverse []float64 // log f_k - log f_j of the samples of j, and the opposite of those of k
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
