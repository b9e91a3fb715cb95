package estimators

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"logzlab/core/diag"
	"logzlab/core/num"
	"logzlab/core/num/stats"
)

// Pooled combines independent runs of one method. log Z (nats) is the log of the mean Zhat of the runs if Zhat is
// unbiased, else the mean of log Zhat. The standard error (nats) is the larger of two: from the standard errors of the
// runs, and from the spread between runs. It is NaN if neither is known.
func Pooled(runs []*Result, unbiased bool) (logZ, se float64) {
	n := float64(len(runs))
	z := make([]float64, len(runs))
	for i, r := range runs {
		z[i] = r.LogZ
	}
	mean, v := stats.MeanVar(z)
	logZ, spread, ownSE := mean, math.Sqrt(v/n), 0.0
	if unbiased {
		w := stats.LogWeights(z)
		logZ, spread = w.LogMean, w.SE
	}
	for _, r := range runs {
		part := r.SE / n
		if unbiased {
			part = num.Mul(part, num.Exp(r.LogZ-logZ))
		}
		ownSE += num.Mul(part, part)
	}
	ownSE = math.Sqrt(ownSE)
	switch {
	case len(runs) < 2 || !num.NotNaN(spread):
		return logZ, ownSE
	case !num.NotNaN(ownSE):
		return logZ, spread
	}
	return logZ, max(ownSE, spread)
}

// Joined returns independent runs of one method as one result: log Z and its standard error by Pooled, the sum of the
// effective sample sizes, and the pooled second opinions. All other numbers are copied from the first run.
func Joined(runs []*Result, unbiased bool) *Result {
	r := *runs[0]
	if len(runs) < 2 {
		return &r
	}
	r.LogZ, r.SE = Pooled(runs, unbiased)
	r.SEMethod, r.Diagnostics = SEPooled, maps.Clone(r.Diagnostics)
	opinions, ess := make([]*Result, len(runs)), 0.0
	for i, run := range runs {
		ess += run.Number(DiagESS)
		opinions[i] = &Result{LogZ: run.Number(DiagLogZOther), SE: run.Number(DiagLogZOtherSE)}
	}
	other, se := Pooled(opinions, false)
	r.Diagnose(DiagESS, ess)
	r.Diagnose(DiagLogZOther, other)
	r.Diagnose(DiagLogZOtherSE, se)
	return &r
}

// Number returns a diagnostic, or NaN if the result lacks it.
func (r *Result) Number(name diag.Number) float64 {
	if x, ok := r.Diagnostics[name]; ok {
		return x
	}
	return math.NaN()
}

// Rounding is an upper bound of the standard error (nats) that rounding alone gives to runs with equal log Zhat.
const Rounding = 1e-12

// minRuns is the least number of runs to combine if their own error bars are missing or unreliable.
const minRuns = 8

// defaultStretch is Info.Stretch of methods that do not set it.
const defaultStretch = 1.1

// pooledESS is the smallest total effective sample size of all runs at which their error bar is reliable enough to stop
// adding runs.
const pooledESS = 40

// WorkFactor returns the factor (SE/wanted)^2 by which the work of independent runs has to grow to reach the wanted
// standard error of log Z. SE is the pooled standard error times Info.SEStretch. The factor is at most 1 if the runs
// suffice.
func WorkFactor(method Info, runs []*Result, wanted float64) float64 {
	_, se := Pooled(runs, method.Unbiased)
	ratio := num.Mul(se, cmp.Or(method.SEStretch, defaultStretch)) / wanted
	return num.Mul(ratio, ratio)
}

// EnoughRuns reports whether independent runs of a method give log Z with the wanted standard error. If not, need is
// the approximate number of runs required, which exceeds len(runs). At least eight runs are required if their error bars
// are missing or too short, and up to eight if they have too few effective weights together.
func EnoughRuns(method Info, runs []*Result, wanted float64) (ok bool, need float64) {
	n, workFactor := float64(len(runs)), WorkFactor(method, runs, wanted)
	if minimum := minRunsFor(runs); len(runs) < minimum {
		return false, float64(minimum)
	}
	if workFactor <= 1 {
		return true, n
	}
	if need = num.Mul(n, workFactor); !(need > n+1) {
		need = n + 1
	}
	return false, math.Ceil(need)
}

// RunsNeeded returns the approximate number of runs that give log Z with the wanted standard error: the number need of
// EnoughRuns, or len(runs) times WorkFactor if that is larger.
func RunsNeeded(method Info, runs []*Result, wanted float64) float64 {
	ok, need := EnoughRuns(method, runs, wanted)
	if workFactor := WorkFactor(method, runs, wanted); !ok && workFactor < math.Inf(1) {
		need = max(need, float64(len(runs))*workFactor)
	}
	return need
}

// minRunsFor returns the smallest number of such runs at which the pooled error bar is reliable.
func minRunsFor(runs []*Result) int {
	uneven, effective := false, 0.0
	for _, r := range runs {
		if !(r.SE > Rounding) || slices.Contains(r.Flags, FlagFewIslands) {
			return minRuns
		}
		if slices.Contains(r.Flags, FlagSEOptimistic) {
			if !(r.Diagnostics[DiagVarLogWeight] <= 1) {
				return minRuns
			}
			uneven = true
		}
		effective += r.Diagnostics[DiagESS]
	}
	n := len(runs)
	if uneven && effective < pooledESS {
		n = int(min(math.Ceil(pooledESS*float64(n)/max(effective, 1)), minRuns))
	}
	return n
}
