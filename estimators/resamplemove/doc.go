// Package resamplemove implements resample-move ([ARM]), which adds the coordinates of a model one by one: rm,
// rm-optimal, arm, arm-anticipate and arm-reseed. A lane is an island of particles.
//
// The phases of a run:
//
//  1. with absent = sampled, rough samples of the target determine the sequence of densities (rough.go)
//  2. for rm-optimal, a pilot with few particles estimates the variance v_n of each stage; optimalSizes sets the
//     numbers of particles ([ARM] Theorem 1)
//  3. growing: the stages, some in each round (nextStages in resamplemove.go)
//  4. a second opinion by annealing, except for short runs (opinion.go)
//
// A stage is advance in lane.go, with the lines of [ARM] Algorithms 1 and 2: move, smooth, generate, resample, augment.
// particles.go has these steps, generate.go the three ways to generate particles. rm.go and arm.go define the methods.
// view.go shows the particles, record.go is the record of an island, result.go makes the estimate, checks.go has the
// checks of results, need.go memory and time.
//
// The package must not know how a kind of model grows: that is models.Sequence, which also tells at which stages no
// moves are needed.
package resamplemove
