// Package aisel has the experiments on annealed importance sampling for models with latent variables: the evidence of
// two models and the best number of inner draws (aisel.go), the pound/dollar returns (pound.go), and the cost of noise
// in likelihoods (theorem.go). It imports no other paper.
package aisel
