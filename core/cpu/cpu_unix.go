//go:build unix

package cpu

import "syscall"

// Seconds is the processor time of this process so far: the cost of an estimate on one core, whatever else the machine
// does. 0 if the system does not tell.
func Seconds() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
