// Package mixture has mixtures with a known normalising constant: of normal distributions (gaussian.go), with log Z
// along the path by quadrature (gaussian_exact.go), and of pictures of independent bits (bernoulli.go).
package mixture
