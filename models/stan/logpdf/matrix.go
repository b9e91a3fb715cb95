package logpdf

import (
	"math"

	"logzlab/core/num"
	"logzlab/models/stan/tape"
)

// Matrices are stored by rows. Several observations of n numbers are concatenated, and the functions return the sum of
// their log densities; a mean has n numbers, or n for each observation.

// logDiagonal returns the logs of the diagonal of an n x n matrix.
func (c calc) logDiagonal(l vec, n int) vec {
	d := make(vec, n)
	for i := range d {
		d[i] = l[i*n+i]
	}
	return c.log(d)
}

// halfLogDet returns the sum of the logs of the diagonal: half the log determinant of L L'.
func (c calc) halfLogDet(l vec, n int) tape.Scalar { return c.Sum(c.logDiagonal(l, n)) }

// sum returns the sum of scalars.
func (c calc) sum(x ...tape.Scalar) tape.Scalar { return c.Sum(x) }

// scaled returns by times x.
func (c calc) scaled(by float64, x tape.Scalar) tape.Scalar { return c.Do(tape.Mul, x, tape.Const(by)) }

// deviations returns y - mu as columns, n x (number of observations).
func (c calc) deviations(y, mu vec, n int) (d vec, count int) {
	count = len(y) / n
	all := mu
	for len(mu) == n && len(all) < len(y) {
		all = append(all[:len(all):len(all)], mu...)
	}
	return tape.Transpose(c.sub(y, all), count, n), count
}

// MultiNormalCholesky is the log density of normal vectors y with mean mu and covariance L L'.
func MultiNormalCholesky(b *tape.Builder, y, mu, l []tape.Scalar, n int) tape.Scalar {
	c := calc{b}
	d, count := c.deviations(y, mu, n)
	z := b.Solve(l, d, n, count)
	return c.sum(tape.Const(-float64(count*n)*num.Log2Pi/2), c.scaled(-float64(count), c.halfLogDet(l, n)),
		c.scaled(-.5, b.Dot(z, z)))
}

// MultiNormal is MultiNormalCholesky for a covariance sigma.
func MultiNormal(b *tape.Builder, y, mu, sigma []tape.Scalar, n int) tape.Scalar {
	return MultiNormalCholesky(b, y, mu, b.Cholesky(sigma, n), n)
}

// MultiNormalPrec is MultiNormalCholesky for a precision matrix omega.
func MultiNormalPrec(b *tape.Builder, y, mu, omega []tape.Scalar, n int) tape.Scalar {
	c := calc{b}
	d, count := c.deviations(y, mu, n)
	l := b.Cholesky(omega, n)
	z := b.MatMul(tape.Transpose(l, n, n), d, n, n, count)
	return c.sum(tape.Const(-float64(count*n)*num.Log2Pi/2), c.scaled(float64(count), c.halfLogDet(l, n)),
		c.scaled(-.5, b.Dot(z, z)))
}

// MultiStudentT is the log density of multivariate t vectors with nu degrees of freedom, location mu and scale sigma.
func MultiStudentT(b *tape.Builder, y []tape.Scalar, nu tape.Scalar, mu, sigma []tape.Scalar, n int) tape.Scalar {
	return MultiStudentTCholesky(b, y, nu, mu, b.Cholesky(sigma, n), n)
}

// MultiStudentTCholesky is MultiStudentT for the scale L L'.
func MultiStudentTCholesky(b *tape.Builder, y []tape.Scalar, nu tape.Scalar, mu, l []tape.Scalar, n int) tape.Scalar {
	c, v := calc{b}, vec{nu}
	d, count := c.deviations(y, mu, n)
	z := b.Solve(l, d, n, count)
	square := make(vec, count)
	for i := range square {
		column := make(vec, n)
		for j := range column {
			column[j] = z[j*count+i]
		}
		square[i] = b.Dot(column, column)
	}
	h := c.mul(c.add(v, k(float64(n))), half)
	scale := c.subAll(c.lgamma(h), c.lgamma(c.mul(v, half)), c.mul(c.add(c.log(v), k(logPi)), k(float64(n)/2)),
		vec{c.halfLogDet(l, n)})
	return b.Sum(c.sub(scale, c.mul(h, c.log1p(c.div(square, v)))))
}

// MultiGP is the log density of normal rows y, of n numbers each, with covariances sigma/w, one w for each row.
func MultiGP(b *tape.Builder, y, sigma, w []tape.Scalar, n int) tape.Scalar {
	return MultiGPCholesky(b, y, b.Cholesky(sigma, n), w, n)
}

// MultiGPCholesky is MultiGP for sigma = L L'.
func MultiGPCholesky(b *tape.Builder, y, l, w []tape.Scalar, n int) tape.Scalar {
	c, terms := calc{b}, vec{}
	for i := range w {
		z := b.Solve(l, y[i*n:(i+1)*n], n, 1)
		terms = append(terms, c.Do(tape.Mul, b.Dot(z, z), w[i]))
	}
	return c.sum(tape.Const(-float64(len(w)*n)*num.Log2Pi/2), c.scaled(-float64(len(w)), c.halfLogDet(l, n)),
		c.scaled(float64(n)/2, b.Sum(c.log(w))), c.scaled(-.5, b.Sum(terms)))
}

