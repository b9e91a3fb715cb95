//go:build unix

package cpu

import "syscall"

// Seconds returns the user and system CPU time that this process has used so far, in seconds: the cost of an estimate
// on one core, whatever else the computer does. It returns 0 if the system does not report it.
func Seconds() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
