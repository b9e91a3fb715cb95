// Package meter bounds memory before it is taken (meter.go; reader.go counts what is read) and lets others run while
// work goes on (pulse.go). Whoever reads a
// file or makes a model passes a Meter down; a nil one has no limits and never yields.
//
// It must not read a clock or reach a digit.
package meter
