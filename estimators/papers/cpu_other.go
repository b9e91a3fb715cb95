//go:build !unix

package papers

import (
	"runtime"
	"time"
)

var started = time.Now()

// CPUSeconds stands in for processor time: wall time of all cores, which a run
// keeps busy.
func CPUSeconds() float64 { return time.Since(started).Seconds() * float64(runtime.NumCPU()) }
