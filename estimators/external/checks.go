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

// Limits of checks. Names with max and min are the limits for trust, names with stop those beyond which the verdict is
// stop.
const (
	minEffective  = 20 // effective samples at a rung
	stopDF        = 4  // degrees of freedom of an error bar
	minOverlap    = .05
	stopOverlap   = .01
	MaxRunGap     = 3.5 // standard errors between two runs
	StopRunGap    = 6
	StopRunNats   = .5
	maxDrift      = 2.6 // standard errors between the halves
	stopDrift     = 4
	maxStart      = 2.5 // standard errors between the first tenths and the rest
	stopStart     = 20
	maxMisfit     = 3 // standard errors of the slope between neighbours
	stopMisfit    = 5
	maxEndSpread  = .3 // nats: standard deviation of log weights towards an end of the ladder without samples
	maxTail       = .7 // tail index of these weights; above it their mean is useless
	stopEndSpread = 3  // nats
	maxRuleShare  = .5 // quadrature error relative to the error bar
	stopRuleShare = 6
	maxPeerGap    = 3   // standard errors of the difference to the best estimate
	minPeerShare  = .35 // lower limit of that standard error, relative to the estimate's own
	maxUnrest     = 2.8 // norm of three standard normal numbers: 5 % exceed it
)

const (
	checkRuns   = "Runs agree"
	runsMeaning = "Independent runs find different log Z, so that at least one has not reached its distribution."
	runsAdvice  = "Trust none of them: run longer, from other initial states, and examine the rungs where they " +
		"differ."
	effectiveMeaning = "With so few independent samples the error bar itself is uncertain."
)

// percent formats a share.
func percent(x float64) string { return format.Fixed(100*x, 0) + " %" }

// shortNumber formats a number as a label.
func shortNumber(x float64) string { return strconv.FormatFloat(x, 'g', labelDigits, 64) }

// stepLabel names the step from rung k to the next.
func (l *ladder) stepLabel(k int) string {
	return l.rungs[k].Label + " to " + l.rungs[min(k+1, l.top())].Label
}

