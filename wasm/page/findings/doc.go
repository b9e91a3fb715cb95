// Package findings is what the page finds out of a run and beside it, for pictures and tables: curves of estimates,
// exact values along a path, densities, noise of likelihoods, starts, means, replicates pooled. It must not know the
// crew, the run or views, and changes no digit.
package findings
