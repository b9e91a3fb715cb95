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

// Limits of checks.
const (
	leastEffective = 20 // samples of a rung
	noDF           = 4  // degrees of freedom of an error bar
	leastOverlap   = .05
	noOverlap      = .01
	RunsApart      = 3.5 // error bars between two runs
	RunsFar        = 6
	RunsNats       = .5
	mostDrift      = 2.6 // error bars between the halves
	farDrift       = 4
	mostStart      = 2.5 // error bars between the first tenths and the rest
	farStart       = 20
	mostMisfit     = 3 // error bars of the slope between neighbours
	farMisfit      = 5
	priorGap       = .3 // nats, the spread of log weights towards an end that nobody sampled
	mostTail       = .7 // of the tail of these weights, from which on they have no use
	posteriorFar   = 3  // nats
	ruleShare      = .5 // of the error bar that the rule of integration may add
	ruleFar        = 6
	mostBeside     = 3   // error bars of the difference to the best estimate
	leastBeside    = .35 // of the own error bar that this bar is at least
	mostUnrest     = 2.8 // three standard normal numbers together: 5 % are beyond
)

const (
	checkRuns      = "Runs agree"
	runsMean       = "Independent runs find different log Z, so that at least one has not reached its distribution."
	runsDo         = "Believe none of them: run longer, from other starts, and look at the rungs where they part."
	effectiveMeans = "So few independent samples say little about their own error."
)

// percent is a share for people.
func percent(x float64) string { return format.Fixed(100*x, 0) + " %" }

// spread is a number as a label.
func spread(x float64) string { return strconv.FormatFloat(x, 'g', labelDigits, 64) }

// between names two neighbouring rungs.
func (l *ladder) between(k int) string {
	return l.rungs[k].Label + " to " + l.rungs[min(k+1, l.top())].Label
}

// judge adds the checks of an estimate from a ladder. beside are estimates of the same samples by other methods.
func (l *ladder) judge(r *Report, e *estimate, b *bar, beside *others) {
	if !num.Finite(e.logZ()) {
		r.Verdict.Add(verdict.Check{Name: "A result", Value: verdict.NaN, Text: "none", Needs: "a number", Bad: true,
			Means: "There is no estimate.", Do: "Add rungs between those that share no samples, or use another method."})
		return
	}

	// Estimates poor by themselves: no error bar, or equations not solved.
	if !(b.se > 0) {
		r.Verdict.Add(verdict.Check{Name: "An error bar", Value: verdict.Number(b.se), Text: "none",
			Needs: "more samples",
			Means: "So few samples say nothing about their own error.", Do: "Use ten times as many."})
	}
	if !e.converged {
		r.Verdict.Add(verdict.Check{Name: "Equations are solved", Value: verdict.NaN, Text: "no", Needs: "yes",
			Means: "The equations for all rungs were not solved to full accuracy: rungs share too few samples.",
			Do:    "Add rungs between those that share no samples, or use another method."})
	}

	// The ladder: overlap, effective samples, ends, and the rule of the integral.
	l.judgeOverlap(r, e, beside)
	l.judgeEffective(r, e, b)
	l.judgeEnds(r)
	if num.Known(e.rule) {
		l.judgeRule(r, e, b, beside)
	}

	// Chains at rest: halves against each other, and beginnings against the rest.
	t := b.drift()
	r.Diagnostics[DiagDrift] = verdict.Number(t)
	k, far := l.moving(b)
	r.Verdict.Add(verdict.Check{Name: "At rest", Value: verdict.Number(math.Abs(t)), OK: !(math.Abs(t) > mostDrift),
		Bad: math.Abs(t) > farDrift, At: l.rungs[k].Label,
		Text: estimators.FormatAgainst(math.Abs(t), mostDrift, 1) + " bars", Needs: fmt.Sprintf("≤ %v", mostDrift),
		Means: "The second halves of the chains find another log Z than the first: they have not come to rest.",
		Do:    "Run longer, and leave the first part out; begin each rung where the one before it ended."})
	r.Diagnostics[DiagDriftRung] = verdict.Number(far)
	if start := math.Abs(b.beginning); num.Known(start) {
		r.Diagnostics[DiagStart] = verdict.Number(start)
		r.Verdict.Add(verdict.Check{Name: "At rest from the start", Value: verdict.Number(start),
			OK:  start <= mostStart,
			Bad: start > farStart, Text: estimators.FormatAgainst(start, mostStart, 1) + " bars",
			Needs: fmt.Sprintf("≤ %v", mostStart),
			Means: "The first tenths of the chains find another log Z than the rest: they had not come to rest.",
			Do:    "Leave the first part of each chain out (burn_in=10), or more."})
	}

	// Neighbouring rungs against each other.
	if beside.bar != nil && num.Known(beside.misfit) {
		far := math.Abs(beside.misfit)
		r.Diagnostics[DiagSlope], r.Diagnostics[DiagMisfit] = verdict.Number(beside.slope), verdict.Number(beside.misfit)
		r.Verdict.Add(verdict.Check{Name: "Rungs fit together", Value: verdict.Number(far), OK: far <= mostMisfit,
			Bad: far > farMisfit, Text: estimators.FormatAgainst(far, mostMisfit, 1) + " bars", Needs: fmt.Sprintf("≤ %d",
				mostMisfit),
			Means: "Samples of neighbouring rungs do not lie apart as their densities say: chains have not come to their " +
				"rungs, or powers, temperature or units are not those of the samples.",
			Do: "Check powers and units, run longer, and begin each rung where the one before it ended."})
	}
	judgeUnrest(r, t, b.beginning, beside.misfit)
}

