// Package temper holds simulated tempering: chains that move over a ladder of inverse temperatures while they sample.
// One run is read by rts and rts-stationary, ts, ti, ti-rb, bar, mbar and stepping-stone. wl and sams have a run of
// their own, in which islands of the same chains adapt weights to the end.
//
// A run, in its phases (temper.go has the fold, lane.go the lanes; tempering.go is the sweep of Algorithm 1):
//
//  1. first guess of log Zhat (guess.go): an annealing pass, or weights that adapt (adapt_lane.go)
//  2. initial iterations: each takes log Zhat from the mean of q(l|x), [RTS] eq. 12
//  3. final: log Zhat is frozen, and lanes record what the readers need; a run that grows does so until it is over
//     (growing.go)
//  4. solve: exact samples of the target check the top of the ladder (estimators/target_check.go); bar, mbar and
//     stepping-stone, which read all samples at once, have a lane of this round (fit.go)
//
// What a sweep leaves behind: recorder.go has the interface of recorders, and each statistic is a file of its own,
// from the sweep over the encoded partial result to the Record (record.go) of all lanes: conditionals.go, visits.go,
// slopes.go, mean_slopes.go, transitions.go, moments.go, overlap.go, round_trips.go and samples.go. So c_k of RTS goes
// from kernel.Tempering.Step (eq. 7) over conditionals.merge to Record.logZ (eq. 12).
//
// prior.go has r_k, the share of its samples that a run aims at for rung k. With samples = fixed the chains stay at
// their rungs: fixed.go says all that differs.
//
// ti-continuous has a run of its own, too: chains at random inverse temperatures (continuous.go).
//
// Readers (reader.go: the parameters of the run, and what a reader needs): rts.go (merge.go adds the initial
// iterations, pooling.go pools runs), stationary.go, ts.go, ti.go, and bar.go, mbar.go and stepping_stone.go, whose
// equations package mbar solves. wl and sams: adapt.go is the run, adapted.go the update, wl.go and sams.go the gains.
// Conditions of trust: checks.go. Memory and time: need.go. held.go keeps samples that others want when the run is
// over.
//
// It must not know auto or the catalogue; of annealing it knows the pilot and the step of a weight (WeightStep).
package temper
