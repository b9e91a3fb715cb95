//go:build !linux

package main

// availableMemory returns the memory in bytes that a run may use. On this system it is a constant.
func availableMemory() float64 { return defaultMemory }
