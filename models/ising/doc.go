// Package ising has the Ising model on a rectangular lattice, open or on a torus, with the heat bath as its kernel, or
// with clusters.
//
//  1. ising.go, clusters.go: the lattice and its rows; sweeps of clusters
//  2. kaufman.go: exact log Z by Kaufman's formula
//  3. exact.go: the transfer matrix, which also draws exact samples
//  4. floor.go, file.go, cost.go: a lower bound; files; memory and time
//
// It must not know methods, nor another family.
package ising
