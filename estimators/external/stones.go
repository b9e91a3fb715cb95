package external

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/num/stats"
)

// stones estimates log Z by stepping stones ([Fan2011]): over the rungs k with samples,
//
//	log Z_next - log Z_k = log mean over the samples of k of f_next(x)/f_k(x).
//
// If up is set, each step uses the samples of its lower rung, and log Z is biased low, because the log of a mean is.
// Otherwise each step uses its upper rung, and log Z is biased high. Ends without samples are reached from the nearest
// rung with samples.
func (l *ladder) stones(up bool) *estimate {
	e := &estimate{z: make([]float64, len(l.rungs)), influence: make([][]float64, len(l.chains)), iid: math.NaN(),
		ruleError: math.NaN(), bias: "up", thin: 1, converged: true, stepESS: make([]float64, len(l.rungs))}
	if up {
		e.bias = "down"
	}
	for i, c := range l.chains {
		e.influence[i] = make([]float64, c.n)
	}
	for k := range e.stepESS {
		e.stepESS[k] = math.NaN()
	}

	// A step starts at a rung with samples; steps holds differences in upward direction.
	rungs := l.sampled()
	steps := make([]float64, len(l.rungs)) // to each rung
	step := func(from, to int) {           // from a rung with samples
		sign := 1.0
		if to < from {
			sign = -1
		}
		d := l.step(e, from, to, sign)
		steps[max(from, to)] += num.Mul(sign, d)
	}

	// The steps from the lowest rung to the highest.
	if rungs[0] > 0 {
		step(rungs[0], 0)
	}
	for i, k := range rungs[:len(rungs)-1] {
		if next := rungs[i+1]; up {
			step(k, next)
		} else {
			step(next, k)
		}
	}
	if last := rungs[len(rungs)-1]; last < l.top() {
		step(last, l.top())
	}

	// Log Z of each rung: the steps below, added up.
	for k := 1; k < len(e.z); k++ { // skipped rungs have no estimate
		e.z[k] = e.z[k-1] + steps[k]
	}
	for k := 1; k < len(e.z); k++ { // rungs that were passed over are not known
		if steps[k] == 0 && !l.hasSamples(k) && k < l.top() {
			e.z[k] = math.NaN()
		}
	}
	return e
}

// hasSamples reports whether a rung has samples.
func (l *ladder) hasSamples(rung int) bool {
	for _, c := range l.chains {
		if c.rung == rung {
			return true
		}
	}
	return false
}

// step returns the log of the mean weight from one rung to another, and adds the influence of the samples, multiplied
// by sign.
func (l *ladder) step(e *estimate, from, to int, sign float64) float64 {
	var w []float64
	for _, c := range l.chains {
		if c.rung == from {
			for i := range c.n {
				w = append(w, l.logRatio(c, i, to, from))
			}
		}
	}
	d, squares, at := num.LogMeanExp(w), 0.0, 0
	for j, c := range l.chains {
		if c.rung != from {
			continue
		}
		for i := range c.n {
			x := num.Exp(w[at] - d)
			squares += num.Mul(x, x)
			e.influence[j][i] += float64(sign*(x-1)) / float64(len(w))
			at++
		}
	}
	if n := stats.KishESS(float64(len(w)), squares); !(e.stepESS[from] <= n) {
		e.stepESS[from] = n
	}
	return d
}
