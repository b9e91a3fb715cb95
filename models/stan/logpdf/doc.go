// Package logpdf writes log densities and log probabilities on tapes (models/stan/tape): the distributions of Stan's
// reference manual under their names there, with all normalising constants.
//
// Files in reading order: family.go, families of one variable; calc.go, arithmetic on a Builder; real.go, positive.go
// and counts.go, the families; owen.go and wiener.go, skew normal probabilities and first passage times; cdf.go,
// probabilities of ranges of counts; matrix.go, table.go and glm.go, distributions with shapes; draw.go, draws made
// from normal variables.
//
// Constant expressions are computed once, since a Builder folds constants, and sums of counts replace loops over data.
// The package knows no models and no languages.
package logpdf
