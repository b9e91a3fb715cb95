package logpdf

import (
	"math"

	"logzlab/models/stan/tape"
)

// countFamily returns a discrete family whose log CDF and log CCDF have the correct values for y < 0, and for y >=
// parameter top unless top is negative.
func countFamily(name, domains string, top int, log, below, above formula) Family {
	f := family(name, domains, log, withRange(below, top, math.Inf(-1), 0), withRange(above, top, 0, math.Inf(-1)))
	f.Discrete = true
	return f
}

// counts returns the discrete families.
func counts() []Family {
	bernoulli := func(c calc, y vec, p []vec) vec { // log(1-y + (2y-1) theta)
		s := c.sub(c.mul(y, k(2)), k(1))
		return c.log(c.add(c.mul(s, p[0]), c.sub(k(1), y)))
	}
	binomial := func(c calc, y vec, p []vec) vec {
		n, theta := p[0], p[1]
		return c.add(c.mulOrZero(y, c.log(theta)), c.mulOrZero(c.sub(n, y), c.log1m(theta)), c.lchoose(n, y))
	}
	betaBinomial := func(c calc, y vec, p []vec) vec {
		n, a, b := p[0], p[1], p[2]
		return c.sub(c.add(c.lchoose(n, y), c.lbeta(c.add(y, a), c.add(c.sub(n, y), b))), c.lbeta(a, b))
	}
	hypergeometric := func(c calc, y vec, p []vec) vec {
		n, a, b := p[0], p[1], p[2]
		return c.sub(c.add(c.lchoose(a, y), c.lchoose(b, c.sub(n, y))), c.lchoose(c.add(a, b), n))
	}
	poisson := func(c calc, y vec, p []vec) vec {
		return c.sub(c.mulOrZero(y, c.log(p[0])), c.add(p[0], c.lgamma(c.add(y, k(1)))))
	}
	negative := countFamily("neg_binomial_2_log", "nr+", -1, negBinomial, func(c calc, y vec, p []vec) vec {
		u := c.sub(p[0], c.log(p[1]))
		return c.log(c.betaP(p[1], c.add(y, k(1)), c.Map(tape.Sigmoid, c.neg(u))))
	}, func(c calc, y vec, p []vec) vec {
		u := c.sub(p[0], c.log(p[1]))
		return c.log(c.betaP(c.add(y, k(1)), p[1], c.Map(tape.Sigmoid, u)))
	})
	betaNegBinomial := func(c calc, y vec, p []vec) vec {
		r, a, b := p[0], p[1], p[2]
		ways := c.subAll(c.lgamma(c.add(y, r)), c.lgamma(r), c.lgamma(c.add(y, k(1))))
		return c.add(ways, c.sub(c.lbeta(c.add(b, y), c.add(a, r)), c.lbeta(b, a)))
	}
	betaNegBelow := sumMass(betaNegBinomial, func(p []float64) (lo, hi float64) { return 0, p[0] })
	return []Family{
		countFamily("bernoulli", "nu", -1, bernoulli,
			sumMass(bernoulli, func(p []float64) (lo, hi float64) { return 0, min(p[0], 1) }),
			sumMass(bernoulli, func(p []float64) (lo, hi float64) { return p[0] + 1, 1 })),
		countFamily("bernoulli_logit", "nr", -1, func(c calc, y vec, p []vec) vec {
			return c.neg(c.softplus(c.mul(c.sub(k(1), c.mul(y, k(2))), p[0])))
		}, nil, nil),

		// Counts up to n.
		countFamily("binomial", "nnu", 0, binomial, func(c calc, y vec, p []vec) vec {
			return c.log(c.betaP(c.sub(p[0], y), c.add(y, k(1)), c.sub(k(1), p[1])))
		}, func(c calc, y vec, p []vec) vec {
			return c.log(c.betaP(c.add(y, k(1)), c.sub(p[0], y), p[1]))
		}),
		countFamily("binomial_logit", "nnr", -1, func(c calc, y vec, p []vec) vec {
			return c.add(c.sub(c.mul(y, p[1]), c.mul(c.softplus(p[1]), p[0])), c.lchoose(p[0], y))
		}, nil, nil),
		countFamily("beta_binomial", "nn++", 0, betaBinomial, sumMass(betaBinomial, fromZero), sumMass(betaBinomial, toTop)),
		countFamily("hypergeometric", "nnnn", 0, hypergeometric,
			sumMass(hypergeometric, func(p []float64) (lo, hi float64) { return max(0, p[1]-p[3]), min(p[0], p[2]) }),
			sumMass(hypergeometric, func(p []float64) (lo, hi float64) {
				return max(p[0]+1, p[1]-p[3]), min(p[1], p[2])
			})),
		discreteRange(), yuleSimon(),
		countFamily("beta_neg_binomial", "n+++", -1, betaNegBinomial, betaNegBelow,
			func(c calc, y vec, p []vec) vec { return c.Map(tape.Log1mExp, betaNegBelow(c, y, p)) }),

		// Unbounded counts.
		countFamily("poisson", "n0", -1, poisson, func(c calc, y vec, p []vec) vec {
			return c.log(c.gammaQ(c.add(y, k(1)), p[0]))
		}, func(c calc, y vec, p []vec) vec { return c.log(c.gammaP(c.add(y, k(1)), p[0])) }),
		countFamily("poisson_log", "nr", -1, func(c calc, y vec, p []vec) vec {
			return c.sub(c.mul(y, p[0]), c.add(c.exp(p[0]), c.lgamma(c.add(y, k(1)))))
		}, nil, nil),
		negative,
		transformed("neg_binomial_2", "n++", negative, false, func(c calc, y vec, p []vec) (t, slope vec, q []vec) {
			return y, k(0), []vec{c.log(p[0]), p[1]}
		}),
		transformed("neg_binomial", "n++", negative, false, func(c calc, y vec, p []vec) (t, slope vec, q []vec) {
			return y, k(0), []vec{c.sub(c.log(p[0]), c.log(p[1])), p[0]}
		}),
	}
}

