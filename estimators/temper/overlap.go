package temper

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/wire"
)

// Overlap is the mass that the densities of neighbouring rungs have in common, from q(k|x) of every overlapEvery-th
// sweep since the run began.
var Overlap = &Statistic{
	new: func(r *run, _, chains int) recorder {
		k := len(r.ladder)
		return &overlap{chances: make([]float64, chains*k), common: make([]float64, chains*(k-1)), rungs: k}
	},
	floats: func(*run, int) int { return 0 }, // counted once, as it is not in batches
}

// overlapEvery is the number of sweeps between two measurements of the overlap, which costs a pass over the ladder and
// needs few samples.
const overlapEvery = 20

// overlap records Overlap. It is not divided into batches, as it has no error bar.
type overlap struct {
	rungs   int
	chances []float64 // chains x rungs: sums of q(k|x)
	common  []float64 // chains x rungs - 1: sums of min(q(k|x), q(k+1|x))
}

func (c *overlap) begin() {}

func (c *overlap) observe(l *rows, kept int) {
	if kept%overlapEvery != 0 {
		return
	}
	k := c.rungs
	for i, sum := range l.step.Sum {
		c.add(l.step.Q[i*k:(i+1)*k], sum, c.chances[i*k:], c.common[i*(k-1):])
	}
}

// add adds a sample with the conditionals q/sum.
func (c *overlap) add(q []float64, sum float64, chances, common []float64) {
	scale, last := 1/sum, math.Inf(1)
	for k, x := range q {
		x = num.Mul(x, scale)
		chances[k] += x
		if k > 0 {
			common[k-1] += min(x, last)
		}
		last = x
	}
}

func (c *overlap) append(w *wire.Writer, _ bool) {
	w.Floats(c.chances)
	w.Floats(c.common)
}

func (c *overlap) load(r *wire.Reader, _ int) {
	c.chances, c.common = r.FloatsN(len(c.chances)), r.FloatsN(len(c.common))
}

// inBatches returns nil: the overlap of a run that grows is estimated from all its sweeps.
func (c *overlap) inBatches() *sums { return nil }

func (c *overlap) merge(t *Record, _ batchCounts) {
	k := c.rungs
	if t.chances == nil {
		t.chances, t.common = make([]float64, k), make([]float64, k-1)
	}
	for i := 0; i < len(c.chances); i += k {
		add(t.chances, c.chances[i:i+k])
	}
	for i := 0; i < len(c.common); i += k - 1 {
		add(t.common, c.common[i:i+k-1])
	}
}

// overlaps returns the shares of samples that neighbouring rungs have in common, from the sums of q(k|x) and of the
// minima of neighbours; nil if a rung has no samples.
func overlaps(chances, common []float64) []float64 {
	out := make([]float64, len(common))
	for k, x := range common {
		if out[k] = 2 * x / (chances[k] + chances[k+1]); !(out[k] <= 1) {
			return nil
		}
	}
	return out
}
