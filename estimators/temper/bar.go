package temper

import (
	"logzlab/core/diag"
	"logzlab/core/spec"
	"logzlab/estimators"
	"logzlab/estimators/mbar"
)

// FlagNoOverlap reports that log Z is unknown because neighbouring rungs share no samples.
var FlagNoOverlap = diag.NewFlag("no_overlap",
	"Some neighbouring rungs share no samples, so log Z cannot be carried over from one to the other: use more "+
		"temperatures or sweeps.")

// BAR is Bennett's acceptance ratio ([Bennett1976]; [RTS] eq. 17 with the best alpha), chained over the ladder: for
// neighbouring rungs j, k = j+1 with samples, D = log Z_k - log Z_j solves
//
//	sum rho(x) = n_k over the samples of both,  rho = 1/(1 + e^-(u - D + log n_k/n_j)),  u = log f_k(x) - log f_j(x).
//
// Rungs without samples are skipped, and their log Z is evaluated from the pair around them. Neighbouring pairs share
// samples, so the error is computed from the sum of all differences in each row, never as the sum of the pairs'
// variances. The bias is of order 1/n and has no fixed sign.
var BAR = estimators.Info{
	Name: "bar", Label: "BAR", Short: "pairs of rungs", Path: estimators.Tempered, Provenance: estimators.OnRungs,
	About: "Bennett's acceptance ratio: the samples of two neighbouring rungs give the difference of their log Z, and " +
		"the steps along the ladder add up.",
	Params: estimators.Appended(Run.Params, paramSamples), Checks: sampleChecks,
	Overlaps: true, Reads: &Reader{Needs: []*Statistic{Conditionals, Overlap, ThinnedSamples}, Read: readBAR,
		Fit: &Fit{mbar.FitBAR, func(n, _ float64) float64 { return 1000 * n }}},
}

func readBAR(t *Record, _ spec.Values) *estimators.Result {
	res := t.fitResult()
	if t.Fit != nil {
		res.Diagnose(estimators.DiagSEPairs, t.Fit.IID)
	}
	return res
}