// judgeUnrest takes what shows unrest together: chains that drift as long as they are logged may pass each check alone.
func judgeUnrest(r *Report, signs ...float64) {
	sum := 0.0
	for _, t := range signs {
		if num.Known(t) {
			sum += num.Mul(t, t)
		}
	}
	all := math.Sqrt(sum)
	r.Verdict.Add(verdict.Check{Name: "Signs of unrest together", Value: verdict.Number(all), OK: all <= mostUnrest,
		Text: estimators.FormatAgainst(all, mostUnrest, 1), Needs: fmt.Sprintf("≤ %v", mostUnrest),
		Means: "Drift, start and fit of the rungs are each near their limits: of chains at rest, one in twenty looks so.",
		Do:    "Run longer, and leave the first part out; begin each rung where the one before it ended."})
}

// moving is the rung whose halves differ most, and by how many error bars of its own.
func (l *ladder) moving(b *bar) (rung int, far float64) {
	for i, c := range l.chains {
		if t := math.Abs(b.halves[i]) / math.Sqrt(b.chains[i]); t > far {
			rung, far = c.rung, t
		}
	}
	return rung, far
}

// judgeOverlap looks at what neighbouring rungs have in common, by the samples of bar.
func (l *ladder) judgeOverlap(r *Report, e *estimate, beside *others) {
	if num.Known(e.rule) || beside.bar == nil {
		return
	}
	least, at := math.Inf(1), -1
	for k, o := range beside.bar.overlap {
		if l.has(k) && num.Known(o) && o < least {
			least, at = o, k
		}
	}
	if at < 0 {
		return
	}
	r.Diagnostics[estimators.DiagOverlapMin] = verdict.Number(least)
	r.Verdict.Add(verdict.Check{Name: "Overlap of neighbours", Value: verdict.Number(least),
		OK:  least >= leastOverlap,
		Bad: least < noOverlap, At: l.between(at), Text: estimators.FormatAgainst(100*least, 100*leastOverlap, 0) + " %",
		Needs: percent(leastOverlap) + " or more",
		Means: "Two neighbouring rungs have few samples in common, and log Z is carried over from one to the other by " +
			"these alone.",
		Do: "Add rungs between them."})
}

