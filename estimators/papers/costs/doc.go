// Package costs holds this lab's own experiments: processor seconds until the error of log Z is a tenth of a nat, by
// each method and by NumPy (time.go), and its chart (chart.go); the error from each base of a path
// (start.go); the time on spin glasses of growing size (glass.go). It knows no paper.
package costs
