// Package ising has the Ising model on a rectangular lattice, open or on a torus, with the heat bath as its kernel. Its
// exact log Z comes from Kaufman's formula (kaufman.go) or the transfer matrix, which also draws exact samples
// (exact.go).
package ising
