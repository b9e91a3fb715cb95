package temper

import (
	"logzlab/core/num/rng"
	"logzlab/core/problem"
	"logzlab/estimators"
)

// fixedChains is plain Markov chain Monte Carlo at every rung: the chains are distributed evenly over the rungs, and
// each samples one density until the end. Such a run has no initial iterations, since nothing depends on log Zhat; its
// chains begin at the states of an annealing pass.
type fixedChains struct{ chains, rungs int }

func newFixedChains(init string, chains, rungs int) (ladderMove, error) {
	if _, adapts := guessRules[init]; adapts {
		return nil, problem.New("samples = fixed keeps chains at their rungs, and init = %s moves them; use init = ais, "+
			"or samples = tempered", init)
	}
	if chains < rungs {
		return nil, problem.New("samples = fixed needs a chain for each of the %d temperatures, not %d chains; "+
			"use more chains, or samples = tempered", rungs, chains)
	}
	return fixedChains{chains, rungs}, nil
}

func (f fixedChains) span(chain int) (first, n int) { return chain * f.rungs / f.chains, 1 }

func (fixedChains) moves() bool { return false }

// sweep evaluates densities only in sweeps in which they are recorded.
func (f fixedChains) sweep(l *rows, at rng.At, kept int) {
	l.v.Pop.Move(at, l.v.Rung, false)
	if l.due(kept) {
		l.v.Pop.LogF(0, f.rungs, l.step.X)
	}
	l.recordLogF(kept)
	l.record(kept)
}

// densities returns 2, for the slope at the chain's own rung; samples are rare.
func (fixedChains) densities() int { return 2 }

// batch divides the sweeps even if there are many chains, since chains at different rungs cannot be compared.
func (fixedChains) batch(sweeps int) int { return batchSize(sweeps) }

// errorBars are also by chain if the chains, not counting the first at each rung, are minChains or more.
func (f fixedChains) errorBars() (method string, byChain bool) {
	return estimators.SEFixedBatches, f.chains >= 2*f.rungs && f.chains-f.rungs >= minChains
}
