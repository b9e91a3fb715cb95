package external

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/num/stats"
)

// stones is log Z by stepping stones ([Fan2011]): over the rungs k with samples,
//
//	log Z_next - log Z_k = log mean over the samples of k of f_next(x)/f_k(x).
//
// Up, each step is taken from its lower rung; the log of a mean is too low on average, and so is log Z. Down, from the
// upper one, and log Z is too high. Ends without samples are reached from the nearest rung that has some.
func (l *ladder) stones(up bool) *estimate {
	e := &estimate{z: make([]float64, len(l.rungs)), parts: make([][]float64, len(l.chains)), iid: math.NaN(),
		rule: math.NaN(), bias: "up", every: 1, converged: true, steps: make([]float64, len(l.rungs))}
	if up {
		e.bias = "down"
	}
	for i, c := range l.chains {
		e.parts[i] = make([]float64, c.n)
	}
	for k := range e.steps {
		e.steps[k] = math.NaN()
	}

	// A step starts at a rung with samples; the part between two rungs counts upward.
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
	for k := 1; k < len(e.z); k++ {
		e.z[k] = e.z[k-1] + steps[k]
	}
	for k := 1; k < len(e.z); k++ { // rungs that were passed over are not known
		if steps[k] == 0 && !l.has(k) && k < l.top() {
			e.z[k] = math.NaN()
		}
	}
	return e
}

func (l *ladder) has(rung int) bool {
	for _, c := range l.chains {
		if c.rung == rung {
			return true
		}
	}
	return false
}

// step is the log of the mean weight from a rung to another; it adds the parts of the samples, with a sign.
func (l *ladder) step(e *estimate, from, to int, sign float64) float64 {
	var w []float64
	for _, c := range l.chains {
		if c.rung == from {
			for i := range c.n {
				w = append(w, l.change(c, i, to, from))
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
			e.parts[j][i] += float64(sign*(x-1)) / float64(len(w))
			at++
		}
	}
	if n := stats.ESS(float64(len(w)), squares); !(e.steps[from] <= n) {
		e.steps[from] = n
	}
	return d
}
