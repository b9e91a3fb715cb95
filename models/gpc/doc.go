// Package gpc has Gaussian-process classification with the probit likelihood. As a path the likelihood of the latent
// function is tempered, from the prior or from expectation propagation (path.go, ep.go), with elliptical slice
// sampling, Hamiltonian and Riemannian Hamiltonian Monte Carlo (samplers.go, rmhmc.go). As a sequence the data come one
// by one (sequence.go, basis.go). Frames show random functions through the data (view.go).
package gpc
