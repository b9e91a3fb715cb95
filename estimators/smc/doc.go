// Package smc holds sequential Monte Carlo along a ladder: smc, arm-tempered, aisel and is2. A lane is an island of
// particles, and resampling stays within the island, so that islands are independent and give the error bar. AISEL
// ([AISEL], Algorithm 1) is this run on models with estimated likelihoods and tells of the posterior, too.
//
// A run, in its phases:
//
//  1. for aisel and is2 from a fitted base, a pilot: chains make the samples that the base is fitted to (aisel_base.go)
//  2. for aisel, another one: an island that does not count learns proposals that all others use (aisel_pilot.go)
//  3. cooling: all islands move from rung to rung; a step is reweight, resample, move (cool in lane.go), of
//     arm-tempered smooth, generate, resample, move (grow in arm.go, [ARM] Algorithm 2)
//  4. target check by exact samples, as in tempering (estimators/target_check.go)
//
// smc.go has the fold and the result, record.go is what an island stores, lane.go has its steps and the frames that
// show them, aisel.go the runs of aisel and is2, posterior.go the moments and the evidence of the posterior ([AISEL]
// eqs 9 to 11), checks.go the conditions of trust, need.go memory and time. draws.go writes draws of a posterior for
// other programs.
//
// It must not know other families, but the pilot of annealing and the step of a weight (anneal.WeightStep).
package smc
