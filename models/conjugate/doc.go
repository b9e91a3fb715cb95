// Package conjugate has Bayesian models with a conjugate prior, whose log evidence is known in closed form at every
// temperature: linear regression (linreg.go), a coin with a beta prior (betabinom.go), and normal data with unknown
// mean and variance (nig.go). conjugate.go has what
// they share.
//
// The package imports no methods, and no other family of models but density and latent.
package conjugate
