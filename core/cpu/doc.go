// Package cpu tells the processor time of this process, for commands, experiments and tests; no digit depends on it.
package cpu
