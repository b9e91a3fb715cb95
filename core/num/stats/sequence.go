package stats

import (
	"math"

	"logzlab/core/num"
)

// Limits of InitialSequence. Autocovariances are summed up to lag maxLags. A series of more than blockFrom values that
// needs more lags is first averaged in blocks of blockLen values. A series has at least minLen values.
const (
	maxLags   = 256
	blockFrom = 2048
	blockLen  = 4
	minLen    = 4
)

// InitialSequence returns the variance of the mean of an autocorrelated series by the initial monotone sequence
// estimator ([Geyer1992]): with sums of neighbouring autocovariances, c_2m + c_2m+1, up to the first sum that is not
// positive, each replaced by the sum before it if that is smaller,
//
//	(2 sum_m (c_2m + c_2m+1) - c_0) / n.
//
// This variance v is divided by max(1 - v/c_0, 1/2), because the mean was estimated from the same series. Unlike the
// batch length of OBMVar, the range of lags adapts to the autocorrelation. It returns NaN for fewer than four values.
func InitialSequence(x []float64) float64 {
	mean, _ := MeanVar(x)
	return initialSequence(x, mean)
}

// CorrelatedVar returns the variance of a series, and the variance of its mean by the larger of OBMVar and
// InitialSequence.
func CorrelatedVar(x []float64) (variance, meanVariance float64) {
	mean, variance := MeanVar(x)
	return variance, max(overlappingBatchMeans(x, mean), initialSequence(x, mean))
}

// sequence is InitialSequence for a series with known sample mean.
func initialSequence(x []float64, mean float64) float64 {
	n := len(x)
	if n < minLen {
		return math.NaN()
	}
	y := make([]float64, n)
	for i, v := range x {
		y[i] = v - mean
	}
	autocovariance := func(lag int) float64 { return num.Dot(y[:n-lag], y[lag:]) / float64(n) }
	variance, sum, lastPair := autocovariance(0), 0.0, math.Inf(1)
	if variance == 0 {
		return 0
	}
	for lag := 0; lag+1 < n; lag += 2 {
		if lag > maxLags && n > blockFrom {
			return InitialSequence(Blocks(x, blockLen))
		}
		pair := autocovariance(lag) + autocovariance(lag+1)
		if !(pair > 0) {
			break
		}
		lastPair = min(lastPair, pair)
		sum += lastPair
	}
	v := max(float64(2*sum)-variance, 0) / float64(n) // 0 if the series is anticorrelated
	return v / max(1-v/variance, .5)
}

// Blocks returns the means of consecutive blocks of the given length; an incomplete last block is dropped.
func Blocks(x []float64, length int) []float64 {
	out := make([]float64, len(x)/length)
	for i := range out {
		for _, v := range x[i*length : (i+1)*length] {
			out[i] += v
		}
		out[i] /= float64(length)
	}
	return out
}
