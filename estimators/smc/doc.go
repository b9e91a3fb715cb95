// Package smc implements sequential Monte Carlo along a ladder: smc, arm-tempered, aisel and is2. A lane is an island
// of particles. Resampling stays within the island, so islands are independent and give the error bar. AISEL ([AISEL],
// Algorithm 1) is this run on models with estimated likelihoods; it also reports the posterior.
//
// The phases of a run:
//
//  1. for aisel and is2 with a fitted base, a pilot: chains make the samples that the base is fitted to (aisel_base.go)
//  2. for aisel, a second pilot: an island outside the estimate learns proposals for all others (aisel_pilot.go)
//  3. cooling: all islands move from rung to rung; a step is reweight, resample, move (cool in lane.go) or, for
//     arm-tempered, smooth, generate, resample, move (grow in arm.go, [ARM] Algorithm 2)
//  4. target check by exact samples, as in tempering (estimators/target_check.go)
//
// smc.go has the fold and the result, record.go the record of an island, lane.go its steps and the frames that show
// them, aisel.go the runs of aisel and is2, posterior.go the moments and the evidence of the posterior ([AISEL] eqs 9
// to 11), checks.go the checks of results, need.go memory and time. draws.go writes draws of a posterior for other
// programs.
//
// The package must not depend on other families, except for the pilot of annealing and the step of a weight
// (anneal.WeightStep).
package smc
