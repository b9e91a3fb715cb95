//go:build !js

package bound

import "logzlab/core/cpu"

// spent returns the CPU time of this process in seconds.
func spent() float64 { return cpu.Seconds() }
