//go:build !unix

package cpu

import (
	"runtime"
	"time"
)

var started = time.Now()

// Seconds stands in for processor time: wall time of all cores, which a run keeps busy.
func Seconds() float64 { return time.Since(started).Seconds() * float64(runtime.NumCPU()) }
