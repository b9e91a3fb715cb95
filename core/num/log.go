package num

import "math"

// P(z) with log((1+s)/(1-s)) = 2s + s*z*P(z), z = s*s, error 1.7e-18.
const (
	logC0 = 0.6666666666666712
	logC1 = 0.3999999999953857
	logC2 = 0.28571428718446507
	logC3 = 0.22222200776689857
	logC4 = 0.1818345950358779
	logC5 = 0.1531654018726006
	logC6 = 0.14772584487047272

	sqrtHalfBits = 0x3fe6a09e667f3bcd
	minNormal    = 0x1p-1022
)

// logCore returns k*ln2 + log(1+f) + c for 1+f in [sqrt(1/2), sqrt(2)) and a
// small correction c. With s = f/(2+f) it uses
// log(1+f) = f - (f*f/2 - s*(f*f/2 + z*P(z))), which keeps f itself exact.
func logCore(f, k, c float64) float64 {
	s := f / (2 + f)
	z := float64(s * s)
	w := float64(z * z)
	odd := logC1 + float64(w*(logC3+float64(w*logC5)))
	even := logC0 + float64(w*(logC2+float64(w*(logC4+float64(w*logC6)))))
	r := float64(z * (even + float64(z*odd)))
	h := float64(0.5 * float64(f*f))
	return float64(k*ln2Hi) - ((h - (float64(s*(h+r)) + (float64(k*ln2Lo) + c))) - f)
}

// reduce splits a positive normal x into 2^k * m, m in [sqrt(1/2), sqrt(2)).
func reduce(x float64) (m float64, k int64) {
	b := math.Float64bits(x)
	k = int64(b-sqrtHalfBits) >> 52
	return math.Float64frombits(b - uint64(k)<<52), k
}

// Log returns the natural logarithm of x.
//
// Error: at most 1 ulp (measured 0.83). Log(±0) = -Inf, Log(+Inf) = +Inf,
// Log(x < 0) = NaN, Log(NaN) = NaN; subnormal x are handled.
func Log(x float64) float64 {
	adj := 0.0
	if !(x >= minNormal && x <= math.MaxFloat64) {
		switch {
		case x == 0:
			return math.Inf(-1)
		case x > math.MaxFloat64:
			return x
		case !(x > 0):
			return math.NaN()
		}
		x = float64(x * 0x1p54)
		adj = -54
	}
	m, k := reduce(x)
	return logCore(m-1, float64(k)+adj, 0)
}

// Log1p returns log(1+x), accurate near 0.
//
// Error: at most 1 ulp (measured 0.81). Log1p(±0) = ±0, Log1p(-1) = -Inf,
// Log1p(+Inf) = +Inf, Log1p(x < -1) = NaN, Log1p(NaN) = NaN.
func Log1p(x float64) float64 {
	if x > -0.29 && x < 0.41 {
		if math.Abs(x) < 0x1p-54 {
			return x
		}
		return logCore(x, 0, 0)
	}
	switch {
	case x == -1:
		return math.Inf(-1)
	case !(x > -1):
		return math.NaN()
	case x > math.MaxFloat64:
		return x
	}
	u := 1 + x
	// c/u is the relative rounding error of u.
	c := x - (u - 1)
	if x > 1 {
		c = 1 - (u - x)
	}
	m, k := reduce(u)
	return logCore(m-1, float64(k), c/u)
}

// Logit returns log(p) - log(1-p) for p in [0, 1].
//
// Relative error: at most 3 ulp (measured 2.4); around 1/2 the equal form
// log1p((2p-1)/(1-p)) avoids the cancellation. Logit(0) = -Inf,
// Logit(1) = +Inf, Logit(1/2) = 0; NaN and p outside [0, 1] give NaN.
func Logit(p float64) float64 {
	switch {
	case !(p >= 0 && p <= 1):
		return math.NaN()
	case p == 1:
		return math.Inf(1)
	case p > 0.25 && p < 0.75:
		return Log1p((float64(2*p) - 1) / (1 - p))
	}
	return Log(p) - Log1p(-p)
}

// Sigmoid returns 1/(1+e**-x) without overflow in either tail.
//
// Error: at most 2.5 ulp (measured 2.1) where the result is normal.
// Sigmoid(-Inf) = 0, Sigmoid(+Inf) = 1, Sigmoid(NaN) = NaN.
func Sigmoid(x float64) float64 {
	e := Exp(-math.Abs(x))
	n := 1.0
	if x < 0 {
		n = e
	}
	return n / (1 + e)
}

// Softplus returns log(1+e**x) as max(x,0) + log1p(e**-|x|).
//
// Error: at most 2 ulp (measured 1.6). Softplus(-Inf) = 0,
// Softplus(+Inf) = +Inf, Softplus(NaN) = NaN.
func Softplus(x float64) float64 {
	l := Log1p(Exp(-math.Abs(x)))
	if x > 0 {
		return x + l
	}
	return l
}

// SoftplusSlope returns Softplus(x) and its slope, Sigmoid(x), by one exponential: the same bits as by two.
func SoftplusSlope(x float64) (value, slope float64) {
	e := Exp(-math.Abs(x))
	value, slope = Log1p(e), 1.0
	if x > 0 {
		value += x
	} else if x < 0 {
		slope = e
	}
	return value, slope / (1 + e)
}
