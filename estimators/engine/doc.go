// Package engine runs experiments. A Job turns a spec into runs, hands out units of work, takes them back in any order,
// and folds them into results. The units run on goroutines (Run) or in the workers of a page (Worker, reached by
// messages).
//
// Files in reading order:
//
//  1. source.go: a spec becomes a model
//  2. job.go, runs.go: methods that read the same run with the same parameters share it; NewJob, Take, Done, Return
//  3. track.go: one run under way, with its rounds and the units that are out
//  4. message.go, files.go, worker.go: a unit as bytes, the files it needs, and the worker that computes it
//  5. pool.go: the same on goroutines
//  6. budget.go: a job that does not fit into memory is refused, with the parameters to reduce
//  7. target.go, floor.go, exact.go: replicates until a wanted error, lower bounds, exact values
//  8. standing.go: how far a method has come
//  9. outcome.go: jobs that share the replicates of an experiment, by the outcomes of runs
//
// Rounds that depend on the model alone, as enumerations, are computed once for all tracks.
//
// The engine owns jobs, rounds, units, lost and repeated work, and messages. It must not make reports, choose words, or
// let workers, time or order of arrival reach a digit.
package engine
