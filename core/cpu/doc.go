// Package cpu measures the CPU time of this process, for the command, experiments and tests. Results never depend on
// it. cpu_unix.go asks the operating system; cpu_other.go estimates CPU time from wall time.
package cpu
