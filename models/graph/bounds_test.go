package graph

import (
	"math"
	"testing"

	"logzlab/core/factor"
	"logzlab/models"
)

// TestNarrow checks that the interval always contains log Z and becomes narrower, for a graph too large for the exact
// sum that every run makes.
func TestNarrow(t *testing.T) {
	t.Parallel()
	p, err := FileOf(Glass(20, 20, 1, 3), nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := New(p, 1, "natural")
	if err != nil {
		t.Fatal(err)
	}
	want, _ := m.g.Eliminate(m.plan(), alwaysProceed)
	low, high, firstWidth := math.Inf(-1), math.Inf(1), 0.0
	m.Narrow(factor.Effort{Entries: 1 << 10, Bytes: models.QuickEffort.Bytes}, alwaysProceed, func(below, above float64) bool {
		if below < low || above > high || below > want+1e-9 || above < want-1e-9 {
			t.Errorf("interval [%v, %v] after [%v, %v], log Z = %v", below, above, low, high, want)
		}
		if low, high = below, above; firstWidth == 0 && !math.IsInf(below, -1) {
			firstWidth = high - low
		}
		return true
	})
	if !(high-low < .7*firstWidth) {
		t.Errorf("interval of %v nats narrowed to %v only", firstWidth, high-low)
	}
}

// TestLimitEntries checks that bounds that accompany a run use smaller tables for a complete graph, and that sizes that
// users request are not reduced.
func TestLimitEntries(t *testing.T) {
	for _, c := range []struct {
		tables        int
		entries, want float64
	}{{480, models.QuickEffort.Entries, models.QuickEffort.Entries}, {79800, models.QuickEffort.Entries, 841},
		{79800, models.MaxEntries, models.MaxEntries}} {
		m := &Graph{g: &factor.Graph{Factors: make([]factor.Factor, c.tables)}}
		if got := m.limitEntries(c.entries); math.Abs(got-c.want) > 1 {
			t.Errorf("%d tables: limitEntries = %v, want %v", c.tables, got, c.want)
		}
	}
}
