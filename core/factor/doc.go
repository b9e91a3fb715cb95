// Package factor has products of tables over discrete variables, and their partition functions: exact by elimination,
// and between two certain bounds where that is too much work.
//
//  1. factor.go: factors, graphs, evidence
//  2. order.go, barren.go, narrow.go: in which order variables are summed out, which are fixed first, and what it costs
//  3. table.go, eliminate.go: the sum; sample.go: exact samples; growing.go: sums of the first variables
//  4. above.go: mini-buckets; below.go, independent.go: mean fields, structured and plain; between.go: both, narrowing
//  5. ahead.go: mini-buckets where only some variables have states, for particles that look ahead
//
// It must not know models, files, nor chains.
package factor
