// Package density makes a model of a pointwise log density on R^d and a kernel: random-walk Metropolis-Hastings,
// Hamiltonian Monte Carlo, elliptical slice sampling or slice sampling. New is how a program brings a density of its
// own.
//
//  1. density.go: Density, Kernel, New; the rows and their moves
//  2. hamilton.go: trajectories, side by side; slice.go: slice sampling
//  3. tuning.go: steps that are not given are found once for a model
//  4. noisy.go: a likelihood may be an unbiased estimate. Each row stores its estimate and replaces it only when a move
//     is accepted (pseudo-marginal Metropolis-Hastings), so every tempered method targets the exact log Z
//  5. refit.go: a normal or t base fitted to samples; rough.go: a first one without chains
//  6. params.go: parameters of links for the kernels
//  7. view.go: the coordinates that pictures show
//  8. cost.go: memory and time
//
// It must not know what the density means, nor another family.
package density
