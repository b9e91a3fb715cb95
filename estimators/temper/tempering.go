package temper

import (
	"math"

	"logzlab/core/num/kernel"
	"logzlab/core/num/rng"
	"logzlab/estimators"
)

// ladderMove determines how the chains of a run move on the ladder: each among all rungs (tempering) or, with
// samples = fixed, not at all (fixedChains).
type ladderMove interface {
	// span returns the rungs that a chain can be at: n of them, starting from first.
	span(chain int) (first, n int)
	// moves reports whether chains move among rungs.
	moves() bool
	// sweep moves every row of a lane. kept is the number of the sweep among the recorded ones, negative during
	// burn-in.
	sweep(l *rows, at rng.At, kept int)
	// densities returns the approximate number of log densities that a sweep of a chain evaluates.
	densities() int
	// batch returns the size of a batch of a final run with the given sweeps; math.MaxInt if each chain is one batch.
	batch(sweeps int) int
	// errorBars returns the kind of error bars (Result.SEMethod), and whether several chains stay at every rung, so
	// that the spread between chains gives another error bar.
	errorBars() (method string, byChain bool)
}

// tempering is simulated tempering.
type tempering struct{ chains, rungs int }

func (t tempering) span(int) (first, n int) { return 0, t.rungs }

func (tempering) moves() bool { return true }

func (t tempering) densities() int { return t.rungs }

// minChains is the number of chains from which errors are computed between chains.
const minChains = 10

func (t tempering) batch(sweeps int) int {
	if t.chains >= minChains {
		return math.MaxInt
	}
	return batchSize(sweeps)
}

func (t tempering) errorBars() (method string, byChain bool) {
	if t.chains < minChains {
		return estimators.SEBatches, false
	}
	return estimators.SEChains, false
}

// batchSize returns the number of sweeps in each batch of n sweeps.
func batchSize(n int) int { return int(math.Sqrt(float64(n))) }

// sweep is one sweep of [RTS] Algorithm 1. A row is at (x, k).
func (t tempering) sweep(l *rows, at rng.At, kept int) {
	v, step := l.v, l.step

	// Move x by a kernel that leaves f_k invariant.
	v.Pop.Move(at, v.Rung, false)

	// log f of x at every rung gives q(.|x), eq. 7.
	v.Pop.LogF(0, t.rungs, step.X)
	l.recordLogF(kept)

	// Add q(.|x) to c, eq. 12, and draw the next k from q(.|x). Runs of auto reflect k in every other sweep: twice in a
	// row, a slow chain would only go back and forth.
	step.C, step.D = l.sums(kept)
	if step.From = nil; l.Overrelaxed && at.Step%2 == 0 {
		step.From = v.Rung
	}
	stepRungs(step, at)
	copy(v.Rung, step.Rung)

	// Record the other statistics of (x, k).
	l.record(kept)
}

// stepRungs adds q(.|x) of every row to the sums of its rung, and draws the next rung. The draw has its own address,
// the phase of the sweep with the top bit set, so it shares no random number with the sweep.
func stepRungs(step *kernel.Tempering, at rng.At) {
	for i := range step.U {
		step.U[i] = at.Key.Uniform(at.Phase|1<<31, at.Slot+uint32(i), at.Step)
	}
	step.Step()
}
