// Package mbar estimates log Z of all rungs of a ladder from samples at the rungs and their densities at the rungs
// (samples.go): by Bennett's acceptance ratio between neighbours (bar.go), from all samples at once by MBAR (solve.go),
// and by stepping stones (stones.go), each with errors for independent or correlated samples (errors.go, influence.go).
// It serves tempering runs, and samples of other programs (given.go).
//
// The package must not depend on runs or models.
package mbar
