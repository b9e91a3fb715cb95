package graph

import (
	"logzlab/core/factor"
	"logzlab/core/num/rng"
	"logzlab/models"
)

// Narrow computes certain bounds of log Z in nats: an upper one by mini-buckets and a lower one by structured mean
// field (factor.Graph.Bounds). It does nothing if the exact value is known.
func (m *Graph) Narrow(maxEffort factor.Effort, proceed func() bool, report func(below, above float64) bool) {
	if m.ValueKnown() {
		return
	}
	stream := rng.NewKey(0, "between", len(m.g.States)).Stream(0, 0, 0)
	maxEffort.Entries = m.limitEntries(maxEffort.Entries)
	m.g.Bounds(m.plan(), maxEffort, stream.Float64, proceed, report)
}

// maxQuickWork is the largest product of table size and number of tables in the search for bounds that accompanies a
// run.
const maxQuickWork = 1 << 26

// limitEntries reduces models.QuickEffort.Entries for graphs with very many tables: without this limit the bounds of a
// complete graph of 400 spins took longer than the rest of a run of auto. Larger values of entries, which users request
// explicitly, are unchanged.
func (m *Graph) limitEntries(entries float64) float64 {
	if entries > models.QuickEffort.Entries {
		return entries
	}
	return min(entries, maxQuickWork/float64(len(m.g.Factors)))
}
