package external

import (
	"math"
	"strconv"

	"logzlab/core/num"
	"logzlab/core/num/stats"
	"logzlab/core/problem"
	"logzlab/estimators/verdict"
)

// Bounds of advice: how much of the variance a part of the ladder must carry to be worth rungs of its own, on at most
// what share of the ladder, and how many parts a step may be cut into.
const (
	worthRungs = .8
	narrow     = 1. / 3
	mostCuts   = 8
)

// advise predicts from the variances measured what would halve the error bar: rungs where most of it comes from, or
// more samples everywhere.
func (l *ladder) advise(name string, e *estimate, b *bar) []Advice {
	total := sumOf(b.rungs)
	if !(total > 0) || !num.Finite(total) {
		return nil
	}
	if from := l.sampled()[0]; from > 0 { // what the way to the prior adds was not measured
		x, _ := l.towards(from, 0)
		if _, v := stats.MeanVar(x); !(v <= priorGap*priorGap) {
			return nil
		}
	}

	// The rungs where most of the error comes from.
	from, to := l.worst(b, total)
	steps := to - from
	more := []Advice{{What: "samples", Factor: 4, SE: verdict.Number(math.Sqrt(total) / 2)}}
	if from == to {
		return more
	}
	inside := sumOf(b.rungs[from:to])
	if to == l.top() {
		inside += b.rungs[to]
	}

	// How finely to cut their steps for half the error bar.
	cuts, left := 1, inside
	for cuts < mostCuts && total-inside+left > total/4 {
		cuts++
		left = 0
		for k := from; k <= to; k++ {
			if k < to || to == l.top() {
				left += num.Mul(b.rungs[k], l.cut(name, k, cuts))
			}
		}
	}
	if total-inside+left > total/4 {
		return more
	}
	return []Advice{{What: "rungs", From: l.rungs[from].Label, To: l.rungs[to].Label, Add: (cuts - 1) * steps,
		SE: verdict.Number(math.Sqrt(total - inside + left))}}
}

// worst is the shortest part of the ladder, from rung to rung, that carries most of the variance; from = to: no part
// that is short does.
func (l *ladder) worst(b *bar, total float64) (from, to int) {
	n := len(b.rungs)
	best := int(math.Ceil(narrow * float64(n)))
	for i := range n {
		sum := 0.0
		for j := i; j < n && j-i < best; j++ {
			if sum += b.rungs[j]; sum >= float64(worthRungs*total) {
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

// cut is what is left of the variance of a rung if each step beside it is cut into so many, with as many samples at
// each new rung. Weights of stepping stones vary by exp(s^2) - 1, s being the spread of their logs, which the cuts
// divide; other methods gain what more samples give.
func (l *ladder) cut(name string, rung, cuts int) float64 {
	m := float64(cuts)
	if name != "ss" && name != "ss-down" {
		return 1 / m
	}
	s := 0.0
	for _, o := range []int{rung - 1, rung + 1} {
		if o >= 0 && o <= l.top() && (name == "ss") == (o > rung) {
			s = l.spreadTo(rung, o)
		}
	}
	if s = min(s, 50); s < 1e-6 {
		return 1 / m
	}
	return m * (num.Exp(s/(m*m)) - 1) / (num.Exp(s) - 1)
}

// spreadTo is the variance of the log weights from a rung to another.
func (l *ladder) spreadTo(from, to int) float64 {
	var w stats.Welford
	for _, c := range l.chains {
		for i := 0; c.rung == from && i < c.n; i++ {
			if x := l.change(c, i, to, from); num.Finite(x) {
				w.Add(x)
			}
		}
	}
	return max(w.Var(), 0)
}

// Phrase is the advice for people.
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