// MatrixNormalPrec is the log density of a matrix normal y (m x n) with precisions omega of its rows (m x m) and delta
// of its columns (n x n).
func MatrixNormalPrec(b *tape.Builder, y, mu, omega, delta []tape.Scalar, m, n int) tape.Scalar {
	c := calc{b}
	lo, ld := b.Cholesky(omega, m), b.Cholesky(delta, n)
	z := b.MatMul(b.MatMul(tape.Transpose(lo, m, m), c.sub(y, mu), m, m, n), ld, m, n, n)
	return c.sum(tape.Const(-float64(m*n)*num.Log2Pi/2), c.scaled(float64(n), c.halfLogDet(lo, m)),
		c.scaled(float64(m), c.halfLogDet(ld, n)), c.scaled(-.5, b.Dot(z, z)))
}

// wishartConstant is nu n/2 log 2 + log Gamma_n(nu/2).
func (c calc) wishartConstant(nu tape.Scalar, n int) tape.Scalar {
	return c.sum(c.scaled(float64(n)/2*math.Ln2, nu), c.multiGamma(c.scaled(.5, nu), n))
}

// mulShifted is (nu + shift) x.
func (c calc) mulShifted(nu tape.Scalar, shift float64, x tape.Scalar) tape.Scalar {
	return c.Do(tape.Mul, c.Do(tape.Add, nu, tape.Const(shift)), x)
}

// wishart is the log density of W = L L' with nu degrees of freedom and scale S S'.
func (c calc) wishart(l vec, nu tape.Scalar, s vec, n int) tape.Scalar {
	z := c.Solve(s, l, n, n)
	return c.sum(c.mulShifted(nu, -float64(n+1), c.halfLogDet(l, n)), c.scaled(-.5, c.Dot(z, z)),
		c.scaled(-1, c.mulShifted(nu, 0, c.halfLogDet(s, n))), c.scaled(-1, c.wishartConstant(nu, n)))
}

// Wishart is the log density of a covariance w (n x n) with nu degrees of freedom and scale s.
func Wishart(b *tape.Builder, w []tape.Scalar, nu tape.Scalar, s []tape.Scalar, n int) tape.Scalar {
	return calc{b}.wishart(b.Cholesky(w, n), nu, b.Cholesky(s, n), n)
}

// WishartCholesky is the log density of the Cholesky factor l of a covariance, with scale S S'.
func WishartCholesky(b *tape.Builder, l []tape.Scalar, nu tape.Scalar, s []tape.Scalar, n int) tape.Scalar {
	c := calc{b}
	slope := vec{tape.Const(float64(n) * math.Ln2)}
	for i, x := range c.logDiagonal(l, n) {
		slope = append(slope, c.scaled(float64(n-i), x))
	}
	return c.sum(c.wishart(l, nu, s, n), c.Sum(slope))
}

// InvWishart is the log density of a covariance w whose inverse has a Wishart distribution with scale s^-1.
func InvWishart(b *tape.Builder, w []tape.Scalar, nu tape.Scalar, s []tape.Scalar, n int) tape.Scalar {
	c := calc{b}
	lw, ls := b.Cholesky(w, n), b.Cholesky(s, n)
	z := b.Solve(lw, ls, n, n)
	return c.sum(c.mulShifted(nu, 0, c.halfLogDet(ls, n)), c.scaled(-1, c.mulShifted(nu, float64(n+1), c.halfLogDet(lw, n))),
		c.scaled(-.5, b.Dot(z, z)), c.scaled(-1, c.wishartConstant(nu, n)))
}

// lkjConstant is the log of the constant of the density det^(eta-1) of n x n correlations, [Lewandowski2009] eq. 16.
func (c calc) lkjConstant(eta tape.Scalar, n int) tape.Scalar {
	g := func(shift float64) tape.Scalar { return c.lgamma(c.add(vec{eta}, k(shift)))[0] }
	terms := vec{c.scaled(float64(n-1), g(float64(n-1)/2)), tape.Const(-float64(n*(n-1)) / 4 * logPi)}
	for i := 1; i < n; i++ {
		terms = append(terms, c.scaled(-1, g(float64(n-1-i)/2)))
	}
	return c.Sum(terms)
}

// LKJCorr is the log density of a correlation matrix.
func LKJCorr(b *tape.Builder, corr []tape.Scalar, eta tape.Scalar, n int) tape.Scalar {
	c := calc{b}
	return c.sum(c.lkjConstant(eta, n), c.scaled(2, c.mulShifted(eta, -1, c.halfLogDet(b.Cholesky(corr, n), n))))
}

// LKJCorrCholesky is the log density of the Cholesky factor l of a correlation matrix.
func LKJCorrCholesky(b *tape.Builder, l []tape.Scalar, eta tape.Scalar, n int) tape.Scalar {
	c := calc{b}
	logs := c.logDiagonal(l, n)
	terms := vec{c.lkjConstant(eta, n)}
	for i := 1; i < n; i++ { // L_ii^(n-i+2 eta-2), i from 1
		terms = append(terms, c.mulShifted(c.scaled(2, eta), float64(n-i-3), logs[i]))
	}
	return c.Sum(terms)
}
