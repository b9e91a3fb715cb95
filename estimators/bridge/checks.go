package bridge

import (
	"math"

	"logzlab/core/num"
	"logzlab/estimators"
)

// checkShape is the check of Pareto shapes. Terms of bridge sampling are at most 1. Large terms that are missing among
// n effective draws have a probability of about 1/n, so they change log Z by at most 1/(n a), where a is the mean of
// the terms (here half of the overlap). If that is negligible, the shape does not matter.
var checkShape = estimators.Check{Name: estimators.CheckParetoK.Name, Meaning: estimators.CheckParetoK.Meaning,
	Advice: estimators.CheckParetoK.Advice,
	Judge: func(f estimators.Facts) (estimators.Finding, bool) {
		found, ok := estimators.CheckParetoK.Judge(f)
		missing := 2 / num.Mul(f.Number(estimators.DiagOverlap), f.Number(estimators.DiagESS))
		return found, ok && !(missing <= estimators.HarmlessGap)
	}}

// LengthChecks are the names of checks that a run may pass with longer chains.
var LengthChecks = []string{chainsAgree, effectiveDraws, burnIn}

// Names of checks.
const (
	chainsAgree    = "Chains agree"
	effectiveDraws = "Effective draws"
	burnIn         = "Burn-in"
)

// checks are the checks of bridge sampling.
var checks = []estimators.Check{
	{Name: chainsAgree,
		Meaning: "Chains that never met stay in parts of the target that differ, so each misses some of it.",
		Advice:  "Use more sweeps, or a tempering method if there are several modes.",
		Judge: estimators.JudgeNumber(estimators.DiagRHat, func(r float64) estimators.Finding {
			return estimators.Finding{Text: "R-hat " + estimators.FormatAgainst(r, 1.1, 2), Needs: "≤ 1.1", OK: r <= 1.1,
				Bad: r > 1.5}
		})},
	{Name: effectiveDraws,
		Meaning: "Few draws of the target, or of the density fitted to it, are informative about the other one.",
		Advice:  "Use more sweeps or chains.",
		Judge: estimators.JudgeNumber(estimators.DiagESS, func(n float64) estimators.Finding {
			return estimators.Finding{Text: estimators.FormatAgainst(n, 100, 0), Needs: "≥ 100", OK: n >= 100, Bad: n < 20}
		})},
	{Name: "Overlap",
		Meaning: "The target has little in common with the density fitted to it: its shape is different, or it has several " +
			"modes.",
		Advice: "Use warp = 3, or a method that goes through temperatures.",
		Judge: estimators.JudgeNumber(estimators.DiagOverlap, func(o float64) estimators.Finding {
			return estimators.Finding{Text: estimators.FormatAgainst(100*o, 5, 0) + " %", Needs: "≥ 5 %", OK: o >= .05, Bad: o < .005}
		})},
	checkShape,
	estimators.CheckHalves,
	{Name: burnIn,
		Meaning: "The chains were still on their way to the target when burn-in ended.", Advice: "Use more sweeps.",
		Judge: func(f estimators.Facts) (estimators.Finding, bool) {
			drift, se := f.Number(estimators.DiagDrift), f.Number(estimators.DiagDriftSE)
			bars := math.Abs(drift) / se
			return estimators.Finding{Value: bars, Text: estimators.FormatAgainst(bars, 4, 1) + " bars", Needs: "≤ 4",
				OK:  bars <= 4 || math.Abs(drift) < estimators.HarmlessGap,
				Bad: bars > 10 && math.Abs(drift) > 1}, num.NotNaN(drift) && se > 0
		}},
	estimators.CheckTarget,
}
