// Package latent has Bayesian models whose latent variables are summed out by random draws, so that every likelihood is
// an unbiased estimate.
//
//  1. latent.go: what they share; the number of draws behind an estimate is picked by its variance
//  2. glmm.go: a logistic regression with random intercepts
//  3. sv.go, lgssm.go: stochastic volatility, and a linear state-space model, by a particle filter (filter.go, and
//     core/num/kernel/filter.go); lgssm also by the Kalman filter
//  4. flow.go: pictures show a filter of their own, which takes a hundredth of the time at most
//  5. glmm_file.go, groups_file.go, series_file.go, units.go: tables of other programs; which columns are groups; in
//     which units returns are
//
// It must not know methods, nor another family but density.
package latent
