// Package gpc has Gaussian-process classification.
//
//  1. gpc.go: the model; likelihood.go: its probit or logistic likelihood; data.go, file.go and table_file.go read data
//  2. path.go: the likelihood of the latent function is tempered, from the prior or from expectation propagation
//     (ep.go; correction.go is its second order)
//  3. samplers.go, rmhmc.go: elliptical slice sampling; Hamiltonian and Riemannian Hamiltonian Monte Carlo
//  4. sequence.go, basis.go: as a sequence the data come one by one
//  5. view.go: frames show random functions through the data
//  6. cost.go: memory and time
//
// It must not know methods, nor another family but density.
package gpc
