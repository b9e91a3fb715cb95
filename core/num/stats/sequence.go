package stats

import (
	"math"

	"logzlab/core/num"
)

// Lags up to which autocovariances are summed, and the shortest series that is averaged in blocks of blockOf where more
// would be needed.
const (
	mostLags  = 256
	longest   = 2048
	ofBlocks  = 4
	shortLast = 4 // values of the shortest series that has an error
)

// Sequence is the variance of the mean of one autocorrelated series by the initial monotone sequence ([Geyer1992]):
// sums of two neighbouring autocovariances as long as they are positive, none larger than the one before,
//
//	(2 sum_m (c_2m + c_2m+1) - c_0) / n,
//
// divided by 1 less that over c_0, for the mean was taken from the same series. Other than OBM it reaches as far as the
// series remembers. NaN for fewer than four values.
func Sequence(x []float64) float64 {
	mean, _ := MeanVar(x)
	return sequence(x, mean)
}

// Correlated is the variance of a series, and that of its mean by the larger of OBM and Sequence. It finds the mean
// once.
func Correlated(x []float64) (variance, ofMean float64) {
	mean, variance := MeanVar(x)
	return variance, max(obm(x, mean), sequence(x, mean))
}

func sequence(x []float64, mean float64) float64 {
	n := len(x)
	if n < shortLast {
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
		if lag > mostLags && n > longest {
			return Sequence(Blocks(x, ofBlocks))
		}
		pair := at(lag) + at(lag+1)
		if !(pair > 0) {
			break
		}
		last = min(last, pair)
		sum += last
	}
	v := max(float64(2*sum)-first, 0) / float64(n) // 0 where neighbours lie on opposite sides of the mean
	return v / max(1-v/first, .5)
}

// Blocks are the means of blocks of so many values; a rest is left out.
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
