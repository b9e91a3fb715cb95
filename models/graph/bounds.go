package graph

import (
	"logzlab/core/factor"
	"logzlab/core/num/rng"
	"logzlab/models"
)

// Narrow computes certain bounds of log Z in nats: mini-buckets from above, structured mean field from below
// (factor.Graph.Bounds). It does nothing if the exact value is known.
func (m *Graph) Narrow(maxEffort factor.Effort, proceed func() bool, report func(below, above float64) bool) {
	if m.ValueKnown() {
		return
	}
	stream := rng.NewKey(0, "between", len(m.g.States)).Stream(0, 0, 0)
	maxEffort.Entries = m.limitEntries(maxEffort.Entries)
	m.g.Bounds(m.plan(), maxEffort, stream.Float64, proceed, report)
}

// quickWork limits the table size times the number of tables for bounds that accompany a run.
const maxQuickWork = 1 << 26

// quickEntries reduces models.QuickEffort.Entries for graphs with very many tables: on a complete graph of 400 spins the
// bounds took longer than the rest of a run of auto. Larger limits were requested explicitly and are unchanged.
func (m *Graph) limitEntries(entries float64) float64 {
	if entries > models.QuickEffort.Entries {
		return entries
	}
	return min(entries, maxQuickWork/float64(len(m.g.Factors)))
}
