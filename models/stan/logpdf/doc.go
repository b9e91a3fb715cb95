// Package logpdf writes log densities and log probabilities on tapes (models/stan/tape): the distributions of Stan's
// reference manual by their names there, with all normalising constants.
//
// Files to read in order: family.go, what a family of one variable is; calc.go, arithmetic on a Builder; real.go,
// positive.go and counts.go, the families; owen.go and wiener.go, two of them that take more; cdf.go, probabilities of
// ranges of counts; matrix.go, table.go and glm.go, what needs shapes; draw.go,
// draws of families, made of normal variables.
//
// What is constant is computed once: a Builder folds constants, and sums of counts stand in place of loops over data.
// The package knows no models and no languages.
package logpdf
