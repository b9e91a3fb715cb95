// Package engine runs experiments. A Job turns a spec into runs, hands out units of work, takes them back in any order,
// and folds them into results. The units run on goroutines (Run) or in the workers of a page (Worker, reached by
// messages).
//
// Files in reading order:
//
//  1. source.go: a spec becomes a model
//  2. job.go, runs.go: methods that read the same run with the same parameters share it; NewJob, Take, Done, Return
//  3. track.go: one running or finished run, with its rounds and the units handed out
//  4. message.go, files.go, worker.go: a unit as bytes, the files it needs, and the worker that computes it
//  5. pool.go: the same on goroutines
//  6. budget.go: refuses a job that does not fit into memory, and names the parameters to reduce
//  7. target.go, floor.go, exact.go: replicates up to a wanted error, bounds of log Z, exact values
//  8. standing.go: the progress of each method
//  9. outcome.go: jobs that share the replicates of an experiment by exchanging the outcomes of runs
//
// Rounds that depend on the model alone, such as enumerations, are computed once for all tracks.
//
// The engine owns jobs, rounds, units, lost and repeated work, and messages. It must not make reports or choose words.
// Workers, time and order of arrival must not change a result.
package engine
