//go:build unix

package bound

import (
	"syscall"
	"time"
)

// processor is the processor time of the tests so far: on a busy machine the clock says little of an input.
func processor(time.Time) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