// judgeEffective looks for the rung with the fewest effective samples, or weights, among those that matter.
func (l *ladder) judgeEffective(r *Report, e *estimate, b *bar) {
	least, at, carries, squares := math.Inf(1), -1, 0, 0.0
	total := sumOf(b.rungs)
	for k, v := range b.rungs {
		if v > b.rungs[carries] {
			carries = k
		}
		if !l.has(k) || v < total/float64(4*len(l.rungs)) {
			continue
		}
		n := b.n[k]
		if e.steps != nil && num.Known(e.steps[k]) {
			n = min(n, e.steps[k]/b.inefficiency[k])
		}
		squares += num.Mul(v, v) / n
		if n < least {
			least, at = n, k
		}
	}
	if at < 0 {
		return
	}

	// Degrees of freedom of the error bar, and the weakest rung.
	df := num.Mul(total, total) / squares // Welch and Satterthwaite
	r.Diagnostics[DiagDF] = verdict.Number(df)
	r.Diagnostics[DiagEffective] = verdict.Number(least)
	r.Verdict.Add(verdict.Check{Name: "Effective samples", Value: verdict.Number(least), OK: least >= leastEffective,
		Bad: df < noDF, At: l.rungs[at].Label, Text: estimators.FormatAgainst(least, leastEffective, 0),
		Needs: fmt.Sprintf("≥ %d", leastEffective), Means: effectiveMeans, Do: "Run this rung longer."})

	// The rung with the largest share of the error.
	share := b.rungs[carries] / total
	r.Diagnostics[DiagShare] = verdict.Number(share)
	if few := b.n[carries] < 5*leastEffective; len(l.rungs) > 3 && total > 0 {
		r.Verdict.Add(verdict.Check{Name: "A rung that carries the error", Value: verdict.Number(share),
			OK: !(share > 2./3) || !few, At: l.rungs[carries].Label, Text: percent(share), Needs: "≤ 67 %",
			Means: "Most of the error comes from one rung, and few samples there say how large it is.",
			Do:    "Add rungs around it, or run it longer."})
	}
}

// judgeEnds looks at ends of the ladder that nobody sampled.
func (l *ladder) judgeEnds(r *Report) {
	rungs := l.sampled()
	for _, end := range []struct {
		to, from           int
		name, means, doing string
	}{{0, rungs[0], "The prior is reached",
		"No samples lie close to the prior: the way from the lowest power to it was " +
			"guessed by weights that may have no finite variance.", "Sample the prior (power 0), and powers close to it."},
		{l.top(), rungs[len(rungs)-1], "The posterior is reached", "No samples lie close to the posterior.",
			"Sample the posterior (power 1)."}} {
		if end.to == end.from {
			continue
		}
		x, effective := l.towards(end.from, end.to)
		_, v := stats.MeanVar(x)
		sd := math.Sqrt(v)
		bad := sd > posteriorFar // a step like others
		if end.to == 0 {
			t := tail(x, effective)
			r.Diagnostics[DiagTail] = verdict.Number(t)
			bad = !(t <= mostTail) || effective < leastEffective // too few to show a tail
		}
		r.Verdict.Add(verdict.Check{Name: end.name, Value: verdict.Number(sd), OK: sd <= priorGap,
			Bad: bad && !(sd <= priorGap),
			At:  l.rungs[end.from].Label, Text: estimators.FormatAgainst(sd, priorGap, 1) + " nats",
			Needs: fmt.Sprintf("≤ %v", priorGap), Means: end.means, Do: end.doing})
	}
}

