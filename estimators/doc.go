// Package estimators holds what all methods that estimate log Z share. The methods are in the families below it:
// anneal, temper, mbar, smc, forming, bridge and auto.
//
// A run is a fold over rounds. Each round consists of independent lanes. A lane is a pure function of (plan, lane
// index, state) that yields frames and returns a partial result and a new state. When all lanes of a round are done,
// Next reads their partials in chain order and returns the next round, or nil when the run is over. The number of
// workers, pauses and crashes therefore change the running time and no digit. A method has a run of its own (Info.New)
// or reads a run that several methods can read (Info.Reads).
//
// Files in reading order:
//
//  1. estimators.go: Config, Info, Run, Round, Unit, Method
//  2. result.go, diagnostics.go, errorbar.go: Result, names of its numbers, how standard errors are made
//  3. checks.go: conditions of trust in a result
//  4. islands.go, view.go, history.go, need.go: what lanes share: rows, frames, running estimates, memory and time
//  5. bennett.go, bridged.go: Bennett's equation, for bar, ais-bar and bridge sampling; generating.go: parameters of
//     methods that generate more particles
//  6. base_rates.go, fitted_base.go, with_pilot.go, pooled.go, second_opinion.go, target_check.go, floor.go, exact.go:
//     runs before, around and after a method's run
//
// It must not know a family, the list of methods, links or words of the page. It must not read a clock or a file.
package estimators
