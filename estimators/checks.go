package estimators

import (
	"math"

	"logzlab/core/diag"
	"logzlab/core/format"
	"logzlab/core/num"
	"logzlab/core/num/stats"
	"logzlab/core/spec"
)

// Check is a condition of trust in a result: its name, what a failure means and what to do about it, and its test.
type Check struct {
	Name, Means, Do string
	// Judge tests a result; ok is false where the check does not apply.
	Judge func(Facts) (f Finding, ok bool)
}

// Facts are the numbers of a result that checks use, in nats; NaN where unknown.
type Facts struct {
	LogZ, SE, Lower, Upper float64
	Values                 spec.Values // of the method's parameters
	Number                 func(diag.Number) float64
}

// Finding is what a check found.
type Finding struct {
	Value       float64
	Text, Needs string // the value and its limit, for people
	OK          bool
	Bad         bool // so far off that the estimate must not be used
}

// NearEnough is a distance (nats) that is harmless, however short the error bar.
const NearEnough = .01

// Against is x as text to be compared with a limit: with the given decimals, or more where rounding would move it to
// the limit or past it.
func Against(x, limit float64, decimals int) string {
	for x != limit && decimals < 9 && format.Fixed(x, decimals) == format.Fixed(limit, decimals) {
		decimals++
	}
	return format.Fixed(x, decimals)
}

// JudgeNumber judges a diagnostic where there is one. It is not inlined, as it fills package variables: see
// RATIONALE.md.
//
//go:noinline
func JudgeNumber(name diag.Number, judge func(x float64) Finding) func(Facts) (Finding, bool) {
	return func(f Facts) (Finding, bool) {
		x := f.Number(name)
		if !num.Known(x) {
			return Finding{}, false
		}
		found := judge(x)
		found.Value = x
		return found, true
	}
}

// mostParetoK is the Pareto shape of importance weights up to which their mean is reliable ([Vehtari2024]); beyond
// badParetoK the weights may have no mean.
const mostParetoK, badParetoK = .7, 1

// CheckParetoK judges the Pareto shape of weights.
var CheckParetoK = Check{Name: "Pareto shape",
	Means: "The largest weights follow a distribution with so heavy a tail that a few of them carry the estimate, and the " +
		"error bar is too short.",
	Do: "Use a method whose steps are smaller: more temperatures, or tempering.",
	Judge: JudgeNumber(DiagParetoK, func(k float64) Finding {
		return Finding{Text: "k " + Against(k, mostParetoK, 2), Needs: "≤ " + format.Fixed(mostParetoK, 1),
			OK: k <= mostParetoK, Bad: k > badParetoK}
	})}

// CheckHalves judges how far the two halves of the draws lie apart.
var CheckHalves = Check{Name: "Two halves",
	Means: "The first and the second half of the draws give numbers that differ by more than their error bars allow, so " +
		"the chains were still on their way, or the error bar is too short.",
	Do: "Use more sweeps, or a method that goes through temperatures.",
	Judge: func(f Facts) (Finding, bool) {
		gap, se := math.Abs(f.Number(DiagHalves)), f.Number(DiagHalvesSE)
		bars := gap / se
		return Finding{Value: bars, Text: Against(bars, 4, 1) + " bars", Needs: "≤ 4", OK: bars <= 4 || gap < NearEnough,
			Bad: bars > 10 && gap > NearEnough}, num.Known(gap) && se > 0
	}}

// DiagnoseHalves notes how far log Z by the second half of the draws lies from that by the first.
func (r *Result) DiagnoseHalves(first, firstSE, second, secondSE float64) {
	if se := stats.JointSE(firstSE, secondSE); num.Finite(second-first) && se > 0 {
		r.Diagnose(DiagHalves, second-first)
		r.Diagnose(DiagHalvesSE, se)
	}
}

// CheckAnnealed is the name of the check against annealed chains beside a run (estimators/report/opinion.go): chains
// that agree confirm the result. CheckOther is the name of auto's check against its other road.
const (
	CheckAnnealed = "Annealed chains"
	CheckOther    = "Another road"
	CheckFormed   = "A third road"
)
