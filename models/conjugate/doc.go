// Package conjugate has Bayesian models with a conjugate prior, whose log evidence is known in closed form at every
// temperature: a linear regression, a coin with a beta prior, normal data with unknown mean and variance.
package conjugate
