// Package factor has factor graphs over discrete variables and their partition functions: exact by variable
// elimination, or between two certain bounds if that is too much work.
//
//  1. factor.go: factors, graphs, evidence
//  2. order.go, prune.go, cutset.go: orders of elimination, prunable variables, cutsets, and their cost
//  3. table.go, eliminate.go: variable elimination; sample.go: exact samples; growing.go: sums of the first variables
//  4. minibucket.go: upper bounds; meanfield.go: lower bounds; between.go: both, by larger and larger tables
//  5. ahead.go: lookahead densities by mini-buckets, for particles to which variables are added
//
// It must not know models, files, nor chains.
package factor
