package external

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/num/stats"
)

// burnInShares are the candidate shares of a chain to leave out as burn-in.
var burnInShares = []float64{.01, .02, .03, .05, .07, .1, .15, .2, .25, .3, .4, .5}

// Limits of burnIn: the shortest chain that is examined, the factor by which the effective sample size must grow, and
// the distance in standard errors between the mean of the burn-in and the mean of the rest.
const (
	minChain = 50
	minGain  = 1.2
	minShift = 5
)

// burnIn returns the number of samples to leave out at the start of a chain: the candidate that maximises the effective
// sample size of the rest, provided that this exceeds the effective sample size of the whole chain clearly and that the
// mean of the burn-in differs significantly from the mean of the rest. It returns 0 for a chain that still drifts at
// its end, because leaving out samples would not help.
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
	all := effective(x)
	best, at := float64(minGain*all), 0
	for _, s := range burnInShares {
		from := int(s * float64(n))
		if from == 0 {
			continue
		}
		if e := effective(x[from:]); e > best {
			best, at = e, from
		}
	}
	if at == 0 {
		return 0
	}

	// The distance between burn-in and rest, in standard errors.
	before, _ := stats.MeanVar(x[:at])
	mean, v := stats.MeanVar(x[at:])
	off := math.Abs(before-mean) / math.Sqrt(v/best+v/max(float64(best*float64(at))/float64(n-at), 1))
	if !(off > minShift) || !num.Finite(off) {
		return 0
	}
	return at
}
