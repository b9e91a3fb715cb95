// Package anneal holds annealing: is, ais, ais-bar and raise, which read one run, and the pilot that learns a schedule.
// AIS ([Neal2001]) moves chains from the base to the target along a ladder of inverse temperatures; the mean of their
// weights estimates Z without bias. A reverse run from exact samples of the target bounds log Z from above.
//
// A run, in its phases:
//
//  1. forward: chains from the base to the target (anneal.go, cool in lane.go)
//  2. exact: the model is enumerated, if that is how its target is drawn (estimators/exact.go)
//  3. reverse: chains from the target to the base, if a reader needs them (warm in lane.go)
//  4. reverse 2: the same from data of the model, for raise
//
// Rounds 2 to 4 are left out where no reader needs them. The works are the record (record.go), which is.go, ais.go,
// ais_bar.go and raise.go read; their conditions of trust are in checks.go, memory and time in need.go. A pilot
// (pilot.go) is a cheap pass before any run whose schedule is learned: core/schedule makes the ladder from its weights
// ([VAROPT], Algorithm 2), and each unit carries what the pilot found, so that lanes stay pure. probe.go is a pilot in
// small pieces, for pictures beside a run.
//
// It must not know tempering, other families or the catalogue.
package anneal
