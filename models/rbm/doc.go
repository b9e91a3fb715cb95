// Package rbm has Bernoulli-Bernoulli restricted Boltzmann machines: weights rounded to fixed point, so that every
// method and every exact value evaluates the same machine (quantise.go); files of this lab and of other programs
// (file.go, arrays.go); exact log Z by enumeration of the smaller layer (exact.go); a lower bound (floor.go).
//
// Beside the geometric path from the base rates stands the path of averaged moments (moments.go, moments_fit.go). As a
// sequence a machine is formed unit by unit (sequence.go, stages.go), in an order and with means of absent units that a
// trial run may find (trial.go). With fixed pixels a machine is a smaller one (clamp.go). Trainer (trainer.go,
// train.go) makes machines by contrastive divergence, in integers.
package rbm
