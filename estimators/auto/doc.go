// Package auto holds the method that finds log Z to a wanted standard error by itself.
//
// A run, in its phases:
//
//  1. base: of a machine without exact samples the even one where its path costs little (withEven in even.go), else one
//     that is fitted to rough samples (estimators.AfterFit), as of every posterior of one mode
//  2. pilot: a cheap annealing pass measures each part of the path (anneal.AfterPilot)
//  3. plan: annealing or tempering, whichever is expected to be cheaper (planAuto in auto.go); of a program, whose
//     chains may be slow, within a share of time (program.go)
//  4. the run: annealing adds chains, tempering adds sweeps, until the error bar is small enough
//  5. second opinion by the other method, with a quarter of the work (compared in opinion.go)
//  6. third road: where nothing confirms the number, the model is formed unit by unit (third_road.go)
//
// road.go is the run of a road. A model whose sum is known to be 0 has no run (nothing.go).
//
// A target to which a base was fitted before the run (models.NearBase) goes through stages instead, from the cheapest
// method to the most robust one (posterior.go): importance sampling from the base (draws.go), cubature of few
// coordinates, bridge sampling, and then phases 2 to 5. The first stage whose own diagnostics are good is the last, and
// a number that an earlier stage refutes is told.
//
// Where exact samples of the target can be drawn, annealing runs there and back whatever it costs.
//
// It must not know a family of models: what it asks are the small interfaces of models, as Evened, Refittable,
// WithFasterKernel and LooksAhead.
package auto
