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

// Two methods disagree if they differ by more than opinionBars joint error bars and more than opinionFloor nats, below
// which a difference is harmless. From farBars joint bars and farNats nats on, one of them is far off.
const (
	opinionBars  = 4
	opinionFloor = .1
	vagueSE      = .5 // a result with a longer error bar (nats) confirms no other
	farBars      = 20
	farNats      = .5
)

// Opinions adds a check to the verdicts when every method is finished: whether anything could have revealed a part of
// the target that a method never finds. The chains or islands of a method start alike, so they may agree and be wrong
// together, and so may methods whose provenances share a part (estimators.Provenance). If the kind of model has targets
// with one mode, only contradictions between methods are reported. With an exact sum no opinion is needed.
func (j *Reports) Opinions(reports []*Report) {
	if t := j.truth(); t != nil && !(t.Uncertainty > 0) || slices.ContainsFunc(reports, (*Report).unfinished) {
		return // cubature may miss a mode that the search misses
	}
	oneMode := j.job.Kind().Unimodal
	data := models.CapabilitiesOf(j.job.Model).Data
	ownRows := data != nil && data.OwnData()
	levels := make([]string, len(reports)) // levels by the checks of each method alone
	for i, r := range reports {
		levels[i] = r.Verdict.Level
	}
	for _, r := range reports {
		if r.State != runstate.MethodDone || !IsNumber(r.LogZ) {
			continue
		}

		// Without a second opinion the check fails, with advice.
		c := VerdictCheck{Name: "A second opinion", Value: Number(math.NaN()), Text: "none", Needs: "≥ 1",
			Means: "Chains or particles that all start alike may agree and miss part of the target; nothing here would notice.",
			Do:    "Also run a method that works differently. AIS adds bounds if the model has any."}
		if _, asked := r.Diagnostics[estimators.DiagLogZOther]; asked {
			c.Text = "starts alike"
			c.Means = "Annealing and tempering both start at the base, so they may agree and miss the same part of the target."
		}

		// A search for modes before the run has its own check, and then only other methods give opinions.
		climbs, searched := r.Diagnostics[models.DiagClimbs]
		if searched {
			r.addCheck(r.checkSearch(climbs))
		}

		// Opinions within the run: a sequential check, or bounds.
		if r.byGrowing() {
			c = r.checkFirstStrategies()
		}
		if r.bounded(ownRows) {
			c.Text, c.OK = "bounds", true
		} else if r.Verdict.Passes(estimators.CheckSequential) {
			c.Text, c.OK = "a third strategy", true
		} else if r.confirmedByAnnealing() {
			c.Text, c.OK = "annealed chains", true
		}

		// Other methods of the experiment; a contradiction ends the search.
		contradicted, compared := false, false
		for i, o := range reports {
			if o == r || o.State != runstate.MethodDone || !IsNumber(o.LogZ) || !IsNumber(r.SE) || !IsNumber(o.SE) ||
				levels[i] == Stop || o.belowFloor() {
				continue // its estimate cannot confirm another
			}
			d := compare(r, o)
			if d.OK && (j.job.SameRun(o.Method, r.Method) ||
				!(o.bounded(ownRows) && levels[i] == Trust) && !(shareNothing(r, o) && o.SE <= vagueSE)) {
				continue // both may be wrong together
			}
			compared = true
			c.Value, c.Text, c.Needs, c.OK = d.Value, d.Text, d.Needs, d.OK
			if contradicted = !c.OK; contradicted {
				c.Bad = d.Bad
				c.Means = "Another method of this experiment finds another log Z, by more than four error bars: one of them " +
					"is wrong, perhaps for missing part of the target."
				c.Do = "Trust neither before both agree: use more temperatures, sweeps or particles."
				break
			}
		}

		// With one mode, only contradictions are reported.
		if contradicted || !oneMode && (compared || !searched) {
			r.addCheck(c)
		}
	}
}

// checkModes is the name of the check of the search for modes before a run. It is not a second opinion, as all methods
// share the search.
const checkModes = "Search for modes"

// maxMarkov is the number of nats by which an unbiased estimate of a part of Z may exceed log Z: by Markov's inequality
// it exceeds it by chance one time in twenty at most.
const maxMarkov = 3

// maxLaplace is the number of nats by which Laplace's method at one of several modes may exceed log Z; beyond
// farLaplace the verdict is stop.
const maxLaplace, farLaplace = 3, 10

