// Package density makes a model of a log density on R^d and a Markov chain kernel: random-walk Metropolis-Hastings,
// Hamiltonian Monte Carlo, elliptical slice sampling or slice sampling. Programs define models of their own with New.
//
//  1. density.go: Density, Kernel, New; the rows and their moves
//  2. hmc.go: Hamiltonian trajectories of several rows at once; slice.go: slice sampling
//  3. tuning.go: the tuning run, which finds step sizes that are not given
//  4. pseudo_marginal.go: likelihoods that are unbiased estimates. A row stores its estimate and replaces it only when
//     a move is accepted (pseudo-marginal Metropolis-Hastings), so every tempered method targets the exact log Z
//  5. refit.go: a normal or t base fitted to samples; importance.go: a normal base fitted by adaptive importance
//     sampling
//  6. params.go: parameters of links for the kernels
//  7. view.go: the coordinates that pictures show
//  8. cost.go: memory and time
//
// The package does not know what a density means, and imports no other family of models.
package density
