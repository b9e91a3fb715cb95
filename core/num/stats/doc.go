// Package stats computes estimates with error bars from samples. Sums run in index order, so equal inputs give equal
// bits. stats.go has means, variances, batch means and effective sample sizes, moments.go means and covariances of
// points, sequence.go the variance of the mean of an autocorrelated series, pareto.go the tail shape of importance
// weights.
//
// The package must not depend on the source of the samples.
package stats
