// Package auto implements the method that chooses its own method and computes log Z to a wanted standard error.
//
// The phases of a run:
//
//  1. base: for an RBM without exact samples the uniform distribution if its path costs little (withUniformBase in
//     uniform_base.go), else a base fitted to preliminary samples (estimators.AfterFit), as for every posterior with one mode
//  2. pilot: a cheap annealing pass measures each part of the path (anneal.AfterPilot)
//  3. plan: annealing or tempering, whichever is expected to be cheaper (planAuto in auto.go); for a program within a time
//     budget, as its chains may mix slowly (program.go)
//  4. the run (strategy.go): annealing adds chains, tempering adds sweeps, until the error bar is small enough
//  5. second opinion by the other method, with a quarter of the work; opinion.go compares both
//  6. sequential check: if nothing confirms the estimate, the model is grown unit by unit (sequential_check.go)
//
// If exact samples of the target can be drawn, the run is annealing both ways whatever it costs. A model whose sum is
// known to be 0 has no run (empty.go).
//
// A target with a base that was fitted before the run (models.Prefitted) goes through stages instead, from the cheapest
// method to the most robust one (posterior.go): importance sampling from the base (draws.go), cubature of up to three
// coordinates, bridge sampling, and then phases 2 to 5. The first stage with good diagnostics is the last. If an
// earlier stage refutes its estimate, this is reported.
//
// The package must not depend on a family of models; it uses models.CapabilitiesOf.
package auto
