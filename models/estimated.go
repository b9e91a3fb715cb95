package models

import "logzlab/core/num/rng"

// Estimator estimates the log of a likelihood at x by an unbiased estimate of the likelihood itself, from fresh draws
// of s: E exp(estimate) = p(y|x). With z = the estimate minus its exact value, a row is (x, z), and
//
//	log f_beta(x, z) = log prior(x) + beta (log p(y|x) + z) + log g(z|x),
//
// where the density g of z drops out of every ratio. So methods that see the stored estimates alone have the exact log
// Z ([AISEL] section 3.1). Rows keep their estimate until a move is accepted with a new one.
type Estimator func(s *rng.Stream, x []float64) float64
