package main

import (
	"math"
	"runtime/debug"

	"logzlab/core/meter"
)

// commonMemory is taken for the memory of a machine that does not say how much it has. Under Node, wasm has 4 GB at
// most.
const commonMemory = 3e9

// leastMemory is what a run may take in any case: the system can make so much room.
const leastMemory = 256e6

// limited is a meter that allows what the machine has to spare, or what GOMEMLIMIT says. The garbage collector is told,
// so that it works harder before memory runs out.
func limited() *meter.Meter {
	most := debug.SetMemoryLimit(-1)
	if most == math.MaxInt64 {
		most = int64(max(memory(), leastMemory))
		debug.SetMemoryLimit(most)
	}
	return &meter.Meter{Limit: float64(most)}
}
