// Package mixture has mixtures with a known normalising constant.
//
//  1. gaussian.go: mixtures of normal distributions. If the means are in one plane and the widths are equal, pictures
//     show the exact marginal in that plane
//  2. gaussian_exact.go, gaussian_file.go: log Z along the path by quadrature; files
//  3. bernoulli.go: mixtures of pictures of independent bits
//  4. cost.go: memory and time
//
// The package imports no methods, and no other family of models but density.
package mixture
