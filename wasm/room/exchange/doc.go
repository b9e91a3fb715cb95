// Package exchange joins a job to a room: Host puts a job's units into it and folds what comes back (host.go), Work
// computes units that others put (worker.go), in a class from run to run (Follow, follow.go). journal.go is the file of
// a host, read.go reads it.
//
// A unit's id is the hash of its plan, lane and state. So a host that was killed makes its job again, takes the results
// that its file has, and puts the rest. One unit in twenty is computed by a second machine as well, and the host
// computes a share of all units itself, and each unit of which two results differ (audit.go). If a device returned a
// wrong result, its units, and all units computed from them, are computed again. An error that a device reports ends a
// run only if the host finds the same.
//
// It must not let time, devices or the order of arrival reach a digit.
package exchange
