package temper

import (
	"fmt"
	"math"

	"logzlab/core/num"
	"logzlab/estimators"
)

var checkTrips = estimators.Check{Name: "Round trips",
	Meaning: "Too few chains have been up and down the whole ladder.", Advice: "Use more sweeps.",
	Judge: estimators.JudgeNumber(estimators.DiagRoundTrips, func(n float64) estimators.Finding {
		return estimators.Finding{Text: fmt.Sprintf("%.0f", n), Needs: "≥ 10", OK: n >= 10}
	})}

var checkSamples = estimators.Check{Name: "Samples at each rung",
	Meaning: "Some rung has too few samples for its estimate and its error bar.", Advice: "Use more sweeps.",
	Judge: estimators.JudgeNumber(estimators.DiagSamplesMin, func(n float64) estimators.Finding {
		return estimators.Finding{Text: fmt.Sprintf("%.0f", n), Needs: "≥ 20", OK: n >= 20}
	})}

var checkApart = estimators.Check{Name: "Chains of one rung",
	Meaning: "Chains at the same rung differ by more than their own error bars: they still depend on where they began, " +
		"and the error bar may be too short.",
	Advice: "Use samples = tempered, or more sweeps.",
	Judge: estimators.JudgeNumber(estimators.DiagChainsApart, func(x float64) estimators.Finding {
		return estimators.Finding{Text: estimators.FormatAgainst(x, 1.5, 2) + " times", Needs: "≤ 1.5 times", OK: x <= 1.5,
			Bad: x > 4}
	})}

// Checks are the checks of methods that read a tempering run.
var Checks = []estimators.Check{
	{Name: "Occupancy c/r",
		Meaning: "Some rung is visited far less, or more, than planned, so few chains pass it.",
		Advice:  "Allow more initial rounds, or add rungs there.",
		Judge: func(f estimators.Facts) (estimators.Finding, bool) {
			lo, hi := f.Number(estimators.DiagOccupancyMin), f.Number(estimators.DiagOccupancyMax)
			worst := lo
			if 1/hi < lo {
				worst = hi
			}
			// If a rung is starved and no chain made a round trip, the relative mass of the two ends is unknown.
			return estimators.Finding{Value: worst, Text: fmt.Sprintf("%.2g", worst), Needs: "0.1–10", OK: lo >= .1 && hi <= 10,
				Bad: lo < .001 || hi > 1000 || lo < .1 && f.Number(estimators.DiagRoundTrips) == 0}, num.NotNaN(lo) && num.NotNaN(hi)
		}},
	checkTrips,
	{Name: "Starting guess",
		Meaning: "The initial iterations ended before the rungs were visited evenly.",
		Advice:  "Allow more initial rounds or sweeps.",
		Judge: estimators.JudgeNumber(estimators.DiagInitialMaxDev, func(dev float64) estimators.Finding {
			return estimators.Finding{Text: estimators.FormatAgainst(dev, 1, 2) + " from even", Needs: "≤ 1", OK: dev <= 1,
				Bad: dev > 20}
		})},
	estimators.CheckTarget,
}

// maxLeftOver limits the remaining error of filling the ladder (estimators.DiagLeftOver). In 470 runs of six small
// models, runs below the limit had an rms z of 1.2, runs above 0.1 had 9.
const maxLeftOver = .02

// adaptChecks are the checks of methods with adaptive weights.
var adaptChecks = []estimators.Check{
	{Name: "Left of the beginning",
		Meaning: "The error that filling the ladder leaves in the weights falls with every sweep, and there were too few.",
		Advice:  "Use more sweeps, or fewer temperatures.",
		Judge: estimators.JudgeNumber(estimators.DiagLeftOver, func(x float64) estimators.Finding {
			return estimators.Finding{Text: estimators.FormatAgainst(100*x, 100*maxLeftOver, 1) + " %", Needs: "≤ 2 %",
				OK: x <= maxLeftOver, Bad: x > .1}
		})},
	{Name: "Bars of drift",
		Meaning: "The weights still moved over the last half of the sweeps, and would move about as much again.",
		Advice:  "Use more sweeps.",
		Judge: func(f estimators.Facts) (estimators.Finding, bool) {
			drift, se := f.Number(estimators.DiagDrift), f.Number(estimators.DiagDriftSE)
			bars := math.Abs(drift) / se
			return estimators.Finding{Value: bars, Text: estimators.FormatAgainst(bars, 4, 1), Needs: "≤ 4",
				OK: bars <= 4 || math.Abs(drift) < estimators.HarmlessGap}, num.NotNaN(drift) && se > 0
		}},
	{Name: "Islands agree",
		Meaning: "Independent groups of chains end far apart: each misses part of the target, or is biased by about " +
			"its variance.",
		Advice: "Use more sweeps, or fewer and larger groups.",
		Judge: estimators.JudgeNumber(estimators.DiagIslandsSD, func(sd float64) estimators.Finding {
			return estimators.Finding{Text: estimators.FormatAgainst(sd, .5, 2) + " nats", Needs: "≤ 0.5", OK: sd <= .5, Bad: sd > 5}
		})},
	{Name: "Bias",
		Meaning: "The weights of a group follow its own noise, so its log Z is too low by about its variance.",
		Advice:  "Use more sweeps, or fewer and larger groups.",
		Judge: func(f estimators.Facts) (estimators.Finding, bool) {
			sd, limit := f.Number(estimators.DiagIslandsSD), max(f.SE, estimators.HarmlessGap)
			bias := num.Mul(sd, sd)
			return estimators.Finding{Value: bias, Text: estimators.FormatAgainst(bias, limit, 3) + " nats",
				Needs: "≤ " + estimators.FormatAgainst(limit, 0, 3),
				OK:    bias <= limit}, num.NotNaN(sd) && f.SE >= 0
		}},
	checkTrips, estimators.CheckTarget,
}
