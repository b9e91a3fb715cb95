// Package latent has Bayesian models whose latent variables are summed out by random draws, so every likelihood is an
// unbiased estimate.
//
//  1. latent.go: Model, which all kinds share, and the choice of the number of draws by the variance of an estimate
//  2. glmm.go: logistic regression with random intercepts
//  3. sv.go, lgssm.go: stochastic volatility and a linear state-space model, by a particle filter (filter.go and
//     core/num/kernel/filter.go); lgssm also by the Kalman filter
//  4. flow.go: particle trajectories for pictures, from a separate filter that takes at most a hundredth of the time
//  5. glmm_file.go, groups_file.go, series_file.go, units.go: tables of other programs; finding the columns of groups;
//     the units of returns
//
// The package imports no methods, and no other family of models but density.
package latent
