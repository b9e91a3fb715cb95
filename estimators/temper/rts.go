package temper

import (
	"math"
	"slices"

	"logzlab/core/diag"
	"logzlab/core/num"
	"logzlab/core/num/stats"
	"logzlab/core/problem"
	"logzlab/core/spec"
	"logzlab/estimators"
)

// Flags of tempering runs.
var (
	FlagOccupancy = diag.NewFlag("occupancy",
		"Some rungs were visited ten times too rarely or too often: give the initial iterations more rounds.")
	FlagNotFlat = diag.NewFlag("not_flat",
		"The initial iterations ended before the rungs were visited evenly: give them more rounds or sweeps.")
	FlagNotMerged = diag.NewFlag("not_merged",
		"The initial iterations could not be merged, so the final run stands alone.")
)

// RTS is Rao-Blackwellized tempered sampling ([RTS] Algorithm 1). With c_k the mean of q(k|x) over the samples of a
// tempering run,
//
//	log Z_k = log Zhat_k + log(c_k/r_k) - log(c_1/r_1)   (eq. 12),
//
// where r is the prior over rungs, uniform by default. The bias is of order 1/n and can have either sign (eq. 16).
var RTS = estimators.Info{
	Name: "rts", Label: "RTS", Short: "up and down", Path: estimators.Tempered, Provenance: estimators.OnRungs,
	About: "Rao-Blackwellized tempered sampling: chains wander up and down the ladder, and the exact chance of each " +
		"rung, averaged over the run, gives every log Z.",
	Params: estimators.Appended(Run.Params, paramMerge), Checks: Checks,
	Overlaps: true,
	Reads:    &Reader{Needs: []*Statistic{Conditionals, Overlap, TargetMoments}, Read: readRTS, CheckRungs: checkMergeRungs},
}

var paramMerge = estimators.YesNoParam("merge",
	"Whether the initial iterations that were nearly flat are merged into the estimate by maximum likelihood.")

// merges reports whether a reader merges the initial iterations.
func merges(v spec.Values) bool {
	var p struct {
		Merge bool `param:"merge"`
	}
	v.Fill(&p)
	return p.Merge
}

// checkMergeRungs rejects merging more rungs than can be solved for.
func checkMergeRungs(rungs int, v spec.Values) error {
	if merges(v) && rungs > maxMerge {
		return problem.New("merge = yes solves for all rungs at once and takes at most %d temperatures, not %d; "+
			"use merge = no", maxMerge, rungs)
	}
	return nil
}

func readRTS(t *Record, v spec.Values) *estimators.Result {
	res := t.result(t.Conditionals)
	res.Overlap = t.Overlap
	res.Batch = t.pooling()
	res.Posterior, res.AtTarget = t.posterior()
	if !t.Final || !merges(v) { // too slow for running estimates
		return res
	}
	merged := mergeBatches(append(slices.Clone(t.Earlier), t))
	if merged == nil {
		res.Flag(FlagNotMerged)
		return res
	}
	z0, top := t.Model.LogZ0(), len(t.Ladder)-1
	for k := range res.Ladder {
		res.Ladder[k].LogZ, res.Ladder[k].SE = merged.z[k]+z0, merged.se[k]
	}
	res.LogZ, res.SE = merged.z[top]+z0, merged.se[top]
	if res.SEMethod = estimators.SERobust; t.SEMethod == estimators.SEBatches {
		res.SEMethod = estimators.SERobustBatches
	}
	res.Diagnose(estimators.DiagMergedBatches, merged.batches)
	return res
}

// result returns the estimate from the shares of rungs, with its error from the spread of rows ([RTS] eq. 16 with the
// covariance of c estimated between rows). The influence of a row on log Z_k is u_k = S_k/c_k - S_1/c_1, so
// var log Z_k = Var(u_k)/rows.
func (t *Record) result(s Shares) *estimators.Result {
	z0 := t.Model.LogZ0()
	res := &estimators.Result{SEMethod: t.SEMethod, Bias: "either", Lower: math.NaN(), Upper: math.NaN()}

	// log Z of each rung, with the error relative to the base.
	z := t.logZ(s)
	top := len(z) - 1
	base, end := s.ratios(0), s.ratios(top)
	se := func(a, b []float64) float64 { return math.Sqrt(stats.BatchMeansVar(difference(a, b))) }
	for k := range z {
		r := s.ratios(k)
		res.Ladder = append(res.Ladder, estimators.Rung{Beta: t.Ladder[k], LogZ: z[k] + z0, SE: se(r, base)})
		if t.Final {
			res.RiseSE = append(res.RiseSE, se(end, r))
		}
	}

	// log Z at the top, and the bias by eq. 16.
	res.LogZ, res.SE = z[top]+z0, res.Ladder[top].SE
	_, vark := stats.MeanVar(end)
	_, var1 := stats.MeanVar(base)
	res.Diagnose(estimators.DiagBiasEq16, (var1-vark)/(2*float64(len(s.Rows))))
	t.occupancy(res, s)
	res.Flag(estimators.FlagNoSandwich)
	return res
}

// occupancy records how evenly the rungs were visited: c_k/r_k, round trips, and flags if they reveal a bad guess. It
// does nothing for chains at fixed rungs, which have no shares.
func (t *Record) occupancy(res *estimators.Result, s Shares) {
	if len(s.LogC) == 0 {
		return
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for k, lc := range s.LogC {
		c := t.Prior.over(k, num.Mul(float64(len(s.LogC)), num.Exp(lc))) // c_k/r_k
		lo, hi = min(lo, c), max(hi, c)
		res.Occupancy = append(res.Occupancy, c)
	}
	res.Diagnose(estimators.DiagOccupancyMin, lo)
	res.Diagnose(estimators.DiagOccupancyMax, hi)
	res.Diagnose(estimators.DiagRoundTrips, float64(t.RoundTrips))
	if t.InitialDev > 0 {
		res.Diagnose(estimators.DiagInitialMaxDev, t.InitialDev)
	}
	if len(s.Rows) < 2 {
		res.Flag(estimators.FlagNoErrorBar)
	}
	if lo < .1 || hi > 10 {
		res.Flag(FlagOccupancy)
	}
	// The few sweeps of an initial iteration leave noise of about sqrt(K tau/N), so the final run also decides whether
	// the rungs are flat.
	if t.InitialDev > .5 && max(1-lo, hi-1) > .5 {
		res.Flag(FlagNotFlat)
	}
}
