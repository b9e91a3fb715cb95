// Package latent has Bayesian models whose latent variables are summed out by random draws, so that every likelihood is
// an unbiased estimate: a logistic regression with random intercepts (glmm.go), stochastic volatility (sv.go) and a
// linear state-space model (lgssm.go), the last two by a particle filter (filter.go); lgssm also by the Kalman filter.
// The number of draws behind an estimate is picked by its variance (latent.go). Tables of other programs are read by
// series_file.go and glmm_file.go.
package latent
