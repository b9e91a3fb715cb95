//go:build !unix

package papers

import (
	"runtime"
	"time"
)

var started = time.Now()

// cpuSeconds stands in for processor time: wall time of all cores, which a run
// keeps busy.
func cpuSeconds() float64 { return time.Since(started).Seconds() * float64(runtime.NumCPU()) }
