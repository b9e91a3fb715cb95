package external

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"logzlab/core/format"
	"logzlab/core/num"
	"logzlab/core/num/stats"
	"logzlab/estimators"
	"logzlab/estimators/verdict"
)

// Limits of the checks. A value beyond a limit named max or min lowers the verdict to caution, a value beyond a limit
// named stop lowers it to stop. Limits without another unit are in standard errors.
const (
	minEffective   = 20  // number of effective samples at a rung
	stopDF         = 4   // degrees of freedom of an error bar
	minOverlap     = .05 // overlap of neighbouring rungs, from 0 to 1
	stopOverlap    = .01
	MaxRunGap      = 3.5 // difference between two runs
	StopRunGap     = 6
	StopRunNats    = .5  // nats: the verdict is stop only if the difference between two runs also exceeds this
	maxDrift       = 2.6 // difference between the second and the first halves of all chains
	stopDrift      = 4
	maxStartShift  = 2.5 // difference between the first tenths of all chains and the rest
	stopStartShift = 20
	maxMisfit      = 3 // distance of the slope of fitSlope from 1
	stopMisfit     = 5
	maxEndSpread   = .3 // nats: standard deviation of the log weights of the step to an end of the ladder without samples
	maxTailIndex   = .7 // tail index of these weights; with a larger index their mean is useless
	stopEndSpread  = 3  // nats
	maxRuleError   = .5 // quadrature error, as a multiple of the error bar
	stopRuleError  = 6
	maxPeerGap     = 3   // difference from the most efficient estimate, in standard errors of that difference
	minPeerGapSE   = .35 // smallest standard error used for that difference, as a multiple of the estimate's own
	maxCombined    = 2.8 // Euclidean norm of three deviations; for independent standard normal deviations 5 % of norms exceed it
)

const (
	checkRuns   = "Runs agree"
	runsMeaning = "Independent runs find different log Z, so that at least one has not reached its distribution."
	runsAdvice  = "Trust none of them: run longer, from other initial states, and examine the rungs where they " +
		"differ."
	effectiveMeaning = "With so few independent samples the error bar itself is uncertain."
)

// percent formats the fraction x, from 0 to 1, as an integer percentage.
func percent(x float64) string { return format.Fixed(100*x, 0) + " %" }

// shortNumber formats a number with labelDigits significant digits.
func shortNumber(x float64) string { return strconv.FormatFloat(x, 'g', labelDigits, 64) }

// stepLabel returns the label of the step from rung k to the next rung: "LABEL to LABEL".
func (l *ladder) stepLabel(k int) string {
	return l.rungs[k].Label + " to " + l.rungs[min(k+1, l.top())].Label
}

// check adds the checks of the estimate e, with error bar b, to the verdict of r. peers holds the estimates from the
// same samples by other methods.
func (l *ladder) check(r *Report, e *estimate, b *errorBar, peers *peerEstimates) {
	if !num.Finite(e.logZ()) {
		r.Verdict.Add(verdict.Check{Name: "A result", Value: verdict.NaN, Text: "none", Needs: "a number", Bad: true,
			Meaning: "There is no estimate.", Advice: "Add rungs between those that do not overlap, or use another method."})
		return
	}

	// Estimates without an error bar, or with unsolved equations.
	if !(b.se > 0) {
		r.Verdict.Add(verdict.Check{Name: "An error bar", Value: verdict.Number(b.se), Text: "none",
			Needs:   "more samples",
			Meaning: "There are too few samples for an error bar.", Advice: "Use ten times as many."})
	}
	if !e.converged {
		r.Verdict.Add(verdict.Check{Name: "Equations are solved", Value: verdict.NaN, Text: "no", Needs: "yes",
			Meaning: "The equations for all rungs did not converge: the rungs overlap too little.",
			Advice:  "Add rungs between those that do not overlap, or use another method."})
	}

	// The ladder: overlap, effective samples, ends, quadrature rule.
	l.checkOverlap(r, e, peers)
	l.checkEffective(r, e, b)
	l.checkEnds(r)
	if num.NotNaN(e.ruleError) {
		l.checkRule(r, e, b, peers)
	}

	// Stationarity: first against second halves, and first tenths against the rest.
	drift := b.drift()
	r.Diagnostics[DiagDrift] = verdict.Number(drift)
	driftRung, rungDrift := l.largestDrift(b)
	r.Verdict.Add(verdict.Check{Name: "Chains are stationary", Value: verdict.Number(math.Abs(drift)), OK: !(math.Abs(drift) > maxDrift),
		Bad: math.Abs(drift) > stopDrift, At: l.rungs[driftRung].Label,
		Text: estimators.FormatAgainst(math.Abs(drift), maxDrift, 1) + " bars", Needs: fmt.Sprintf("≤ %v", maxDrift),
		Meaning: "The second halves of the chains give another log Z than the first halves: the chains have not " +
			"converged.",
		Advice: "Run longer and leave out the first part, or start each rung from the final state of the one before."})
	r.Diagnostics[DiagDriftRung] = verdict.Number(rungDrift)
	if startShift := math.Abs(b.startShift); num.NotNaN(startShift) {
		r.Diagnostics[DiagStart] = verdict.Number(startShift)
		r.Verdict.Add(verdict.Check{Name: "Stationary from the start", Value: verdict.Number(startShift),
			OK:  startShift <= maxStartShift,
			Bad: startShift > stopStartShift, Text: estimators.FormatAgainst(startShift, maxStartShift, 1) + " bars",
			Needs: fmt.Sprintf("≤ %v", maxStartShift),
			Meaning: "The first tenths of the chains give another log Z than the rest: the chains had not converged " +
				"yet.",
			Advice: "Leave the first part of each chain out (burn_in=10), or more."})
	}

	// Consistency of neighbouring rungs.
	if peers.bar != nil && num.NotNaN(peers.misfit) {
		misfit := math.Abs(peers.misfit)
		r.Diagnostics[DiagSlope], r.Diagnostics[DiagMisfit] = verdict.Number(peers.slope), verdict.Number(peers.misfit)
		r.Verdict.Add(verdict.Check{Name: "Rungs are consistent", Value: verdict.Number(misfit), OK: misfit <= maxMisfit,
			Bad: misfit > stopMisfit, Text: estimators.FormatAgainst(misfit, maxMisfit, 1) + " bars", Needs: fmt.Sprintf("≤ %d",
				maxMisfit),
			Meaning: "Samples of neighbouring rungs do not differ as their densities imply: chains have not converged, " +
				"or powers, temperature or units do not match the samples.",
			Advice: "Check powers and units, run longer, and start each rung from the final state of the one before."})
	}
	checkCombinedStationarity(r, drift, b.startShift, peers.misfit)
}

