// Package program is the kind of model whose log density is a tape (models/stan/tape), compiled from a user's program
// and data.
//
// Files in reading order:
//
//   - program.go: the kind and its models; coordinates.go: the coordinates in which chains move
//   - pilot.go: the run that fits a base to the target; base.go: this base, a mixture over modes of normal and t
//     distributions; chains.go: Hamiltonian Monte Carlo chains that fit a component
//   - search.go: the search for modes; climb.go: gradient ascent
//   - shells.go, walk.go, far_mass.go, heavy.go: components of the base for mass that the search misses
//   - tails.go, box.go: how fast the mass decreases far out, and whether the integral is finite
//   - centring.go: partially non-centred coordinates
//   - prior.go: the prior as a base
//   - cubature.go: the integral of up to three coordinates by cubature
//   - unvisited.go: mass of modes that the draws of another sampler miss
//   - notes.go: the description of a program on the page
//
// The package does not know a language: models/stan compiles tapes, this package runs them.
package program
