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

// Pooled joins independent runs of one method: log Z is the log of the mean of their Zhat if these are unbiased, else
// the mean. The standard error is the larger one of two (nats): that of the runs' own error bars and that of their
// spread. NaN where neither can be had.
func Pooled(runs []*Result, unbiased bool) (logZ, se float64) {
	n := float64(len(runs))
	z := make([]float64, len(runs))
	for i, r := range runs {
		z[i] = r.LogZ
	}
	mean, v := stats.MeanVar(z)
	logZ, spread, own := mean, math.Sqrt(v/n), 0.0
	if unbiased {
		w := stats.LogWeights(z)
		logZ, spread = w.LogMean, w.SE
	}
	for _, r := range runs {
		part := r.SE / n
		if unbiased {
			part = num.Mul(part, num.Exp(r.LogZ-logZ))
		}
		own += num.Mul(part, part)
	}
	own = math.Sqrt(own)
	switch {
	case len(runs) < 2 || !num.Known(spread):
		return logZ, own
	case !num.Known(own):
		return logZ, spread
	}
	return logZ, max(own, spread)
}

// Joined is independent runs of one method as one result, of which the first gives what is not summed over them: log Z
// and its error are Pooled, effective sample sizes add up, and so do second opinions.
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

// Number is a diagnostic, NaN if it is not there.
func (r *Result) Number(name diag.Number) float64 {
	if x, ok := r.Diagnostics[name]; ok {
		return x
	}
	return math.NaN()
}

// Rounding bounds the error bar (nats) that values which are all the same get by rounding.
const Rounding = 1e-12

// fewestRuns is how many runs are joined at least where their own error bars do not say enough.
const fewestRuns = 8

// usualStretch is Info.Stretch of most methods.
const usualStretch = 1.1

// pooledESS is the effective sample size, of all runs together, from which their error bar is known well enough to
// stop.
const pooledESS = 40

// WorkFactor is the factor by which the work of independent runs has to grow for a wanted standard error of log Z, by
// the error bars of the runs; at most 1 where they are enough.
func WorkFactor(method Info, runs []*Result, wanted float64) float64 {
	_, se := Pooled(runs, method.Unbiased)
	short := num.Mul(se, cmp.Or(method.Stretch, usualStretch)) / wanted
	return num.Mul(short, short)
}

// Enough reports whether independent runs of a method give log Z with a wanted standard error, and about how many
// there must be, more than there are, if they do not. Runs without error bars, or with too short ones, count when there
// are eight of them; those with too few effective weights also when they have enough of them together.
func Enough(method Info, runs []*Result, wanted float64) (ok bool, need float64) {
	n, times := float64(len(runs)), WorkFactor(method, runs, wanted)
	if least := fewest(runs); len(runs) < least {
		return false, float64(least)
	}
	if times <= 1 {
		return true, n
	}
	if need = num.Mul(n, times); !(need > n+1) {
		need = n + 1
	}
	return false, math.Ceil(need)
}

// Needed is about how many runs of a method give log Z with a wanted standard error: as Enough says, or more by the
// error bars of those there are.
func Needed(method Info, runs []*Result, wanted float64) float64 {
	ok, need := Enough(method, runs, wanted)
	if times := WorkFactor(method, runs, wanted); !ok && times < math.Inf(1) {
		need = max(need, float64(len(runs))*times)
	}
	return need
}

// fewest is how many runs like these must be joined for an error bar to be believed.
func fewest(runs []*Result) int {
	uneven, effective := false, 0.0
	for _, r := range runs {
		if !(r.SE > Rounding) || slices.Contains(r.Flags, FlagFewIslands) {
			return fewestRuns
		}
		if slices.Contains(r.Flags, FlagSEOptimistic) {
			if !(r.Diagnostics[DiagVarLogWeight] <= 1) {
				return fewestRuns
			}
			uneven = true
		}
		effective += r.Diagnostics[DiagESS]
	}
	n := len(runs)
	if uneven && effective < pooledESS {
		n = int(min(math.Ceil(pooledESS*float64(n)/max(effective, 1)), fewestRuns))
	}
	return n
}
