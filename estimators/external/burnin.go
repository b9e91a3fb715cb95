package external

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/num/stats"
)

// burnInShares are the candidate shares of a chain to leave out as burn-in.
var burnInShares = []float64{.01, .02, .03, .05, .07, .1, .15, .2, .25, .3, .4, .5}

// Limits of burnIn.
const (
	minChain = 50  // length of the shortest chain that is examined
	minGain  = 1.2 // factor by which the effective sample size must grow
	minShift = 5   // distance between the means of the burn-in and of the rest, in standard errors
)

// burnIn returns the number of samples to leave out at the start of a chain: the candidate that maximises the effective
// sample size of the rest. It returns 0 unless that size is at least minGain times the effective sample size of the
// whole chain and the mean of the burn-in differs from the mean of the rest by more than minShift standard errors. A
// chain that still drifts at its end fails the first condition.
func burnIn(x []float64) int {
	n := len(x)
	if n < minChain {
		return 0
	}
	effective := func(y []float64) float64 {
		v, ofMean := Variances(y, false)
		return v / ofMean
	}

	// The share that maximises the effective sample size.
	fullESS := effective(x)
	bestESS, bestLength := float64(minGain*fullESS), 0
	for _, s := range burnInShares {
		length := int(s * float64(n))
		if length == 0 {
			continue
		}
		if ess := effective(x[length:]); ess > bestESS {
			bestESS, bestLength = ess, length
		}
	}
	if bestLength == 0 {
		return 0
	}

	// The distance between burn-in and rest, in standard errors.
	burnInMean, _ := stats.MeanVar(x[:bestLength])
	restMean, restVar := stats.MeanVar(x[bestLength:])
	distance := math.Abs(burnInMean-restMean) / math.Sqrt(restVar/bestESS+restVar/max(float64(bestESS*float64(bestLength))/float64(n-bestLength), 1))
	if !(distance > minShift) || !num.Finite(distance) {
		return 0
	}
	return bestLength
}
