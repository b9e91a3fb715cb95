package rbm

import (
	"slices"
	"testing"

	"logzlab/core/num/rng"
	"logzlab/internal/labtest"
	"logzlab/models"
)

// TestCachedBlocksDrawTheSame checks that draws with cached blocks equal those of a model without a cache, and that the
// cache is bounded.
func TestCachedBlocksDrawTheSame(t *testing.T) {
	p := randomRBM(5, 19, 18, 0.2)
	m := newRBM(t, p)
	_, sums := labtest.SumBlocks(m, models.MaxExactUnits)
	draw := func(m *Model, slot int) (bits []int) {
		pop := m.New(60, []float64{0, 1})
		models.RowCapabilitiesOf(pop).DrawTarget(rng.At{Key: rng.NewKey(3, "target", 0), Slot: uint32(slot)}, sums, nil)
		for r := range 60 {
			bits = append(bits, labtest.GetBits(pop, r, p.M, p.J))
		}
		return bits
	}
	for slot := range 6 {
		if got, want := draw(m, 60*slot), draw(newRBM(t, p), 60*slot); !slices.Equal(got, want) {
			t.Errorf("draws from slot %d on differ", 60*slot)
		}
	}
	if n := len(m.enum.cache.states); n != maxCachedBlocks {
		t.Errorf("%d of %d blocks are cached", n, len(sums))
	}
}
