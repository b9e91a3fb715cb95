// Package temper implements simulated tempering: chains that move over a ladder of inverse temperatures while they
// sample. One run is read by rts and rts-stationary, ts, ti, ti-rb, bar, mbar and stepping-stone. wl and sams have runs
// of their own, in which islands of such chains adapt weights until the end.
//
// The phases of a run (temper.go has the fold, lane.go the lanes, tempering.go the sweep of Algorithm 1):
//
//  1. first guess of log Zhat (guess.go): an annealing pass, or adaptive weights (adapt_lane.go)
//  2. initial iterations: each takes log Zhat from the mean of q(l|x), [RTS] eq. 12
//  3. final: log Zhat is frozen, and lanes record the statistics that the readers need; a run can grow until its error bar
//     is short enough (growing.go)
//  4. solve: exact samples of the target check the top of the ladder (estimators/target_check.go); bar, mbar and
//     stepping-stone, which read all samples at once, get a lane of this round (fit.go)
//
// Statistics: recorder.go has the interface of recorders. Each statistic has a file of its own, from the sweep through
// the encoded partial to the Record (record.go) of all lanes: conditionals.go, visits.go, slopes.go, mean_slopes.go,
// transitions.go, moments.go, overlap.go, round_trips.go and samples.go. So c_k of RTS goes from kernel.Tempering.Step
// (eq. 7) through conditionals.merge to Record.logZ (eq. 12).
//
// prior.go has r_k, the share of its samples that a run aims at for rung k. With samples = fixed the chains stay at
// their rungs: see fixed.go.
//
// ti-continuous also has its own run: chains at random inverse temperatures (continuous.go).
//
// Readers (reader.go has the parameters of the run and the type Reader): rts.go (merge.go adds the initial iterations,
// pooling.go pools runs), stationary.go, ts.go, ti.go, and bar.go, mbar.go and stepping_stone.go, whose equations
// package mbar solves. wl and sams: adapt.go is the run, adapted.go the update, wl.go and sams.go the gains. Checks of
// results: checks.go. Memory and time: need.go. held.go passes the samples of a finished run on.
//
// The package must not depend on auto or the list of methods. From package anneal it uses only the pilot and the step
// of a weight (WeightStep).
package temper
