package logpdf

import (
	"math"

	"logzlab/models/stan/tape"
)

// gamma returns the gamma family with shape p[0] and rate p[1].
func gamma() Family {
	return family("gamma", "0++", func(c calc, y vec, p []vec) vec {
		scale := c.sub(c.mul(p[0], c.log(p[1])), c.lgamma(p[0]))
		return c.sub(c.add(c.mulOrZero(c.sub(p[0], k(1)), c.log(y)), scale), c.mul(y, p[1]))
	}, func(c calc, y vec, p []vec) vec { return c.log(c.gammaP(p[0], c.mul(y, p[1]))) },
		func(c calc, y vec, p []vec) vec { return c.log(c.gammaQ(p[0], c.mul(y, p[1]))) })
}

// exponential returns the exponential family with rate p[0].
func exponential() Family {
	above := func(c calc, y vec, p []vec) vec { return c.neg(c.mul(y, p[0])) }
	return family("exponential", "0+", func(c calc, y vec, p []vec) vec {
		return c.add(above(c, y, p), c.log(p[0]), c.logIndicator(y))
	}, func(c calc, y vec, p []vec) vec { return c.Map(tape.Log1mExp, above(c, y, p)) }, above)
}

// beta returns the beta family.
func beta() Family {
	return family("beta", "u++", func(c calc, y vec, p []vec) vec {
		one := k(1)
		return c.sub(c.add(c.mulOrZero(c.sub(p[0], one), c.log(y)), c.mulOrZero(c.sub(p[1], one), c.log1m(y))), c.lbeta(p[0], p[1]))
	}, func(c calc, y vec, p []vec) vec { return c.log(c.betaP(p[0], p[1], y)) },
		func(c calc, y vec, p []vec) vec { return c.log(c.betaP(p[1], p[0], c.sub(k(1), y))) })
}

// reciprocal returns the argument change of transformed for a variable y whose reciprocal has a distribution with
// parameters q.
func reciprocal(q func(c calc, p []vec) []vec) func(c calc, y vec, p []vec) (t, slope vec, r []vec) {
	return func(c calc, y vec, p []vec) (t, slope vec, r []vec) {
		return c.inv(y), c.mul(c.log(y), k(-2)), q(c, p)
	}
}

// positives are the families of positive variables and of variables in [0, 1].
func positives() []Family {
	gamma, exponential, beta := gamma(), exponential(), beta()
	weibull := transformed("weibull", "0++", exponential, false, func(c calc, y vec, p []vec) (t, slope vec, q []vec) {
		ly := c.log(y)
		lt := c.mul(c.sub(ly, c.log(p[1])), p[0])
		return c.exp(lt), c.add(c.sub(lt, ly), c.log(p[0])), []vec{k(1)}
	})
	return []Family{
		transformed("lognormal", "0r+", normal(), false, func(c calc, y vec, p []vec) (t, slope vec, q []vec) {
			t = c.log(y)
			return t, c.neg(t), p
		}),
		transformed("loglogistic", "0++", logistic(), false, func(c calc, y vec, p []vec) (t, slope vec, q []vec) {
			t = c.log(y)
			return t, c.neg(t), []vec{c.log(p[0]), c.inv(p[1])}
		}),

		// Gamma variables and functions of them.
		gamma,
		transformed("inv_gamma", "+++", gamma, true, reciprocal(func(_ calc, p []vec) []vec { return p })),
		transformed("chi_square", "0+", gamma, false, func(c calc, y vec, p []vec) (t, slope vec, q []vec) {
			return y, k(0), []vec{c.mul(p[0], half), half}
		}),
		transformed("inv_chi_square", "++", gamma, true, reciprocal(func(c calc, p []vec) []vec {
			return []vec{c.mul(p[0], half), half}
		})),
		transformed("scaled_inv_chi_square", "+++", gamma, true, reciprocal(func(c calc, p []vec) []vec {
			h := c.mul(p[0], half)
			return []vec{h, c.mul(h, c.square(p[1]))}
		})),

		// Functions of exponential variables.
		exponential,
		weibull,
		transformed("frechet", "+++", weibull, true, reciprocal(func(c calc, p []vec) []vec {
			return []vec{p[0], c.inv(p[1])}
		})),
		transformed("rayleigh", "0+", weibull, false, func(c calc, y vec, p []vec) (t, slope vec, q []vec) {
			return y, k(0), []vec{k(2), c.mul(p[0], k(math.Sqrt2))}
		}),
		transformed("pareto", "+++", exponential, false, func(c calc, y vec, p []vec) (t, slope vec, q []vec) {
			t = c.log(y)
			return c.sub(t, c.log(p[0])), c.neg(t), []vec{p[1]}
		}),
		transformed("pareto_type_2", "rr++", exponential, false, func(c calc, y vec, p []vec) (t, slope vec, q []vec) {
			t = c.log1p(c.div(c.sub(y, p[0]), p[1]))
			return t, c.neg(c.add(t, c.log(p[1]))), []vec{p[2]}
		}),

		// Variables in [0, 1].
		beta,
		transformed("beta_proportion", "uu+", beta, false, func(c calc, y vec, p []vec) (t, slope vec, q []vec) {
			a := c.mul(p[0], p[1])
			return y, k(0), []vec{a, c.sub(p[1], a)}
		}),
	}
}
