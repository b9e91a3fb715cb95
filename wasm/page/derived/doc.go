// Package derived computes quantities that the page displays in addition to the results of a run: curves of estimates,
// exact values along the path, densities, the noise of estimated likelihoods, base rates, means, and pooled replicates.
//
// derived.go has Probes, which runs all these computations in turn. curves.go and final_curve.go have log Z against
// cost and along the ladder; target.go and means.go have properties of the target; noise.go, starts.go, unresampled.go
// and pooling.go have auxiliary computations.
//
// This package must not depend on the worker pool, the state of the run, or views, and must not change any result.
package derived
