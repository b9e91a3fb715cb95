package external

import (
	"math"
	"strconv"

	"logzlab/core/num"
	"logzlab/core/num/stats"
	"logzlab/core/problem"
	"logzlab/estimators/verdict"
)

// Limits of advice about additional rungs in one part of the ladder.
const (
	minPartShare = .8     // smallest share of the variance of log Z that the part must contribute
	maxPartWidth = 1. / 3 // largest number of rungs of the part, as a share of all rungs
	maxCuts      = 8      // largest number of smaller steps that a step is divided into
)

// advise returns a change of the next run that would halve the error bar, predicted from the measured variances: more
// rungs in the part of the ladder that contributes most of the variance or, if that is not enough, four times as many
// samples at every rung. name is the name of the method. It returns nil if the variances are not known.
func (l *ladder) advise(name string, e *estimate, b *errorBar) []NextStep {
	total := sumOf(b.rungVar)
	if !(total > 0) || !num.Finite(total) {
		return nil
	}
	if from := l.sampled()[0]; from > 0 { // the variance of the step to the prior was not measured
		x, _ := l.logWeights(from, 0)
		if _, v := stats.MeanVar(x); !(v <= maxEndSpread*maxEndSpread) {
			return nil
		}
	}

	// The part of the ladder that contributes most of the variance.
	from, to := l.worstPart(b, total)
	steps := to - from
	moreSamples := []NextStep{{What: "samples", Factor: 4, SE: verdict.Number(math.Sqrt(total) / 2)}}
	if from == to {
		return moreSamples
	}
	partVar := sumOf(b.rungVar[from:to])
	if to == l.top() {
		partVar += b.rungVar[to]
	}

	// Divide each step of that part into more and more smaller steps, until the error bar is halved.
	cuts, newPartVar := 1, partVar
	for cuts < maxCuts && total-partVar+newPartVar > total/4 {
		cuts++
		newPartVar = 0
		for k := from; k <= to; k++ {
			if k < to || to == l.top() {
				newPartVar += num.Mul(b.rungVar[k], l.varianceAfterCuts(name, k, cuts))
			}
		}
	}
	if total-partVar+newPartVar > total/4 {
		return moreSamples
	}
	return []NextStep{{What: "rungs", From: l.rungs[from].Label, To: l.rungs[to].Label, Add: (cuts - 1) * steps,
		SE: verdict.Number(math.Sqrt(total - partVar + newPartVar))}}
}

// worstPart returns the first and the last rung of the shortest part of the ladder that contributes the share
// minPartShare of the variance total. It returns from = to if no part of at most maxPartWidth does.
func (l *ladder) worstPart(b *errorBar, total float64) (from, to int) {
	n := len(b.rungVar)
	width := int(math.Ceil(maxPartWidth * float64(n)))
	for i := range n {
		sum := 0.0
		for j := i; j < n && j-i < width; j++ {
			if sum += b.rungVar[j]; sum >= float64(minPartShare*total) {
				width, from, to = j-i, i, min(j+1, l.top())
				if from == to {
					from--
				}
				break
			}
		}
	}
	return from, to
}

// varianceAfterCuts returns the factor by which the contribution of a rung to se^2 changes if each adjacent step is
// divided into m = cuts smaller steps, with as many samples at each new rung. For normal log weights with variance s^2,
// the relative variance of the weights of stepping stones is exp(s^2) - 1, and m steps have the standard deviation s/m,
// so the factor is m (exp(s^2/m^2) - 1) / (exp(s^2) - 1). For other methods it is 1/m.
func (l *ladder) varianceAfterCuts(name string, rung, cuts int) float64 {
	m := float64(cuts)
	if name != "ss" && name != "ss-down" {
		return 1 / m
	}
	logVar := 0.0
	for _, neighbour := range []int{rung - 1, rung + 1} {
		if neighbour >= 0 && neighbour <= l.top() && (name == "ss") == (neighbour > rung) {
			logVar = l.logWeightVariance(rung, neighbour)
		}
	}
	if logVar = min(logVar, 50); logVar < 1e-6 {
		return 1 / m
	}
	return m * (num.Exp(logVar/(m*m)) - 1) / (num.Exp(logVar) - 1)
}

// logWeightVariance returns the variance of log f_to - log f_from over the samples of a rung.
func (l *ladder) logWeightVariance(from, to int) float64 {
	var w stats.Welford
	for _, c := range l.chains {
		for i := 0; c.rung == from && i < c.n; i++ {
			if x := l.logRatio(c, i, to, from); num.Finite(x) {
				w.Add(x)
			}
		}
	}
	return max(w.Var(), 0)
}

// Phrase returns the advice as a translatable phrase, such as "4 times as many draws: error bar 0.01".
func (a *NextStep) Phrase() error {
	se := strconv.FormatFloat(float64(a.SE), 'g', 3, 64)
	switch a.What {
	case "rungs":
		if a.Add == 1 {
			return problem.New("one more rung between %s and %s, with as many samples: error bar %s", a.From, a.To, se)
		}
		return problem.New("%d more rungs between %s and %s, each with as many samples: error bar %s", a.Add, a.From, a.To,
			se)
	case "draws":
		return problem.New("%v times as many draws: error bar %s", a.Factor, se)
	case "live":
		return problem.New("%v times as many live points: error bar %s", a.Factor, se)
	}
	return problem.New("%v times as many samples at each rung: error bar %s", a.Factor, se)
}
