package external

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/num/stats"
)

// shares of a chain that may be left out as burn-in.
var shares = []float64{.01, .02, .03, .05, .07, .1, .15, .2, .25, .3, .4, .5}

// Bounds of burnIn: the shortest chain that is looked at, by how much more must be left, and how far, in standard
// errors, the mean of what is left out must lie from that of the rest.
const (
	shortest    = 50
	moreLeft    = 1.2
	clearlyOff  = 5
	settledTail = .5
)

// burnIn is how many samples at the start of a chain are not of its rung: with them left out the rest has more
// effective samples than all had, and what is left out lies clearly apart from the rest. Where the chain still moves at
// its end, nothing would help and nothing is left out.
func burnIn(x []float64) int {
	n := len(x)
	if n < shortest {
		return 0
	}
	effective := func(y []float64) float64 {
		v, ofMean := Variances(y, false)
		return v / ofMean
	}

	// The share to leave out for the most effective samples.
	all := effective(x)
	best, at := float64(moreLeft*all), 0
	for _, s := range shares {
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

	// How far the beginning lies from the rest, in standard errors.
	before, _ := stats.MeanVar(x[:at])
	mean, v := stats.MeanVar(x[at:])
	off := math.Abs(before-mean) / math.Sqrt(v/best+v/max(float64(best*float64(at))/float64(n-at), 1))
	if !(off > clearlyOff) || !num.Finite(off) {
		return 0
	}
	return at
}
