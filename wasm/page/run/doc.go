// Package run is the experiment with what its model is made of, its run, and the runs beside it. It must not know lanes
// or views.
package run
