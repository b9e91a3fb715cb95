// Package cpu tells the processor time of this process, for commands, experiments and tests; no digit depends on it.
// cpu_unix.go asks the system, cpu_other.go takes wall time in its place.
package cpu
