// Package gpc has Gaussian-process classification.
//
//  1. gpc.go: the model; likelihood.go: its probit or logistic likelihood; data.go, file.go, table_file.go: data
//  2. path.go: tempering of the likelihood of the latent function, from the prior or from expectation propagation
//     (ep.go; correction.go has its second-order correction)
//  3. samplers.go, rmhmc.go: elliptical slice sampling, Hamiltonian and Riemannian Hamiltonian Monte Carlo
//  4. sequence.go, basis.go: the sequence that adds one datum after another
//  5. view.go: frames show random functions through the data
//  6. cost.go: memory and time
//
// The package imports no methods, and no other family of models but density.
package gpc
