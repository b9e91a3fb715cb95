package report

import (
	"fmt"
	"math"
	"slices"

	"logzlab/core/runstate"
	"logzlab/estimators"
	"logzlab/estimators/anneal"
	"logzlab/models"
)

// Two methods disagree if their log Z differ by more than opinionBars joint standard errors and more than opinionFloor
// nats. If they differ by more than farBars joint standard errors and farNats nats, one of them is far off.
const (
	opinionBars  = 4
	opinionFloor = .1
	vagueSE      = .5 // a result with a larger standard error (nats) confirms no other result
	farBars      = 20
	farNats      = .5
)

// Opinions adds a check to the verdicts when every method is finished: whether the result would have been contradicted if
// the method had missed a region of the target. The chains or islands of a method start in the same way, so they may all
// miss the region and agree, and so may methods whose provenances share an element (estimators.Provenance). If the kind
// of model has unimodal targets, only contradictions between methods are reported. No check is added if an exact sum is
// known.
func (j *Reports) Opinions(reports []*Report) {
	if t := j.truth(); t != nil && !(t.Uncertainty > 0) || slices.ContainsFunc(reports, (*Report).unfinished) {
		return // an integral by cubature (with uncertainty) is no exact sum, as it may miss the same mode as the search
	}
	oneMode := j.job.Kind().Unimodal
	data := models.CapabilitiesOf(j.job.Model).Data
	ownRows := data != nil && data.OwnData()
	ownLevels := make([]string, len(reports)) // levels of the verdicts before this check
	for i, r := range reports {
		ownLevels[i] = r.Verdict.Level
	}
	for _, r := range reports {
		if r.State != runstate.MethodDone || !IsNumber(r.LogZ) {
			continue
		}

		// The check fails unless a second opinion is found below.
		c := VerdictCheck{Name: "A second opinion", Value: Number(math.NaN()), Text: "none", Needs: "≥ 1",
			Meaning: "Chains or particles that all start alike may agree and miss part of the target; nothing here would notice.",
			Advice:  "Also run a method that works differently. AIS adds bounds if the model has any."}
		if _, hasOther := r.Diagnostics[estimators.DiagLogZOther]; hasOther {
			c.Text = "starts alike"
			c.Meaning = "Annealing and tempering both start at the base, so they may agree and miss the same part of the target."
		}

		// A search for modes before the run has its own check.
		climbs, searched := r.Diagnostics[models.DiagClimbs]
		if searched {
			r.addCheck(r.checkSearch(climbs))
		}

		// Opinions within the run: bounds, a sequential check, or annealed chains.
		if r.isByGrowing() {
			c = r.checkFirstStrategies()
		}
		if r.bounded(ownRows) {
			c.Text, c.OK = "bounds", true
		} else if r.Verdict.Passes(estimators.CheckSequential) {
			c.Text, c.OK = "a third strategy", true
		} else if r.confirmedByAnnealing() {
			c.Text, c.OK = "annealed chains", true
		}

		// Other methods of the experiment. The first contradiction decides.
		contradicted, compared := false, false
		for i, other := range reports {
			if other == r || other.State != runstate.MethodDone || !IsNumber(other.LogZ) || !IsNumber(r.SE) || !IsNumber(other.SE) ||
				ownLevels[i] == Stop || other.belowFloor() {
				continue // an estimate that must not be used cannot confirm another
			}
			agreement := compare(r, other)
			if agreement.OK && (j.job.SameRun(other.Method, r.Method) ||
				!(other.bounded(ownRows) && ownLevels[i] == Trust) && !(shareNothing(r, other) && other.SE <= vagueSE)) {
				continue // agreement proves nothing, as both may miss the same region
			}
			compared = true
			c.Value, c.Text, c.Needs, c.OK = agreement.Value, agreement.Text, agreement.Needs, agreement.OK
			if contradicted = !c.OK; contradicted {
				c.Bad = agreement.Bad
				c.Meaning = "Another method of this experiment finds another log Z, by more than four error bars: one of them " +
					"is wrong, perhaps for missing part of the target."
				c.Advice = "Trust neither before both agree: use more temperatures, sweeps or particles."
				break
			}
		}

		// With one mode, only contradictions are reported.
		if contradicted || !oneMode && (compared || !searched) {
			r.addCheck(c)
		}
	}
}

// checkModes is the name of the check of the search for modes before a run. The search is not a second opinion, as all
// methods use it.
const checkModes = "Search for modes"

// maxMarkov is the number of nats by which the log of an unbiased estimate of a part of Z may exceed log Z. By Markov's
// inequality a larger excess has a probability of at most e^-3 = 1/20.
const maxMarkov = 3

// maxLaplace is the number of nats by which the log mass of one mode by Laplace's method may exceed log Z. If it exceeds
// log Z by more than farLaplace nats, the verdict is stop.
const maxLaplace, farLaplace = 3, 10

