package anneal

import (
	"math"
	"slices"

	"logzlab/core/diag"
	"logzlab/core/num"
	"logzlab/core/num/stats"
	"logzlab/core/schedule"
	"logzlab/core/spec"
	"logzlab/estimators"
	"logzlab/models"
)

// Flags of annealing.
var (
	FlagNoUpperBound = diag.NewFlag("no_upper_bound",
		"No upper end: exact samples of this target cannot be drawn.")
)

// AIS is annealed importance sampling ([Neal2001]; [RTS] eq. 23): log Z is the log of the mean weight of the chains of
// an annealing run, biased down, with a sandwich from reverse chains.
var AIS = estimators.Info{
	Name: "ais", Label: "AIS", Short: "cool slowly", Path: estimators.Tempered, Provenance: estimators.OnRungs,
	SEStretch: 1,
	Unbiased:  true,
	About: "Annealed importance sampling: chains are cooled from the base to the target, and each carries a weight " +
		"whose mean is Z.",
	Params: Run.Params, Checks: []estimators.Check{CheckESS, CheckSpread, estimators.CheckParetoK, CheckReverse, CheckSandwich},
	Reads: &Reader{Needs: ReverseWorks, Read: readAIS},
}

// ForwardAIS is AIS without reverse chains.
var ForwardAIS = estimators.Info{Name: AIS.Name, Reads: &Reader{Read: readAIS}}

func readAIS(a *Record, _ spec.Values) *estimators.Result {
	z0, works := a.Model.LogZ0(), a.Works(len(a.Betas)-1)
	res := a.forwardResult(works)
	res.Works = works
	if len(works) <= maxListedWeights {
		for _, w := range works {
			res.LogWeights = append(res.LogWeights, w+z0)
		}
	}
	if len(a.Reverse) > 0 {
		upperEnd(res, a.Reverse, z0)
		if a.Rungs == 2 && len(a.Reverse) == a.Chains() {
			res.Diagnose(estimators.DiagLogZBennett, estimators.Bennett(works, a.Reverse)+z0)
		}
		back := stats.LogWeights(a.Reverse)
		res.Diagnose(estimators.DiagReverseESS, back.ESS)
		if a.FromData {
			res.Flag(estimators.FlagUpperFromData)
		} else if back.ESS >= calibratedESS && back.VarLog <= 1 {
			res.Diagnose(estimators.DiagLogZReverseSE, back.SE)
		}
	} else if a.Final {
		res.Flag(FlagNoUpperBound)
	}
	if a.Blocks != nil {
		res.Diagnose(estimators.DiagLogZEnumerated, num.LogSumExp(a.Blocks))
	}
	return res
}

// maxListedWeights is the largest number of log weights that a result lists.
const maxListedWeights = 1000

// forwardResult returns the estimate from the forward chains alone, given their works at the target.
func (a *Record) forwardResult(works []float64) *estimators.Result {
	near := models.CapabilitiesOf(a.Model).Base.Prefitted != nil
	res := weighted(works, a.Model.LogZ0(), near)
	if res.Ladder = a.Ladder(); len(res.Ladder) < a.Rungs {
		res.Flag(estimators.FlagLadderThinned)
	}
	res.Diagnose(estimators.DiagChains, float64(a.Chains()))
	if a.Forwarded && len(a.Betas) == a.Rungs && a.Rungs > 2 && a.Chains() > 1 {
		p := a.pathStats()
		addPath(res, p, schedule.PredictedVariance(p.Betas, p.Var, a.Betas))
	}
	return res
}

