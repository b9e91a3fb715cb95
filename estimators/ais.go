package estimators

import (
	"math"

	"logzlab/core/diag"
	"logzlab/core/num"
	"logzlab/core/spec"
	"logzlab/core/stats"
)

// Flags that this file sets.
var (
	FlagNoUpperBound = diag.NewFlag("no_upper_bound",
		"No upper end: exact samples of this target cannot be drawn.")
)

// AIS is annealed importance sampling ([Neal2001]; [RTS] eq. 23): log Z is the log of the mean weight of the chains of
// an annealing run, biased down, with a sandwich from the chains on the way back.
var AIS = Info{
	Name: "ais", Label: "AIS", Short: "annealing", Path: Tempered, Road: onRungs, Unbiased: true,
	About: "Annealed importance sampling: chains are cooled from the base to the target, and each carries a weight " +
		"whose mean is Z.",
	Params: AnnealRun.Params, Checks: []Check{checkESS, checkSpread, checkReverse, checkSandwich},
	ReadAnneal: readAIS,
}

func readAIS(a *AnnealRecord, _ spec.Values) *Result {
	z0, top := a.Model.LogZ0(), len(a.Betas)-1
	res := weighted(a.Works(top), z0)
	if res.Ladder = a.Ladder(); len(res.Ladder) < a.Rungs {
		res.flag(FlagLadderThinned)
	}
	res.diagnose(DiagChains, float64(a.Chains()))
	if len(a.Reverse) > 0 {
		res.upperEnd(a.Reverse, z0)
		if a.Rungs == 2 && len(a.Reverse) == a.Chains() {
			res.diagnose(DiagLogZBennett, bennett(a.Works(top), a.Reverse)+z0)
		}
		if a.FromData {
			res.flag(FlagUpperFromData)
		} else if w := stats.LogWeights(a.Reverse); w.ESS >= calibratedESS && w.VarLog <= 1 {
			res.diagnose(DiagLogZReverseSE, w.SE)
		}
		if len(a.Reverse) < 2 {
			res.Upper = math.NaN()
		}
	} else if a.Final {
		res.flag(FlagNoUpperBound)
	}
	if a.Blocks != nil {
		res.diagnose(DiagLogZEnumerated, num.LogSumExp(a.Blocks))
	}
	return res
}
