// Package stats turns samples into numbers with error bars. Sums run in index order, so equal inputs give equal bits.
// stats.go has means, variances, batches and effective sizes, moments.go means and covariances of points, sequence.go the
// error of an autocorrelated series, pareto.go the shape of the tail of importance weights.
//
// It must not know where the samples are from.
package stats
