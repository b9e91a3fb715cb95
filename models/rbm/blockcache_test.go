package rbm

import (
	"slices"
	"testing"

	"logzlab/core/num/rng"
	"logzlab/internal/labtest"
	"logzlab/models"
)

// Blocks that were kept for earlier draws give the draws of a machine that keeps nothing, and there are never too many.
func TestKeptBlocksDrawTheSame(t *testing.T) {
	p := randomRBM(5, 19, 18, 0.2)
	m := newRBM(t, p)
	_, sums := labtest.SumBlocks(m, models.MaxExactUnits)
	draw := func(m *Model, slot int) (bits []int) {
		pop := m.New(60, []float64{0, 1})
		models.RowsCan(pop).DrawTarget(rng.At{Key: rng.NewKey(3, "target", 0), Slot: uint32(slot)}, sums, nil)
		for r := range 60 {
			bits = append(bits, labtest.GetBits(pop, r, p.M, p.J))
		}
		return bits
	}
	for slot := range 6 {
		if got, want := draw(m, 60*slot), draw(newRBM(t, p), 60*slot); !slices.Equal(got, want) {
			t.Errorf("draws from %d are others", 60*slot)
		}
	}
	if n := len(m.enum.cache.states); n != maxCachedBlocks {
		t.Errorf("%d blocks are kept of %d", n, len(sums))
	}
}