// check adds the checks of an estimate. peers are the estimates from the same samples by other methods.
func (l *ladder) check(r *Report, e *estimate, b *errorBar, peers *peerEstimates) {
	if !num.Finite(e.logZ()) {
		r.Verdict.Add(verdict.Check{Name: "A result", Value: verdict.NaN, Text: "none", Needs: "a number", Bad: true,
			Means: "There is no estimate.", Do: "Add rungs between those that do not overlap, or use another method."})
		return
	}

	// Estimates without an error bar, or with unsolved equations.
	if !(b.se > 0) {
		r.Verdict.Add(verdict.Check{Name: "An error bar", Value: verdict.Number(b.se), Text: "none",
			Needs: "more samples",
			Means: "There are too few samples for an error bar.", Do: "Use ten times as many."})
	}
	if !e.converged {
		r.Verdict.Add(verdict.Check{Name: "Equations are solved", Value: verdict.NaN, Text: "no", Needs: "yes",
			Means: "The equations for all rungs did not converge: the rungs overlap too little.",
			Do:    "Add rungs between those that do not overlap, or use another method."})
	}

	// The ladder: overlap, effective samples, ends, quadrature rule.
	l.checkOverlap(r, e, peers)
	l.checkEffective(r, e, b)
	l.checkEnds(r)
	if num.NotNaN(e.ruleError) {
		l.checkRule(r, e, b, peers)
	}

	// Stationarity: first against second halves, and first tenths against the rest.
	t := b.drift()
	r.Diagnostics[DiagDrift] = verdict.Number(t)
	k, far := l.largestDrift(b)
	r.Verdict.Add(verdict.Check{Name: "Chains are stationary", Value: verdict.Number(math.Abs(t)), OK: !(math.Abs(t) > maxDrift),
		Bad: math.Abs(t) > stopDrift, At: l.rungs[k].Label,
		Text: estimators.FormatAgainst(math.Abs(t), maxDrift, 1) + " bars", Needs: fmt.Sprintf("≤ %v", maxDrift),
		Means: "The second halves of the chains give another log Z than the first halves: the chains have not " +
			"converged.",
		Do: "Run longer and leave out the first part, or start each rung from the final state of the one before."})
	r.Diagnostics[DiagDriftRung] = verdict.Number(far)
	if start := math.Abs(b.startShift); num.NotNaN(start) {
		r.Diagnostics[DiagStart] = verdict.Number(start)
		r.Verdict.Add(verdict.Check{Name: "Stationary from the start", Value: verdict.Number(start),
			OK:  start <= maxStart,
			Bad: start > stopStart, Text: estimators.FormatAgainst(start, maxStart, 1) + " bars",
			Needs: fmt.Sprintf("≤ %v", maxStart),
			Means: "The first tenths of the chains give another log Z than the rest: the chains had not converged " +
				"yet.",
			Do: "Leave the first part of each chain out (burn_in=10), or more."})
	}

	// Consistency of neighbouring rungs.
	if peers.bar != nil && num.NotNaN(peers.misfit) {
		far := math.Abs(peers.misfit)
		r.Diagnostics[DiagSlope], r.Diagnostics[DiagMisfit] = verdict.Number(peers.slope), verdict.Number(peers.misfit)
		r.Verdict.Add(verdict.Check{Name: "Rungs are consistent", Value: verdict.Number(far), OK: far <= maxMisfit,
			Bad: far > stopMisfit, Text: estimators.FormatAgainst(far, maxMisfit, 1) + " bars", Needs: fmt.Sprintf("≤ %d",
				maxMisfit),
			Means: "Samples of neighbouring rungs do not differ as their densities imply: chains have not converged, " +
				"or powers, temperature or units do not match the samples.",
			Do: "Check powers and units, run longer, and start each rung from the final state of the one before."})
	}
	checkUnrest(r, t, b.startShift, peers.misfit)
}

// checkUnrest combines the signs of non-stationarity, which may each pass their own check if chains drift over the
// whole run.
func checkUnrest(r *Report, signs ...float64) {
	sum := 0.0
	for _, t := range signs {
		if num.NotNaN(t) {
			sum += num.Mul(t, t)
		}
	}
	all := math.Sqrt(sum)
	r.Verdict.Add(verdict.Check{Name: "Stationarity checks combined", Value: verdict.Number(all), OK: all <= maxUnrest,
		Text: estimators.FormatAgainst(all, maxUnrest, 1), Needs: fmt.Sprintf("≤ %v", maxUnrest),
		Means: "Drift, start and consistency of the rungs are all near their limits. This happens by chance for one " +
			"in twenty sets of stationary chains.",
		Do: "Run longer and leave out the first part, or start each rung from the final state of the one before."})
}

// largestDrift returns the rung with the largest difference between the halves of a chain, and that difference in
// standard errors.
func (l *ladder) largestDrift(b *errorBar) (rung int, far float64) {
	for i, c := range l.chains {
		if t := math.Abs(b.halfDiff[i]) / math.Sqrt(b.chainVar[i]); t > far {
			rung, far = c.rung, t
		}
	}
	return rung, far
}

// checkOverlap checks the overlap of neighbouring rungs, as BAR estimates it.
func (l *ladder) checkOverlap(r *Report, e *estimate, peers *peerEstimates) {
	if num.NotNaN(e.ruleError) || peers.bar == nil {
		return
	}
	least, at := math.Inf(1), -1
	for k, o := range peers.bar.overlap {
		if l.hasSamples(k) && num.NotNaN(o) && o < least {
			least, at = o, k
		}
	}
	if at < 0 {
		return
	}
	r.Diagnostics[estimators.DiagOverlapMin] = verdict.Number(least)
	r.Verdict.Add(verdict.Check{Name: "Overlap of neighbours", Value: verdict.Number(least),
		OK:  least >= minOverlap,
		Bad: least < stopOverlap, At: l.stepLabel(at), Text: estimators.FormatAgainst(100*least, 100*minOverlap, 0) + " %",
		Needs: percent(minOverlap) + " or more",
		Means: "Two neighbouring rungs overlap little, so the difference of their log Z depends on few samples.",
		Do:    "Add rungs between them."})
}

