package logpdf

import (
	"math"

	"logzlab/core/num"
	"logzlab/models/stan/tape"
)

// vec is a vector; one element is used for every element of the others.
type vec = []tape.Scalar

// calc provides elementwise arithmetic on a Builder; each method emits the function of its name.
type calc struct{ *tape.Builder }

// k returns a constant.
func k(v float64) vec { return tape.Consts(v) }

func (c calc) add(x vec, more ...vec) vec {
	for _, y := range more {
		x = c.Map(tape.Add, x, y)
	}
	return x
}

func (c calc) mul(x vec, more ...vec) vec {
	for _, y := range more {
		x = c.Map(tape.Mul, x, y)
	}
	return x
}

func (c calc) sub(x, y vec) vec      { return c.Map(tape.Sub, x, y) }
func (c calc) div(x, y vec) vec      { return c.Map(tape.Div, x, y) }
func (c calc) neg(x vec) vec         { return c.Map(tape.Neg, x) }
func (c calc) inv(x vec) vec         { return c.Map(tape.Inv, x) }
func (c calc) square(x vec) vec      { return c.Map(tape.Square, x) }
func (c calc) exp(x vec) vec         { return c.Map(tape.Exp, x) }
func (c calc) log(x vec) vec         { return c.Map(tape.Log, x) }
func (c calc) log1p(x vec) vec       { return c.Map(tape.Log1p, x) }
func (c calc) log1m(x vec) vec       { return c.Map(tape.Log1m, x) }
func (c calc) softplus(x vec) vec    { return c.Map(tape.Softplus, x) }
func (c calc) lgamma(x vec) vec      { return c.Map(tape.LogGamma, x) }
func (c calc) logPhi(x vec) vec      { return c.Map(tape.LogPhi, x) }
func (c calc) gammaP(a, x vec) vec   { return c.Map(tape.GammaP, a, x) }
func (c calc) gammaQ(a, x vec) vec   { return c.Map(tape.GammaQ, a, x) }
func (c calc) betaP(a, b, x vec) vec { return c.Map(tape.BetaP, a, b, x) }
func (c calc) lse(x, y vec) vec      { return c.Map(tape.LogAddExp, x, y) }
func (c calc) step(x vec) vec        { return c.Map(tape.Step, x) }
func (c calc) min(x, y vec) vec      { return c.Map(tape.Min, x, y) }
func (c calc) subAll(x vec, by ...vec) vec {
	for _, y := range by {
		x = c.Map(tape.Sub, x, y)
	}
	return x
}

// lbeta is the log of the beta function.
func (c calc) lbeta(a, b vec) vec {
	return c.sub(c.add(c.lgamma(a), c.lgamma(b)), c.lgamma(c.add(a, b)))
}

// lchoose is the log of the binomial coefficient n over m.
func (c calc) lchoose(n, m vec) vec {
	one := k(1)
	return c.subAll(c.lgamma(c.add(n, one)), c.lgamma(c.add(m, one)), c.lgamma(c.add(c.sub(n, m), one)))
}

// mulOrZero is n x, but 0 for a constant n = 0, even if x is infinite.
func (c calc) mulOrZero(n, x vec) vec {
	out := append(vec(nil), c.mul(n, x)...)
	for i := range out {
		if v, ok := elem(n, i).Const(); ok && v == 0 {
			out[i] = tape.Const(0)
		}
	}
	return out
}

// logIndicator emits 0 if x >= 0, else -Inf.
func (c calc) logIndicator(x vec) vec { return c.log(c.step(x)) }

// constOrNaN returns the value of a constant, and NaN for other values.
func constOrNaN(s tape.Scalar) float64 {
	if v, ok := s.Const(); ok {
		return v
	}
	return math.NaN()
}

// elem returns element i of x, or its only element.
func elem(x vec, i int) tape.Scalar { return x[min(i, len(x)-1)] }

const logPi = 1.1447298858494001741434273513530587

var half = k(0.5)

// multiGamma is the log of the n-dimensional gamma function.
func (c calc) multiGamma(x tape.Scalar, n int) tape.Scalar {
	terms := k(float64(n*(n-1)) / 4 * logPi)
	for j := range n {
		terms = append(terms, c.lgamma(c.sub(vec{x}, k(float64(j)/2)))...)
	}
	return c.Sum(terms)
}

var log2Pi = k(num.Log2Pi)
