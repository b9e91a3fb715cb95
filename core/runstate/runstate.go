// Package runstate has the states of a run and of each method in it. The engine and its reports set the states of
// methods, the page sets the state of its run; views and the picture read both. The same strings are used in messages
// to the browser, in style.css and in keys of words.
package runstate

// Run is the state of an experiment's run.
type Run string

// States of a run.
const (
	Loading Run = "loading" // files are being fetched or models made, or the run is about to start
	Idle    Run = "idle"    // nothing runs until the user starts it
	Running Run = "running"
	Paused  Run = "paused"
	Done    Run = "done"
	Failed  Run = "failed" // it could not start, ended with an error, or was stopped early
)

// Busy reports whether the run proceeds without user action: it is loading or running.
func (r Run) Busy() bool { return r == Loading || r == Running }

// Active reports whether the run has started and has not ended: it is running or paused.
func (r Run) Active() bool { return r == Running || r == Paused }

// Over reports whether the run has ended, with or without an error.
func (r Run) Over() bool { return r == Done || r == Failed }

// Method is the state of one method of a run.
type Method string

// States of a method.
const (
	MethodQueued  Method = "queued" // its run has not started
	MethodRunning Method = "running"
	MethodDone    Method = "done"
	MethodFailed  Method = "failed"
	MethodStopped Method = "stopped" // stopped early
)
