package repair

import (
	"math"
	"slices"

	"logzlab/core/diag"
	"logzlab/core/format"
	"logzlab/estimators"
	"logzlab/estimators/report"
)

// Diagnose finds the faults of a run from its report alone: checks, diagnostics and flags. It does not use the link, so
// it also works for other seeds, models and settings.

// Reasons why an estimate is wrong, in the order of the menu. Reasons is their number.
const (
	badStart = iota
	starvedLadder
	missedMode
	FewParticles
	sharedSeed
	FewTemperatures
	Reasons
)

// ReasonKeys are the names of the reasons in keys of translations (reason.KEY) and in events (reason-KEY).
var ReasonKeys = [Reasons]string{"start", "ladder", "mode", "particles", "seed", "temperatures"}

// Evidence is a sentence that supports a reason: the key of its translation, and its arguments.
type Evidence struct {
	Reason int
	Key    string
	Args   []any
}

// Limits of the evidence. minWidthRatio is the ratio of the sandwich's width to the variance of the log weights above
// which the start is bad. If chains lag behind the temperature only because there are too few temperatures, the ratio
// is about 1: each bound is off by half the variance.
const (
	minWidthRatio     = 2
	minOccupancyRatio = 1e-3 // occupancy c/r of a rung that practically no chain passes
)

// minRelativeRange[n] is the range (largest minus smallest) of n independent estimates of log Z, in error bars, that is
// undercut with probability 1/20. The entry of 9 holds for more estimates, too.
var minRelativeRange = [...]float64{0, 0, .09, .43, .76, 1.03, 1.25, 1.44, 1.60, 1.74}

// Diagnose lists the evidence of faults in the reports of a finished run, the strongest first. shownIndex is the index
// of the report on show. The list is empty if no fault is found.
func Diagnose(reports []*report.Report, shownIndex int) (evidence []Evidence) {
	if e, ok := sharedNumbers(reports); ok {
		evidence = append(evidence, e)
	}
	if shownIndex >= len(reports) || reports[shownIndex].Verdict == nil {
		return evidence
	}

	// Checks and numbers of the shown report.
	r := reports[shownIndex]
	failedCheck := func(name string) *report.VerdictCheck {
		i := slices.IndexFunc(r.Verdict.Checks, func(c report.VerdictCheck) bool { return c.Name == name && !c.OK })
		if i < 0 {
			return nil
		}
		return &r.Verdict.Checks[i]
	}
	addFirstFailed := func(reason int, key string, names ...string) {
		for _, name := range names {
			if c := failedCheck(name); c != nil {
				evidence = append(evidence, Evidence{reason, key, []any{c}})
				return
			}
		}
	}
	number := func(name diag.Number) float64 {
		if x, ok := r.Diagnostics[name]; ok {
			return float64(x)
		}
		return math.NaN()
	}

	// The evidence, strongest first.
	if c := failedCheck("Occupancy c/r"); c != nil && (float64(c.Value) < minOccupancyRatio || float64(c.Value) > 1/minOccupancyRatio) {
		addFirstFailed(starvedLadder, "shows.ladder", "Occupancy c/r")
	}
	addFirstFailed(missedMode, "shows.mode", "Bars off exact samples")
	addFirstFailed(starvedLadder, "shows.ladder", "Occupancy c/r", "Rungs without samples")
	logWeightVariance := number(estimators.DiagVarLogWeight)
	if width := float64(r.Upper - r.Lower); width > 3 && width > minWidthRatio*logWeightVariance {
		evidence = append(evidence, Evidence{badStart, "shows.start", []any{format.Fixed(width, 1), format.Fixed(logWeightVariance, 1)}})
	}
	addFirstFailed(FewTemperatures, "shows.temperatures", "Spread of log weights")
	if n := number(estimators.DiagESS); n < 20 && logWeightVariance <= 1 {
		addFirstFailed(FewParticles, "shows.weights", "Effective sample size")
	}
	addFirstFailed(FewParticles, "shows.islands", "Islands agree", "Bias")
	addFirstFailed(FewParticles, "shows.particles", "Particles", "An error bar")
	return evidence
}

// sharedNumbers reports whether the methods agree more closely than independent estimates would, because they use the
// same random numbers. A run with replicates is excluded: its replicates have different random numbers, and their
// spread is the error bar.
func sharedNumbers(reports []*report.Report) (e Evidence, ok bool) {
	lo, hi, meanSE := math.Inf(1), math.Inf(-1), 0.0
	for _, r := range reports {
		if !report.IsNumber(r.LogZ) || !report.IsNumber(r.SE) || r.Spec.Replicates > 1 ||
			!slices.Contains(r.Flags, report.FlagSharedRun) {
			return e, false
		}
		lo, hi = min(lo, float64(r.LogZ)), max(hi, float64(r.LogZ))
		meanSE += float64(r.SE) / float64(len(reports))
	}
	args := []any{len(reports), format.Fixed(hi-lo, format.Decimals(hi-lo)), format.Fixed(meanSE, format.Decimals(meanSE))}
	return Evidence{sharedSeed, "shows.seed", args}, hi-lo < minRelativeRange[min(len(reports), len(minRelativeRange)-1)]*meanSE
}
