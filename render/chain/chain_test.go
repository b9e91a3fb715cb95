package chain_test

import (
	"math"
	"testing"

	"logzlab/core/frame"
	"logzlab/internal/rendertest"
	"logzlab/render/paint"
)

// The path shows the moves of the chain and no others: a line for each of the last forty accepted proposals, a hollow
// circle for each rejected one.
func TestPathEqualsMoves(t *testing.T) {
	fs := rendertest.ChainRun()
	layers := rendertest.Draw("chain", rendertest.Area(704, 456, 1), rendertest.StageWith(fs...))
	var all []frame.Move
	for _, f := range fs {
		if f.Chain != nil {
			all = append(all, f.Chain.Moves[len(f.Chain.Moves)-1])
		}
	}
	accepted, rejected := 0, 0
	for _, m := range all[len(all)-40:] {
		if m.Accepted {
			accepted++
		} else {
			rejected++
		}
	}
	hollow := 0
	for _, m := range rendertest.MarksOfKind(layers, paint.Disc) {
		if m.Hollow > 0 {
			hollow++
		}
	}
	if hollow != rejected || accepted == 0 || rejected == 0 {
		t.Errorf("%d hollow circles for %d rejected proposals; %d accepted", hollow, rejected, accepted)
	}
	lines := 0
	for _, m := range rendertest.MarksOfKind(layers, paint.Segments) {
		if len(m.Pts) == 2*accepted {
			lines++
			for i := 2; i < len(m.Pts); i += 2 {
				if d := math.Hypot(m.Pts[i].X-m.Pts[i-1].X, m.Pts[i].Y-m.Pts[i-1].Y); d > 1e-9 {
					t.Errorf("segment %d begins %v pixels from the end of the one before", i/2, d)
				}
			}
		}
	}
	if lines == 0 {
		t.Error("no line has a segment for each accepted proposal")
	}
}
