//go:build unix

package papers

import "syscall"

// CPUSeconds is the processor time of this process so far: the cost of an estimate
// on one core, whatever else the machine does.
func CPUSeconds() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
