// Package conjugate has Bayesian models with a conjugate prior, whose log evidence is known in closed form at every
// temperature: linreg.go, a linear regression; betabinom.go, a coin with a beta prior; nig.go, normal data with unknown
// mean and variance. conjugate.go has what they share.
//
// It must not know methods, nor another family but density and latent.
package conjugate
