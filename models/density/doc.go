// Package density makes a model of a pointwise log density on R^d and a kernel: random-walk Metropolis-Hastings,
// Hamiltonian Monte Carlo, elliptical slice sampling or slice sampling. New is how a program brings a density of its
// own. Steps that are not given are found once for a model (pilot.go). A likelihood may be an unbiased estimate
// (noisy.go).
package density
