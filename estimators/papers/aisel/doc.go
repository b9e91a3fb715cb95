// Package aisel holds the experiments on annealed importance sampling for models with latent variables: evidence of two
// models and the best number of draws behind a likelihood (aisel.go), the returns of pound and dollar (pound.go), and
// what noise in likelihoods costs (theorem.go).
// It knows no other paper.
package aisel
