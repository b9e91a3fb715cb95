// Package run holds the experiment, the files of its model, its run, and the auxiliary runs that follow. It must not
// distribute units of work, and must not depend on views.
//
// run.go has the current run, loader.go the model and its files, auxiliary_runs.go the auxiliary runs, facts.go the
// part of this state that other parts of the page may read.
package run
