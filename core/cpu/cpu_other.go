//go:build !unix

package cpu

import (
	"runtime"
	"time"
)

var started = time.Now()

// Seconds estimates the CPU time of this process: wall time since the start times the number of cores, all of which a
// run keeps busy.
func Seconds() float64 { return time.Since(started).Seconds() * float64(runtime.NumCPU()) }
