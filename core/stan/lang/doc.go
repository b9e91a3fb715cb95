// Package lang has what a program of the Stan language computes with: types, values, operators, functions and
// distributions. An Emitter writes what depends on parameters to a tape, and computes the rest at once.
//
// Read in this order: types.go, value.go, emitter.go, library.go (how a function is listed), operator.go, then the
// functions: element.go to sum.go, and the distributions: density.go (of one number), joint.go (of vectors, matrices).
package lang
