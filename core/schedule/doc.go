// Package schedule makes ladders of inverse temperatures: slices of K numbers, strictly increasing from 0 to 1,
// including both ends.
//
//  1. schedule.go: named schedules (linear, power, geometric, learned), and their canonical text
//  2. path_stats.go: statistics of a path measured by a pilot run ([VAROPT] Algorithm 2, line by line in
//     anneal.AfterPilot); learned_ladder.go: the ladders made from it
//  3. optimal.go: the optimal ladder for these statistics ([VAROPT] eq. 9, and Algorithm 3)
//  4. autocorrelation.go: smaller steps where chains mix slowly
//  5. drawn.go: schedules that the user draws with the pointer
//  6. prior.go: the prior of tempering over temperatures, which is the planned share of samples of each rung; a formula,
//     or drawn by the user
//
// The package must not run chains and must not depend on models.
package schedule
