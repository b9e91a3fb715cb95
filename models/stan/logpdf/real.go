package logpdf

import (
	"math"

	"logzlab/core/num"
	"logzlab/models/stan/tape"
)

// locationScale returns the family of y = mu + sigma z, where mu and sigma are the last two parameters and the
// parameters before them are shapes of z. log is the log density of z, below the log of P(Z <= z), and above the log of
// P(Z > z); nil means below(-z).
func locationScale(name string, shapes string, log, below, above formula) Family {
	z := func(f formula) formula {
		if f == nil {
			return nil
		}
		return func(c calc, y vec, p []vec) vec {
			n := len(p) - 2
			return f(c, c.div(c.sub(y, p[n]), p[n+1]), p[:n])
		}
	}
	if above == nil && below != nil {
		above = func(c calc, z vec, p []vec) vec { return below(c, c.neg(z), p) }
	}
	density := func(c calc, y vec, p []vec) vec {
		return c.sub(z(log)(c, y, p), c.log(p[len(p)-1]))
	}
	return family(name, "r"+shapes+"r+", density, z(below), z(above))
}

// logNormal is the standard normal log density.
func logNormal(c calc, z vec, _ []vec) vec {
	return c.sub(c.mul(c.square(z), k(-0.5)), k(num.Log2Pi/2))
}

// logT is the log density of the t distribution with p[0] degrees of freedom.
func logT(c calc, z vec, p []vec) vec {
	nu := p[0]
	h := c.mul(c.add(nu, k(1)), half)
	scale := c.subAll(c.lgamma(h), c.lgamma(c.mul(nu, half)), c.mul(c.add(c.log(nu), k(logPi)), half))
	return c.sub(scale, c.mul(h, c.log1p(c.div(c.square(z), nu))))
}

// tLogCDF is log(I_w(nu/2, 1/2)/2) with w = nu/(nu + z^2) for z < 0, and log(1 - I_w/2) above.
func tLogCDF(c calc, z vec, p []vec) vec {
	nu := p[0]
	tail := c.mul(c.betaP(c.mul(nu, half), half, c.div(nu, c.add(c.square(z), nu))), half)
	return c.log(c.add(tail, c.mul(c.step(z), c.sub(k(1), c.mul(tail, k(2))))))
}

// normal returns the normal family, and logistic the logistic family.
func normal() Family {
	return locationScale("normal", "", logNormal, func(c calc, z vec, _ []vec) vec { return c.logPhi(z) }, nil)
}

func logistic() Family {
	return locationScale("logistic", "", func(c calc, z vec, _ []vec) vec {
		return c.sub(c.neg(z), c.mul(c.softplus(c.neg(z)), k(2)))
	}, func(c calc, z vec, _ []vec) vec { return c.neg(c.softplus(c.neg(z))) }, nil)
}

