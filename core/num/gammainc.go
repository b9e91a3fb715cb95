package num

import "math"

// GammaP returns the regularised lower incomplete gamma function of shape a > 0, the integral of t^(a-1) e^-t /
// Gamma(a) from 0 to x >= 0.
//
// It uses the series [DLMF] 8.11.4 for x below a+1, and 1 - GammaQ above. For a >= 100 and x within a factor 2 of a, it
// integrates the tail of the density by Gauss-Legendre quadrature.
//
// Relative error: at most 1e-14, plus 1e-15 for each unit by which the log of the result is below 0. GammaP(a, 0) = 0,
// GammaP(a, +Inf) = 1; a <= 0, x < 0 and NaN give NaN.
func GammaP(a, x float64) float64 {
	p, _, _ := gammaInc(a, x)
	return p
}

// GammaQ returns 1 - GammaP(a, x), by the continued fraction [DLMF] 8.9.2 for x above a+1, so that small values are
// accurate. Its error is as for GammaP; if a < 1 and x < a+1, the absolute error is at most 1e-15.
func GammaQ(a, x float64) float64 {
	_, q, _ := gammaInc(a, x)
	return q
}

// GammaPSlopes returns the derivatives of GammaP with respect to a and x; the derivatives of GammaQ are their
// negatives.
//
// Relative error: at most 1e-11 (measured 2e-14). Special values as GammaP.
func GammaPSlopes(a, x float64) (da, dx float64) {
	_, _, da = gammaInc(a, x)
	switch {
	case !NotNaN(da) || math.IsInf(x, 1):
		return da, da
	case x == 0 && a == 1:
		return 0, 1
	case x == 0 && a < 1:
		return 0, math.Inf(1)
	case x == 0:
		return 0, 0
	}
	return da, gammaMass(a, x) / x
}

// gammaMass returns x^a e^-x / Gamma(a), as e^-excess sqrt(a / 2 pi) e^-stirling.
func gammaMass(a, x float64) float64 {
	return float64(Exp(-excess(a, x-a, x/a)-stirlingRest(a)) * float64(invSqrt2Pi*math.Sqrt(a)))
}

// gammaInc returns P, Q and the derivative of P with respect to a.
func gammaInc(a, x float64) (p, q, da float64) {
	switch {
	case !(a > 0 && a <= math.MaxFloat64 && x >= 0):
		return math.NaN(), math.NaN(), math.NaN()
	case x == 0:
		return 0, 1, 0
	case x > math.MaxFloat64:
		return 1, 0, 0
	case a >= 100 && x > a/2 && x < float64(2*a):
		return gammaTail(a, x)
	case x < a+1:
		return gammaSeries(a, x)
	}
	h, dh, _ := fraction(dual{x + 1 - a, -1, 0}, func(i int) (dual, dual) {
		n := float64(i)
		return dual{float64(n * (a - n)), n, 0}, dual{x + float64(2*n) + 1 - a, -1, 0}
	})
	q = min(1, float64(gammaMass(a, x)*h))
	return 1 - q, q, -float64(q * (Log(x) - Digamma(a) + dh))
}

// gammaSeries sums P = x^a e^-x / Gamma(a+1) (1 + x/(a+1) + x^2/((a+1)(a+2)) + ...) and its derivative.
func gammaSeries(a, x float64) (p, q, da float64) {
	term, sum, logs, slope := 1.0, 1.0, 0.0, 0.0
	for n := 1.0; term > float64(1e-17*sum); n++ {
		term = float64(term * (x / (a + n)))
		logs += 1 / (a + n)
		sum += term
		slope += float64(term * logs)
	}
	mass := gammaMass(a, x) / a
	p = min(1, float64(mass*sum))
	return p, 1 - p, float64(p*(Log(x)-Digamma(a+1))) - float64(mass*slope)
}

// gammaTail integrates the smaller tail of the density over d = t - a, for large a.
func gammaTail(a, x float64) (p, q, da float64) {
	h := func(d float64) float64 { return excess(a, d, (a+d)/a) }
	slope := func(d float64) float64 { return d / (a + d) }
	end := -a
	if x > a {
		end = math.Inf(1)
	}
	mean := logMinusDigamma(a) // log t - psi(a) = log(t/a) + mean
	tail, moment := 0.0, 0.0
	integrateTail(x-a, end, float64(8*math.Sqrt(a)), h, slope, func(d, weight float64) {
		mass := float64(Exp(-h(d)) * (weight / (a + d)))
		tail += mass
		moment += float64(mass * (Log1p(d/a) + mean))
	})
	scale := float64(Exp(-stirling(a)) * float64(invSqrt2Pi*math.Sqrt(a)))
	tail, moment = float64(tail*scale), float64(moment*scale)
	if x > a {
		return 1 - tail, tail, -moment
	}
	return tail, 1 - tail, moment
}
