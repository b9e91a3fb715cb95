package schedule

import (
	"math"

	"logzlab/core/num"
)

// If chains mix slowly, their log weights vary more: with t(beta) sweeps from one independent sample to the next, (k-1)
// Var(log w) is approximately int g t beta'^2 ds, the friction of a slowly driven system ([Sivak2012]). The integral is
// minimal if sqrt(g t) beta' is constant.

// Limits of autocorrelations: the longest lag, and the smallest correlation that is summed.
const (
	maxLag         = 40
	minCorrelation = .05
)

// AutocorrelationTimes returns t at each rung of a pilot's ladder, in sweeps: 1 + 2 sum_j rho_j, where rho_j is the
// correlation over chains of the slopes d log f/d beta at this rung and at the j-th rung after it, smoothed over rungs.
// The sum over j ends before the first rho_j below minCorrelation, at the latest at maxLag. logw is as for Learn.
func AutocorrelationTimes(ladder []float64, logw [][]float64) []float64 {
	n := len(ladder) - 1

	// Slopes of the chains, standardised at each rung.
	slopes := make([][]float64, len(logw)) // by chain and rung
	for c, row := range logw {
		slopes[c] = make([]float64, n)
		for k := range n {
			slopes[c][k] = (row[k+1] - row[k]) / (ladder[k+1] - ladder[k])
		}
	}
	for k := range n {
		standardise(slopes, k)
	}
	out, isSumming, rho := make([]float64, n+1), make([]bool, n), make([]float64, n)
	for k := range out {
		out[k] = 1
	}

	// Correlations, lag by lag.
	for j := 1; j <= maxLag && j < n; j++ {
		for k := range n - j {
			rho[k] = 0
			for _, s := range slopes {
				rho[k] += num.Mul(s[k], s[k+j])
			}
		}
		for k := n - j; k < n; k++ { // rungs without a j-th rung after them use the last available value
			rho[k] = rho[n-j-1]
		}

		// The sum of a rung stops at the first small correlation.
		for k, r := range smooth(rho) {
			if isSumming[k] = r >= minCorrelation && (j == 1 || isSumming[k]); isSumming[k] {
				out[k] += num.Mul(2, r)
			}
		}
	}
	out[n] = out[n-1]
	return out
}

// standardise gives the slopes at rung k mean 0 and sum of squares 1, or sets all to 0 if they are equal or not finite.
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