// reals are the families of real variables.
func reals() []Family {
	normal := normal()
	return []Family{
		normal,
		transformed("std_normal", "r", normal, false, func(_ calc, y vec, _ []vec) (t, slope vec, q []vec) {
			return y, k(0), []vec{k(0), k(1)}
		}),
		locationScale("student_t", "+", logT, tLogCDF, nil),
		locationScale("cauchy", "", func(c calc, z vec, _ []vec) vec {
			return c.sub(k(-logPi), c.log1p(c.square(z)))
		}, func(c calc, z vec, _ []vec) vec {
			return c.sub(c.log(c.Map(tape.Atan2, k(1), c.neg(z))), k(logPi))
		}, nil),
		locationScale("double_exponential", "", func(c calc, z vec, _ []vec) vec {
			return c.sub(k(-math.Ln2), c.Map(tape.Abs, z))
		}, func(c calc, z vec, _ []vec) vec { // z - log 2 below 0, log(1 - e^-z/2) above
			a := c.mul(c.exp(c.neg(c.Map(tape.Abs, z))), half)
			return c.add(c.min(z, k(0)), c.log(c.add(half, c.mul(c.step(z), c.sub(half, a)))))
		}, nil),
		logistic(),

		// Skewed families.
		locationScale("gumbel", "", func(c calc, z vec, _ []vec) vec {
			return c.sub(c.neg(z), c.exp(c.neg(z)))
		}, func(c calc, z vec, _ []vec) vec { return c.neg(c.exp(c.neg(z))) },
			func(c calc, z vec, _ []vec) vec { return c.Map(tape.Log1mExp, c.neg(c.exp(c.neg(z)))) }),
		family("skew_normal", "rr+r", func(c calc, y vec, p []vec) vec {
			z := c.div(c.sub(y, p[0]), p[1])
			scale := c.sub(k(math.Ln2), c.log(p[1]))
			return c.add(logNormal(c, z, nil), scale, c.logPhi(c.mul(z, p[2])))
		}, skewLogCDF, skewLogCCDF),
		family("exp_mod_normal", "rr++", func(c calc, y vec, p []vec) vec {
			tail, _ := expModTail(c, y, p)
			return c.add(tail, c.log(p[2]))
		}, func(c calc, y vec, p []vec) vec {
			tail, z := expModTail(c, y, p)
			return c.Map(tape.LogSubExp, c.logPhi(z), tail)
		}, func(c calc, y vec, p []vec) vec {
			tail, z := expModTail(c, y, p)
			return c.lse(c.logPhi(c.neg(z)), tail)
		}),
		family("skew_double_exponential", "rr+u", func(c calc, y vec, p []vec) vec {
			z := c.div(c.sub(y, p[0]), p[1])
			scale := c.sub(c.add(k(math.Ln2), c.log(p[2]), c.log1m(p[2])), c.log(p[1]))
			return c.sub(scale, c.mul(c.sub(c.mul(z, p[2]), c.min(z, k(0))), k(2)))
		}, func(c calc, y vec, p []vec) vec { // tau e^(2 (1-tau) z) below 0, 1 - (1-tau) e^(-2 tau z) above
			z, oneMinusTau := c.div(c.sub(y, p[0]), p[1]), c.sub(k(1), p[2])
			low := c.mul(c.min(z, k(0)), oneMinusTau, k(2))
			high := c.mul(c.Map(tape.Max, z, k(0)), p[2], k(-2))
			return c.add(low, c.log1m(c.mul(oneMinusTau, c.exp(high))))
		}, func(c calc, y vec, p []vec) vec {
			z, oneMinusTau := c.div(c.sub(y, p[0]), p[1]), c.sub(k(1), p[2])
			low := c.mul(c.min(z, k(0)), oneMinusTau, k(2))
			high := c.mul(c.Map(tape.Max, z, k(0)), p[2], k(-2))
			return c.add(high, c.log1m(c.mul(p[2], c.exp(low))))
		}),

		// Angles, and variables on an interval.
		family("von_mises", "rr+", func(c calc, y vec, p []vec) vec {
			scale := c.add(c.Map(tape.LogBessel, k(0), p[1]), log2Pi)
			return c.sub(c.mul(c.Map(tape.Cos, c.sub(y, p[0])), p[1]), scale)
		}, func(c calc, y vec, p []vec) vec {
			mu := wrapAngle(c, p[0])
			return logVonMisesArc(c, c.sub(k(-math.Pi), mu), c.sub(clampAngle(c, y), mu), p[1])
		}, func(c calc, y vec, p []vec) vec {
			mu := wrapAngle(c, p[0])
			return logVonMisesArc(c, c.sub(clampAngle(c, y), mu), c.sub(k(math.Pi), mu), p[1])
		}),
		family("uniform", "rrr", func(c calc, y vec, p []vec) vec {
			inside := c.add(c.logIndicator(c.sub(y, p[0])), c.logIndicator(c.sub(p[1], y)))
			return c.sub(inside, c.log(c.sub(p[1], p[0])))
		}, func(c calc, y vec, p []vec) vec { return uniformLogCDF(c, y, p[0], p[1]) },
			func(c calc, y vec, p []vec) vec { return uniformLogCDF(c, y, p[1], p[0]) }),
	}
}

