package models

import "logzlab/core/num/rng"

// Estimator returns the log of an unbiased estimate of a likelihood at x, from new draws of s: E exp(estimate) =
// p(y|x). With z = estimate - log p(y|x), a row is (x, z), and
//
//	log f_beta(x, z) = log prior(x) + beta (log p(y|x) + z) + log g(z|x).
//
// The density g of z cancels in every ratio, so methods that use only the stored estimates target the exact log Z
// ([AISEL] section 3.1). A row keeps its estimate until a move with a new one is accepted.
type Estimator func(s *rng.Stream, x []float64) float64
