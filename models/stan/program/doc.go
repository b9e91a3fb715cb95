// Package program is the kind of model whose log density is a tape (models/stan/tape), compiled from a user's program and
// data.
//
// Files to read in order:
//
//   - program.go: the kind and its models; coordinates.go: the coordinates in which they move
//   - pilot.go: the run that fits a base to the target; base.go: that base, a mixture over modes of normal and t
//     distributions; chains.go: the chains of Hamiltonian Monte Carlo that fit a part of it
//   - search.go: the search for modes; climb.go: gradient ascent
//   - shells.go, walk.go, farther.go, heavy.go: parts of the base for mass that the search misses
//   - tails.go, box.go: how fast the mass falls far out, and whether the integral is finite
//   - centring.go: partly non-centred coordinates
//   - prior.go: the prior as a base
//   - cubature.go: the integral of up to three coordinates
//   - notes.go: what a page tells of a program
//
// It must not know a language: models/stan makes tapes, this package runs them.
package program