// checkCombinedStationarity adds a check of the Euclidean norm of deviations, in standard errors, each of which
// measures non-stationarity. If chains drift over the whole run, each deviation may pass its own check although their
// norm is too large. NaN deviations are skipped.
func checkCombinedStationarity(r *Report, deviations ...float64) {
	sum := 0.0
	for _, t := range deviations {
		if num.NotNaN(t) {
			sum += num.Mul(t, t)
		}
	}
	norm := math.Sqrt(sum)
	r.Verdict.Add(verdict.Check{Name: "Stationarity checks combined", Value: verdict.Number(norm), OK: norm <= maxCombined,
		Text: estimators.FormatAgainst(norm, maxCombined, 1), Needs: fmt.Sprintf("≤ %v", maxCombined),
		Meaning: "Drift, start and consistency of the rungs are all near their limits. This happens by chance for one " +
			"in twenty sets of stationary chains.",
		Advice: "Run longer and leave out the first part, or start each rung from the final state of the one before."})
}

// largestDrift returns the rung of the chain whose halves differ most, and that difference in the chain's own standard
// errors.
func (l *ladder) largestDrift(b *errorBar) (rung int, largest float64) {
	for i, c := range l.chains {
		if t := math.Abs(b.halfDiff[i]) / math.Sqrt(b.chainVar[i]); t > largest {
			rung, largest = c.rung, t
		}
	}
	return rung, largest
}

// checkOverlap checks the smallest overlap of neighbouring rungs, as BAR estimates it. Estimates by thermodynamic
// integration (ruleError is a number) do not depend on the overlap and are not checked.
func (l *ladder) checkOverlap(r *Report, e *estimate, peers *peerEstimates) {
	if num.NotNaN(e.ruleError) || peers.bar == nil {
		return
	}
	smallest, smallestRung := math.Inf(1), -1
	for k, o := range peers.bar.overlap {
		if l.hasSamples(k) && num.NotNaN(o) && o < smallest {
			smallest, smallestRung = o, k
		}
	}
	if smallestRung < 0 {
		return
	}
	r.Diagnostics[estimators.DiagOverlapMin] = verdict.Number(smallest)
	r.Verdict.Add(verdict.Check{Name: "Overlap of neighbours", Value: verdict.Number(smallest),
		OK:  smallest >= minOverlap,
		Bad: smallest < stopOverlap, At: l.stepLabel(smallestRung), Text: estimators.FormatAgainst(100*smallest, 100*minOverlap, 0) + " %",
		Needs:   percent(minOverlap) + " or more",
		Meaning: "Two neighbouring rungs overlap little, so the difference of their log Z depends on few samples.",
		Advice:  "Add rungs between them."})
}

