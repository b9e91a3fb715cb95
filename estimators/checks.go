package estimators

import (
	"math"

	"logzlab/core/diag"
	"logzlab/core/format"
	"logzlab/core/num"
	"logzlab/core/num/stats"
	"logzlab/core/spec"
)

// Check is a condition for trusting a result: its name, the meaning of a failure, advice in this case, and the test.
type Check struct {
	Name, Meaning, Advice string
	// Judge tests a result; ok is false if the check does not apply to it.
	Judge func(Facts) (f Finding, ok bool)
}

// Facts are the numbers of a result that checks use. LogZ, SE, Lower and Upper are in nats. Unknown numbers are NaN.
type Facts struct {
	LogZ, SE, Lower, Upper float64
	Values                 spec.Values // values of the method's parameters
	Number                 func(diag.Number) float64
}

// Finding is the outcome of a check.
type Finding struct {
	Value       float64
	Text, Needs string // the value and its limit, for people
	OK          bool
	Bad         bool // so far off that the estimate must not be used
}

// HarmlessGap is a difference of two log Z (nats) that passes every check, even if the error bars are shorter.
const HarmlessGap = .01

// FormatAgainst formats x for comparison with a limit: with the given decimals, or with more if rounding would make x
// look equal to the limit.
func FormatAgainst(x, limit float64, decimals int) string {
	for x != limit && decimals < 9 && format.Fixed(x, decimals) == format.Fixed(limit, decimals) {
		decimals++
	}
	return format.Fixed(x, decimals)
}

// JudgeNumber returns a Judge for one diagnostic; it does not apply if the result lacks the diagnostic. It is not
// inlined, as it fills package variables: see RATIONALE.md.
//
//go:noinline
func JudgeNumber(name diag.Number, judge func(x float64) Finding) func(Facts) (Finding, bool) {
	return func(f Facts) (Finding, bool) {
		x := f.Number(name)
		if !num.NotNaN(x) {
			return Finding{}, false
		}
		found := judge(x)
		found.Value = x
		return found, true
	}
}

// The mean of importance weights is reliable up to a Pareto shape of maxParetoK ([Vehtari2024]). Above badParetoK the
// weights may have no mean.
const maxParetoK, badParetoK = .7, 1

// CheckParetoK limits the Pareto shape of the weights.
var CheckParetoK = Check{Name: "Pareto shape",
	Meaning: "The largest weights follow a distribution with so heavy a tail that a few of them carry the estimate, and the " +
		"error bar is too short.",
	Advice: "Use a method whose steps are smaller: more temperatures, or tempering.",
	Judge: JudgeNumber(DiagParetoK, func(k float64) Finding {
		return Finding{Text: "k " + FormatAgainst(k, maxParetoK, 2), Needs: "≤ " + format.Fixed(maxParetoK, 1),
			OK: k <= maxParetoK, Bad: k > badParetoK}
	})}

// CheckHalves compares the estimates from the first and the second half of the draws.
var CheckHalves = Check{Name: "Two halves",
	Meaning: "The first and the second half of the draws give numbers that differ by more than their error bars allow, so " +
		"the chains were still on their way, or the error bar is too short.",
	Advice: "Use more sweeps, or a method that goes through temperatures.",
	Judge: func(f Facts) (Finding, bool) {
		gap, se := math.Abs(f.Number(DiagHalves)), f.Number(DiagHalvesSE)
		bars := gap / se
		return Finding{Value: bars, Text: FormatAgainst(bars, 4, 1) + " bars", Needs: "≤ 4", OK: bars <= 4 || gap < HarmlessGap,
			Bad: bars > 10 && gap > HarmlessGap}, num.NotNaN(gap) && se > 0
	}}

// DiagnoseHalves records log Z from the second half of the draws minus log Z from the first half, and the standard error
// of the difference, unless one of them is unknown.
func (r *Result) DiagnoseHalves(first, firstSE, second, secondSE float64) {
	if se := stats.JointSE(firstSE, secondSE); num.Finite(second-first) && se > 0 {
		r.Diagnose(DiagHalves, second-first)
		r.Diagnose(DiagHalvesSE, se)
	}
}

// Names of checks that other packages refer to. CheckAnnealed compares a run with separate annealed chains
// (estimators/report/opinion.go); agreement confirms the result. CheckOther compares auto's two strategies, annealing
// and tempering; CheckSequential compares them with resample-move.
const (
	CheckAnnealed   = "Annealed chains"
	CheckOther      = "Other strategy"
	CheckSequential = "Third strategy"
)
