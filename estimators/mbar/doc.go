// Package mbar finds log Z of all rungs from samples and their densities at the rungs (samples.go): by Bennett's
// acceptance ratio between neighbours (bar.go), from all samples at once by MBAR (solve.go), and by stepping stones
// (stones.go), each with the errors of independent or correlated samples (errors.go, influence.go). It reads tempering
// runs, and samples that other programs left behind (given.go).
//
// It must not know runs or models.
package mbar