// clampAngle clamps an angle to [-pi, pi].
func clampAngle(c calc, y vec) vec { return c.min(c.Map(tape.Max, y, k(-math.Pi)), k(math.Pi)) }

// wrapAngle reduces an angle to [-pi, pi).
func wrapAngle(c calc, x vec) vec {
	turns := c.Map(tape.Floor, c.mul(c.add(x, k(math.Pi)), k(.5/math.Pi)))
	return c.sub(x, c.mul(turns, k(2*math.Pi)))
}

// logVonMisesArc is the log of the probability that a von Mises variable with mean 0 and concentration kappa is between
// two angles, from in [-2 pi, pi] and to in [-pi, 2 pi], at most one turn apart. It applies Gauss-Legendre quadrature
// to intervals within w of the maxima of the density and of the ends; w is 8.5 standard deviations for large kappa.
// Error: 1e-13 for probabilities above 1e-15.
func logVonMisesArc(c calc, from, to, kappa vec) vec {
	w := c.min(c.div(k(8.5), c.Map(tape.Sqrt, kappa)), k(math.Pi))
	ends := c.Map(tape.Max, c.Map(tape.Cos, from), c.Map(tape.Cos, to))
	top := c.Map(tape.Max, ends, c.mul(c.step(c.neg(from)), c.step(to))) // maximum of the cosine, or nearly
	start, sum := from, k(0)
	for _, cut := range []vec{c.sub(w, k(2*math.Pi)), c.min(c.sub(to, w), c.neg(w)), c.neg(w), k(0), w,
		c.Map(tape.Max, c.add(from, w), w), c.sub(k(2*math.Pi), w), to} {
		next := c.min(c.Map(tape.Max, cut, start), to)
		sum = c.add(sum, c.integral(start, next, func(x vec) vec {
			return c.exp(c.mul(kappa, c.sub(c.Map(tape.Cos, x), top)))
		}))
		start = next
	}
	return c.sub(c.add(c.log(sum), c.mul(kappa, top)), c.add(c.Map(tape.LogBessel, k(0), kappa), log2Pi))
}

// uniformLogCDF is log (y - a)/(b - a), clamped to probabilities in [0, 1].
func uniformLogCDF(c calc, y, a, b vec) vec {
	s := c.div(c.sub(y, a), c.sub(b, a))
	return c.log(c.min(c.Map(tape.Max, s, k(0)), k(1)))
}

// expModTail is the log of e^(lambda (mu - y) + l^2/2) Phi(z - l) with l = lambda sigma, and z. For a = l - z > 0 this
// is computed as e^(-z^2/2) times Mills' ratio of a, since the two factors would lose precision.
func expModTail(c calc, y vec, p []vec) (tail, z vec) {
	z = c.div(c.sub(y, p[0]), p[1])
	l := c.mul(p[2], p[1])
	a := c.sub(l, z)
	low := c.min(a, k(0))
	normal := c.mul(c.square(c.min(z, l)), half)
	return c.add(c.sub(c.mul(l, low), normal), c.logPhi(c.neg(low)), k(math.Ln2), logMills(c, c.Map(tape.Max, a, k(0)))), z
}

// logMills is log Phi(-a) + a^2/2 for a >= 0, by a series for large a.
func logMills(c calc, a vec) vec {
	const large = 50
	series := func(a vec) vec { // log Phi(-a) + a^2/2 up to a constant
		s := c.div(k(1), c.square(a))
		return c.sub(c.Map(tape.Log1p, c.mul(s, c.sub(c.mul(s, c.sub(k(3), c.mul(s, k(15)))), k(1)))), c.log(a))
	}
	near := c.min(a, k(large))
	far := c.sub(series(c.Map(tape.Max, a, k(large))), series(k(large)))
	return c.add(c.logPhi(c.neg(near)), c.mul(c.square(near), half), far)
}
