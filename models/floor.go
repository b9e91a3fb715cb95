package models

import (
	"math"

	"logzlab/core/factor"
	"logzlab/core/num"
)

// Floored is implemented by models that can prove a lower bound of log Z: any distribution q gives
//
//	log Z >= E_q[log f] + H(q)  (Jensen),
//
// which for a single state is its log f. The bound is found by climbing, and holds wherever a climb ends.
type Floored interface {
	// Floor is the best bound that climbs from data and from starts far apart find, in nats, NaN without one, and what
	// it is made of, one of the Floor names. going is called between climbs; false ends the search. It depends on the
	// target alone and takes some tens of milliseconds.
	Floor(going func() bool) (logz float64, kind string)
}

// Bounded is implemented by Floored models that may also have an upper bound for certain.
type Bounded interface {
	Floored
	// Between narrows an interval that has log Z for certain, in nats, as far as most goes. narrowed is called whenever
	// the interval has got narrower, below may be -Inf; narrowed and going tell whether to go on. Models whose log Z is
	// known without bounds (Exact.Knows) never call it.
	Between(most factor.Effort, going func() bool, narrowed func(below, above float64) bool)
}

// Quick takes about a second on graphs of some hundred variables.
var Quick = factor.Effort{Entries: 1 << 12, Bytes: 64 << 20}

// MostEntries is the size of tables for which somebody may wait.
const MostEntries = 1 << 24

// Climber is implemented by models that also climb from a given state.
type Climber interface {
	Floored
	// Climb is the bound that a climb from a state ends at, in nats. state is a row as Population.Read shows it.
	Climb(state []uint8) float64
}

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
