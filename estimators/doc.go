// Package estimators defines what all methods that estimate log Z share: interfaces, results, checks, and the runs that
// can precede, accompany or follow any method. The methods are in the packages anneal, temper, mbar, smc, resamplemove,
// bridge and auto below it.
//
// A run is a fold over rounds. A round consists of independent lanes. A lane is a pure function of plan, lane index and
// state; it yields frames and returns a partial result and a new state. When all lanes of a round are done, Next reads
// their partials in chain order and returns the next round, or nil at the end of the run. The number of workers, pauses
// and crashes therefore change the running time but not the result, bit for bit. A method either makes a run of its own
// (Info.New) or reads a run that it can share with other methods (Info.Reads).
//
// Files in reading order:
//
//  1. estimators.go: Config, Info, Run, Round, Unit, Method
//  2. result.go, diagnostics.go, errorbar.go: Result, the names of diagnostics, the kinds of standard error
//  3. checks.go: checks of a result
//  4. islands.go, view.go, history.go, need.go: what lanes share: islands, frames, running estimates, memory and time
//  5. bennett.go, bridged.go: Bennett's equation, for bar, ais-bar and bridge sampling; generating.go: parameters of
//     methods that generate additional particles
//  6. base_rates.go, fitted_base.go, with_pilot.go, pooled.go, second_opinion.go, target_check.go, floor.go, exact.go:
//     runs before, after and next to the run of a method
//
// The package must not depend on a family of methods, the list of methods, links or the page. It reads no clock and no
// file.
package estimators