// checkEffective checks the smallest effective sample size among the rungs that contribute at least a quarter of the
// average contribution to se^2. For stepping stones, the effective sample size of the weights counts if it is smaller.
// It also checks the degrees of freedom of the error bar, and whether one rung dominates the error.
func (l *ladder) checkEffective(r *Report, e *estimate, b *errorBar) {
	fewest, fewestRung, dominant, squares := math.Inf(1), -1, 0, 0.0
	total := sumOf(b.rungVar)
	for k, v := range b.rungVar {
		if v > b.rungVar[dominant] {
			dominant = k
		}
		if !l.hasSamples(k) || v < total/float64(4*len(l.rungs)) {
			continue
		}
		n := b.effective[k]
		if e.stepESS != nil && num.NotNaN(e.stepESS[k]) {
			n = min(n, e.stepESS[k]/b.inefficiency[k])
		}
		squares += num.Mul(v, v) / n
		if n < fewest {
			fewest, fewestRung = n, k
		}
	}
	if fewestRung < 0 {
		return
	}

	// The degrees of freedom of the error bar, and the rung with the fewest effective samples.
	df := num.Mul(total, total) / squares // Welch and Satterthwaite
	r.Diagnostics[DiagDF] = verdict.Number(df)
	r.Diagnostics[DiagEffective] = verdict.Number(fewest)
	r.Verdict.Add(verdict.Check{Name: "Effective samples", Value: verdict.Number(fewest), OK: fewest >= minEffective,
		Bad: df < stopDF, At: l.rungs[fewestRung].Label, Text: estimators.FormatAgainst(fewest, minEffective, 0),
		Needs: fmt.Sprintf("≥ %d", minEffective), Meaning: effectiveMeaning, Advice: "Run this rung longer."})

	// The rung with the largest share of the error.
	dominantShare := b.rungVar[dominant] / total
	r.Diagnostics[DiagShare] = verdict.Number(dominantShare)
	if isFewSamples := b.effective[dominant] < 5*minEffective; len(l.rungs) > 3 && total > 0 {
		r.Verdict.Add(verdict.Check{Name: "No rung dominates the error", Value: verdict.Number(dominantShare),
			OK: !(dominantShare > 2./3) || !isFewSamples, At: l.rungs[dominant].Label, Text: percent(dominantShare), Needs: "≤ 67 %",
			Meaning: "Most of the error comes from one rung, and it is estimated from few samples.",
			Advice:  "Add rungs around it, or run it longer."})
	}
}

// checkEnds checks the step to each end of the ladder that has no samples, by the spread of its log weights.
func (l *ladder) checkEnds(r *Report) {
	rungs := l.sampled()
	for _, end := range []struct {
		to, from            int
		name, means, advice string
	}{{0, rungs[0], "The prior is reached",
		"No rung is close to the prior: the step from the lowest power to the prior uses weights whose variance may " +
			"be infinite.", "Sample the prior (power 0), and powers close to it."},
		{l.top(), rungs[len(rungs)-1], "The posterior is reached", "No rung is close to the posterior.",
			"Sample the posterior (power 1)."}} {
		if end.to == end.from {
			continue
		}
		logWeights, effective := l.logWeights(end.from, end.to)
		_, v := stats.MeanVar(logWeights)
		sd := math.Sqrt(v)
		isBad := sd > stopEndSpread
		if end.to == 0 {
			t := tailIndex(logWeights, effective)
			r.Diagnostics[DiagTail] = verdict.Number(t)
			isBad = !(t <= maxTailIndex) || effective < minEffective // too few effective samples to estimate a tail
		}
		r.Verdict.Add(verdict.Check{Name: end.name, Value: verdict.Number(sd), OK: sd <= maxEndSpread,
			Bad: isBad && !(sd <= maxEndSpread),
			At:  l.rungs[end.from].Label, Text: estimators.FormatAgainst(sd, maxEndSpread, 1) + " nats",
			Needs: fmt.Sprintf("≤ %v", maxEndSpread), Meaning: end.means, Advice: end.advice})
	}
}

// logWeights returns log f_to - log f_from for all samples of rung from, without the samples of weight 0, and the
// effective number of these samples after their autocorrelation.
func (l *ladder) logWeights(from, to int) (x []float64, effective float64) {
	for _, c := range l.chains {
		var series []float64
		for i := 0; c.rung == from && i < c.n; i++ {
			if w := l.logWeight(c, i, to); num.Finite(w) {
				series = append(series, w)
			}
		}
		if len(series) > 0 {
			v, ofMean := Variances(series, l.independent)
			if x = append(x, series...); v > 0 {
				effective += v / ofMean
			}
		}
	}
	return x, effective
}

