//go:build !linux

package main

// memory is how many bytes a run may take where the system is not asked.
func memory() float64 { return commonMemory }
