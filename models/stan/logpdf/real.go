package logpdf

import (
	"math"

	"logzlab/core/num"
	"logzlab/models/stan/tape"
)

// located is a family of z = (y - mu)/sigma, the last two parameters; others, before them, shape z. above is the log
// of P(Z > z), nil where it is below of -z.
func located(name string, shapes string, log, below, above formula) Family {
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

func logNormal(c calc, z vec, _ []vec) vec {
	return c.sub(c.mul(c.square(z), k(-0.5)), k(num.Log2Pi/2))
}

func logT(c calc, z vec, p []vec) vec {
	nu := p[0]
	h := c.mul(c.add(nu, k(1)), half)
	scale := c.less(c.lgamma(h), c.lgamma(c.mul(nu, half)), c.mul(c.add(c.log(nu), k(logPi)), half))
	return c.sub(scale, c.mul(h, c.log1p(c.div(c.square(z), nu))))
}

// belowT is the log of I_w(nu/2, 1/2)/2 at w = nu/(nu + z^2) for z < 0, of one minus it above.
func belowT(c calc, z vec, p []vec) vec {
	nu := p[0]
	tail := c.mul(c.betaP(c.mul(nu, half), half, c.div(nu, c.add(c.square(z), nu))), half)
	return c.log(c.add(tail, c.mul(c.step(z), c.sub(k(1), c.mul(tail, k(2))))))
}

func normal() Family {
	return located("normal", "", logNormal, func(c calc, z vec, _ []vec) vec { return c.logPhi(z) }, nil)
}

func logistic() Family {
	return located("logistic", "", func(c calc, z vec, _ []vec) vec {
		return c.sub(c.neg(z), c.mul(c.softplus(c.neg(z)), k(2)))
	}, func(c calc, z vec, _ []vec) vec { return c.neg(c.softplus(c.neg(z))) }, nil)
}

// reals are the families of real variables.
func reals() []Family {
	normal := normal()
	return []Family{
		normal,
		derived("std_normal", "r", normal, false, func(_ calc, y vec, _ []vec) (t, slope vec, q []vec) {
			return y, k(0), []vec{k(0), k(1)}
		}),
		located("student_t", "+", logT, belowT, nil),
		located("cauchy", "", func(c calc, z vec, _ []vec) vec {
			return c.sub(k(-logPi), c.log1p(c.square(z)))
		}, func(c calc, z vec, _ []vec) vec {
			return c.sub(c.log(c.Map(tape.Atan2, k(1), c.neg(z))), k(logPi))
		}, nil),
		located("double_exponential", "", func(c calc, z vec, _ []vec) vec {
			return c.sub(k(-math.Ln2), c.Map(tape.Abs, z))
		}, func(c calc, z vec, _ []vec) vec { // z - log 2 below 0, log(1 - e^-z/2) above
			a := c.mul(c.exp(c.neg(c.Map(tape.Abs, z))), half)
			return c.add(c.min(z, k(0)), c.log(c.add(half, c.mul(c.step(z), c.sub(half, a)))))
		}, nil),
		logistic(),

		// Skewed families.
		located("gumbel", "", func(c calc, z vec, _ []vec) vec {
			return c.sub(c.neg(z), c.exp(c.neg(z)))
		}, func(c calc, z vec, _ []vec) vec { return c.neg(c.exp(c.neg(z))) },
			func(c calc, z vec, _ []vec) vec { return c.Map(tape.Log1mExp, c.neg(c.exp(c.neg(z)))) }),
		family("skew_normal", "rr+r", func(c calc, y vec, p []vec) vec {
			z := c.div(c.sub(y, p[0]), p[1])
			scale := c.sub(k(math.Ln2), c.log(p[1]))
			return c.add(logNormal(c, z, nil), scale, c.logPhi(c.mul(z, p[2])))
		}, belowSkew, aboveSkew),
		family("exp_mod_normal", "rr++", func(c calc, y vec, p []vec) vec {
			tail, _ := modified(c, y, p)
			return c.add(tail, c.log(p[2]))
		}, func(c calc, y vec, p []vec) vec {
			tail, z := modified(c, y, p)
			return c.Map(tape.LogSubExp, c.logPhi(z), tail)
		}, func(c calc, y vec, p []vec) vec {
			tail, z := modified(c, y, p)
			return c.lse(c.logPhi(c.neg(z)), tail)
		}),
		family("skew_double_exponential", "rr+u", func(c calc, y vec, p []vec) vec {
			z := c.div(c.sub(y, p[0]), p[1])
			scale := c.sub(c.add(k(math.Ln2), c.log(p[2]), c.log1m(p[2])), c.log(p[1]))
			return c.sub(scale, c.mul(c.sub(c.mul(z, p[2]), c.min(z, k(0))), k(2)))
		}, func(c calc, y vec, p []vec) vec { // tau e^(2 (1-tau) z) below 0, 1 - (1-tau) e^(-2 tau z) above
			z, less := c.div(c.sub(y, p[0]), p[1]), c.sub(k(1), p[2])
			low := c.mul(c.min(z, k(0)), less, k(2))
			high := c.mul(c.Map(tape.Max, z, k(0)), p[2], k(-2))
			return c.add(low, c.log1m(c.mul(less, c.exp(high))))
		}, func(c calc, y vec, p []vec) vec {
			z, less := c.div(c.sub(y, p[0]), p[1]), c.sub(k(1), p[2])
			low := c.mul(c.min(z, k(0)), less, k(2))
			high := c.mul(c.Map(tape.Max, z, k(0)), p[2], k(-2))
			return c.add(high, c.log1m(c.mul(p[2], c.exp(low))))
		}),

		// On a circle, and on an interval.
		family("von_mises", "rr+", func(c calc, y vec, p []vec) vec {
			scale := c.add(c.Map(tape.LogBessel, k(0), p[1]), log2Pi)
			return c.sub(c.mul(c.Map(tape.Cos, c.sub(y, p[0])), p[1]), scale)
		}, func(c calc, y vec, p []vec) vec {
			mu := centred(c, p[0])
			return arc(c, c.sub(k(-math.Pi), mu), c.sub(onCircle(c, y), mu), p[1])
		}, func(c calc, y vec, p []vec) vec {
			mu := centred(c, p[0])
			return arc(c, c.sub(onCircle(c, y), mu), c.sub(k(math.Pi), mu), p[1])
		}),
		family("uniform", "rrr", func(c calc, y vec, p []vec) vec {
			inside := c.add(c.within(c.sub(y, p[0])), c.within(c.sub(p[1], y)))
			return c.sub(inside, c.log(c.sub(p[1], p[0])))
		}, func(c calc, y vec, p []vec) vec { return share(c, y, p[0], p[1]) },
			func(c calc, y vec, p []vec) vec { return share(c, y, p[1], p[0]) }),
	}
}

// onCircle is an angle, or the end of -pi to pi that it lies beyond.
func onCircle(c calc, y vec) vec { return c.min(c.Map(tape.Max, y, k(-math.Pi)), k(math.Pi)) }

// centred is an angle without its turns, from -pi to pi.
func centred(c calc, x vec) vec {
	turns := c.Map(tape.Floor, c.mul(c.add(x, k(math.Pi)), k(.5/math.Pi)))
	return c.sub(x, c.mul(turns, k(2*math.Pi)))
}

// arc is the log of the probability that a von Mises variable of mean 0 and concentration kappa lies between two angles,
// from in -2 pi to pi and to in -pi to 2 pi, at most a turn apart. The rule of Gauss and Legendre is used between angles
// that are w from the tops of the density and from the ends; w is 8.5 standard deviations where kappa is large. Error:
// 1e-13 of probabilities above 1e-15.
func arc(c calc, from, to, kappa vec) vec {
	w := c.min(c.div(k(8.5), c.Map(tape.Sqrt, kappa)), k(math.Pi))
	ends := c.Map(tape.Max, c.Map(tape.Cos, from), c.Map(tape.Cos, to))
	top := c.Map(tape.Max, ends, c.mul(c.step(c.neg(from)), c.step(to))) // of the cosine, or nearly
	last, sum := from, k(0)
	for _, cut := range []vec{c.sub(w, k(2*math.Pi)), c.min(c.sub(to, w), c.neg(w)), c.neg(w), k(0), w,
		c.Map(tape.Max, c.add(from, w), w), c.sub(k(2*math.Pi), w), to} {
		next := c.min(c.Map(tape.Max, cut, last), to)
		sum = c.add(sum, c.integral(last, next, func(x vec) vec {
			return c.exp(c.mul(kappa, c.sub(c.Map(tape.Cos, x), top)))
		}))
		last = next
	}
	return c.sub(c.add(c.log(sum), c.mul(kappa, top)), c.add(c.Map(tape.LogBessel, k(0), kappa), log2Pi))
}

// share is log (y - a)/(b - a), between 0 and 1.
func share(c calc, y, a, b vec) vec {
	s := c.div(c.sub(y, a), c.sub(b, a))
	return c.log(c.min(c.Map(tape.Max, s, k(0)), k(1)))
}

// modified is the log of e^(lambda (mu - y) + l^2/2) Phi(z - l), with z, for l = lambda sigma. Where a = l - z is above
// 0, that is e^(-z^2/2) times Mills' ratio of a, or the two factors would be lost in each other's rounding.
func modified(c calc, y vec, p []vec) (tail, z vec) {
	z = c.div(c.sub(y, p[0]), p[1])
	l := c.mul(p[2], p[1])
	a := c.sub(l, z)
	low := c.min(a, k(0))
	normal := c.mul(c.square(c.min(z, l)), half)
	return c.add(c.sub(c.mul(l, low), normal), c.logPhi(c.neg(low)), k(math.Ln2), logMills(c, c.Map(tape.Max, a, k(0)))), z
}

// logMills is log Phi(-a) + a^2/2 of a at least 0, by a series where a is large.
func logMills(c calc, a vec) vec {
	const large = 50
	series := func(a vec) vec { // of log Phi(-a) + a^2/2, but for a constant
		s := c.div(k(1), c.square(a))
		return c.sub(c.Map(tape.Log1p, c.mul(s, c.sub(c.mul(s, c.sub(k(3), c.mul(s, k(15)))), k(1)))), c.log(a))
	}
	near := c.min(a, k(large))
	far := c.sub(series(c.Map(tape.Max, a, k(large))), series(k(large)))
	return c.add(c.logPhi(c.neg(near)), c.mul(c.square(near), half), far)
}
