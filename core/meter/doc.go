// Package meter limits memory before it is allocated (meter.go), counts bytes read (reader.go), and lets other work run
// during long computations (pulse.go). Code that reads a file or makes a model passes a Meter down; a nil Meter has no
// limits and never yields.
//
// It must not read a clock, and results must not depend on it.
package meter