// checkEffective checks the rung with the fewest effective samples, or effective weights, among the rungs that
// contribute to the error.
func (l *ladder) checkEffective(r *Report, e *estimate, b *errorBar) {
	least, at, carries, squares := math.Inf(1), -1, 0, 0.0
	total := sumOf(b.rungVar)
	for k, v := range b.rungVar {
		if v > b.rungVar[carries] {
			carries = k
		}
		if !l.hasSamples(k) || v < total/float64(4*len(l.rungs)) {
			continue
		}
		n := b.effective[k]
		if e.stepESS != nil && num.NotNaN(e.stepESS[k]) {
			n = min(n, e.stepESS[k]/b.inefficiency[k])
		}
		squares += num.Mul(v, v) / n
		if n < least {
			least, at = n, k
		}
	}
	if at < 0 {
		return
	}

	// The degrees of freedom of the error bar, and the rung with the fewest effective samples.
	df := num.Mul(total, total) / squares // Welch and Satterthwaite
	r.Diagnostics[DiagDF] = verdict.Number(df)
	r.Diagnostics[DiagEffective] = verdict.Number(least)
	r.Verdict.Add(verdict.Check{Name: "Effective samples", Value: verdict.Number(least), OK: least >= minEffective,
		Bad: df < stopDF, At: l.rungs[at].Label, Text: estimators.FormatAgainst(least, minEffective, 0),
		Needs: fmt.Sprintf("≥ %d", minEffective), Means: effectiveMeaning, Do: "Run this rung longer."})

	// The rung with the largest share of the error.
	share := b.rungVar[carries] / total
	r.Diagnostics[DiagShare] = verdict.Number(share)
	if few := b.effective[carries] < 5*minEffective; len(l.rungs) > 3 && total > 0 {
		r.Verdict.Add(verdict.Check{Name: "No rung dominates the error", Value: verdict.Number(share),
			OK: !(share > 2./3) || !few, At: l.rungs[carries].Label, Text: percent(share), Needs: "≤ 67 %",
			Means: "Most of the error comes from one rung, and it is estimated from few samples.",
			Do:    "Add rungs around it, or run it longer."})
	}
}

// checkEnds checks ends of the ladder without samples.
func (l *ladder) checkEnds(r *Report) {
	rungs := l.sampled()
	for _, end := range []struct {
		to, from           int
		name, means, doing string
	}{{0, rungs[0], "The prior is reached",
		"No rung is close to the prior: the step from the lowest power to the prior uses weights whose variance may " +
			"be infinite.", "Sample the prior (power 0), and powers close to it."},
		{l.top(), rungs[len(rungs)-1], "The posterior is reached", "No rung is close to the posterior.",
			"Sample the posterior (power 1)."}} {
		if end.to == end.from {
			continue
		}
		x, effective := l.logWeights(end.from, end.to)
		_, v := stats.MeanVar(x)
		sd := math.Sqrt(v)
		bad := sd > stopEndSpread // as for any step
		if end.to == 0 {
			t := tailIndex(x, effective)
			r.Diagnostics[DiagTail] = verdict.Number(t)
			bad = !(t <= maxTail) || effective < minEffective // too few effective samples to estimate a tail
		}
		r.Verdict.Add(verdict.Check{Name: end.name, Value: verdict.Number(sd), OK: sd <= maxEndSpread,
			Bad: bad && !(sd <= maxEndSpread),
			At:  l.rungs[end.from].Label, Text: estimators.FormatAgainst(sd, maxEndSpread, 1) + " nats",
			Needs: fmt.Sprintf("≤ %v", maxEndSpread), Means: end.means, Do: end.doing})
	}
}

