package models

import (
	"math"

	"logzlab/core/factor"
	"logzlab/core/num"
)

// QuickEffort is the effort of the search for bounds that accompanies a run. The search takes about a second on graphs
// of some hundred variables.
var QuickEffort = factor.Effort{Entries: 1 << 12, Bytes: 64 << 20}

// MaxEntries is the largest number of table entries that a search for bounds may use.
const MaxEntries = 1 << 24

// Kinds of lower bounds, by the distribution q of the bound (see Bounds).
const (
	FloorMeanField = "mean_field" // independent units around a mode; if their probabilities are 0 or 1, a single state
	FloorComponent = "component"  // the heaviest component of a mixture
	FloorGaussian  = "gaussian"   // a normal approximation of a posterior with one mode

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

// An ascent (Ascend) ends if a step raises the bound by less than MinAscentGain nats, and after at most MaxAscentSteps
// steps.
const (
	MinAscentGain  = 1e-3
	MaxAscentSteps = 60
)

// Ascend calls step at most steps times and returns the best bound in nats. step improves a state and returns the bound
// that it reaches; Ascend ends when the gain is less than MinAscentGain.
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
