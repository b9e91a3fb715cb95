// Package stats turns samples into numbers with error bars. Sums run in index order, so equal inputs give equal bits.
//
// It must not know where the samples are from.
package stats
