// Package run is the experiment with what its model is made of, its run, and the runs beside it. It must not give out
// units of work or know views.
//
// run.go is the run that is shown, loader.go its model and files, side_runs.go what runs after it, facts.go what parts
// of the page may know of all this.
package run