// negBinomial is the log mass for mean e^eta and precision phi, with u = eta - log phi: mean/(mean + phi) = sigmoid(u).
func negBinomial(c calc, y vec, p []vec) vec {
	eta, phi := p[0], p[1]
	u, n := c.sub(eta, c.log(phi)), c.add(y, phi)
	ways := c.subAll(c.lgamma(n), c.lgamma(phi), c.lgamma(c.add(y, k(1))))
	return c.sub(c.add(ways, c.mul(y, u)), c.mul(n, c.softplus(u)))
}

// discreteRange is the uniform family on a range of integers.
func discreteRange() Family {
	logFraction := func(count func(c calc, y vec, p []vec) vec) formula { // log share of the integers
		return func(c calc, y vec, p []vec) vec {
			n := c.add(c.sub(p[1], p[0]), k(1))
			return c.log(c.div(c.Map(tape.Max, c.min(count(c, y, p), n), k(0)), n))
		}
	}
	f := family("discrete_range", "iii", func(c calc, y vec, p []vec) vec {
		inside := c.add(c.logIndicator(c.sub(y, p[0])), c.logIndicator(c.sub(p[1], y)))
		return c.sub(inside, c.log(c.add(c.sub(p[1], p[0]), k(1))))
	}, logFraction(func(c calc, y vec, p []vec) vec { return c.add(c.sub(y, p[0]), k(1)) }),
		logFraction(func(c calc, y vec, p []vec) vec { return c.sub(p[1], y) }))
	f.Discrete = true
	return f
}

// yuleSimon is the family of counts from 1 on with mass a B(y, a + 1) and P(Y > y) = y B(y, a + 1).
func yuleSimon() Family {
	above := func(c calc, t vec, p []vec) vec {
		y := c.add(t, k(1))
		return c.add(c.log(y), c.lbeta(y, c.add(p[0], k(1))))
	}
	below := func(c calc, t vec, p []vec) vec { return c.Map(tape.Log1mExp, above(c, t, p)) }
	mass := func(c calc, t vec, p []vec) vec {
		return c.add(c.log(p[0]), c.lbeta(c.add(t, k(1)), c.add(p[0], k(1))))
	}
	// fromOne returns f at y - 1 for y >= 1, and low for smaller y.
	fromOne := func(f formula, low float64) formula {
		f = withRange(f, -1, low, 0)
		return func(c calc, y vec, p []vec) vec { return f(c, c.sub(y, k(1)), p) }
	}
	logZero := math.Inf(-1)
	out := family("yule_simon", "n+", fromOne(mass, logZero), fromOne(below, logZero), fromOne(above, 0))
	out.Discrete = true
	return out
}
