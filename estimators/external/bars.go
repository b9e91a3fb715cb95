package external

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/num/stats"
)

// estimate is log Z by one method.
type estimate struct {
	z     []float64   // at each rung, minus that of the base
	parts [][]float64 // of each chain: the part of each of its samples in the error of log Z
	iid   float64     // standard error if samples were independent, where the method has a formula of its own; else NaN
	bias  string      // up, down or either
	rule  float64     // of ti: how far the rule of integration may be off; else NaN
	every int         // samples of which one was used

	overlap   []float64 // of bar and mbar: see temper.Solved
	overlaps  []float64
	effective []float64
	converged bool
	// steps are, of stepping stones, the effective number of weights of each step, in the place of the rung it is taken
	// from.
	steps []float64
}

// logZ is that of the target.
func (e *estimate) logZ() float64 { return e.z[len(e.z)-1] }

// Variances are that of a series and that of its mean: as if its values were independent, or else the largest of that,
// by overlapping batches, and by the sum of autocovariances. Batches reach as far as the root of the series' length,
// autocovariances as far as they are positive.
func Variances(x []float64, independent bool) (v, ofMean float64) {
	if independent || len(x) < 4 {
		_, v = stats.MeanVar(x)
		return v, v / float64(len(x))
	}
	v, correlated := stats.CorrelatedVar(x)
	return v, max(v/float64(len(x)), correlated)
}

// bar is an error bar with what it is made of.
type bar struct {
	se           float64
	rungs        []float64 // the part of each rung in se^2
	inefficiency []float64 // of each rung: samples to one independent sample
	n            []float64 // effective number of samples of each rung
	chains       []float64 // variance of the part of each chain
	halves       []float64 // the second half of each chain less its first, see halves
	beginning    float64   // see beginning
}

// bar makes the error bar of an estimate.
func (l *ladder) bar(e *estimate) *bar {
	k := len(l.rungs)
	b := &bar{rungs: make([]float64, k), inefficiency: make([]float64, k), n: make([]float64, k),
		chains: make([]float64, len(l.chains)), halves: make([]float64, len(l.chains))}
	plain := make([]float64, k)

	// The variance of each rung, with and without autocorrelation.
	for i, c := range l.chains {
		x := e.parts[i]
		n := float64(len(x))
		v, mean := Variances(x, l.independent)
		b.chains[i], b.halves[i] = num.Mul(n*n, mean), halves(x)
		b.rungs[c.rung] += b.chains[i]
		plain[c.rung] += num.Mul(n, v)
		if v == 0 {
			b.n[c.rung] += n
		} else {
			b.n[c.rung] += v / mean
		}
	}

	// The error bar, by all rungs.
	total := 0.0
	for j, v := range b.rungs {
		total += v
		if b.inefficiency[j] = v / plain[j]; plain[j] == 0 {
			b.inefficiency[j] = 1
		}
	}
	if b.se = math.Sqrt(total); l.independent && num.Known(e.iid) {
		b.se = e.iid
	}
	b.beginning = beginning(e.parts, b.chains)
	return b
}

// drift is how far the second halves of all chains together lie from the first ones, in error bars: about a standard
// normal number where all chains are at rest.
func (b *bar) drift() float64 { return sumOf(b.halves) / math.Sqrt(sumOf(b.chains)) }

// beginning is how far the first tenths of all chains together lie from the rest, in error bars: what each chain alone
// is too short to show.
func beginning(parts [][]float64, of []float64) float64 {
	sum, variance := 0.0, 0.0
	for i, x := range parts {
		n, first := float64(len(x)), len(x)/10
		if first == 0 {
			continue
		}
		before, after := sumOf(x[:first])/float64(first), sumOf(x[first:])/float64(len(x)-first)
		sum += num.Mul(n, before-after)
		variance += num.Mul(of[i], n/float64(first)+n/float64(len(x)-first))
	}
	return sum / math.Sqrt(variance)
}

// halves is the sum of the second half of a series minus that of the first.
func halves(x []float64) (sum float64) {
	half := len(x) / 2
	for i, v := range x {
		if i < half {
			sum -= v
		} else if i >= len(x)-half {
			sum += v
		}
	}
	return sum
}

func sumOf(x []float64) (sum float64) {
	for _, v := range x {
		sum += v
	}
	return sum
}
