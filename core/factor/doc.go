// Package factor has products of tables over discrete variables, and their partition functions: exact by elimination,
// and certified intervals by mini-buckets from above and by mean fields from below.
//
//  1. factor.go: factors and graphs
//
// It must not know models, files, nor chains.
package factor
