package models

import (
	"math"

	"logzlab/core/factor"
	"logzlab/core/num"
)

// Quick takes about a second on graphs of some hundred variables.
var Quick = factor.Effort{Entries: 1 << 12, Bytes: 64 << 20}

// MostEntries is the size of tables for which somebody may wait.
const MostEntries = 1 << 24

// What a floor is made of.
const (
	FloorMeanField = "mean_field" // independent units around a mode; a single state where they are sure
	FloorComponent = "component"  // the heaviest component of a mixture
	FloorGaussian  = "gaussian"   // a normal distribution around the one mode

	FloorStructured = "structured_mean_field" // independent units, and the others given these exactly
)

// CeilingBuckets is what upper bounds are made of: sums of a few tables at a time.
const CeilingBuckets = "mini_buckets"

// Entropy is the entropy, in nats, of a unit that is on with probability p.
func Entropy(p float64) float64 {
	if p <= 0 || p >= 1 {
		return 0
	}
	return -num.Mul(p, num.Log(p)) - num.Mul(1-p, num.Log1p(-p))
}

// A climb ends when a step gains less than ClimbGain nats, or after ClimbSteps.
const (
	ClimbGain  = 1e-3
	ClimbSteps = 60
)

// Ascend takes steps, each of which returns the bound reached, until they gain little.
func Ascend(steps int, step func() float64) float64 {
	last := math.Inf(-1)
	for range steps {
		f := step()
		if !(f > last+ClimbGain) {
			return max(f, last)
		}
		last = f
	}
	return last
}
