// Package resample draws how many offspring each weighted particle has. Every scheme keeps the expected numbers, E[n_r]
// = n w_r, so an average over the offspring is an unbiased average over the weighted particles.
//
// It must not know what the particles are.
package resample
