// Package anneal implements annealing: is, ais, ais-bar and raise, which read one run, and the pilot that learns a
// schedule. AIS ([Neal2001]) moves chains from the base to the target along a ladder of inverse temperatures; the mean
// of their weights estimates Z without bias. A reverse run from exact samples of the target bounds log Z from above.
//
// The phases of a run:
//
//  1. forward: chains from the base to the target (anneal.go, cool in lane.go)
//  2. exact: the model is enumerated, if exact draws of its target need that (estimators/exact.go)
//  3. reverse: chains from the target to the base, if a reader needs them (warm in lane.go)
//  4. reverse 2: the same from data of the model, for raise
//
// Rounds 2 to 4 are skipped if no reader needs them. The record (record.go) holds the works, which is.go, ais.go,
// ais_bar.go and raise.go read; checks of results are in checks.go, memory and time in need.go. A pilot (pilot.go) is a
// cheap pass before any run whose schedule is learned: core/schedule makes the ladder from its weights ([VAROPT],
// Algorithm 2), and each unit carries the findings of the pilot, so that lanes stay pure functions. probe.go is a pilot
// in small steps, for pictures next to a run.
//
// The package must not depend on tempering, other families or the list of methods.
package anneal
