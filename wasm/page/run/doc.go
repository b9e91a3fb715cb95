// Package run is the experiment with what its model is made of, its run, and the runs beside it. It must not give out
// units of work or know views.
package run
