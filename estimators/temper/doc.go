// Package temper holds simulated tempering: chains that move over a ladder of inverse temperatures while they sample.
// One run is read by rts and rts-stationary, ts, ti, ti-rb, bar, mbar and stepping-stone. wl and sams have a run of
// their own, in which islands of the same chains adapt weights to the end.
//
// A run, in its phases (temper.go has the fold, lane.go the lanes; hopping.go is the sweep of Algorithm 1):
//
//  1. first guess of log Zhat (guess.go): an annealing pass, or weights that adapt (adapt_lane.go)
//  2. initial iterations: each takes log Zhat from the mean of q(l|x), [RTS] eq. 12 (conditionals.go)
//  3. final: log Zhat is frozen, and lanes store what the readers need (chain.go, record.go, samples.go, slopes.go,
//     travel.go); a run that grows does so until it is over (growing.go)
//  4. solve: exact samples of the target check the top of the ladder (estimators/target_check.go); bar, mbar and
//     stepping-stone, which read all samples at once, have a lane of this round (fit.go)
//
// prior.go has r_k, the share of its samples that a run aims at for rung k. With samples = fixed the chains stay at
// their rungs: staying.go says all that differs.
//
// ti-continuous has a run of its own, too: chains at random inverse temperatures (continuous.go).
//
// Readers (reader.go: the parameters of the run, and what a reader needs): rts.go (moments.go has means under the
// target, merge.go adds the initial iterations, pooling.go pools runs), stationary.go, ts.go, ti.go, and bar.go,
// mbar.go and stepping_stone.go, whose equations package mbar solves. wl and sams: adapt.go is the run, adapted.go the
// update, wl.go and sams.go the gains. Conditions of trust: checks.go. Memory and time: need.go. held.go keeps samples
// that others want when the run is over.
//
// It must not know auto or the catalogue; of annealing it knows the pilot and the step of a weight (WeightStep).
package temper
