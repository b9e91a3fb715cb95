// Package ising has the Ising model on a rectangular lattice, open or periodic, with heat-bath or cluster sweeps.
//
//  1. ising.go, clusters.go: the lattice and its rows; cluster sweeps
//  2. kaufman.go: exact log Z by Kaufman's formula
//  3. exact.go: the transfer matrix, which also draws exact samples
//  4. floor.go, file.go, cost.go: a lower bound; files; memory and time
//
// The package must not depend on methods or on other kinds of models.
package ising
