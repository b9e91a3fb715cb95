package estimators

import (
	"cmp"
	"iter"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/wire"
	"logzlab/models"
)

// The exact round enumerates the blocks of models.Sum. Their sums give the exact log Z, and exact samples of the target.
// The partials depend on the model alone.

// ExactCache is the cache name of the partials of the exact round.
const ExactCache = "exact"

// exactRun is a run of the exact round alone, for the exact log Z. No method makes an estimate from it.
type exactRun struct {
	m      models.Model
	sum    models.Sum
	blocks int
	p      Costs
	done   func(*models.Truth)
}

// NewExact returns the run that computes the exact log Z of m by enumeration or cubature and then calls done with the
// value, or with nil if the cubature failed. NewExact returns nil if the exact value is known already, or if it would
// take an enumeration of more than models.MaxEnumerated units.
func NewExact(m models.Model, done func(*models.Truth)) Method {
	exact := models.CapabilitiesOf(m).Exact
	if exact.Integral != nil {
		return &integralRun{m, exact.Integral, done}
	}
	if exact.Sum == nil || exact.Sum.ValueKnown() {
		return nil
	}
	blocks, ok := exact.Sum.Blocks(models.MaxEnumerated)
	if !ok {
		return nil
	}
	r := &exactRun{m: m, sum: exact.Sum, blocks: blocks, p: Costs{Cost: models.CostOf(m), Blocks: blocks}, done: done}
	r.p.Block, r.p.Tables = exact.Sum.SumCost()
	r.p.Block /= float64(blocks)
	return r
}

func (e *exactRun) Next(partials, _ [][]byte) (*Round, error) {
	if partials == nil {
		return ExactRound(0, e.blocks, e.p), nil
	}
	e.done(&models.Truth{LogZ: num.LogSumExp(ExactBlocks(partials)), Source: SumName(e.sum)})
	return nil, nil
}

// SumName returns the name of the algorithm of the sum, for models.Truth.Source.
func SumName(s models.Sum) string { return cmp.Or(s.SumName(), "enumeration") }

func (e *exactRun) Lane(u *Unit) iter.Seq[*frame.Frame] { return ExactLane(e.m, u) }

func (e *exactRun) Estimate([][]byte) []*Result { return nil }
func (e *exactRun) Sweeps() float64             { return 0 }

// Need counts the tables and the stored result of each block.
func (e *exactRun) Need() Need {
	n := Need{Lanes: float64(exactLanes(e.blocks).Count())}
	n.AddModel(e.p)
	return n
}

// exactLanes divides the blocks into lanes of 16 to 64 blocks, if possible into sixteen lanes (of 15 ms each for an RBM of
// 784 x 20 units). Fewer lanes would leave workers idle; shorter lanes would take less time than their messages.
func exactLanes(blocks int) Lanes { return Lanes{N: blocks, Size: min(max(blocks/16, 16), 64)} }

// ExactRound returns the round of an enumeration of the given number of blocks; work is the kind of its lanes.
func ExactRound(work Work, blocks int, p Costs) *Round {
	var w wire.Writer
	w.Int(blocks)
	return &Round{Name: "exact", Work: work, Plan: w.B, Lanes: exactLanes(blocks).Count(), Cache: ExactCache,
		Time: p.enumerationTime()}
}

// ExactLane sums the blocks of a lane of ExactRound; the partial holds the log of each sum.
func ExactLane(m models.Model, u *Unit) iter.Seq[*frame.Frame] {
	return func(yield func(*frame.Frame) bool) {
		e := models.CapabilitiesOf(m).Exact.Sum
		CorruptIf(e == nil)
		maxBlocks, ok := e.Blocks(models.MaxEnumerated)
		CorruptIf(!ok)
		plan := wire.Reader{B: u.Plan}
		blocks := plan.IntWithin(1, maxBlocks)
		MustDecode(&plan)
		first, n := exactLanes(blocks).Span(u.Lane)
		f := &frame.Frame{Phase: "exact", Steps: n}
		out := make([]float64, n)
		for f.Step < n {
			batch := out[f.Step:min(f.Step+models.BlocksAtOnce, n)]
			e.LogBlocks(first+f.Step, batch)
			f.Step += len(batch)
			if !yield(f) {
				return
			}
		}
		var w wire.Writer
		w.Floats(out)
		u.Partial = w.B
	}
}

// ExactBlocks returns the logs of the sums of all blocks, from the partials of ExactRound.
func ExactBlocks(partials [][]byte) []float64 {
	var out []float64
	for _, p := range partials {
		r := wire.Reader{B: p}
		out = append(out, r.Floats()...)
		MustDecode(&r)
	}
	return out
}
