package external

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/num/stats"
)

// estimate is the result of one method: log Z of every rung, and what its error bar and checks need.
type estimate struct {
	z         []float64   // log Z of each rung relative to the base, in nats; NaN if not estimated
	influence [][]float64 // chains x samples: influence of each sample on log Z; the error of log Z is the error of their sum
	iid       float64     // standard error for independent samples, if the method has a formula for it; else NaN
	bias      string      // direction of the bias of log Z: up, down or either
	ruleError float64     // estimated error of the quadrature rule of thermodynamic integration, in nats; NaN for other methods
	thin      int         // every thin-th sample was used

	overlap       []float64 // overlap of each rung with the next, by bar and mbar (see mbar.Solved); nil for other methods
	overlapMatrix []float64 // rungs x rungs, by mbar
	effective     []float64 // effective number of samples at each rung, by bar and mbar
	converged     bool      // the equations of bar or mbar were solved; true for other methods
	// stepESS is, for stepping stones, the effective sample size of each step's weights, at the index of the rung the
	// step starts from.
	stepESS []float64
}

// logZ returns log Z of the target.
func (e *estimate) logZ() float64 { return e.z[len(e.z)-1] }

// Variances returns the variance of a series x and the variance of its mean. If the values are not independent, the
// variance of the mean is the largest of three estimates: the one for independent values, v/n; the one by overlapping
// batches of length sqrt(n); and the one by the sum of autocovariances up to the first that is not positive.
func Variances(x []float64, independent bool) (v, ofMean float64) {
	if independent || len(x) < 4 {
		_, v = stats.MeanVar(x)
		return v, v / float64(len(x))
	}
	v, correlated := stats.CorrelatedVar(x)
	return v, max(v/float64(len(x)), correlated)
}

// errorBar is the standard error of log Z, with the contributions of rungs and chains.
type errorBar struct {
	se           float64
	rungVar      []float64 // contribution of each rung to se^2
	inefficiency []float64 // statistical inefficiency of each rung: number of samples per independent sample
	effective    []float64 // effective number of samples of each rung
	chainVar     []float64 // contribution of each chain to se^2
	halfDiff     []float64 // influence of the second half of each chain minus that of the first half; see the function halfDiff
	startShift   float64   // difference between the first tenths of the chains and the rest, in standard errors
}

// errorBar computes the error bar of an estimate.
func (l *ladder) errorBar(e *estimate) *errorBar {
	k := len(l.rungs)
	b := &errorBar{rungVar: make([]float64, k), inefficiency: make([]float64, k), effective: make([]float64, k),
		chainVar: make([]float64, len(l.chains)), halfDiff: make([]float64, len(l.chains))}
	iidVar := make([]float64, k)

	// The variance at each rung, with and without autocorrelation.
	for i, c := range l.chains {
		x := e.influence[i]
		n := float64(len(x))
		v, varOfMean := Variances(x, l.independent)
		b.chainVar[i], b.halfDiff[i] = num.Mul(n*n, varOfMean), halfDiff(x)
		b.rungVar[c.rung] += b.chainVar[i]
		iidVar[c.rung] += num.Mul(n, v)
		if v == 0 {
			b.effective[c.rung] += n
		} else {
			b.effective[c.rung] += v / varOfMean
		}
	}

	// The sum over all rungs.
	total := 0.0
	for j, v := range b.rungVar {
		total += v
		if b.inefficiency[j] = v / iidVar[j]; iidVar[j] == 0 {
			b.inefficiency[j] = 1
		}
	}
	if b.se = math.Sqrt(total); l.independent && num.NotNaN(e.iid) {
		b.se = e.iid
	}
	b.startShift = startShift(e.influence, b.chainVar)
	return b
}

// drift returns the difference between the second and the first halves of all chains together, in standard errors:
// about standard normal if all chains are stationary.
func (b *errorBar) drift() float64 { return sumOf(b.halfDiff) / math.Sqrt(sumOf(b.chainVar)) }

// startShift returns the difference in influence between the first tenths of all chains together and the rest, in
// standard errors. influence is chains x samples; chainVar is the contribution of each chain to se^2. The difference
// shows a burn-in that is not significant in single chains.
func startShift(influence [][]float64, chainVar []float64) float64 {
	sum, variance := 0.0, 0.0
	for i, x := range influence {
		n, first := float64(len(x)), len(x)/10
		if first == 0 {
			continue
		}
		before, after := sumOf(x[:first])/float64(first), sumOf(x[first:])/float64(len(x)-first)
		sum += num.Mul(n, before-after)
		variance += num.Mul(chainVar[i], n/float64(first)+n/float64(len(x)-first))
	}
	return sum / math.Sqrt(variance)
}

// halfDiff returns the sum of the second half of a series minus the sum of the first half.
func halfDiff(x []float64) (sum float64) {
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

// sumOf returns the sum of the values.
func sumOf(x []float64) (sum float64) {
	for _, v := range x {
		sum += v
	}
	return sum
}
