package temper

import (
	"math"
	"slices"

	"logzlab/core/diag"
	"logzlab/core/num"
	"logzlab/core/problem"
	"logzlab/core/spec"
	"logzlab/estimators"
	"logzlab/estimators/mbar"
)

// FlagNotConverged reports that the equations of mbar were not solved.
var FlagNotConverged = diag.NewFlag("not_converged",
	"The equations for all rungs were not solved to full accuracy: rungs share too few samples. Use more sweeps.")

// MBAR is the multistate Bennett acceptance ratio, or UWHAM ([Shirts2008]; [RTS] eq. 18): the maximum likelihood
// estimate of log Z at all rungs from the samples of all rungs (package mbar). It starts from the RTS estimate, or from
// bar if chains stay at their rungs. One self-consistent iteration of MBAR is RTS if it uses the samples of RTS and
// rung k has n_k = N r_k of them; here samples are thinned, and n_k are counted. The error bar includes the
// autocorrelation of the samples (solution.influences). The bias is of order 1/n and has no fixed sign.
var MBAR = estimators.Info{
	Name: "mbar", Label: "MBAR", Short: "all rungs at once", Path: estimators.Tempered, Provenance: estimators.OnRungs,
	About: "Multistate Bennett acceptance ratio: every sample is weighed under every rung, and all log Z are found " +
		"together by maximum likelihood.",
	Params: estimators.Appended(Run.Params, paramSamples), Checks: sampleChecks,
	Overlaps: true,
	Reads: &Reader{Needs: []*Statistic{Conditionals, Overlap, ThinnedSamples}, Read: readMBAR, CheckRungs: checkMBARRungs,
		Fit: &Fit{mbar.FitMBAR, func(n, k float64) float64 { return n * k * (50 + float64(k/2)) }}},
}

// maxMBAR is the largest number of rungs: the cost of a Newton step is their cube.
const maxMBAR = 1000

func checkMBARRungs(rungs int, _ spec.Values) error {
	if rungs > maxMBAR {
		return problem.New("mbar solves for all rungs at once and takes at most %d temperatures, not %d; use bar or rts",
			maxMBAR, rungs)
	}
	return nil
}

func readMBAR(t *Record, _ spec.Values) *estimators.Result {
	res := t.fitResult()
	f := t.Fit
	if f == nil {
		return res
	}
	res.Diagnose(estimators.DiagSEIID, f.IID)
	res.Diagnose(estimators.DiagInefficiency, num.Mul(res.SE, res.SE)/num.Mul(f.IID, f.IID))
	res.Diagnose(estimators.DiagSpectralGap, f.Gap)
	res.Diagnose(estimators.DiagEffectiveMin, slices.Min(f.Effective))
	res.Effective = f.Effective
	for k := range f.Z {
		res.OverlapMatrix = append(res.OverlapMatrix, f.Overlaps[k*len(f.Z):(k+1)*len(f.Z)])
	}
	if !f.Converged {
		res.Flag(FlagNotConverged)
	}
	return res
}

// fitResult returns the result of a fit. Before the end of the run it returns the result of rts, or NaN if the chains
// are at fixed rungs, which have no conditionals.
func (t *Record) fitResult() *estimators.Result {
	f := t.Fit
	switch {
	case f == nil && len(t.Conditionals.LogC) == 0:
		z := make([]float64, len(t.Ladder))
		estimators.Fill(z, math.NaN())
		return t.fromRows(z, nil, nil)
	case f == nil:
		res := t.result(t.Conditionals)
		res.Overlap = t.Overlap
		return res
	}

	// log Z at all rungs, with errors between rows or chains.
	var chains mbar.Influence
	if t.ByChain {
		chains = f.Parts.ByChain(t.Samples.Batches)
	}
	res := t.fromRows(f.Z, f.Parts, chains)
	res.Overlap = f.Overlap
	t.occupancy(res, t.Conditionals)

	// The smallest overlap, and the number of samples.
	least := math.Inf(1)
	for _, o := range res.Overlap {
		if !(o >= least) && num.NotNaN(o) {
			least = o
		}
	}
	res.Diagnose(estimators.DiagOverlapMin, least)
	res.Diagnose(estimators.DiagSamplesMin, slices.Min(f.N))
	res.Diagnose(estimators.DiagSampleEvery, float64(t.Samples.Every))
	if !num.NotNaN(res.LogZ) {
		res.Flag(FlagNoOverlap)
	}
	return res
}

// sampleChecks are the checks of methods that weigh the samples of a tempering run under the densities of its rungs.
var sampleChecks = append(Checks[:len(Checks):len(Checks)],
	estimators.Check{Name: "Overlap of neighbours",
		Meaning: "Some neighbouring rungs have few samples in common, and log Z is carried over from one to the other by " +
			"these alone.",
		Advice: "Add rungs, or choose a schedule that has more of them there.",
		Judge: estimators.JudgeNumber(estimators.DiagOverlapMin, func(o float64) estimators.Finding {
			return estimators.Finding{Text: estimators.FormatAgainst(100*o, 5, 0) + " %", Needs: "≥ 5 %", OK: o >= .05, Bad: o < .001}
		})}, checkSamples, checkApart)
