// Package lang has what a program of the Stan language computes with: types, values, operators, functions and
// distributions. An Emitter writes what depends on parameters to a tape, and computes the rest at once.
//
// Read in this order: types.go, value.go, emitter.go, error.go, flaw.go, library.go (how a function is listed),
// operator.go and operator_type.go, tuple.go, transform.go, unsupported.go (what is refused by name); then functions:
// element.go (by element), branch.go (comparisons of parameters), sum.go, shape.go, make.go, order.go, matrix.go,
// solve.go, spectrum.go, special.go (Bessel functions, exponentials of matrices), kernel.go, random.go (draws in
// transformed data); then distributions: density.go (of one number), domain.go (what arguments may be), joint.go (of
// vectors and matrices).
//
// It must not know programs: the tree is package syntax, the walk package stan.
package lang
