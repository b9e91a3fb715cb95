package anneal

import (
	"math"

	"logzlab/core/diag"
	"logzlab/core/num"
	"logzlab/core/num/stats"
	"logzlab/core/spec"
	"logzlab/estimators"
)

// FlagNoReverse is set where the estimate needs chains on the way back and there are none.
var FlagNoReverse = diag.NewFlag("no_reverse",
	"This method needs chains that start at the target: exact samples of it cannot be drawn, and it has no data. "+
		"Use ais, or a tempering method.")

// AISBAR is the acceptance ratio of Bennett on the works of both directions of an annealing run ([Bennett1976];
// [Crooks2000]): with log weights w of C forward chains and r of as many reverse ones, log Z is the c at which
//
//	sum_forward 1/(1 + e^(c - w)) = sum_reverse 1/(1 + e^(-r - c)),
//
// plus log Z of the base. It is consistent for any kernels if reverse chains start at exact samples, since the density
// of forward weights at w over that of reverse ones at r = -w is then e^(log Z - w), with log Z that of target over
// base. Of all estimates from these works it has the least variance. Its bias is O(1/C), of either sign; from data,
// typically up. The error is the jackknife's over pairs of a forward and a reverse chain.
var AISBAR = estimators.Info{
	Name: "ais-bar", Label: "AIS-BAR", Short: "both ways", Path: estimators.Tempered,
	Stretch:    1,
	Provenance: estimators.OnRungs | estimators.FromData,
	About: "Annealing both ways: chains go from the base to the target and back, and the acceptance ratio joins the " +
		"weights of both ways into one estimate.",
	Params: Run.Params, Checks: []estimators.Check{CheckMeeting, CheckReverse, CheckSandwich},
	Reads: &Reader{Needs: ReverseWorks, Read: readAISBAR},
}

// Until the reverse chains are back, the estimate is that of the forward ones.
func readAISBAR(a *Record, v spec.Values) *estimators.Result {
	res := readAIS(a, v)
	if len(a.Reverse) == 0 {
		if a.Final {
			withhold(res, FlagNoReverse)
		}
		return res
	}
	if a.joint == nil {
		a.joint = joinWorks(a.Works(len(a.Betas)-1), a.Reverse)
	}
	if !num.Finite(a.joint.logZ) {
		withhold(res, estimators.FlagZeroWeights)
		return res
	}
	if a.FromData {
		res.Flag(FlagFromData)
	}
	replaceEstimate(res, a.joint.logZ+a.Model.LogZ0(), a.joint.se, estimators.SEJackknife, "either")
	res.Diagnose(estimators.DiagESSBennett, a.joint.ess)
	return res
}

// joint is Bennett's estimate from works, its error, and its effective sample size: twice the sum of p (1-p) over all
// terms p of its equation, which is the number of pairs of chains where all works are equal.
type joint struct{ logZ, se, ess float64 }

// joinWorks joins equally many works of both directions.
func joinWorks(forward, reverse []float64) *joint {
	j := &joint{logZ: math.NaN(), se: math.NaN()}
	ahead, back := num.LogMeanExp(forward), num.LogMeanExp(reverse)
	if !num.Finite(ahead) || !num.Finite(back) {
		return j
	}
	j.logZ = estimators.BennettWithout(estimators.Bennett(forward, reverse), forward, reverse, 0, 0)
	p, slopeP := estimators.LogAccepted(forward, -j.logZ, 0, 0)
	q, slopeQ := estimators.LogAccepted(reverse, j.logZ, 0, 0)
	j.ess = 2 * (num.Mul(num.Exp(p), slopeP) + num.Mul(num.Exp(q), slopeQ))
	var left stats.Welford
	n, blocks := len(forward), jackknifeBlocks(len(forward))
	for b := range blocks {
		left.Add(estimators.BennettWithout(j.logZ, forward, reverse, b*n/blocks, (b+1)*n/blocks))
	}
	j.se = left.Jackknife()
	return j
}

// jackknifeBlocks is how many parts of n pairs of chains are left out in turn: every pair, or so many blocks that the
// work stays below some seconds and the error is known to 10 to 16 %.
func jackknifeBlocks(n int) int {
	if n <= 200 {
		return n
	}
	return max(20, min(50, 5_000_000/n))
}
