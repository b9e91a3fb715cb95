package schedule

import (
	"math"

	"logzlab/core/num"
)

// Chains that lag keep what they were for some sweeps, and their log weights vary more: with t(beta) sweeps from one
// independent sample to the next, (k-1) Var(log w) is about int g t beta'^2, as friction is in slow driving
// ([Sivak2012]). It is least where sqrt(g t) beta' is constant.

// Bounds of autocorrelations: the longest lag, and the least one that counts.
const (
	longestLag = 40
	leastCorr  = .05
)

// Lags are t at each rung of a pilot's ladder, in sweeps: 1 + 2 sum_j rho_j, where rho_j is the correlation over chains
// of the slopes d log f/d beta at this rung and at the j-th after it, smoothed over rungs, up to the first below
// leastCorr. logw is as for Learn.
func Lags(ladder []float64, logw [][]float64) []float64 {
	n := len(ladder) - 1

	// The slopes of the chains, standardised at each rung.
	slopes := make([][]float64, len(logw)) // of each chain at each rung, less their mean there, over their spread
	for c, row := range logw {
		slopes[c] = make([]float64, n)
		for k := range n {
			slopes[c][k] = (row[k+1] - row[k]) / (ladder[k+1] - ladder[k])
		}
	}
	for k := range n {
		standardise(slopes, k)
	}
	out, open, rho := make([]float64, n+1), make([]bool, n), make([]float64, n)
	for k := range out {
		out[k] = 1
	}

	// The correlations, lag by lag.
	for j := 1; j <= longestLag && j < n; j++ {
		for k := range n - j {
			rho[k] = 0
			for _, s := range slopes {
				rho[k] += num.Mul(s[k], s[k+j])
			}
		}
		for k := n - j; k < n; k++ { // as at the last rung that has a j-th after it
			rho[k] = rho[n-j-1]
		}

		// The sum of a rung ends at the first small correlation.
		for k, r := range smooth(rho) {
			if open[k] = r >= leastCorr && (j == 1 || open[k]); open[k] {
				out[k] += num.Mul(2, r)
			}
		}
	}
	out[n] = out[n-1]
	return out
}

// standardise makes the slopes at a rung have mean 0 and sum of squares 1, or all 0 where they do not differ or are not
// finite.
func standardise(slopes [][]float64, k int) {
	mean, squares := 0.0, 0.0
	for _, s := range slopes {
		mean += s[k] / float64(len(slopes))
	}
	for _, s := range slopes {
		s[k] -= mean
		squares += num.Mul(s[k], s[k])
	}
	scale := 1 / math.Sqrt(squares)
	for _, s := range slopes {
		if s[k] = num.Mul(s[k], scale); !num.Finite(s[k]) || !num.Finite(scale) {
			s[k] = 0
		}
	}
}