// towards are the log weights of all samples of a rung at an end of the ladder, without those of weight 0, and how many
// of them are effective.
func (l *ladder) towards(from, to int) (x []float64, effective float64) {
	for _, c := range l.chains {
		var series []float64
		for i := 0; c.rung == from && i < c.n; i++ {
			if w := l.toEnd(c, i, to); num.Finite(w) {
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

// tail is how heavy the upper tail of weights is, at most: by Hill's estimator, the mean of the logs of the largest
// above the next one, plus its standard error for the effective number of these. From 1/2 on weights have no variance;
// from .7 on the mean of a sample of them is of no use ([Vehtari2024], which also says how many count as the largest).
func tail(x []float64, effective float64) float64 {
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

// toEnd is the log weight of a sample at an end of the ladder.
func (l *ladder) toEnd(c chain, i, to int) float64 {
	if c.from.LogL != nil || c.from.LogF != nil {
		return l.change(c, i, to, c.rung)
	}
	sum := 0.0
	for j := range l.components() {
		sum += num.Mul(l.rungs[to].At[j]-l.rungs[c.rung].At[j], l.slope(c, i, j))
	}
	return sum
}

// judgeRule looks at the rule of integration, which knows neighbouring rungs by their slopes alone: by its own
// correction, and by what mbar or bar find from the same samples.
func (l *ladder) judgeRule(r *Report, e *estimate, b *bar, beside *others) {
	off := e.rule
	if o := beside.best(); o != nil && num.Finite(o.logZ()) {
		off = max(off, math.Abs(o.logZ()-e.logZ()))
	}
	r.Diagnostics[estimators.DiagRuleError] = verdict.Number(off)
	limit := max(ruleShare*b.se, estimators.HarmlessGap)
	r.Verdict.Add(verdict.Check{Name: "Integration error", Value: verdict.Number(off), OK: off <= limit,
		Bad: off > max(ruleFar*b.se, .1), Text: estimators.FormatAgainst(off, limit, 3) + " nats",
		Needs: "≤ " + format.Fixed(limit, 3), Means: "The rungs are too far apart for the rule of integration.",
		Do: "Use another rule, bar or mbar, or more rungs."})
}

// judgeStones compares stepping stones from both ends, and with the best estimate from the same samples. Where this one
// has the smaller variance, the difference has the difference of both variances ([Hausman1978]): what lies further away
// has an error bar that is too short, as of weights without variance.
func judgeStones(r *Report, e *estimate, se float64, beside *others) {
	if o := beside.best(); o != nil && num.Finite(o.logZ()) {
		own, best := num.Mul(se, se), num.Mul(beside.se, beside.se)
		far := math.Abs(e.logZ()-o.logZ()) / math.Sqrt(max(own-best, num.Mul(leastBeside*leastBeside, own)))
		r.Verdict.Add(verdict.Check{Name: "Close to the best estimate", Value: verdict.Number(far), OK: far <= mostBeside,
			Text: estimators.FormatAgainst(far, mostBeside, 1) + " bars", Needs: fmt.Sprintf("≤ %d", mostBeside),
			Means: "mbar or bar, which use the same samples better, find another log Z than this error bar allows.",
			Do:    "Read mbar or bar, or add rungs where the overlap is small."})
	}
	if beside.up == nil || beside.down == nil {
		return
	}
	gap := math.Abs(beside.down.logZ() - beside.up.logZ())
	bars := gap / math.Max(se, 1e-9)
	r.Lower, r.Upper = verdict.Number(min(beside.up.logZ(), beside.down.logZ())),
		verdict.Number(max(beside.up.logZ(), beside.down.logZ()))
	r.Verdict.Add(verdict.Check{Name: "Both ends agree", Value: verdict.Number(gap),
		OK: bars <= 4 || gap < estimators.HarmlessGap, Bad: bars > 15,
		Text: estimators.FormatAgainst(gap, 4*se, 2) + " nats", Needs: "≤ " + format.Fixed(4*se, 2),
		Means: "Stepping stones from the prior and from the posterior find different log Z: each is biased to its side.",
		Do:    "Add rungs where the overlap is small, or read mbar."})
}
