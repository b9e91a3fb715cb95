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
// If upwards is set, each step uses the samples of its lower rung, and log Z is biased low, because the expected log of
// a sample mean is at most the log of its expectation. Otherwise each step uses the samples of its upper rung, and log
// Z is biased high. The step to an end of the ladder without samples uses the nearest rung with samples. Rungs without
// samples in between are skipped; their log Z is NaN.
func (l *ladder) stones(upwards bool) *estimate {
	e := &estimate{z: make([]float64, len(l.rungs)), influence: make([][]float64, len(l.chains)), iid: math.NaN(),
		ruleError: math.NaN(), bias: "up", thin: 1, converged: true, stepESS: make([]float64, len(l.rungs))}
	if upwards {
		e.bias = "down"
	}
	for i, c := range l.chains {
		e.influence[i] = make([]float64, c.n)
	}
	for k := range e.stepESS {
		e.stepESS[k] = math.NaN()
	}

	// steps[k] is log Z_k - log Z_j, where j is the rung below k from or to which a step goes.
	rungs := l.sampled()
	steps := make([]float64, len(l.rungs))
	step := func(from, to int) {
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
		if next := rungs[i+1]; upwards {
			step(k, next)
		} else {
			step(next, k)
		}
	}
	if last := rungs[len(rungs)-1]; last < l.top() {
		step(last, l.top())
	}

	// Log Z of each rung is the sum of the steps up to it.
	for k := 1; k < len(e.z); k++ {
		e.z[k] = e.z[k-1] + steps[k]
	}
	for k := 1; k < len(e.z); k++ { // skipped rungs have no estimate
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

// step returns the log of the mean weight f_to/f_from over the samples of rung from. It adds the influence of these
// samples on log Z, multiplied by sign, to e, and sets the effective sample size of the weights.
func (l *ladder) step(e *estimate, from, to int, sign float64) float64 {
	var w []float64
	for _, c := range l.chains {
		if c.rung == from {
			for i := range c.n {
				w = append(w, l.logRatio(c, i, to, from))
			}
		}
	}
	d, squares, index := num.LogMeanExp(w), 0.0, 0
	for j, c := range l.chains {
		if c.rung != from {
			continue
		}
		for i := range c.n {
			x := num.Exp(w[index] - d)
			squares += num.Mul(x, x)
			e.influence[j][i] += float64(sign*(x-1)) / float64(len(w))
			index++
		}
	}
	if n := stats.KishESS(float64(len(w)), squares); !(e.stepESS[from] <= n) {
		e.stepESS[from] = n
	}
	return d
}
