// Package findings is what the page finds out of a run and beside it, for pictures and tables: curves of estimates,
// exact values along a path, densities, noise of likelihoods, starts, means, replicates pooled. It must not know the
// crew, the run or views, and changes no digit.
//
// findings.go has all of them together. curves.go and final_curve.go are estimates against cost and along the ladder,
// target.go and means.go the target itself, noise.go, starts.go, unresampled.go and pooling.go runs beside the run.
package findings
