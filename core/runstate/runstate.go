// Package runstate has the states of a run and of each method in it. The engine and its reports set those of methods,
// the page that of its run, and views and the picture follow them. Their texts are also in messages to the browser, in
// style.css and in keys of words.
package runstate

// Run is the state of the run of an experiment.
type Run string

// States of a run.
const (
	Loading Run = "loading" // what the run needs is fetched or made, or the run is about to begin
	Idle    Run = "idle"    // nothing runs until somebody asks for it
	Running Run = "running"
	Paused  Run = "paused"
	Done    Run = "done"
	Failed  Run = "failed" // it could not begin, ended with an error, or was stopped before its end
)

// Busy reports whether the run goes on without anybody's doing: it is loading or running.
func (r Run) Busy() bool { return r == Loading || r == Running }

// Active reports whether the run has begun and is not over: it is running or paused.
func (r Run) Active() bool { return r == Running || r == Paused }

// Over reports whether the run has ended, well or not.
func (r Run) Over() bool { return r == Done || r == Failed }

// Method is the state of one method of a run.
type Method string

// States of a method.
const (
	MethodQueued  Method = "queued" // its run has not begun
	MethodRunning Method = "running"
	MethodDone    Method = "done"
	MethodFailed  Method = "failed"
	MethodStopped Method = "stopped" // before its end
)
