// Package factor computes partition functions of factor graphs over discrete variables: exactly by variable elimination
// or, if that is too expensive, lower and upper bounds that hold with certainty.
//
//  1. factor.go: factors, graphs, evidence
//  2. order.go, prune.go, cutset.go: elimination orders, prunable variables, cutsets, and their cost
//  3. table.go, eliminate.go: variable elimination; sample.go: exact samples; prefix.go: sums over the first variables
//  4. minibucket.go: upper bounds; meanfield.go: lower bounds; bounds.go: both, with tables of increasing size
//  5. lookahead.go: lookahead densities from mini-buckets, for particle methods that add one variable at a time
//
// The package must not depend on models, files or Markov chains.
package factor
