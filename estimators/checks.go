package estimators

import (
	"fmt"
	"math"

	"logzlab/core/diag"
	"logzlab/core/format"
	"logzlab/core/num"
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

// Beside is x as text to be compared with a limit: with the given decimals, or more where rounding would move it to the
// limit or past it.
func Beside(x, limit float64, decimals int) string {
	for x != limit && decimals < 9 && format.Fixed(x, decimals) == format.Fixed(limit, decimals) {
		decimals++
	}
	return format.Fixed(x, decimals)
}

// number judges a diagnostic where there is one.
//
//go:noinline
func number(name diag.Number, judge func(x float64) Finding) func(Facts) (Finding, bool) {
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

// Checks of importance weights and of the sandwich.
var (
	// From ESS samples an error bar is known to one part in sqrt(2 ESS): to 16 % from 20.
	checkESS = Check{Name: "Effective sample size",
		Means: "A few heavy weights carry the estimate, so the error bar is too small.",
		Do:    "Use more temperatures first, then more chains.",
		Judge: number(DiagESS, func(ess float64) Finding {
			return Finding{Text: Beside(ess, 20, 0), Needs: "≥ 20", OK: ess >= 20, Bad: ess < 5}
		})}
	// The same where nothing but more draws helps.
	checkDraws = Check{Name: checkESS.Name, Means: checkESS.Means, Judge: checkESS.Judge,
		Do: "Draw more particles, or use a method with temperatures."}
	checkSpread = Check{Name: "Spread of log weights",
		Means: "The chains lag behind the moving target.", Do: "Use more temperatures.",
		Judge: number(DiagVarLogWeight, func(v float64) Finding {
			return Finding{Text: Beside(v, 1, 2), Needs: "≤ 1", OK: v <= 1, Bad: v > 25}
		})}
	checkReverse = Check{Name: "Reverse gap",
		Means: "Chains that start at the target find another log Z than chains that start at the base: one of them " +
			"misses part of the target.",
		Do: "Use a method with temperatures, or more of them; for a machine also base rates (start = rates).",
		Judge: func(f Facts) (Finding, bool) {
			up := f.Number(DiagLogZReverse)
			if both := f.Number(DiagLogZBennett); num.Known(both) { // reverse plain draws alone are too rough
				up = both
			}
			ahead, se := f.LogZ, f.SE
			if x := f.Number(DiagLogZForward); num.Known(x) {
				ahead, se = x, f.Number(DiagLogZForwardSE)
			}
			gap, limit := up-ahead, .5
			if 3*se > limit {
				limit = 3 * se
			}
			far := math.Abs(gap) > 3 && !(math.Abs(gap) <= 10*se)
			back := f.Number(DiagLogZReverseSE)
			if bar := math.Sqrt(num.Mul(se, se) + num.Mul(back, back)); up == f.Number(DiagLogZReverse) && bar > 0 {
				limit = min(limit, max(4*bar, .1)) // both error bars can be believed
				far = far || math.Abs(gap) > max(10*bar, .1)
			}
			return Finding{Value: gap, Text: format.Fixed(gap, 2) + " nats", Needs: fmt.Sprintf("≤ %.2f", limit),
				OK: math.Abs(gap) <= limit, Bad: far}, num.Known(up)
		}}
	// Two works that no chain of the other direction repeats carry the estimate and hide its error.
	checkMeeting = Check{Name: "Works in common",
		Means: "Few chains on the way there have works like those on the way back, so a few carry the estimate.",
		Do:    "Use more temperatures first, then more chains.",
		Judge: number(DiagESSBennett, func(ess float64) Finding {
			return Finding{Text: Beside(ess, 20, 0), Needs: "≥ 20", OK: ess >= 20, Bad: ess < 5}
		})}
	checkLag = Check{Name: "Spread of log weights",
		Means: "The chains from data lag behind, and the estimate is too high by about half of this.",
		Do:    "Use more temperatures.",
		Judge: number(DiagReverseVarLogWeight, func(v float64) Finding {
			return Finding{Text: Beside(v, 1, 2), Needs: "≤ 1", OK: v <= 1, Bad: v > 25}
		})}
	checkSandwich = Check{Name: "Sandwich width",
		Means: "The bounds from below and above are far apart, so little is certain.", Do: "Use more temperatures.",
		Judge: func(f Facts) (Finding, bool) {
			width := f.Upper - f.Lower
			return Finding{Value: width, Text: Beside(width, 3, 1) + " nats", Needs: "≤ 3", OK: width <= 3, Bad: width > 15},
				num.Known(width)
		}}
)

// Checks of chains that move among rungs.
var (
	checkTrips = Check{Name: "Round trips",
		Means: "Too few chains have been up and down the whole ladder.", Do: "Use more sweeps.",
		Judge: number(DiagRoundTrips, func(n float64) Finding {
			return Finding{Text: fmt.Sprintf("%.0f", n), Needs: "≥ 10", OK: n >= 10}
		})}
	checkSamples = Check{Name: "Samples at each rung",
		Means: "Some rung has so few samples that they say little of it, and of their own error.", Do: "Use more sweeps.",
		Judge: number(DiagSamplesMin, func(n float64) Finding {
			return Finding{Text: fmt.Sprintf("%.0f", n), Needs: "≥ 20", OK: n >= 20}
		})}
	checkApart = Check{Name: "Chains of one rung",
		Means: "Chains at the same rung differ by more than their own sweeps tell: they have not forgotten where they " +
			"began, and the error bar may be too short.",
		Do: "Use samples = tempered, or more sweeps.",
		Judge: number(DiagChainsApart, func(x float64) Finding {
			return Finding{Text: Beside(x, 1.5, 2) + " times", Needs: "≤ 1.5 times", OK: x <= 1.5, Bad: x > 4}
		})}
	checkTarget = Check{Name: "Bars off exact samples",
		Means: "Exact samples of the target give log Z another rise over the last rungs than this run, which misses " +
			"part of the target.",
		Do: "Trust another method, or start elsewhere and use more sweeps.",
		Judge: func(f Facts) (Finding, bool) {
			gap, bar := f.Number(DiagTargetGap), f.Number(DiagTargetGapSE)
			off := math.Abs(gap) / bar
			return Finding{Value: off, Text: Beside(off, 3, 1), Needs: "≤ 3",
				OK:  off <= 3 || math.Abs(gap) < NearEnough,
				Bad: off > 6 && math.Abs(gap) > .05}, num.Known(gap) && bar > 0
		}}
)

// temperChecks are those of methods that read a tempering run.
var temperChecks = []Check{
	{Name: "Occupancy c/r",
		Means: "Some rung is visited far less, or more, than planned, so few chains pass it.",
		Do:    "Allow more initial rounds, or add rungs there.",
		Judge: func(f Facts) (Finding, bool) {
			lo, hi := f.Number(DiagOccupancyMin), f.Number(DiagOccupancyMax)
			worst := lo
			if 1/hi < lo {
				worst = hi
			}
			// Where a rung is starved and no chain has been up and down, nothing tells how the ends compare.
			return Finding{Value: worst, Text: fmt.Sprintf("%.2g", worst), Needs: "0.1–10", OK: lo >= .1 && hi <= 10,
				Bad: lo < .001 || hi > 1000 || lo < .1 && f.Number(DiagRoundTrips) == 0}, num.Known(lo) && num.Known(hi)
		}},
	checkTrips,
	{Name: "Starting guess",
		Means: "The initial iterations ended before the rungs were visited evenly.",
		Do:    "Allow more initial rounds or sweeps.",
		Judge: number(DiagInitialMaxDev, func(dev float64) Finding {
			return Finding{Text: Beside(dev, 1, 2) + " off flat", Needs: "≤ 1", OK: dev <= 1, Bad: dev > 20}
		})},
	checkTarget,
}

// settledLeft is how much of what filling the ladder has left may be left (DiagLeftOver). Of 470 runs of six small
// models those below had an rms z of 1.2, those above 0.1 one of 9.
const settledLeft = .02

// adaptChecks are those of methods whose weights adapt.
var adaptChecks = []Check{
	{Name: "Left of the beginning",
		Means: "What filling the ladder has left in the weights falls off with every sweep, and there were few.",
		Do:    "Use more sweeps, or fewer temperatures.",
		Judge: number(DiagLeftOver, func(x float64) Finding {
			return Finding{Text: Beside(100*x, 100*settledLeft, 1) + " %", Needs: "≤ 2 %", OK: x <= settledLeft, Bad: x > .1}
		})},
	{Name: "Bars of drift",
		Means: "The weights moved on over the last half of the sweeps: what is left to go is about as much.",
		Do:    "Use more sweeps.",
		Judge: func(f Facts) (Finding, bool) {
			drift, se := f.Number(DiagDrift), f.Number(DiagDriftSE)
			bars := math.Abs(drift) / se
			return Finding{Value: bars, Text: Beside(bars, 4, 1), Needs: "≤ 4",
				OK: bars <= 4 || math.Abs(drift) < NearEnough}, num.Known(drift) && se > 0
		}},
	{Name: "Islands agree",
		Means: "Islands of chains that never met end far apart: each misses part of the target, or is biased by about " +
			"its variance.",
		Do: "Use more sweeps, or fewer and larger islands.",
		Judge: number(DiagIslandsSD, func(sd float64) Finding {
			return Finding{Text: Beside(sd, .5, 2) + " nats", Needs: "≤ 0.5", OK: sd <= .5, Bad: sd > 5}
		})},
	{Name: "Bias",
		Means: "The weights of an island follow its own noise, so its log Z is too low by about its variance.",
		Do:    "Use more sweeps, or fewer and larger islands.",
		Judge: func(f Facts) (Finding, bool) {
			sd, limit := f.Number(DiagIslandsSD), max(f.SE, NearEnough)
			bias := num.Mul(sd, sd)
			return Finding{Value: bias, Text: Beside(bias, limit, 3) + " nats", Needs: "≤ " + Beside(limit, 0, 3),
				OK: bias <= limit}, num.Known(sd) && f.SE >= 0
		}},
	checkTrips, checkTarget,
}

const moreParticles = "Use more particles, or more moves at every stage."

// islandChecks are those of methods whose islands of particles are weighted and resampled.
var islandChecks = []Check{
	{Name: "Islands agree",
		Means: "Sets of particles that never met end far apart, so each misses part of the target.", Do: moreParticles,
		Judge: number(DiagIslandsSD, func(sd float64) Finding {
			return Finding{Text: Beside(sd, 1, 2) + " nats", Needs: "≤ 1", OK: sd <= 1, Bad: sd > 5}
		})},
	{Name: "Bias",
		Means: "The log of a noisy Z is too low by about half its variance.", Do: moreParticles,
		Judge: func(f Facts) (Finding, bool) {
			sd := f.Number(DiagIslandsSD)
			bias := sd * sd / 2
			return Finding{Value: bias, Text: Beside(bias, .1, 3) + " nats", Needs: "≤ 0.1",
				OK: bias <= .1}, num.Known(sd)
		}},
}

// latentChecks are those of particles with estimated likelihoods. Beyond a variance of 4 of the log estimates moves are
// hardly ever accepted; beyond 25 a lucky estimate stays for good.
var latentChecks = []Check{
	{Name: "Noise of the likelihood",
		Means: "The likelihood is estimated so roughly that a lucky estimate is hard to leave.",
		Do:    "Use more draws for each estimate (inner).",
		Judge: number(DiagNoise, func(v float64) Finding {
			return Finding{Text: Beside(v, 4, 2), Needs: "≤ 4", OK: v <= 4, Bad: v > 25}
		})},
	{Name: checkESS.Name, Means: checkESS.Means, Judge: checkESS.Judge,
		Do: "Use more temperatures or particles, or resample earlier (ess)."},
	{Name: "Acceptance",
		Means: "Few moves are accepted, so particles that were copied stay copies.",
		Do:    "Use more moves, or more draws for each estimate (inner).",
		Judge: number(DiagAcceptance, func(a float64) Finding {
			return Finding{Text: Beside(100*a, 5, 0) + " %", Needs: "≥ 5 %", OK: a >= .05, Bad: a < .005}
		})},
	{Name: "Two estimates",
		Means: "The product of mean weights and the power posterior differ by more than their errors.",
		Do:    "Use more temperatures, or more particles.",
		Judge: func(f Facts) (Finding, bool) {
			gap, bar, rule := f.Number(DiagLogZPower)-f.LogZ, f.Number(DiagLogZPowerSE), f.Number(DiagPowerRule)
			limit := max(.1, num.Mul(4, math.Sqrt(num.Mul(bar, bar)+num.Mul(f.SE, f.SE)))+num.Mul(2, math.Abs(rule)))
			return Finding{Value: gap, Text: format.Fixed(gap, 2) + " nats", Needs: fmt.Sprintf("≤ %.2f", limit),
				OK: math.Abs(gap) <= limit}, num.Known(gap) && num.Known(limit)
		}},
}

// CheckAnnealed is the name of the check against annealed chains beside a run (opinion.go). Where a result passes it,
// they confirm it.
const CheckAnnealed = "Annealed chains"

// Limits of that check, in error bars and nats. Annealing is heard out if its own bar is short and made from enough
// effective weights. It confirms a result up to annealedAbove above it, as chains that start at base rates often miss a
// mode of some share of the mass; one that lies annealedFar below it is of no use.
const (
	annealedBars  = 4
	annealedNear  = .1
	annealedAbove = .5
	annealedFar   = 3
	annealedFirm  = .5
	annealedESS   = 5
)

// checkAnnealed compares a result with annealing. If E[Zhat] = Z, P(Zhat >= e^t Z) <= e^-t: the higher one is a lower
// bound that seldom fails. So a result far below annealing is wrong, however few chains carry that and however long
// its own bar is. Annealing far below the result has missed a mode, and there is no check; it refutes the result only
// if that is biased and may be far too high.
func checkAnnealed(biased bool) Check {
	return Check{Name: CheckAnnealed,
		Means: "Chains annealed beside this run find another log Z. If theirs is higher, this run misses part of the " +
			"target: its particles were formed for densities that have little in common with it.",
		Do: "Use more particles and moves; for a machine keep absent = sampled. Until both agree, trust AIS with many " +
			"temperatures.",
		Judge: func(f Facts) (Finding, bool) {
			z, se := f.Number(DiagLogZAnnealed), f.Number(DiagLogZAnnealedSE)
			gap, bars := f.LogZ-z, annealedBars*math.Sqrt(num.Mul(se, se)+num.Mul(f.SE, f.SE))
			limit, bad := max(bars, annealedAbove), biased && gap > max(bars, 2*annealedFar)
			if gap < 0 {
				limit, bad = max(bars, annealedNear), -gap > max(annealedBars*se, annealedFar)
			}
			found := Finding{Value: gap, Text: Beside(gap, math.Copysign(limit, gap), 2) + " nats",
				Needs: "± " + format.Fixed(limit, 2), OK: math.Abs(gap) <= limit && !bad, Bad: bad}
			firm := se <= annealedFirm && f.Number(DiagESSAnnealed) >= annealedESS
			return found, num.Known(z) && f.SE >= 0 && (firm && found.OK || gap < 0 && !found.OK || bad)
		}}
}

// checkMixing compares the spread of islands with what independent particles would have.
var checkMixing = Check{Name: "Excess spread of islands",
	Means: "Islands differ far more than they would if moves made their particles independent again: each follows the " +
		"few particles that it began with, and may miss part of the target.",
	Do: "Use more moves at every stage, or more particles; for a machine keep absent = sampled.",
	Judge: func(f Facts) (Finding, bool) {
		sd := f.Number(DiagIslandsSD)
		times := sd / (f.Number(DiagSEWithin) * math.Sqrt(f.Number(DiagIslands)))
		return Finding{Value: times, Text: Beside(times, mixing, 1), Needs: "≤ 3",
			OK: times <= mixing || sd <= mixingSD}, num.Finite(times)
	}}

// Spread of islands in units of that of independent particles, and one in nats that is harmless.
const (
	mixing   = 3
	mixingSD = .2
)

//go:noinline
func formingChecksOf(biased bool) []Check {
	return with(islandChecks, checkAnnealed(biased), checkMixing,
		Check{Name: "Uneven stages",
			Means: "At these stages few particles carry most of the weight.", Do: moreParticles,
			Judge: func(f Facts) (Finding, bool) {
				share := f.Number(DiagStagesBelow)
				return Finding{Value: share, Text: Beside(100*share, 10, 0) + " %", Needs: "≤ 10 %",
					OK: share <= .1, Bad: f.Number(DiagGammaMin) < .02 && share > .5}, num.Known(share)
			}})
}

// formingChecks are those of methods that form particles stage by stage.
var formingChecks = formingChecksOf(false)

// leastParticles is how many particles methods that generate more of them need for trust: on rbm-cd25-500 log Z is 0.43
// nats low at R = 100, 0.10 at 1,000.
const leastParticles = 200

// generatingChecks are those of methods that generate more particles where weights are uneven.
var generatingChecks = with(with([]Check{{Name: "Particles",
	Means: "Particles are added until the weights look even. With few particles this choice alone moves log Z by more " +
		"than the error bar.",
	Do: "Use more particles.",
	Judge: func(f Facts) (Finding, bool) {
		n := f.Values.Int("particles")
		return Finding{Value: float64(n), Text: fmt.Sprint(n), Needs: fmt.Sprintf("≥ %d", leastParticles),
			OK: n >= leastParticles}, true
	}}}, formingChecksOf(true)...), Check{Name: "Generating cut short",
	Means: "At many stages i_max batches were not enough to even the weights.", Do: "Raise i_max, or use more particles.",
	Judge: number(DiagIMaxShare, func(share float64) Finding {
		return Finding{Text: Beside(100*share, 10, 0) + " %", Needs: "≤ 10 %", OK: share <= .1}
	})})