// logWeights returns the log weights of all samples of a rung for an end of the ladder, without those of weight 0, and
// their effective number.
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

// tailIndex returns an upper confidence limit for the tail index of weights: Hill's estimator, which is the mean log
// excess of the largest weights over the next one, plus its standard error for their effective number. From 1/2 on
// weights have no variance; from 0.7 on their sample mean is useless ([Vehtari2024], which also gives the number of
// largest weights).
func tailIndex(x []float64, effective float64) float64 {
	n := float64(len(x))
	m := int(math.Ceil(min(n/5, float64(3*math.Sqrt(n)))))
	if m < 3 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(x))
	largest := sorted[len(sorted)-m:]
	hill := sumOf(largest)/float64(m) - sorted[len(sorted)-m-1]
	return hill * (1 + 1/math.Sqrt(float64(m)*effective/n))
}

// logWeight returns the log weight of a sample for an end of the ladder.
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

// checkRule checks the quadrature error, which the slopes at the rungs alone do not show: by the rule's own correction,
// and by the difference to mbar or bar from the same samples.
func (l *ladder) checkRule(r *Report, e *estimate, b *errorBar, peers *peerEstimates) {
	off := e.ruleError
	if o := peers.best(); o != nil && num.Finite(o.logZ()) {
		off = max(off, math.Abs(o.logZ()-e.logZ()))
	}
	r.Diagnostics[estimators.DiagRuleError] = verdict.Number(off)
	limit := max(maxRuleShare*b.se, estimators.HarmlessGap)
	r.Verdict.Add(verdict.Check{Name: "Integration error", Value: verdict.Number(off), OK: off <= limit,
		Bad: off > max(stopRuleShare*b.se, .1), Text: estimators.FormatAgainst(off, limit, 3) + " nats",
		Needs: "≤ " + format.Fixed(limit, 3), Means: "The rungs are too far apart for the rule of integration.",
		Do: "Use another rule, bar or mbar, or more rungs."})
}

// checkStones compares stepping stones from both ends, and with the best estimate from the same samples. The best
// estimate has the smaller variance, so the variance of the difference is the difference of the variances
// ([Hausman1978]). A larger difference means that the error bar is too short, for example because weights have no
// variance.
func checkStones(r *Report, e *estimate, se float64, peers *peerEstimates) {
	if o := peers.best(); o != nil && num.Finite(o.logZ()) {
		own, best := num.Mul(se, se), num.Mul(peers.se, peers.se)
		far := math.Abs(e.logZ()-o.logZ()) / math.Sqrt(max(own-best, num.Mul(minPeerShare*minPeerShare, own)))
		r.Verdict.Add(verdict.Check{Name: "Close to the best estimate", Value: verdict.Number(far), OK: far <= maxPeerGap,
			Text: estimators.FormatAgainst(far, maxPeerGap, 1) + " bars", Needs: fmt.Sprintf("≤ %d", maxPeerGap),
			Means: "mbar or bar, which are more efficient, give a log Z outside this error bar.",
			Do:    "Read mbar or bar, or add rungs where the overlap is small."})
	}
	if peers.up == nil || peers.down == nil {
		return
	}
	gap := math.Abs(peers.down.logZ() - peers.up.logZ())
	bars := gap / math.Max(se, 1e-9)
	r.Lower, r.Upper = verdict.Number(min(peers.up.logZ(), peers.down.logZ())),
		verdict.Number(max(peers.up.logZ(), peers.down.logZ()))
	r.Verdict.Add(verdict.Check{Name: "Both ends agree", Value: verdict.Number(gap),
		OK: bars <= 4 || gap < estimators.HarmlessGap, Bad: bars > 15,
		Text: estimators.FormatAgainst(gap, 4*se, 2) + " nats", Needs: "≤ " + format.Fixed(4*se, 2),
		Means: "Stepping stones from the prior and from the posterior find different log Z: each is biased to its side.",
		Do:    "Add rungs where the overlap is small, or read mbar."})
}
