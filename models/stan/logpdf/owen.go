package logpdf

import (
	"math"

	"logzlab/core/num"
	"logzlab/models/stan/tape"
)

// OwensT is Owen's function, elementwise: the integral over x from 0 to a of e^(-h^2 (1 + x^2)/2)/(1 + x^2), divided by
// 2 pi. It uses Gauss-Legendre quadrature for |a| <= 1, and otherwise the identity for T(h, a) + T(a h, 1/a). Error: at
// most 1e-15.
func OwensT(b *tape.Builder, h, a []tape.Scalar) []tape.Scalar {
	c := calc{b}
	sign := c.sub(c.mul(c.step(a), k(2)), k(1))
	h, a = c.Map(tape.Abs, h), c.Map(tape.Abs, a)
	far := c.step(c.sub(a, k(1)))
	high := c.mul(h, c.Map(tape.Max, a, k(1)))
	slope := c.square(c.min(a, c.inv(a)))
	exponent := c.mul(c.square(high), k(-.5))
	near := c.mul(c.integral(k(0), k(1), func(x vec) vec {
		q := c.add(c.mul(slope, c.square(x)), k(1))
		return c.div(c.exp(c.mul(exponent, q)), q)
	}), c.min(a, c.inv(a)), k(.5/math.Pi))
	phiH, phiHA := c.Map(tape.Phi, c.neg(h)), c.Map(tape.Phi, c.neg(c.mul(h, a)))
	whole := c.sub(c.mul(c.add(phiH, phiHA), half), c.mul(phiH, phiHA))
	return c.mul(sign, c.add(near, c.mul(far, c.sub(whole, c.mul(near, k(2))))))
}

// integral is the integral of f over an interval by Gauss-Legendre quadrature.
func (c calc) integral(from, to vec, f func(x vec) vec) vec {
	width, sum := c.sub(to, from), k(0)
	for _, g := range num.Gauss28 {
		for _, at := range [...]float64{num.Mul(.5, 1-g[0]), num.Mul(.5, 1+g[0])} {
			sum = c.add(sum, c.mul(f(c.add(from, c.mul(width, k(at)))), k(g[1]/2)))
		}
	}
	return c.mul(sum, width)
}

// skewLogCDF is log P(Y <= y) of a skew normal variable: log(Phi(z) - 2 T(z, alpha)), or skewLeftTail if the difference
// loses precision.
func skewLogCDF(c calc, y vec, p []vec) vec {
	z, slope := c.div(c.sub(y, p[0]), p[1]), c.Map(tape.Max, p[2], k(0))
	left := c.sub(c.Map(tape.Phi, z), c.mul(vec(OwensT(c.Builder, z, p[2])), k(2)))
	near := c.log(c.Map(tape.Max, left, k(1e-300)))
	far := c.step(c.sub(c.mul(c.square(z), c.add(c.square(slope), k(1))), k(4)))
	far = c.mul(far, c.step(c.neg(z)), c.step(p[2]))
	return c.add(c.mul(far, skewLeftTail(c, z, slope)), c.mul(c.sub(k(1), far), near))
}

// skewLeftTail is skewLogCDF for z < 0 <= alpha and z^2 (1 + alpha^2) >= 4: the log of the integral of e^(-z^2/(2 sin^2
// x)) from 0 to arccot(alpha), over pi, without parts below e^-40 of the maximum.
func skewLeftTail(c calc, z, alpha vec) vec {
	steep := c.add(c.square(alpha), k(1))
	square := c.Map(tape.Max, c.square(z), c.div(k(4), steep))
	from := c.Map(tape.Atan2, k(1), c.Map(tape.Sqrt, c.add(c.square(alpha), c.div(k(80), square))))
	sum := c.integral(from, c.Map(tape.Atan2, k(1), alpha), func(x vec) vec {
		more := c.sub(c.inv(c.square(c.Map(tape.Sin, x))), steep)
		return c.exp(c.mul(square, more, k(-.5)))
	})
	return c.subAll(c.log(sum), k(logPi), c.mul(square, steep, half))
}

// skewLogCCDF is log P(Y > y) of a skew normal variable.
func skewLogCCDF(c calc, y vec, p []vec) vec {
	return skewLogCDF(c, c.neg(y), []vec{c.neg(p[0]), p[1], c.neg(p[2])})
}