// tailIndex returns an upper confidence limit for the tail index of weights, given their logs and the effective number
// of samples: Hill's estimator plus one standard error. Hill's estimator is the mean of the m largest log weights minus
// the next smaller log weight; [Vehtari2024] gives m = min(n/5, 3 sqrt(n)) for n weights. If the index is 1/2 or more,
// the variance of the weights is infinite; if it is 0.7 or more, their sample mean is useless ([Vehtari2024]). The
// result is NaN if m < 3.
func tailIndex(logWeights []float64, effective float64) float64 {
	n := float64(len(logWeights))
	m := int(math.Ceil(min(n/5, float64(3*math.Sqrt(n)))))
	if m < 3 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(logWeights))
	largest := sorted[len(sorted)-m:]
	hill := sumOf(largest)/float64(m) - sorted[len(sorted)-m-1]
	return hill * (1 + 1/math.Sqrt(float64(m)*effective/n))
}

// logWeight returns log f_to - log f_from of the i-th sample of c, where from is the rung of c. If only slopes are
// known, the difference is extrapolated linearly along the path.
func (l *ladder) logWeight(c chain, i, to int) float64 {
	if c.data.LogL != nil || c.data.LogF != nil {
		return l.logRatio(c, i, to, c.rung)
	}
	sum := 0.0
	for j := range l.components() {
		sum += num.Mul(l.rungs[to].At[j]-l.rungs[c.rung].At[j], l.slope(c, i, j))
	}
	return sum
}

// checkRule checks the quadrature error of thermodynamic integration. It is the larger of the error that the rule
// estimates itself and the difference from mbar or bar on the same samples, which have no quadrature error.
func (l *ladder) checkRule(r *Report, e *estimate, b *errorBar, peers *peerEstimates) {
	ruleError := e.ruleError
	if best := peers.best(); best != nil && num.Finite(best.logZ()) {
		ruleError = max(ruleError, math.Abs(best.logZ()-e.logZ()))
	}
	r.Diagnostics[estimators.DiagRuleError] = verdict.Number(ruleError)
	limit := max(maxRuleError*b.se, estimators.HarmlessGap)
	r.Verdict.Add(verdict.Check{Name: "Integration error", Value: verdict.Number(ruleError), OK: ruleError <= limit,
		Bad: ruleError > max(stopRuleError*b.se, .1), Text: estimators.FormatAgainst(ruleError, limit, 3) + " nats",
		Needs: "≤ " + format.Fixed(limit, 3), Meaning: "The rungs are too far apart for the rule of integration.",
		Advice: "Use another rule, bar or mbar, or more rungs."})
}

// checkStones compares an estimate by stepping stones, with standard error se, with the most efficient estimate from
// the same samples, and both directions of stepping stones with each other. The most efficient estimate has the smaller
// variance, so the variance of the difference is the difference of the variances ([Hausman1978]). If the estimates
// differ by more than that, the error bar is too small, for example because the variance of the weights is infinite.
func checkStones(r *Report, e *estimate, se float64, peers *peerEstimates) {
	if best := peers.best(); best != nil && num.Finite(best.logZ()) {
		ownVar, bestVar := num.Mul(se, se), num.Mul(peers.se, peers.se)
		distance := math.Abs(e.logZ()-best.logZ()) / math.Sqrt(max(ownVar-bestVar, num.Mul(minPeerGapSE*minPeerGapSE, ownVar)))
		r.Verdict.Add(verdict.Check{Name: "Close to the best estimate", Value: verdict.Number(distance), OK: distance <= maxPeerGap,
			Text: estimators.FormatAgainst(distance, maxPeerGap, 1) + " bars", Needs: fmt.Sprintf("≤ %d", maxPeerGap),
			Meaning: "mbar or bar, which are more efficient, give a log Z outside this error bar.",
			Advice:  "Read mbar or bar, or add rungs where the overlap is small."})
	}
	if peers.up == nil || peers.down == nil {
		return
	}
	gap := math.Abs(peers.down.logZ() - peers.up.logZ())
	gapInSE := gap / math.Max(se, 1e-9)
	r.Lower, r.Upper = verdict.Number(min(peers.up.logZ(), peers.down.logZ())),
		verdict.Number(max(peers.up.logZ(), peers.down.logZ()))
	r.Verdict.Add(verdict.Check{Name: "Both ends agree", Value: verdict.Number(gap),
		OK: gapInSE <= 4 || gap < estimators.HarmlessGap, Bad: gapInSE > 15,
		Text: estimators.FormatAgainst(gap, 4*se, 2) + " nats", Needs: "≤ " + format.Fixed(4*se, 2),
		Meaning: "Stepping stones from the prior and from the posterior find different log Z: each is biased to its side.",
		Advice:  "Add rungs where the overlap is small, or read mbar."})
}
