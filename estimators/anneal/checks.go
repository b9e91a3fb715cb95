package anneal

import (
	"fmt"
	"math"

	"logzlab/core/format"
	"logzlab/core/num"
	"logzlab/core/num/stats"
	"logzlab/estimators"
)

// judgeESS judges an effective sample size. A standard error estimated from ESS samples has a relative error of
// 1/sqrt(2 ESS): 16 % for 20.
func judgeESS(ess float64) estimators.Finding {
	return estimators.Finding{Text: estimators.FormatAgainst(ess, 20, 0), Needs: "≥ 20", OK: ess >= 20, Bad: ess < 5}
}

// judgeVariance judges the variance of log weights.
func judgeVariance(v float64) estimators.Finding {
	return estimators.Finding{Text: estimators.FormatAgainst(v, 1, 2), Needs: "≤ 1", OK: v <= 1, Bad: v > 25}
}

// CheckESS requires an effective sample size of 20.
var CheckESS = estimators.Check{Name: "Effective sample size",
	Meaning: "A few heavy weights carry the estimate, so the error bar is too small.",
	Advice:  "Use more temperatures first, then more chains.",
	Judge:   estimators.JudgeNumber(estimators.DiagESS, judgeESS)}

// checkDraws is CheckESS for methods without temperatures, where only more draws help.
var checkDraws = estimators.Check{Name: CheckESS.Name, Meaning: CheckESS.Meaning, Judge: CheckESS.Judge,
	Advice: "Draw more particles, or use a method with temperatures."}

// CheckSpread limits the variance of the log weights to 1.
var CheckSpread = estimators.Check{Name: "Spread of log weights",
	Meaning: "The chains lag behind the moving target.", Advice: "Use more temperatures.",
	Judge: estimators.JudgeNumber(estimators.DiagVarLogWeight, judgeVariance)}

// CheckReverse compares log Z by forward and by reverse chains.
var CheckReverse = estimators.Check{Name: "Reverse gap",
	Meaning: "Chains from the target and chains from the base give different values of log Z: one of them misses part of " +
		"the target.",
	Advice: "Use a method with temperatures, or more temperatures; for an RBM also the default base, which is made " +
		"from data.",
	Judge: func(f estimators.Facts) (estimators.Finding, bool) {
		reverse := f.Number(estimators.DiagLogZReverse)
		// The reverse weights of importance sampling (is) alone are too noisy.
		if bennett := f.Number(estimators.DiagLogZBennett); num.NotNaN(bennett) {
			reverse = bennett
		}
		forward, se := f.LogZ, f.SE
		if x := f.Number(estimators.DiagLogZForward); num.NotNaN(x) {
			forward, se = x, f.Number(estimators.DiagLogZForwardSE)
		}
		gap, limit := reverse-forward, .5
		if 3*se > limit {
			limit = 3 * se
		}
		far := math.Abs(gap) > 3 && !(math.Abs(gap) <= 10*se)
		reverseSE := f.Number(estimators.DiagLogZReverseSE)
		if joint := stats.JointSE(se, reverseSE); reverse == f.Number(estimators.DiagLogZReverse) && joint > 0 {
			limit = min(limit, max(4*joint, .1)) // both standard errors are calibrated
			far = far || math.Abs(gap) > max(10*joint, .1)
		}
		return estimators.Finding{Value: gap, Text: format.Fixed(gap, 2) + " nats", Needs: fmt.Sprintf("≤ %.2f", limit),
			OK: math.Abs(gap) <= limit, Bad: far}, num.NotNaN(reverse)
	}}

// CheckWorksOverlap judges the overlap of the work values of forward and reverse chains. Without overlap a few values
// carry the estimate, and its error is underestimated.
var CheckWorksOverlap = estimators.Check{Name: "Works in common",
	Meaning: "The work values of forward and reverse chains hardly overlap, so a few chains carry the estimate.",
	Advice:  "Use more temperatures first, then more chains.",
	Judge:   estimators.JudgeNumber(estimators.DiagESSBennett, judgeESS)}

var checkLag = estimators.Check{Name: "Spread of log weights",
	Meaning: "The chains from data lag behind, and the estimate is too high by about half of this variance.",
	Advice:  "Use more temperatures.",
	Judge:   estimators.JudgeNumber(estimators.DiagReverseVarLogWeight, judgeVariance)}

// CheckSandwich limits the distance between the lower and the upper end of the sandwich.
var CheckSandwich = estimators.Check{Name: "Sandwich width",
	Meaning: "The bounds from below and above are far apart, so little is certain.", Advice: "Use more temperatures.",
	Judge: func(f estimators.Facts) (estimators.Finding, bool) {
		width := f.Upper - f.Lower
		return estimators.Finding{Value: width, Text: estimators.FormatAgainst(width, 3, 1) + " nats", Needs: "≤ 3", OK: width <= 3,
				Bad: width > 15},
			num.NotNaN(width)
	}}
