// Package lang implements the expressions of the Stan language: types, values, operators, functions and distributions.
// An Emitter appends operations on numbers that depend on parameters to a tape, and computes constants at once.
//
// Read in this order: types.go, value.go, emitter.go, error.go, constraint.go, library.go (how a function is defined),
// operator.go and operator_type.go, tuple.go, transform.go, unsupported.go. Then the functions: element.go
// (elementwise), comparison.go (conditions on parameters), sum.go (reductions), shape.go, constructor.go, order.go,
// matrix.go, solve.go, eigen.go, special.go (Bessel functions, matrix exponential), kernel.go (covariances of Gaussian
// processes), random.go (random numbers of transformed data). Then the distributions: density.go (univariate),
// checks.go (domains of arguments), joint.go (multivariate).
//
// The package does not know programs: package syntax has the tree, package stan lowers it.
package lang
