// Package rbm has Bernoulli-Bernoulli restricted Boltzmann machines. Weights are integers times 2^-s, so that sums are
// exact in any order and every method and every exact value evaluates the same machine. The rows keep both vectors of
// sums, b + W'v and c + W h, up to date by adding the rows of units that flipped (core/num/kernel).
//
//  1. rbm.go, quantise.go, pictures.go: the machine and its rows; how weights are rounded; what frames show
//  2. start.go: the base that paths start from
//  3. file.go, arrays.go, direction.go, parts.go, foreign.go: files of this lab and of other programs, and what is
//     refused of them; data.go: rows of data
//  4. exact.go, kept.go, floor.go, sharper.go: exact log Z by enumeration of the smaller layer; a lower bound
//  5. sequence.go, stages.go: a machine formed unit by unit, with means of absent units
//  6. rough.go: rough samples that find the order and these means
//  7. refit.go, clamp.go: a base fitted to samples; a machine with fixed pixels is a smaller one
//  8. trainer.go, train.go, ascent.go: contrastive divergence, in integers
//  9. cost.go: memory and time
//
// It must not know methods, nor another family.
package rbm
