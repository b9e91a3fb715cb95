// Package rbm has Bernoulli-Bernoulli restricted Boltzmann machines. Weights are integers times 2^-s, so that sums are
// exact in any order and every method and every exact value evaluates the same model. Rows keep both vectors of inputs,
// b + W'v and c + W h, up to date by adding the matrix rows of units that flipped (core/num/kernel).
//
//  1. rbm.go, quantise.go, pictures.go: the model and its rows; rounding of weights; pictures of rows
//  2. start.go: the base that paths start from
//  3. file.go, arrays.go, direction.go, parts.go, foreign.go: files of this lab and of other programs, and what is
//     refused in them; data.go: rows of data
//  4. exact.go, blockcache.go, floor.go, sharper.go: exact log Z by enumeration of the smaller layer; lower bounds
//  5. sequence.go, stages.go: an RBM formed unit by unit, with means of absent units
//  6. rough.go: approximate samples that determine the order and these means
//  7. refit.go, clamp.go: a base fitted to samples; an RBM with clamped pixels
//  8. trainer.go, train.go, ascent.go: contrastive divergence in integer arithmetic
//  9. cost.go: memory and time
//
// The package must not depend on methods or on other kinds of models.
package rbm
