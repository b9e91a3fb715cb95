package anneal

import (
	"math"

	"logzlab/core/diag"
	"logzlab/core/num"
	"logzlab/core/num/stats"
	"logzlab/core/spec"
	"logzlab/estimators"
)

// FlagNoReverse reports that the estimate needs reverse chains and there are none.
var FlagNoReverse = diag.NewFlag("no_reverse",
	"This method needs chains that start at the target: exact samples of it cannot be drawn, and it has no data. "+
		"Use ais, or a tempering method.")

// AISBAR is the acceptance ratio of Bennett on the works of both directions of an annealing run ([Bennett1976];
// [Crooks2000]): with log weights w of C forward chains and r of as many reverse ones, log Z is the c at which
//
//	sum_forward 1/(1 + e^(c - w)) = sum_reverse 1/(1 + e^(-r - c)),
//
// plus log Z of the base. It is consistent for any kernels if reverse chains start at exact samples, since the density
// of forward weights at w over the density of reverse weights at r = -w is then e^(log Z - w), with log Z of the target
// over the base. It has the least variance of all estimates from these works. Its bias is O(1/C), of either sign; with
// a start from data it is typically up. The error is by the jackknife over pairs of a forward and a reverse chain.
var AISBAR = estimators.Info{
	Name: "ais-bar", Label: "AIS-BAR", Short: "both ways", Path: estimators.Tempered,
	SEStretch:  1,
	Provenance: estimators.OnRungs | estimators.FromData,
	About: "Annealing both ways: chains go from the base to the target and back, and the acceptance ratio joins the " +
		"weights of both ways into one estimate.",
	Params: Run.Params, Checks: []estimators.Check{CheckWorksOverlap, CheckReverse, CheckSandwich},
	Reads: &Reader{Needs: ReverseWorks, Read: readAISBAR},
}

// readAISBAR returns the estimate of the forward chains until the reverse chains are done.
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
// terms p of the equation, which is the number of pairs of chains if all works are equal.
type joint struct{ logZ, se, ess float64 }

// joinWorks combines equally many works of both directions.
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
	j.se = left.JackknifeSE()
	return j
}

// jackknifeBlocks returns the number of parts that are left out in turn, of n pairs of chains: every pair, or a number
// of blocks that limits the work to some seconds and gives the error to 10 to 16 %.
func jackknifeBlocks(n int) int {
	if n <= 200 {
		return n
	}
	return max(20, min(50, 5_000_000/n))
}
