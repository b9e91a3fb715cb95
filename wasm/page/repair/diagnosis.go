package repair

import (
	"math"
	"slices"

	"logzlab/core/diag"
	"logzlab/core/format"
	"logzlab/estimators"
	"logzlab/estimators/report"
)

// The faults below are found from the report of a run alone: checks, diagnostics and flags. The link is not used, so
// the diagnosis also works for other seeds, models and settings.

// Reasons why an estimate is wrong, in the order of the menu.
const (
	badStart = iota
	starvedLadder
	missedMode
	FewParticles
	sharedSeed
	FewTemperatures
	Reasons
)

// ReasonKeys are the last parts of the keys of the reasons' words.
var ReasonKeys = [Reasons]string{"start", "ladder", "mode", "particles", "seed", "temperatures"}

// Evidence supports a reason: the key of a text, and its arguments.
type Evidence struct {
	Reason int
	Key    string
	Args   []any
}

// Limits of the evidence. If chains lag only because of too few temperatures, the width of the sandwich is about the
// variance of the log weights (each bound is off by half a variance); from a bad start it is larger.
const (
	beyondHaste = 2
	blocked     = 1e-3 // c/r of a rung that practically no chain passes
)

// tooAlike is the range of n independent estimates of log Z, in error bars, that is undercut one time in twenty.
var tooAlike = [...]float64{0, 0, .09, .43, .76, 1.03, 1.25, 1.44, 1.60, 1.74}

// Diagnose lists what is wrong according to the reports of a finished run, strongest evidence first; nothing if all
// looks well.
func Diagnose(reports []*report.Report, shown int) (found []Evidence) {
	if e, ok := sharedNumbers(reports); ok {
		found = append(found, e)
	}
	if shown >= len(reports) || reports[shown].Verdict == nil {
		return found
	}

	// Checks and numbers of the shown report.
	r := reports[shown]
	fails := func(name string) *report.VerdictCheck {
		i := slices.IndexFunc(r.Verdict.Checks, func(c report.VerdictCheck) bool { return c.Name == name && !c.OK })
		if i < 0 {
			return nil
		}
		return &r.Verdict.Checks[i]
	}
	show := func(reason int, key string, names ...string) {
		for _, name := range names {
			if c := fails(name); c != nil {
				found = append(found, Evidence{reason, key, []any{c}})
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
	if c := fails("Occupancy c/r"); c != nil && (float64(c.Value) < blocked || float64(c.Value) > 1/blocked) {
		show(starvedLadder, "shows.ladder", "Occupancy c/r")
	}
	show(missedMode, "shows.mode", "Bars off exact samples")
	show(starvedLadder, "shows.ladder", "Occupancy c/r", "Rungs without samples")
	lag := number(estimators.DiagVarLogWeight)
	if width := float64(r.Upper - r.Lower); width > 3 && width > beyondHaste*lag {
		found = append(found, Evidence{badStart, "shows.start", []any{format.Fixed(width, 1), format.Fixed(lag, 1)}})
	}
	show(FewTemperatures, "shows.temperatures", "Spread of log weights")
	if n := number(estimators.DiagESS); n < 20 && lag <= 1 {
		show(FewParticles, "shows.weights", "Effective sample size")
	}
	show(FewParticles, "shows.islands", "Islands agree", "Bias")
	show(FewParticles, "shows.particles", "Particles", "An error bar")
	return found
}

// sharedNumbers detects methods that agree because they use the same random numbers. Replicates have different random
// numbers, and their spread is the error bar, so their agreement is harmless.
func sharedNumbers(reports []*report.Report) (e Evidence, ok bool) {
	lo, hi, bar := math.Inf(1), math.Inf(-1), 0.0
	for _, r := range reports {
		if !report.IsNumber(r.LogZ) || !report.IsNumber(r.SE) || r.Spec.Replicates > 1 ||
			!slices.Contains(r.Flags, report.FlagSharedRun) {
			return e, false
		}
		lo, hi = min(lo, float64(r.LogZ)), max(hi, float64(r.LogZ))
		bar += float64(r.SE) / float64(len(reports))
	}
	args := []any{len(reports), format.Fixed(hi-lo, format.Decimals(hi-lo)), format.Fixed(bar, format.Decimals(bar))}
	return Evidence{sharedSeed, "shows.seed", args}, hi-lo < tooAlike[min(len(reports), len(tooAlike)-1)]*bar
}
