// Package costs has this lab's own experiments: the processor seconds to an error of log Z of 0.1 nats, by each method
// and by NumPy (time.go), with its chart (chart.go); the error with each base of an annealing path (start.go); the time
// on spin glasses of growing size (glass.go). It imports no paper.
package costs
