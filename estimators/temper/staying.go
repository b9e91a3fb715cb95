package temper

import (
	"logzlab/core/num/rng"
	"logzlab/core/problem"
	"logzlab/core/spec"
	"logzlab/estimators"
)

// staying is plain Markov chain Monte Carlo at every rung: the chains are dealt to the rungs evenly, and each samples
// its own density to the end. Such a run has no initial iterations, since nothing depends on log Zhat; its chains begin
// at the states of an annealing pass.
type staying struct{ chains, rungs int }

func newStaying(v spec.Values, chains, rungs int) (movement, error) {
	if _, adapts := guessRules[v["init"]]; adapts {
		return nil, problem.New("samples = fixed keeps chains at their rungs, and init = %s moves them; use init = ais, "+
			"or samples = tempered", v["init"])
	}
	if chains < rungs {
		return nil, problem.New("samples = fixed needs a chain for each of the %d temperatures, not %d chains; "+
			"use more chains, or samples = tempered", rungs, chains)
	}
	return staying{chains, rungs}, nil
}

func (s staying) span(chain int) (first, n int) { return chain * s.rungs / s.chains, 1 }

// sweep evaluates densities only where they are recorded.
func (s staying) sweep(l *rows, at rng.At, kept int) {
	l.v.Pop.Move(at, l.v.Rung, false)
	if l.sampled(kept) || l.sloped(kept) && l.slopes.curved == nil {
		l.v.Pop.LogF(0, s.rungs, l.step.X)
	}
	l.count(kept)
	l.recordDensities(kept)
	l.recordRungs(kept)
}

// densities is 2, for the slope at the chain's own rung: those of the samples are few.
func (staying) densities() int { return 2 }

func (staying) parts() Part { return Slopes | Densities }

// batch is that of few chains, whatever their number: chains of different rungs cannot be compared.
func (staying) batch(sweeps int) int { return batchOf(sweeps) }

// errorBars are by chain, too, from minChains chains besides the first at each rung on.
func (s staying) errorBars() (method string, byChain bool) {
	return estimators.SEFixedBatches, s.chains >= 2*s.rungs && s.chains-s.rungs >= minChains
}