// checkSearch judges the search for modes with the given number of climbs, and whether chains can reach the modes found.
func (r *Report) checkSearch(climbs Number) VerdictCheck {
	if farMass := r.diagnostic(models.DiagFarMass); farMass > 0 {
		return VerdictCheck{Name: checkModes, Value: Number(farMass), Text: fmt.Sprintf("%.1f nats far out", farMass),
			Needs: "none", Bad: true,
			Meaning: "Far out a small part of the target has more mass than everything that chains reached, so log Z is too low.",
			Advice:  "Write the program with parameters of about one scale that depend less on each other."}
	}
	if excess := r.diagnostic(models.DiagLogZModes) - float64(r.LogZ); excess > maxMarkov {
		return VerdictCheck{Name: checkModes, Value: Number(excess), Text: fmt.Sprintf("%.1f nats at the modes", excess),
			Needs: "none", Bad: true,
			Meaning: "The modes that the search found have more mass than the run found in all: they are so many that the base has " +
				"one part for all of them, and chains missed most of them.",
			Advice: "Where parts of the program can change places, put them in order, as by ordered[K]."}
	}
	if excess := r.diagnostic(models.DiagLogZLaplace) - float64(r.LogZ); excess > maxLaplace {
		return VerdictCheck{Name: checkModes, Value: Number(excess), Text: fmt.Sprintf("%.1f nats at a mode", excess),
			Needs: fmt.Sprintf("≤ %d nats", maxLaplace), Bad: excess > farLaplace,
			Meaning: "By its height and curvature one mode has more mass than the run found in all. Either the density is narrower " +
				"there than its curvature says, as where it jumps, or the run missed the mode.",
			Advice: "Write the density without jumps, or compare with a run of another method that starts near the mode."}
	}
	if cutOff := r.diagnostic(models.DiagCutOff); cutOff > models.MaxCutOff {
		return VerdictCheck{Name: checkModes, Value: Number(cutOff), Text: fmt.Sprintf("%.1f nats where numbers end", cutOff),
			Needs: fmt.Sprintf("≤ %d", models.MaxCutOff), Bad: cutOff > models.LargeCutOff,
			Meaning: "The density is still large where numbers end, as where a probability rounds to 1, so mass beyond is lost and " +
				"log Z is too low.",
			Advice: "Give the parameter a prior with less mass at its bounds, or write the density of its logit."}
	}
	if slices.Contains(r.Flags, estimators.FlagByPath) {
		return VerdictCheck{Name: checkModes, Value: climbs, Text: "base too far", Needs: "a base near the target",
			Meaning: "The density fitted to the target is so far from it that neither importance sampling nor bridge sampling is " +
				"reliable. Annealing and tempering start there, and may miss mass in curved ridges and far tails together.",
			Advice: "Write the program with parameters that depend less on each other, or with lighter tails."}
	}
	chains := !slices.Contains(r.Flags, estimators.FlagByDraws) && !slices.Contains(r.Flags, estimators.FlagByCubature)
	if divergent := r.diagnostic(models.DiagDivergent); chains && divergent > models.MaxDivergent {
		return r.checkDivergent(divergent)
	}
	grid := slices.Contains(r.Flags, estimators.FlagByCubature) // cubature covers the whole region
	if unseen := r.diagnostic(models.DiagUnseenModes); unseen > models.MaxUnseenModes && !grid {
		return VerdictCheck{Name: checkModes, Value: Number(unseen),
			Text:  estimators.FormatAgainst(100*unseen, 100*models.MaxUnseenModes, 0) + " % unseen",
			Needs: fmt.Sprintf("≤ %.0f %%", 100*models.MaxUnseenModes), Bad: unseen > .5,
			Meaning: "Climbs from random starts still end at modes that none has met before, so there are more.",
			Advice:  "Where parts of the program can change places, put them in order, as by ordered[K]."}
	}
	return VerdictCheck{Name: checkModes, Value: climbs, Text: fmt.Sprint(climbs),
		Needs: fmt.Sprintf("≥ %d", models.MinClimbs), OK: climbs >= models.MinClimbs || grid,
		Meaning: "Chains start around the modes that climbs from scattered points find, and few climbs ended at one; most " +
			"walks of chains from such points ended elsewhere.",
		Advice: "Write the program so that scales do not shrink to 0, as with non-centred parameters. Also run bridge."}
}

