package graph

import (
	"logzlab/core/factor"
	"logzlab/core/num/rng"
	"logzlab/models"
)

// Narrow computes certain bounds of log Z in nats: mini-buckets from above, structured mean field from below
// (factor.Graph.Bounds). It does nothing if the exact value is known.
func (m *Graph) Narrow(most factor.Effort, ask func() bool, narrowed func(below, above float64) bool) {
	if m.ValueKnown() {
		return
	}
	stream := rng.NewKey(0, "between", len(m.g.States)).Stream(0, 0, 0)
	most.Entries = m.quickEntries(most.Entries)
	m.g.Bounds(m.plan(), most, stream.Float64, ask, narrowed)
}

// quickWork limits the table size times the number of tables for bounds that accompany a run.
const quickWork = 1 << 26

// quickEntries reduces models.QuickEffort.Entries for graphs with very many tables: on a complete graph of 400 spins the
// bounds took longer than the rest of a run of auto. Larger limits were requested explicitly and are unchanged.
func (m *Graph) quickEntries(entries float64) float64 {
	if entries > models.QuickEffort.Entries {
		return entries
	}
	return min(entries, quickWork/float64(len(m.g.Factors)))
}
