package smc

import (
	"fmt"
	"math"

	"logzlab/core/format"
	"logzlab/core/num"
	"logzlab/estimators"
	"logzlab/estimators/anneal"
)

// checkShapes judges the Pareto shape of the weights, averaged over all steps of all islands, since each has few
// particles.
var checkShapes = estimators.Check{Name: estimators.CheckParetoK.Name, Meaning: estimators.CheckParetoK.Meaning,
	Advice: "Use more temperatures, or more particles.", Judge: estimators.CheckParetoK.Judge}

// latentChecks are the checks of methods with estimated likelihoods. If the variance of the log estimates is above 4,
// moves are hardly ever accepted; above 25, a particle never leaves a lucky estimate.
var latentChecks = []estimators.Check{
	{Name: "Noise of the likelihood",
		Meaning: "The likelihood is estimated so roughly that a lucky estimate is hard to leave.",
		Advice:  "Use more draws for each estimate (inner).",
		Judge: estimators.JudgeNumber(estimators.DiagNoise, func(v float64) estimators.Finding {
			return estimators.Finding{Text: estimators.FormatAgainst(v, 4, 2), Needs: "≤ 4", OK: v <= 4, Bad: v > 25}
		})},
	{Name: anneal.CheckESS.Name, Meaning: anneal.CheckESS.Meaning, Judge: anneal.CheckESS.Judge,
		Advice: "Use more temperatures or particles, or resample earlier (ess)."},
	{Name: "Acceptance",
		Meaning: "Few moves are accepted, so particles that were copied stay copies.",
		Advice:  "Use more moves, or more draws for each estimate (inner).",
		Judge: estimators.JudgeNumber(estimators.DiagAcceptance, func(a float64) estimators.Finding {
			return estimators.Finding{Text: estimators.FormatAgainst(100*a, 5, 0) + " %", Needs: "≥ 5 %", OK: a >= .05, Bad: a < .005}
		})},
	{Name: "Two estimates",
		Meaning: "The product of mean weights and the power posterior differ by more than their errors.",
		Advice:  "Use more temperatures, or more particles.",
		Judge: func(f estimators.Facts) (estimators.Finding, bool) {
			gap, bar, rule := f.Number(estimators.DiagLogZPower)-f.LogZ, f.Number(estimators.DiagLogZPowerSE),
				f.Number(estimators.DiagPowerRule)
			limit := max(.1, num.Mul(4, math.Sqrt(num.Mul(bar, bar)+num.Mul(f.SE, f.SE)))+num.Mul(2, math.Abs(rule)))
			return estimators.Finding{Value: gap, Text: format.Fixed(gap, 2) + " nats", Needs: fmt.Sprintf("≤ %.2f", limit),
				OK: math.Abs(gap) <= limit}, num.NotNaN(gap) && num.NotNaN(limit)
		}},
}
