// Package schedule makes ladders of inverse temperatures: slices of K numbers, strictly increasing from 0 to 1,
// including both ends.
//
//  1. schedule.go: named schedules (such as linear, power and geometric), and their canonical text
//  2. path_stats.go: statistics of a path measured by a pilot run ([VAROPT] Algorithm 2, line by line in
//     anneal.AfterPilot); learned_ladder.go: the ladders made from it
//  3. optimal.go: the optimal ladder for these statistics ([VAROPT] eq. 9, and Algorithm 3)
//  4. autocorrelation.go: smaller steps where chains mix slowly
//  5. drawn.go: schedules that the user draws with the pointer in the picture of the page
//  6. prior.go: the prior of a tempering run over temperatures, which is the planned fraction of samples at each rung;
//     it is given by a formula or drawn by the user
//
// The package must not run chains and must not depend on models.
package schedule
