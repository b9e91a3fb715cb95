// Package mixture has mixtures with a known normalising constant.
//
//  1. gaussian.go: of normal distributions. Where the means lie in one plane and the widths are equal, pictures show
//     the exact marginal in that plane
//  2. gaussian_exact.go, gaussian_file.go: log Z along the path by quadrature; files
//  3. bernoulli.go: of pictures of independent bits
//  4. cost.go: memory and time
//
// It must not know methods, nor another family but density.
package mixture
