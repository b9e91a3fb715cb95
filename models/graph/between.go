package graph

import (
	"logzlab/core/rng"
)

// Between is by mini-buckets from above and structured mean fields from below.
func (m *Graph) Between(entries float64, ask func() bool, narrowed func(below, above float64) bool) {
	if m.Knows() {
		return
	}
	stream := rng.NewKey(0, "between", len(m.g.States)).Stream(0, 0, 0)
	m.g.Between(m.plan(), entries, stream.Float64, ask, narrowed)
}
