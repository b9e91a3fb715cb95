// Package schedule makes ladders of inverse temperatures: plain slices of K numbers, strictly increasing from 0 to 1,
// both ends counted.
//
//  1. schedule.go: named schedules (linear, power, geometric, learned), and their canonical text
//  2. path_stats.go: what a pilot found of a path ([VAROPT] Algorithm 2, line by line in anneal.AfterPilot);
//     learned_ladder.go: the ladders made from it
//  3. optimal.go: the ladder that a pilot calls for ([VAROPT] eq. 9, and Algorithm 3)
//  4. lags.go: closer rungs where chains lag behind
//  5. drawn.go: schedules drawn by hand
//  6. prior.go: shares of samples for the rungs of a ladder, by formula or drawn by hand
//
// It must not run chains, nor know a model.
package schedule