// checkDivergent judges the fraction of trajectories that diverge, and gives the likely reason.
func (r *Report) checkDivergent(divergent float64) VerdictCheck {
	share := func(x float64) string { return fmt.Sprintf("%.0f %%", 100*x) }
	c := VerdictCheck{Name: checkModes, Value: Number(divergent), Text: estimators.FormatAgainst(100*divergent, 100*models.MaxDivergent, 0) + " % divergent",
		Needs: "≤ " + share(models.MaxDivergent), Bad: divergent > .5,
		Meaning: "The target is far narrower in places than where most of it is, as a funnel is: no step suits all chains, " +
			"which miss such places together.",
		Advice: "Write parameters whose scale is a parameter as multiples of it, non-centred, so that scales do not shrink to 0. " +
			"If they are already, give scales priors away from 0, or also run bridge."}
	if r.diagnostic(models.DiagEdges) > 0 {
		c.Meaning = "Parameters are declared wider than their distribution: the density drops to 0 at values that the " +
			"declarations allow, and trajectories run out of it. Stan rejects starts there."
		c.Advice = "Declare the bounds, as real<lower=0, upper=1> x with x ~ uniform(0, 1)."
	}
	return c
}

// firmUpper reports whether log Z has an upper bound that does not come from chains that start at data.
func (r *Report) firmUpper() bool {
	return IsNumber(r.Upper) && !slices.Contains(r.Flags, estimators.FlagUpperFromData) &&
		!slices.Contains(r.Flags, anneal.FlagFromData)
}

// bounded reports whether chains from exact samples of the target, or from the training data of the model, would have
// revealed a missed mode. Data rows given by the user (ownRows) do not count, as they may lack modes of the model.
func (r *Report) bounded(ownRows bool) bool {
	_, hasTargetCheck := r.Diagnostics[estimators.DiagTargetGap]
	return hasTargetCheck || r.firmUpper() || IsNumber(r.Upper) && !ownRows
}

// confirmedByAnnealing reports whether annealed chains after the run confirm its result, and the run has a different
// provenance. A run whose sequence is not made from samples starts from base rates like annealed chains, so it does not
// count: on rbm-cd25-20 both were 1.1 nats low and agreed.
func (r *Report) confirmedByAnnealing() bool {
	return r.provenance()&(estimators.FromBase|estimators.ThroughRungs) == 0 &&
		r.Verdict.Passes(estimators.CheckAnnealed)
}

// shareNothing reports whether the provenances of two results have no element in common.
func shareNothing(a, b *Report) bool { return a.provenance()&b.provenance() == 0 }

// checkFirstStrategies is the second opinion on a result of the method auto that resample-move has made (its third
// strategy). The opinion is the estimate of the first two strategies, annealing and tempering, if it agrees; or the
// certain lower bound, if the result is close to it and the first strategies do not find more. The result is then unlikely
// to be too high, as E[Zhat] = Z for resample-move.
func (r *Report) checkFirstStrategies() VerdictCheck {
	first := &Report{LogZ: Number(r.diagnostic(estimators.DiagLogZFirst)), SE: Number(r.diagnostic(estimators.DiagLogZFirstSE))}
	c := VerdictCheck{Name: "A second opinion", Value: Number(math.NaN()), Text: "none", Needs: "≥ 1",
		Meaning: "Annealing and tempering, which start at the base, found another log Z: resample-move alone gives this " +
			"number.",
		Advice: "Run ais with many temperatures too, and compare."}
	hasFirst := IsNumber(first.LogZ) && first.SE <= vagueSE
	d := compare(r, first)
	isNearFloor := r.Floor != nil && float64(r.LogZ-r.Floor.LogZ) <= max(opinionBars*float64(r.SE), opinionFloor)
	if isFirstHigher := hasFirst && !d.OK && first.LogZ > r.LogZ; isNearFloor && !isFirstHigher { // a higher first estimate would mean that this result misses something
		c.Value, c.Text, c.OK = r.Floor.LogZ, "the proven lower bound", true
	} else if hasFirst && d.OK {
		c.Value, c.Text, c.Needs, c.OK = d.Value, d.Text, d.Needs, true
	}
	return c
}

// compare checks r against another result. The check fails badly if the two are far apart, unless r is the higher one and
// its method is unbiased: if E[Zhat] = Z, then Zhat >= a Z has a probability of at most 1/a (Markov's inequality), so the
// lower result has missed something. Results with FlagAdaptive are not unbiased.
func compare(r, other *Report) (c VerdictCheck) {
	gap, se := math.Abs(float64(r.LogZ-other.LogZ)), math.Hypot(float64(r.SE), float64(other.SE))
	bars := gap / se
	c.Value, c.Text, c.Needs, c.OK = Number(bars), estimators.FormatAgainst(bars, opinionBars, 1)+" bars off",
		fmt.Sprintf("≤ %d", opinionBars), bars <= opinionBars
	if !c.OK && (gap <= opinionFloor || se == 0) {
		c.Value, c.Text, c.Needs, c.OK = Number(gap), estimators.FormatAgainst(gap, opinionFloor, 2)+" nats off",
			fmt.Sprintf("≤ %.1f", opinionFloor), gap <= opinionFloor
	}
	higher, _ := r.names.Method(r.Method)
	unbiased := higher.Unbiased && !slices.Contains(r.Flags, estimators.FlagAdaptive)
	c.Bad = gap > farNats && bars > farBars && !(r.LogZ > other.LogZ && unbiased)
	return c
}
