package report

import (
	"fmt"
	"math"
	"slices"

	"logzlab/core/diag"
	"logzlab/core/format"
	"logzlab/core/runstate"
	"logzlab/core/spec"
	"logzlab/estimators"
	"logzlab/estimators/anneal"
	"logzlab/models"
)

// maxGapWithoutBar is the largest acceptable distance (nats) of an estimate without an error bar from the exact value.
const maxGapWithoutBar = 3

// Judge returns the verdict on a report, and sets OwnLevel and Calibration. The level is stop if a check fails badly,
// caution if a check fails otherwise. Only the check of the distance to the truth uses the exact value.
func (r *Report) Judge() *Verdict {
	v := &Verdict{Level: Trust}
	diagnostic, se := r.diagnostic, float64(r.SE)
	if !IsNumber(r.LogZ) {
		c := VerdictCheck{Name: "A result", Value: r.LogZ, Text: "none", Needs: "a number", Bad: true,
			Meaning: "There is no estimate.", Advice: "Run the method again with more work, or another method."}
		if r.Truth != nil && math.IsInf(float64(r.Truth.LogZ), -1) {
			c.Meaning, c.Advice = "Z is 0, so log Z is not a number.", "Nothing: this is the answer."
		}
		v.Add(c)
		r.OwnLevel = v.Level
		return v
	}

	// The error bar exists, and comes from enough replicates or islands.
	if !(se >= 0) {
		c := VerdictCheck{Name: "An error bar", Value: r.SE, Text: "none", Needs: "more runs",
			Meaning: "With so few chains, sweeps or draws the error cannot be estimated.", Advice: "Use ten times as many."}
		switch {
		case slices.Contains(r.Flags, estimators.FlagOneWeight):
			c.Needs, c.Bad = "more than one weight", true
			c.Meaning = "A single weight, chain or group carries nearly the whole estimate, so its error is unknown."
			c.Advice = "Use far more temperatures or particles, or another method."
		case r.SEMethod == estimators.SEIslands:
			c.Needs, c.Meaning, c.Advice = "≥ 2 islands", "A single group gives no estimate of its own error.", "Use at "+
				"least four groups (islands)."
		}
		v.Add(c)
	} else if n, unit := r.spreadCount(); n < minSpread(se, diagnostic(estimators.DiagSEWithin)) {
		v.Add(VerdictCheck{Name: "An error bar", Value: Number(n), Text: fmt.Sprintf("%.0f %s", n, unit),
			Needs:   fmt.Sprintf("≥ %.0f", minSpread(se, diagnostic(estimators.DiagSEWithin))),
			Meaning: "The spread of so few may be small by luck, and the error bar with it.", Advice: "Use more of them."})
	}

	// The checks of the method, and the coverage of comparable error bars.
	info, _ := r.names.Method(r.Method)
	facts := estimators.Facts{LogZ: float64(r.LogZ), SE: se, Lower: float64(r.Lower), Upper: float64(r.Upper),
		Values: r.Spec.Params, Number: diagnostic}
	for _, c := range info.Checks {
		if f, ok := c.Judge(facts); ok {
			v.Add(VerdictCheck{Name: c.Name, Value: Number(f.Value), Text: f.Text, Needs: f.Needs, OK: f.OK, Bad: f.Bad,
				Meaning: c.Meaning, Advice: c.Advice})
		}
	}
	r.OwnLevel = v.Level
	if c, ok := r.calibrate(); ok {
		v.Add(c)
	}

	// A guessed base matters for methods that start from it, unless a method that does not has confirmed the result.
	if slices.Contains(r.Flags, models.FlagBaseGuessed) && !IsNumber(r.Upper) && r.Truth == nil &&
		r.provenance()&estimators.FromBase != 0 && !v.Passes(estimators.CheckSequential) {
		v.Add(VerdictCheck{Name: "A known start", Value: Number(math.NaN()), Text: "a guess", Needs: "base rates p1",
			Meaning: "The file has no base rates, so the start is a guess, and no upper bound can expose a bad one.",
			Advice:  "Add p1, the mean of the training data, to the file."})
	}
	if r.lacksPrior() {
		v.Add(noPrior)
	}
	if tail := diagnostic(models.DiagTailSlope); tail > models.SlowTail {
		v.Add(r.checkTail(tail))
	}
	if slices.Contains(r.Flags, anneal.FlagFromData) && r.Truth == nil {
		v.Add(VerdictCheck{Name: "Starts at the target", Value: Number(math.NaN()), Text: "data", Needs: "exact samples",
			Meaning: "Data are not samples of the model, so log Z may be off by several error bars either way, which do not " +
				"show it.",
			Advice: "Use ais or a tempering method for the number, and this one to look for modes that they miss."})
	}

	// The wanted error, the log probability of a drawing, and the exact value.
	if r.Spec.Target > 0 && r.State == runstate.MethodDone {
		v.Add(r.checkTarget())
	}
	if c, ok := r.LogP.check(); ok {
		v.Add(c)
	}
	if t := r.Truth; t != nil && !slices.Contains(r.Flags, estimators.FlagByCubature) { // otherwise the exact value is the same integral
		v.Add(checkTruth(math.Abs(float64(r.LogZ-t.LogZ)), math.Hypot(se, float64(t.Uncertainty))))
	}
	return v
}

