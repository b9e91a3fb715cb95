package main

import (
	"math"
	"runtime/debug"

	"logzlab/core/meter"
)

// defaultMemory is the memory in bytes that a run may use if the system does not report how much is available. Under
// Node, WebAssembly has at most 4 GB.
const defaultMemory = 3e9

// minMemory is the memory in bytes that a run may use in any case: the system can free this much.
const minMemory = 256e6

// newMeter returns a meter whose limit is the available memory, or GOMEMLIMIT if it is set. The garbage collector gets
// the same limit, so that it collects more often before memory runs out.
func newMeter() *meter.Meter {
	limit := debug.SetMemoryLimit(-1)
	if limit == math.MaxInt64 {
		limit = int64(max(availableMemory(), minMemory))
		debug.SetMemoryLimit(limit)
	}
	return &meter.Meter{Limit: float64(limit)}
}
