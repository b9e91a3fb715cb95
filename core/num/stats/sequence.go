package stats

import (
	"math"

	"logzlab/core/num"
)

// Limits of InitialSequence: the largest lag of the autocovariances that are summed; series longer than blockFrom that
// need more lags are averaged in blocks of blockLen first; the smallest number of values.
const (
	maxLags   = 256
	blockFrom = 2048
	blockLen  = 4
	minLen    = 4
)

// InitialSequence returns the variance of the mean of an autocorrelated series by the initial monotone sequence
// estimator ([Geyer1992]): sums of neighbouring autocovariances, truncated at the first that is not positive, each at
// most the one before,
//
//	(2 sum_m (c_2m + c_2m+1) - c_0) / n.
//
// This is divided by one minus its ratio to c_0, because the mean was estimated from the same series. Unlike OBMVar, the
// range of lags adapts to the autocorrelation. It returns NaN for fewer than four values.
func InitialSequence(x []float64) float64 {
	mean, _ := MeanVar(x)
	return sequence(x, mean)
}

// CorrelatedVar returns the variance of a series, and the variance of its mean by the larger of OBMVar and
// InitialSequence.
func CorrelatedVar(x []float64) (variance, ofMean float64) {
	mean, variance := MeanVar(x)
	return variance, max(obm(x, mean), sequence(x, mean))
}

func sequence(x []float64, mean float64) float64 {
	n := len(x)
	if n < minLen {
		return math.NaN()
	}
	y := make([]float64, n)
	for i, v := range x {
		y[i] = v - mean
	}
	at := func(lag int) float64 { return num.Dot(y[:n-lag], y[lag:]) / float64(n) }
	first, sum, last := at(0), 0.0, math.Inf(1)
	if first == 0 {
		return 0
	}
	for lag := 0; lag+1 < n; lag += 2 {
		if lag > maxLags && n > blockFrom {
			return InitialSequence(Blocks(x, blockLen))
		}
		pair := at(lag) + at(lag+1)
		if !(pair > 0) {
			break
		}
		last = min(last, pair)
		sum += last
	}
	v := max(float64(2*sum)-first, 0) / float64(n) // 0 if the series is anticorrelated
	return v / max(1-v/first, .5)
}

// Blocks returns the means of consecutive blocks of the given length; an incomplete last block is dropped.
func Blocks(x []float64, of int) []float64 {
	out := make([]float64, len(x)/of)
	for i := range out {
		for _, v := range x[i*of : (i+1)*of] {
			out[i] += v
		}
		out[i] /= float64(of)
	}
	return out
}
