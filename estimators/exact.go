package estimators

import (
	"iter"

	"logzlab/core/frame"
	"logzlab/models"
)

// The exact round: an Exact model's blocks, which make exact target samples and
// the exact log Z. It depends on the model alone.

// exactLanes cuts the blocks into sixteen units where there are many (of 784x20: 15 ms
// each): fewer would leave workers idle, and shorter ones would cost more in messages than
// in work.
func exactLanes(blocks int) lanes { return lanes{n: blocks, size: min(max(blocks/16, 16), 64)} }

// exactRound is the round of an enumeration; work is its number in the run.
func exactRound(work Work, blocks int, p parts) *Round {
	var w frame.Writer
	w.Int(blocks)
	return &Round{Name: "exact", Work: work, Plan: w.B, Lanes: exactLanes(blocks).count(), Cache: "exact",
		Time: p.prepare()}
}

func exactLane(m models.Model, u *Unit) iter.Seq[*frame.Frame] {
	return func(yield func(*frame.Frame) bool) {
		blocks := (&frame.Reader{B: u.Plan}).Int()
		first, n := exactLanes(blocks).span(u.Lane)
		f := &frame.Frame{Phase: "exact", Steps: n}
		out := make([]float64, n)
		for f.Step < n {
			some := out[f.Step:min(f.Step+models.BlocksAtOnce, n)]
			m.(models.Exact).LogBlocks(first+f.Step, some)
			f.Step += len(some)
			if !yield(f) {
				return
			}
		}
		var w frame.Writer
		w.Floats(out)
		u.Partial = w.B
	}
}

func exactBlocks(partials [][]byte) []float64 {
	var out []float64
	for _, p := range partials {
		r := frame.Reader{B: p}
		out = append(out, r.Floats()...)
		must(&r)
	}
	return out
}
