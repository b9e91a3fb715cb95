// Package auto holds the method that finds log Z to a wanted standard error by itself.
//
// A run, in its phases:
//
//  1. base: of a machine without exact samples the even one where its path costs little (withEven in even.go), else one
//     that is fitted to rough samples (estimators.AfterFit), as of every posterior of one mode
//  2. pilot: a cheap annealing pass measures each part of the path (anneal.AfterPilot)
//  3. plan: annealing or tempering, whichever is expected to be cheaper (planAuto in auto.go); of a program within a
//     budget of time, as its chains may mix slowly (program.go)
//  4. the run (strategy.go): annealing adds chains, tempering adds sweeps, until the error bar is small enough
//  5. second opinion by the other method, with a quarter of the work; opinion.go compares both
//  6. sequential check: where nothing confirms the estimate, the model is formed unit by unit (sequential_check.go)
//
// Where exact samples of the target can be drawn, the run is annealing both ways whatever it costs. A model whose sum
// is known to be 0 has no run (empty.go).
//
// A target to which a base was fitted before the run (models.Prefitted) goes through stages instead, from the cheapest
// method to the most robust one (posterior.go): importance sampling from the base (draws.go), cubature of up to three
// coordinates, bridge sampling, and then phases 2 to 5. The first stage whose diagnostics are good is the last. If an
// earlier stage refutes its estimate, that is reported.
//
// It must not know a family of models: it asks models.Can.
package auto
