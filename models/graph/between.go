package graph

import (
	"logzlab/core/factor"
	"logzlab/core/num/rng"
	"logzlab/models"
)

// Between is by mini-buckets from above and structured mean fields from below.
func (m *Graph) Between(most factor.Effort, ask func() bool, narrowed func(below, above float64) bool) {
	if m.Knows() {
		return
	}
	stream := rng.NewKey(0, "between", len(m.g.States)).Stream(0, 0, 0)
	most.Entries = m.affordable(most.Entries)
	m.g.Between(m.plan(), most, stream.Float64, ask, narrowed)
}

// quickWork is about how many entries tables have, times how many there are, where an interval stands beside a run.
const quickWork = 1 << 26

// affordable is the size of tables where they are to be quick: smaller ones of a graph of very many tables. Of a
// complete graph of 400 spins those of QuickEntries took more time than all else of a run of auto.
func (m *Graph) affordable(entries float64) float64 {
	if entries > models.Quick.Entries {
		return entries
	}
	return min(entries, quickWork/float64(len(m.g.Factors)))
}
