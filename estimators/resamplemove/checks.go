package resamplemove

import (
	"math"

	"logzlab/core/format"
	"logzlab/core/num"
	"logzlab/core/num/stats"
	"logzlab/estimators"
)

// Limits of checkAnnealed, in standard errors (annealedBars) and nats. Annealing counts only if its standard error is
// at most annealedFirm and its effective sample size at least annealedESS. A result may be annealedAbove higher than
// annealing, because chains that start from base rates often miss a mode; annealing that is annealedFar lower does not
// count.
const (
	annealedBars  = 4
	annealedNear  = .1
	annealedAbove = .5
	annealedFar   = 3
	annealedFirm  = .5
	annealedESS   = 5
)

// checkAnnealed compares log Z with annealing. If E[Zhat] = Z, then P(Zhat >= e^t Z) <= e^-t (Markov), so the higher of
// two unbiased estimates is a lower bound that rarely fails. A result far below annealing is therefore wrong, even if
// few chains carry annealing's weight or the result's own error bar is long. If annealing is far below the result, it
// has missed a mode, and the check does not apply, unless the result is biased and may be far too high.
func checkAnnealed(biased bool) estimators.Check {
	return estimators.Check{Name: estimators.CheckAnnealed,
		Meaning: "Separate annealed chains find another log Z. If theirs is higher, this run misses part of the target: its " +
			"particles were grown for densities that have little in common with it.",
		Advice: "Use more particles and moves; for an RBM keep absent = sampled. Until both agree, trust AIS with many " +
			"temperatures.",
		Judge: func(f estimators.Facts) (estimators.Finding, bool) {
			z, se := f.Number(estimators.DiagLogZAnnealed), f.Number(estimators.DiagLogZAnnealedSE)
			gap, bars := f.LogZ-z, annealedBars*stats.JointSE(se, f.SE)
			limit, bad := max(bars, annealedAbove), biased && gap > max(bars, 2*annealedFar)
			if gap < 0 {
				limit, bad = max(bars, annealedNear), -gap > max(annealedBars*se, annealedFar)
			}
			found := estimators.Finding{Value: gap, Text: estimators.FormatAgainst(gap, math.Copysign(limit, gap), 2) + " nats",
				Needs: "± " + format.Fixed(limit, 2), OK: math.Abs(gap) <= limit && !bad, Bad: bad}
			firm := se <= annealedFirm && f.Number(estimators.DiagESSAnnealed) >= annealedESS
			return found, num.NotNaN(z) && f.SE >= 0 && (firm && found.OK || gap < 0 && !found.OK || bad)
		}}
}

// checkMixing compares the spread of log Zhat between islands with the spread for independent particles.
var checkMixing = estimators.Check{Name: "Excess spread of islands",
	Meaning: "Groups differ far more than if moves made their particles independent again: each follows the few " +
		"particles it began with, and may miss part of the target.",
	Advice: "Use more moves at every stage, or more particles; for an RBM keep absent = sampled.",
	Judge: func(f estimators.Facts) (estimators.Finding, bool) {
		sd := f.Number(estimators.DiagIslandsSD)
		times := sd / (f.Number(estimators.DiagSEWithin) * math.Sqrt(f.Number(estimators.DiagIslands)))
		if times > maxSpreadRatio && sd <= harmlessSD {
			return estimators.Finding{Value: sd, Text: estimators.FormatAgainst(sd, harmlessSD, 2) + " nats", Needs: "≤ 0.2",
				OK: true}, num.Finite(times)
		}
		return estimators.Finding{Value: times, Text: estimators.FormatAgainst(times, maxSpreadRatio, 1), Needs: "≤ 3",
			OK: times <= maxSpreadRatio}, num.Finite(times)
	}}

// Limits of checkMixing: the ratio of the two spreads, and a spread in nats below which the ratio does not matter.
const (
	maxSpreadRatio = 3
	harmlessSD     = .2
)

// MaxUneven is the largest share of stages at which few particles may carry most of the weight.
const MaxUneven = .1

// checksOf returns the checks of biased or of unbiased methods. It is not inlined, as it fills package variables: see
// RATIONALE.md.
//
//go:noinline
func checksOf(biased bool) []estimators.Check {
	return estimators.Appended(estimators.IslandChecks, checkAnnealed(biased), checkMixing,
		estimators.Check{Name: "Uneven stages",
			Meaning: "At these stages few particles carry most of the weight.", Advice: estimators.MoreParticles,
			Judge: func(f estimators.Facts) (estimators.Finding, bool) {
				share := f.Number(estimators.DiagStagesBelow)
				return estimators.Finding{Value: share, Text: estimators.FormatAgainst(100*share, 100*MaxUneven, 0) + " %",
					Needs: "≤ 10 %", OK: share <= MaxUneven,
					Bad: f.Number(estimators.DiagGammaMin) < .02 && share > .5}, num.NotNaN(share)
			}})
}

// checks are the checks of rm and rm-optimal.
var checks = checksOf(false)

// generatingChecks are the checks of arm and its variants.
var generatingChecks = estimators.Appended(estimators.Appended([]estimators.Check{estimators.CheckParticles},
	checksOf(true)...), estimators.CheckCutShort)
