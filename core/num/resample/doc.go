// Package resample draws the number of offspring of each weighted particle. Every scheme has the expected numbers
// E[n_r] = n w_r, so the average over the offspring is an unbiased estimate of the weighted average.
//
// The package must not depend on the type of the particles.
package resample
