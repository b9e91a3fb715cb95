package models

import (
	"math"

	"logzlab/core/factor"
	"logzlab/core/num"
)

// QuickEffort takes about a second on graphs of some hundred variables.
var QuickEffort = factor.Effort{Entries: 1 << 12, Bytes: 64 << 20}

// MaxEntries is the maximal number of entries of the tables in a search for bounds.
const MaxEntries = 1 << 24

// Kinds of lower bounds.
const (
	FloorMeanField = "mean_field" // independent units around a mode; a single state if their probabilities are 0 or 1
	FloorComponent = "component"  // the heaviest component of a mixture
	FloorGaussian  = "gaussian"   // a normal distribution around the only mode

	FloorStructured = "structured_mean_field" // independent units, and the other variables exactly given these
)

// CeilingBuckets is the kind of upper bounds: mini-bucket elimination.
const CeilingBuckets = "mini_buckets"

// Entropy returns the entropy, in nats, of a unit that is on with probability p.
func Entropy(p float64) float64 {
	if p <= 0 || p >= 1 {
		return 0
	}
	return -num.Mul(p, num.Log(p)) - num.Mul(1-p, num.Log1p(-p))
}

// An ascent ends if a step gains less than MinAscentGain nats, and after at most MaxAscentSteps steps.
const (
	MinAscentGain  = 1e-3
	MaxAscentSteps = 60
)

// Ascend calls step, which returns the bound reached, at most steps times, until the gain is less than MinAscentGain.
// It returns the best bound.
func Ascend(steps int, step func() float64) float64 {
	last := math.Inf(-1)
	for range steps {
		f := step()
		if !(f > last+MinAscentGain) {
			return max(f, last)
		}
		last = f
	}
	return last
}
