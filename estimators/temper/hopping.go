package temper

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/num/kernel"
	"logzlab/core/num/rng"
	"logzlab/estimators"
	"logzlab/models"
)

// movement is what the chains of a run do on the ladder: each hops among all rungs (hopping), or, with samples = fixed,
// stays at one (staying.go).
type movement interface {
	// span is the rungs that a chain can be at: n of them from first on.
	span(chain int) (first, n int)
	// sweep moves every row of a lane. kept is the number of the sweep among those that are recorded, negative during
	// burn-in.
	sweep(l *rows, at rng.At, kept int)
	// densities is the number of log densities that a sweep of a chain evaluates, about.
	densities() int
	// parts are those that the record of the final run can have.
	parts() Part
	// batch is the number of sweeps in a batch of a final run of so many: math.MaxInt where each chain is one batch.
	batch(sweeps int) int
	// errorBars says what error bars are made from (Result.SEMethod), and whether several chains stay at every rung, so
	// that the spread between chains makes another error bar.
	errorBars() (method string, byChain bool)
}

// hopping is simulated tempering.
type hopping struct{ chains, rungs int }

func (h hopping) span(int) (first, n int) { return 0, h.rungs }

func (h hopping) densities() int { return h.rungs }

func (hopping) parts() Part { return ^Part(0) }

// minChains is the number of chains from which on errors are taken between them.
const minChains = 10

func (h hopping) batch(sweeps int) int {
	if h.chains >= minChains {
		return math.MaxInt
	}
	return batchOf(sweeps)
}

func (h hopping) errorBars() (method string, byChain bool) {
	if h.chains < minChains {
		return estimators.SEBatches, false
	}
	return estimators.SEChains, false
}

// batchOf is the number of sweeps in a batch of n.
func batchOf(n int) int { return int(math.Sqrt(float64(n))) }

// sweep is one sweep of [RTS] Algorithm 1. A row is at (x, k).
func (h hopping) sweep(l *rows, at rng.At, kept int) {
	v, step := l.v, l.step

	// A kernel that leaves f_k invariant moves x.
	v.Pop.Move(at, v.Rung, false)

	// log f of x at every rung makes q(.|x), eq. 7.
	v.Pop.LogF(0, h.rungs, step.X)
	l.recordDensities(kept)

	// q(.|x) is added to c, eq. 12, and the next k is drawn from q(.|x). Runs of auto mirror k, in every other sweep:
	// twice in a row, a slow chain would only go to and fro.
	l.count(kept)
	step.C, step.D = l.totals(kept)
	if step.From = nil; l.Overrelaxed && at.Step%2 == 0 {
		step.From = v.Rung
	}
	stepRungs(step, at)
	if step.C != nil {
		l.addFaint()
	}
	copy(v.Rung, step.Rung)

	// Visits, overlaps and trips of the next k; slopes there.
	l.recordHops(kept)
	l.recordRungs(kept)
}

// stepRungs adds q(.|x) of every row to the sums of its rung, and draws the next rung. The draw has an address of its
// own, the phase of the sweep with the top bit set, and so shares no random number with the sweep.
func stepRungs(step *kernel.Tempering, at rng.At) {
	for i := range step.U {
		step.U[i] = at.Key.Uniform(at.Phase|1<<31, at.Slot+uint32(i), at.Step)
	}
	step.Step()
}

// addFaint adds to c what of q(.|x) is too small for stepRungs.
func (l *rows) addFaint() {
	step, rungs := l.step, len(l.ladder)
	for i := range l.records {
		if step.Faint[i] {
			row := i * rungs
			l.records[i].takeFaint(step.X[row:row+rungs], step.Q[row:row+rungs], step.Top[i]+num.Log(step.Sum[i]))
		}
	}
}

// recordHops records the rungs that a sweep has chosen.
func (l *rows) recordHops(kept int) {
	step, rungs := l.step, len(l.ladder)
	for i := range l.records {
		c, q := &l.records[i], step.Q[i*rungs:(i+1)*rungs]
		k := int(step.Rung[i])
		c.trip(k)
		if c.travel != nil {
			c.travel.see(k, c.ends)
		}
		if kept < 0 {
			continue
		}
		c.visit(k)
		if step.C != nil && kept%overlapEvery == 0 {
			c.overlap(q, step.Sum[i])
		}
		if c.what&TargetMoments != 0 && kept%momentsEvery(c.dim) == 0 {
			c.moments.add(l.v.Pop.(models.Averaged), i, c.dim, q[rungs-1]/step.Sum[i], k == rungs-1)
		}
	}
}
