package estimators

import (
	"math"
	"slices"

	"logzlab/core/diag"
	"logzlab/core/num"
	"logzlab/core/schedule"
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
	Name: "ais", Label: "AIS", Short: "cool slowly", Path: Tempered, Road: onRungs, Unbiased: true,
	About: "Annealed importance sampling: chains are cooled from the base to the target, and each carries a weight " +
		"whose mean is Z.",
	Params: AnnealRun.Params, Checks: []Check{checkESS, checkSpread, checkReverse, checkSandwich},
	Needs: ReverseWorks, ReadAnneal: readAIS,
}

func readAIS(a *AnnealRecord, _ spec.Values) *Result {
	z0, works := a.Model.LogZ0(), a.Works(len(a.Betas)-1)
	res := a.cooled(works)
	res.works = works
	if len(works) <= mostWeights {
		for _, w := range works {
			res.LogWeights = append(res.LogWeights, w+z0)
		}
	}
	if len(a.Reverse) > 0 {
		res.upperEnd(a.Reverse, z0)
		if a.Rungs == 2 && len(a.Reverse) == a.Chains() {
			res.diagnose(DiagLogZBennett, bennett(works, a.Reverse)+z0)
		}
		back := stats.LogWeights(a.Reverse)
		res.diagnose(DiagReverseESS, back.ESS)
		if a.FromData {
			res.flag(FlagUpperFromData)
		} else if back.ESS >= calibratedESS && back.VarLog <= 1 {
			res.diagnose(DiagLogZReverseSE, back.SE)
		}
	} else if a.Final {
		res.flag(FlagNoUpperBound)
	}
	if a.Blocks != nil {
		res.diagnose(DiagLogZEnumerated, num.LogSumExp(a.Blocks))
	}
	return res
}

// mostWeights is the largest number of log weights that a result lists.
const mostWeights = 1000

// cooled is the estimate from the forward chains alone, whose works at the target are given.
func (a *AnnealRecord) cooled(works []float64) *Result {
	res := weighted(works, a.Model.LogZ0())
	if res.Ladder = a.Ladder(); len(res.Ladder) < a.Rungs {
		res.flag(FlagLadderThinned)
	}
	res.diagnose(DiagChains, float64(a.Chains()))
	if a.Forwarded && len(a.Betas) == a.Rungs && a.Rungs > 2 && a.Chains() > 1 {
		p := a.learn()
		res.learned(p, schedule.Predicted(p.Betas, p.Var, a.Betas))
	}
	return res
}

// replace puts an estimate of another kind in place of that of the forward chains, which stays in the diagnostics. The
// ladder keeps their estimates below the target.
func (r *Result) replace(logZ, se float64, how, bias string) {
	r.diagnose(DiagLogZForward, r.LogZ)
	r.diagnose(DiagLogZForwardSE, r.SE)
	delete(r.Diagnostics, DiagLogZJackknife)
	delete(r.Diagnostics, DiagSEJackknife)
	r.LogZ, r.SE, r.SEMethod, r.Bias = logZ, se, how, bias
	r.Flags = slices.DeleteFunc(r.Flags, func(f diag.Flag) bool { return f == FlagSEOptimistic })
	r.Ladder = slices.Clone(r.Ladder) // readers share it
	r.Ladder[len(r.Ladder)-1] = Rung{1, logZ, se}
}

// none takes an estimate away that cannot be had; a flag says why.
func (r *Result) none(why diag.Flag) {
	r.replace(math.NaN(), math.NaN(), SENone, "either")
	r.flag(why)
}
