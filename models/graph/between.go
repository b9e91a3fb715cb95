package graph

import (
	"logzlab/core/factor"
	"logzlab/core/num/rng"
	"logzlab/models"
)

// Between is factor.Between: mini-buckets from above, structured mean fields from below.
func (m *Graph) Between(most factor.Effort, ask func() bool, narrowed func(below, above float64) bool) {
	if m.ValueKnown() {
		return
	}
	stream := rng.NewKey(0, "between", len(m.g.States)).Stream(0, 0, 0)
	most.Entries = m.quickEntries(most.Entries)
	m.g.Between(m.plan(), most, stream.Float64, ask, narrowed)
}

// quickWork bounds the entries of a table times the number of tables for the bounds that accompany a run.
const quickWork = 1 << 26

// quickEntries reduces models.QuickEffort.Entries for graphs of very many tables: on a complete graph of 400 spins the bounds
// took longer than the rest of a run of auto. Larger sizes, which somebody asked for, stay.
func (m *Graph) quickEntries(entries float64) float64 {
	if entries > models.QuickEffort.Entries {
		return entries
	}
	return min(entries, quickWork/float64(len(m.g.Factors)))
}
