// Package engine runs experiments. A Job turns a spec into runs, hands out lanes (Take) and takes their results in any
// order (Done), from which the methods make their estimates. The lanes run on goroutines (Run) or in the workers of a
// page (Worker), to which they are sent as messages.
//
// Files in reading order:
//
//  1. source.go: a spec becomes a model
//  2. job.go, runs.go: Job, and which methods share a run
//  3. track.go: one running or finished run, with its current round
//  4. message.go, files.go, worker.go: a lane as bytes, the files that it needs, and the worker that runs it
//  5. pool.go: lanes on goroutines
//  6. budget.go: limits of memory, and planned time
//  7. target.go, floor.go, exact.go: replicates until a wanted standard error, bounds of log Z, exact values
//  8. status.go: the progress of each method
//  9. outcome.go: several jobs share the replicates of an experiment
//
// Rounds that depend on the model alone, such as enumerations, are computed once for all tracks.
//
// The package must not make reports or choose words. The number of workers, time and the order in which lanes end must not
// change a result.
package engine