// checkSearch judges a search for modes, and whether chains can reach the modes that it found.
func (r *Report) checkSearch(climbs Number) VerdictCheck {
	if more := r.number(models.DiagFarMass); more > 0 {
		return VerdictCheck{Name: checkModes, Value: Number(more), Text: fmt.Sprintf("%.1f nats far out", more),
			Needs: "none", Bad: true,
			Means: "Far out a small part of the target has more mass than everything that chains reached, so log Z is too low.",
			Do:    "Write the program with parameters of about one scale that depend less on each other."}
	}
	if more := r.number(models.DiagLogZModes) - float64(r.LogZ); more > maxMarkov {
		return VerdictCheck{Name: checkModes, Value: Number(more), Text: fmt.Sprintf("%.1f nats at the modes", more),
			Needs: "none", Bad: true,
			Means: "The modes that the search found have more mass than the run found in all: they are so many that the base has " +
				"one part for all of them, and chains missed most of them.",
			Do: "Where parts of the program can change places, put them in order, as by ordered[K]."}
	}
	if more := r.number(models.DiagLogZLaplace) - float64(r.LogZ); more > maxLaplace {
		return VerdictCheck{Name: checkModes, Value: Number(more), Text: fmt.Sprintf("%.1f nats at a mode", more),
			Needs: fmt.Sprintf("≤ %d nats", maxLaplace), Bad: more > farLaplace,
			Means: "By its height and curvature one mode has more mass than the run found in all. Either the density is narrower " +
				"there than its curvature says, as where it jumps, or the run missed the mode.",
			Do: "Write the density without jumps, or compare with a run of another method that starts near the mode."}
	}
	if cut := r.number(models.DiagCutOff); cut > models.MaxCutOff {
		return VerdictCheck{Name: checkModes, Value: Number(cut), Text: fmt.Sprintf("%.1f nats where numbers end", cut),
			Needs: fmt.Sprintf("≤ %d", models.MaxCutOff), Bad: cut > models.LargeCutOff,
			Means: "The density is still large where numbers end, as where a probability rounds to 1, so mass beyond is lost and " +
				"log Z is too low.",
			Do: "Give the parameter a prior with less mass at its bounds, or write the density of its logit."}
	}
	if slices.Contains(r.Flags, estimators.FlagByPath) {
		return VerdictCheck{Name: checkModes, Value: climbs, Text: "base too far", Needs: "a base near the target",
			Means: "The density fitted to the target is so far from it that neither importance sampling nor bridge sampling is " +
				"reliable. Annealing and tempering start there, and may miss mass in curved ridges and far tails together.",
			Do: "Write the program with parameters that depend less on each other, or with lighter tails."}
	}
	chains := !slices.Contains(r.Flags, estimators.FlagByDraws) && !slices.Contains(r.Flags, estimators.FlagByCubature)
	if divergent := r.number(models.DiagDivergent); chains && divergent > models.MaxDivergent {
		return r.checkDivergent(divergent)
	}
	grid := slices.Contains(r.Flags, estimators.FlagByCubature) // cubature covers the whole region
	if unseen := r.number(models.DiagUnseenModes); unseen > models.MaxUnseenModes && !grid {
		return VerdictCheck{Name: checkModes, Value: Number(unseen),
			Text:  estimators.FormatAgainst(100*unseen, 100*models.MaxUnseenModes, 0) + " % unseen",
			Needs: fmt.Sprintf("≤ %.0f %%", 100*models.MaxUnseenModes), Bad: unseen > .5,
			Means: "Climbs from random starts still end at modes that none has met before, so there are more.",
			Do:    "Where parts of the program can change places, put them in order, as by ordered[K]."}
	}
	return VerdictCheck{Name: checkModes, Value: climbs, Text: fmt.Sprint(climbs),
		Needs: fmt.Sprintf("≥ %d", models.MinClimbs), OK: climbs >= models.MinClimbs || grid,
		Means: "Chains start around the modes that climbs from scattered points find, and few climbs ended at one; most " +
			"walks of chains from such points ended elsewhere.",
		Do: "Write the program so that scales do not shrink to 0, as with non-centred parameters. Also run bridge."}
}

// checkDivergent judges trajectories that diverge, and gives the likely reason.
func (r *Report) checkDivergent(divergent float64) VerdictCheck {
	share := func(x float64) string { return fmt.Sprintf("%.0f %%", 100*x) }
	c := VerdictCheck{Name: checkModes, Value: Number(divergent), Text: estimators.FormatAgainst(100*divergent, 100*models.MaxDivergent, 0) + " % divergent",
		Needs: "≤ " + share(models.MaxDivergent), Bad: divergent > .5,
		Means: "The target is far narrower in places than where most of it is, as a funnel is: no step suits all chains, " +
			"which miss such places together.",
		Do: "Write parameters whose scale is a parameter as multiples of it, non-centred, so that scales do not shrink to 0. " +
			"If they are already, give scales priors away from 0, or also run bridge."}
	if r.number(models.DiagEdges) > 0 {
		c.Means = "Parameters are declared wider than their distribution: the density drops to 0 at values that the " +
			"declarations allow, and trajectories run out of it. Stan rejects starts there."
		c.Do = "Declare the bounds, as real<lower=0, upper=1> x with x ~ uniform(0, 1)."
	}
	return c
}