var noPrior = VerdictCheck{Name: "A prior for each parameter", Value: NaN, Text: "not found", Needs: "one each",
	Meaning: "Log Z has a factor that nobody chose: it has no meaning beyond a constant, and is no evidence for a model.",
	Advice:  "Give each parameter a prior, or bounds on both sides."}

// checkTail judges a tail of the target by the slope of its log mass: the mass decreases slowly or not at all.
func (r *Report) checkTail(slope float64) VerdictCheck {
	c := VerdictCheck{Name: "Tails that end", Value: Number(slope), Text: r.slowTailParam, Needs: "all",
		Bad: slope > models.InfiniteTail,
		Meaning: "The integral is infinite, as far as numbers tell: far out along this parameter the mass does not fall. " +
			"There is no log Z; the estimate says only how far chains came.",
		Advice: "Give the parameter a normalised prior. Where data do not bound it, as classes that are separated completely, " +
			"a flat prior will not do."}
	if !c.Bad {
		c.Meaning = "Far out along this parameter the mass falls so slowly, or numbers end so early, that nobody can say " +
			"whether the integral is finite."
	}
	return c
}

// checkTarget judges whether the wanted standard error was reached. If it would take more sweeps than the limit, the
// check shows these sweeps.
func (r *Report) checkTarget() VerdictCheck {
	se := float64(r.SE)
	c := VerdictCheck{Name: "The wanted error bar", Value: r.SE, OK: r.reached,
		Text: format.Fixed(se, format.Decimals(se)) + " nats", Needs: "≤ " + spec.Decimal(float64(r.Spec.Target)),
		Meaning: "The run ended before the error bar was as small as wanted.",
		Advice:  "Accept a larger error bar, or set the one you need as target: the run then continues."}
	if !c.OK && IsNumber(r.Needed) && r.Needed > r.Spec.Limit {
		c.Value, c.Text = r.Needed, format.Grouped(float64(r.Needed), 0)+" sweeps"
		if r.Needed > 1e9 {
			c.Text = fmt.Sprintf("%.1e sweeps", float64(r.Needed))
		}
		c.Needs = "≤ " + format.Grouped(float64(r.Spec.Limit), 0)
		c.Meaning = "The limit of sweeps came before the error bar was as small as wanted."
		c.Advice = "Raise the limit, or accept a larger error bar."
	}
	return c
}

// spreadCount returns the number n of islands or replicates from whose spread the error bar was computed, and what they
// are; n is infinite for other kinds of error bars.
func (r *Report) spreadCount() (n float64, unit string) {
	switch r.SEMethod {
	case estimators.SEIslands, estimators.SEFewIslands:
		return r.diagnostic(estimators.DiagIslands), "islands"
	case estimators.SEReplicates:
		return float64(len(r.Replicates)), "replicates"
	}
	return math.Inf(1), ""
}

// minSpread returns the smallest number of islands or replicates with which an error bar from their spread can be
// trusted. With five of them the error exceeds five standard errors one time in 130, with eight one time in 640; this
// matters if five standard errors are more than half a nat. within is the standard error for independent particles within
// islands (se_within), which is a lower bound: an se below it is small by chance.
func minSpread(se, within float64) float64 {
	if 5*se > .5 || 5*within > .5 {
		return 8
	}
	return 4
}

// checkTruth judges the distance of an estimate with standard error se to the exact value (nats).
func checkTruth(distance, se float64) VerdictCheck {
	if !(se >= 0) {
		return VerdictCheck{Name: "Distance to the truth", Value: Number(distance), Text: estimators.FormatAgainst(distance, maxGapWithoutBar, 1) +
			" nats", Needs: fmt.Sprintf("≤ %d", maxGapWithoutBar), OK: distance <= maxGapWithoutBar, Bad: true,
			Meaning: "The exact value lies far away, and no error bar says so.",
			Advice:  "Trust the exact value, and give the method more work."}
	}
	bars := distance / math.Max(se, 1e-9)
	c := VerdictCheck{Name: "Bars off the truth", Value: Number(bars), Text: estimators.FormatAgainst(bars, 3, 1),
		Needs: "≤ 3", OK: bars <= 3, Bad: bars > 6 && distance > .5,
		Meaning: "The exact value lies outside the error bar: the bar is too short.",
		Advice:  "Trust the exact value, and give the method more work."}
	if !c.OK && distance < estimators.HarmlessGap {
		c.Name, c.Value, c.Text, c.Needs, c.OK = "Distance to the truth", Number(distance), fmt.Sprintf("%.1g nats", distance),
			"< 0.01", true
	}
	return c
}

// Notes returns the flags to show next to the verdict. The flag se_optimistic is left out if the level is trust: this
// requires 20 effective samples, with which the standard error has a relative error of a sixth.
func (r *Report) Notes() []diag.Flag {
	return slices.DeleteFunc(slices.Clone(r.Flags), func(f diag.Flag) bool {
		return f == estimators.FlagSEOptimistic && r.Verdict != nil && r.Verdict.Level == Trust
	})
}
