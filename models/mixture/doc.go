// Package mixture has mixtures with a known normalising constant.
//
//  1. gaussian.go: mixtures of normal distributions. If all means lie in one plane and all standard deviations are equal,
//     pictures show the exact marginal density in that plane
//  2. gaussian_exact.go: their log Z(beta) by quadrature; gaussian_file.go: their files
//  3. bernoulli.go: mixtures of products of independent bits, shown as pictures
//  4. cost.go: memory and time
//
// The package imports no methods, and no other family of models but density.
package mixture