// firmUpper reports whether the upper bound of log Z does not come from chains that start at data.
func (r *Report) firmUpper() bool {
	return IsNumber(r.Upper) && !slices.Contains(r.Flags, estimators.FlagUpperFromData) &&
		!slices.Contains(r.Flags, anneal.FlagFromData)
}

// bounded reports whether the result was checked from the target, or from the data that the model was made from. Rows
// of a user may lack modes of the model.
func (r *Report) bounded(ownRows bool) bool {
	_, drawn := r.Diagnostics[estimators.DiagTargetGap]
	return drawn || r.firmUpper() || IsNumber(r.Upper) && !ownRows
}

// confirmedByAnnealing reports whether annealed chains after the run confirm it and share no part of its provenance.
// They start at base rates, as does a sequence that is not made from samples: on rbm-cd25-20 both were 1.1 nats low and
// agreed.
func (r *Report) confirmedByAnnealing() bool {
	return r.provenance()&(estimators.FromBase|estimators.ThroughRungs) == 0 &&
		r.Verdict.Passes(estimators.CheckAnnealed)
}

// shareNothing reports whether the provenances of two results have no part in common.
func shareNothing(a, b *Report) bool { return a.provenance()&b.provenance() == 0 }

// checkFirstStrategies is the second opinion on a result of the sequential check: the first two strategies if they
// agree, or the floor if they do not find more. A floor is certain, and as E[Zhat] = Z, resample-move seldom lies far
// above log Z.
func (r *Report) checkFirstStrategies() VerdictCheck {
	first := &Report{LogZ: Number(r.number(estimators.DiagLogZFirst)), SE: Number(r.number(estimators.DiagLogZFirstSE))}
	c := VerdictCheck{Name: "A second opinion", Value: Number(math.NaN()), Text: "none", Needs: "≥ 1",
		Means: "Annealing and tempering, which start at the base, found another log Z: resample-move alone gives this " +
			"number.",
		Do: "Run ais with many temperatures too, and compare."}
	known := IsNumber(first.LogZ) && first.SE <= vagueSE
	d := compare(r, first)
	near := r.Floor != nil && float64(r.LogZ-r.Floor.LogZ) <= max(opinionBars*float64(r.SE), opinionFloor)
	if more := known && !d.OK && first.LogZ > r.LogZ; near && !more { // a result at the floor may miss everything above it
		c.Value, c.Text, c.OK = r.Floor.LogZ, "the proven lower bound", true
	} else if known && d.OK {
		c.Value, c.Text, c.Needs, c.OK = d.Value, d.Text, d.Needs, true
	}
	return c
}

// compare checks r against another result. The check fails badly for r if the two are far apart and nothing excuses r:
// if E[Zhat] = Z, then Zhat >= a Z has a probability of at most 1/a (Markov). So the higher of two results that are far
// apart holds if its method is unbiased, and the lower one has missed something; otherwise neither holds. Methods whose
// temperatures are picked by the particles that are averaged are not unbiased in this sense.
func compare(r, o *Report) (c VerdictCheck) {
	off, bar := math.Abs(float64(r.LogZ-o.LogZ)), math.Hypot(float64(r.SE), float64(o.SE))
	bars := off / bar
	c.Value, c.Text, c.Needs, c.OK = Number(bars), estimators.FormatAgainst(bars, opinionBars, 1)+" bars off",
		fmt.Sprintf("≤ %d", opinionBars), bars <= opinionBars
	if !c.OK && (off <= opinionFloor || bar == 0) {
		c.Value, c.Text, c.Needs, c.OK = Number(off), estimators.FormatAgainst(off, opinionFloor, 2)+" nats off",
			fmt.Sprintf("≤ %.1f", opinionFloor), off <= opinionFloor
	}
	higher, _ := r.names.Method(r.Method)
	unbiased := higher.Unbiased && !slices.Contains(r.Flags, estimators.FlagAdaptive)
	c.Bad = off > farNats && bars > farBars && !(r.LogZ > o.LogZ && unbiased)
	return c
}
