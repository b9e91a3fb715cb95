package logpdf

import (
	"math"

	"logzlab/core/tape"
)

// counted makes a family discrete, and its probabilities of ranges right outside: for y < 0, and y >= parameter top,
// where that is not below 0.
func counted(name, domains string, top int, log, below, above formula) Family {
	f := family(name, domains, log, ranged(below, top, math.Inf(-1), 0), ranged(above, top, 0, math.Inf(-1)))
	f.Discrete = true
	return f
}

func counts() []Family {
	bernoulli := func(c calc, y vec, p []vec) vec { // log(1-y + (2y-1) theta)
		s := c.sub(c.mul(y, k(2)), k(1))
		return c.log(c.add(c.mul(s, p[0]), c.sub(k(1), y)))
	}
	binomial := func(c calc, y vec, p []vec) vec {
		n, theta := p[0], p[1]
		return c.add(c.times(y, c.log(theta)), c.times(c.sub(n, y), c.log1m(theta)), c.lchoose(n, y))
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
		return c.sub(c.times(y, c.log(p[0])), c.add(p[0], c.lgamma(c.add(y, k(1)))))
	}
	negative := counted("neg_binomial_2_log", "nr+", -1, negBinomial, func(c calc, y vec, p []vec) vec {
		u := c.sub(p[0], c.log(p[1]))
		return c.log(c.betaP(p[1], c.add(y, k(1)), c.Map(tape.Sigmoid, c.neg(u))))
	}, func(c calc, y vec, p []vec) vec {
		u := c.sub(p[0], c.log(p[1]))
		return c.log(c.betaP(c.add(y, k(1)), p[1], c.Map(tape.Sigmoid, u)))
	})
	return []Family{
		counted("bernoulli", "nu", -1, bernoulli,
			summed(bernoulli, func(p []float64) (lo, hi float64) { return 0, min(p[0], 1) }),
			summed(bernoulli, func(p []float64) (lo, hi float64) { return p[0] + 1, 1 })),
		counted("bernoulli_logit", "nr", -1, func(c calc, y vec, p []vec) vec {
			return c.neg(c.softplus(c.mul(c.sub(k(1), c.mul(y, k(2))), p[0])))
		}, nil, nil),

		// Counts out of n.
		counted("binomial", "nnu", 0, binomial, func(c calc, y vec, p []vec) vec {
			return c.log(c.betaP(c.sub(p[0], y), c.add(y, k(1)), c.sub(k(1), p[1])))
		}, func(c calc, y vec, p []vec) vec {
			return c.log(c.betaP(c.add(y, k(1)), c.sub(p[0], y), p[1]))
		}),
		counted("binomial_logit", "nnr", -1, func(c calc, y vec, p []vec) vec {
			return c.add(c.sub(c.mul(y, p[1]), c.mul(c.softplus(p[1]), p[0])), c.lchoose(p[0], y))
		}, nil, nil),
		counted("beta_binomial", "nn++", 0, betaBinomial, summed(betaBinomial, fromZero), summed(betaBinomial, toTop)),
		counted("hypergeometric", "nnnn", 0, hypergeometric,
			summed(hypergeometric, func(p []float64) (lo, hi float64) { return max(0, p[1]-p[3]), min(p[0], p[2]) }),
			summed(hypergeometric, func(p []float64) (lo, hi float64) {
				return max(p[0]+1, p[1]-p[3]), min(p[1], p[2])
			})),
		counted("discrete_range", "iii", -1, func(c calc, y vec, p []vec) vec {
			inside := c.add(c.within(c.sub(y, p[0])), c.within(c.sub(p[1], y)))
			return c.sub(inside, c.log(c.add(c.sub(p[1], p[0]), k(1))))
		}, nil, nil),

		// Counts without a limit.
		counted("poisson", "n0", -1, poisson, func(c calc, y vec, p []vec) vec {
			return c.log(c.gammaQ(c.add(y, k(1)), p[0]))
		}, func(c calc, y vec, p []vec) vec { return c.log(c.gammaP(c.add(y, k(1)), p[0])) }),
		counted("poisson_log", "nr", -1, func(c calc, y vec, p []vec) vec {
			return c.sub(c.mul(y, p[0]), c.add(c.exp(p[0]), c.lgamma(c.add(y, k(1)))))
		}, nil, nil),
		negative,
		derived("neg_binomial_2", "n++", negative, false, func(c calc, y vec, p []vec) (t, slope vec, q []vec) {
			return y, k(0), []vec{c.log(p[0]), p[1]}
		}),
		derived("neg_binomial", "n++", negative, false, func(c calc, y vec, p []vec) (t, slope vec, q []vec) {
			return y, k(0), []vec{c.sub(c.log(p[0]), c.log(p[1])), p[0]}
		}),
	}
}

// negBinomial is the log mass of a mean e^eta and a precision phi, with u = eta - log phi: mean/(mean + phi) is
// sigmoid(u).
func negBinomial(c calc, y vec, p []vec) vec {
	eta, phi := p[0], p[1]
	u, n := c.sub(eta, c.log(phi)), c.add(y, phi)
	ways := c.less(c.lgamma(n), c.lgamma(phi), c.lgamma(c.add(y, k(1))))
	return c.sub(c.add(ways, c.mul(y, u)), c.mul(n, c.softplus(u)))
}
