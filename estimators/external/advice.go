package external

import (
	"math"
	"strconv"

	"logzlab/core/num"
	"logzlab/core/num/stats"
	"logzlab/core/problem"
	"logzlab/estimators/verdict"
)

// Limits of advice: the share of the variance that a part of the ladder must contribute to deserve additional rungs,
// the largest width of that part as a share of the ladder, and the largest number of parts a step is divided into.
const (
	minPartShare = .8
	maxPartWidth = 1. / 3
	maxCuts      = 8
)

// advise returns what would halve the error bar, predicted from the measured variances: more rungs in the part of the
// ladder that contributes most, or more samples everywhere.
func (l *ladder) advise(name string, e *estimate, b *errorBar) []Advice {
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
	more := []Advice{{What: "samples", Factor: 4, SE: verdict.Number(math.Sqrt(total) / 2)}}
	if from == to {
		return more
	}
	inside := sumOf(b.rungVar[from:to])
	if to == l.top() {
		inside += b.rungVar[to]
	}

	// The number of parts per step that halves the error bar.
	cuts, left := 1, inside
	for cuts < maxCuts && total-inside+left > total/4 {
		cuts++
		left = 0
		for k := from; k <= to; k++ {
			if k < to || to == l.top() {
				left += num.Mul(b.rungVar[k], l.varianceAfterCuts(name, k, cuts))
			}
		}
	}
	if total-inside+left > total/4 {
		return more
	}
	return []Advice{{What: "rungs", From: l.rungs[from].Label, To: l.rungs[to].Label, Add: (cuts - 1) * steps,
		SE: verdict.Number(math.Sqrt(total - inside + left))}}
}

// worstPart returns the shortest part of the ladder, from rung from to rung to, that contributes most of the variance;
// from = to if no short part does.
func (l *ladder) worstPart(b *errorBar, total float64) (from, to int) {
	n := len(b.rungVar)
	best := int(math.Ceil(maxPartWidth * float64(n)))
	for i := range n {
		sum := 0.0
		for j := i; j < n && j-i < best; j++ {
			if sum += b.rungVar[j]; sum >= float64(minPartShare*total) {
				best, from, to = j-i, i, min(j+1, l.top())
				if from == to {
					from--
				}
				break
			}
		}
	}
	return from, to
}

// varianceAfterCuts returns the factor by which the variance of a rung falls if each adjacent step is divided into the
// given number of parts, with as many samples at each new rung. Weights of stepping stones have the relative variance
// exp(s^2) - 1 with s^2 the variance of their logs; dividing the step divides s. Other methods gain as if they had that
// many times the samples.
func (l *ladder) varianceAfterCuts(name string, rung, cuts int) float64 {
	m := float64(cuts)
	if name != "ss" && name != "ss-down" {
		return 1 / m
	}
	s := 0.0
	for _, o := range []int{rung - 1, rung + 1} {
		if o >= 0 && o <= l.top() && (name == "ss") == (o > rung) {
			s = l.logWeightVariance(rung, o)
		}
	}
	if s = min(s, 50); s < 1e-6 {
		return 1 / m
	}
	return m * (num.Exp(s/(m*m)) - 1) / (num.Exp(s) - 1)
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

// Phrase returns the advice as a phrase.
func (a *Advice) Phrase() error {
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