// replaceEstimate replaces the estimate of the forward chains and keeps it in the diagnostics. Below the target the
// ladder keeps the estimates of the forward chains.
func replaceEstimate(r *estimators.Result, logZ, se float64, how, bias string) {
	r.Diagnose(estimators.DiagLogZForward, r.LogZ)
	r.Diagnose(estimators.DiagLogZForwardSE, r.SE)
	delete(r.Diagnostics, estimators.DiagLogZJackknife)
	delete(r.Diagnostics, estimators.DiagParetoK)
	delete(r.Diagnostics, estimators.DiagSEJackknife)
	r.LogZ, r.SE, r.SEMethod, r.Bias = logZ, se, how, bias
	r.Flags = slices.DeleteFunc(r.Flags, func(f diag.Flag) bool { return f == estimators.FlagSEOptimistic })
	r.Ladder = slices.Clone(r.Ladder) // readers share it
	r.Ladder[len(r.Ladder)-1] = estimators.Rung{Beta: 1, LogZ: logZ, SE: se}
}

// withhold replaces the estimate by NaN and sets a flag with the reason.
func withhold(r *estimators.Result, why diag.Flag) {
	replaceEstimate(r, math.NaN(), math.NaN(), estimators.SENone, "either")
	r.Flag(why)
}

// weighted returns the result of importance weights: the estimate, both errors, both effective sample sizes, and the
// lower end of the sandwich, mean(log w) - 2 sd/sqrt(n) (a stochastic lower bound, since E log w <= log Z). The
// standard error is presented as calibrated only if ESS >= calibratedESS and Var(log w) <= 1. A fitted base (near) is
// close to the target, but may have tails where chains are stuck: these are left out of Var(log w).
func weighted(logw []float64, logZ0 float64, near bool) *estimators.Result {
	w := stats.LogWeights(logw)
	if near {
		w.MeanLog, w.VarLog = stats.MeanVar(stats.RaiseStuck(logw))
		w.Lower = w.MeanLog - num.Mul(2, math.Sqrt(w.VarLog/float64(len(logw))))
	}
	r := &estimators.Result{LogZ: w.LogMean + logZ0, SE: w.SE, SEMethod: estimators.SEDelta, Bias: "down",
		Upper: math.NaN()}
	r.Lower = w.Lower + logZ0
	r.Diagnose(estimators.DiagESS, w.ESS)
	r.Diagnose(estimators.DiagESSKish, w.ESSKish)
	r.Diagnose(estimators.DiagSEJackknife, w.JackSE)
	r.Diagnose(estimators.DiagLogZJackknife, w.JackLogMean+logZ0)
	r.Diagnose(estimators.DiagMeanLogWeight, w.MeanLog)
	r.Diagnose(estimators.DiagVarLogWeight, w.VarLog)
	if k := stats.ParetoK(logw); num.NotNaN(k) && len(logw) >= minForParetoK {
		r.Diagnose(estimators.DiagParetoK, k)
	}
	if len(logw) < 2 {
		r.Flag(estimators.FlagSingleChain)
	} else if !(w.ESS >= calibratedESS && w.VarLog <= 1) {
		r.Flag(estimators.FlagSEOptimistic)
	}
	return r
}

// minForParetoK is the least number of weights for which the Pareto shape k is reported: the tail of 400 weights has
// 60, and k a standard error of about 0.2.
const minForParetoK = 400

// upperEnd sets the upper end of the sandwich, -mean(log w) + 2 sd/sqrt(n) over reverse chains: E[-log w] >= log Z if
// they start from exact target samples.
func upperEnd(r *estimators.Result, reverse []float64, logZ0 float64) {
	mean, v := stats.MeanVar(reverse)
	n := float64(len(reverse))
	r.Upper = -mean + 2*math.Sqrt(v/n) + logZ0
	r.Diagnose(estimators.DiagReverseMeanLogWeight, mean)
	r.Diagnose(estimators.DiagReverseVarLogWeight, v)
	r.Diagnose(estimators.DiagLogZReverse, logZ0-num.LogMeanExp(reverse))
}

// calibratedESS is the least effective sample size for which the standard error of weights is calibrated, if the
// variance of their logs is at most 1.
const calibratedESS = 50
