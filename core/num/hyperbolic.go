package num

import "math"

// Sinh returns (e**x - e**-x)/2, by Expm1 where that difference would cancel.
//
// Error: at most 2 ulp. Sinh(±0) = ±0, Sinh(±Inf) = ±Inf, Sinh(NaN) = NaN.
func Sinh(x float64) float64 {
	ax := math.Abs(x)
	if !(ax < 22) {
		return math.Copysign(halfExp(ax), x)
	}
	if ax < 0x1p-28 {
		return x
	}
	e := Expm1(ax)
	return math.Copysign(float64(0.5*(e+e/(e+1))), x)
}

// Cosh returns (e**x + e**-x)/2.
//
// Error: at most 2 ulp. Cosh(±Inf) = +Inf, Cosh(NaN) = NaN.
func Cosh(x float64) float64 {
	x = math.Abs(x)
	if !(x < 22) {
		return halfExp(x)
	}
	e := Exp(x)
	return float64(0.5 * (e + 1/e))
}

// halfExp returns e**x / 2 for x >= 22, even if e**x overflows.
func halfExp(x float64) float64 {
	if !NotNaN(x) || x > 712 {
		return float64(x * math.Inf(1))
	}
	m, k := expParts(x, 0)
	return scale2(m, k-1)
}

// Tanh returns the hyperbolic tangent as -e/(2+e), e = e**(-2|x|) - 1, with the sign of x.
//
// Error: at most 3 ulp. Tanh(±0) = ±0, Tanh(±Inf) = ±1, Tanh(NaN) = NaN.
func Tanh(x float64) float64 {
	if math.Abs(x) < 0x1p-28 {
		return x
	}
	e := Expm1(float64(-2 * math.Abs(x)))
	return math.Copysign(-e/(2+e), x)
}

// Cbrt returns the cube root as e**(log|x|/3) and one step of Newton.
//
// Error: at most 1.5 ulp. Cbrt(±0) = ±0, Cbrt(±Inf) = ±Inf, Cbrt(NaN) = NaN.
func Cbrt(x float64) float64 {
	if x == 0 || !Finite(x) {
		return x
	}
	ax := math.Abs(x)
	t := Exp(Log(ax) / 3)
	return math.Copysign(t-(t-ax/float64(t*t))/3, x)
}

// Log1m returns log(1-x); it is Log1p of -x.
func Log1m(x float64) float64 { return Log1p(-x) }

// Log1mExp returns log(1 - e**x) for x <= 0: log(-expm1(x)) above -log 2, log1p(-e**x) below [Maechler2012].
//
// Error: at most 2 ulp. Log1mExp(0) = -Inf, Log1mExp(-Inf) = 0; x > 0 and NaN give NaN.
func Log1mExp(x float64) float64 {
	if x > -0.6931471805599453 {
		return Log(-Expm1(x))
	}
	return Log1p(-Exp(x))
}

// LogSubExp returns log(e**a - e**b) for a >= b.
//
// Its error is the relative error of a - b, which cancels if a and b are close, and 1 ulp of a. Equal arguments give -Inf, b = -Inf
// gives a; a < b and NaN give NaN.
func LogSubExp(a, b float64) float64 {
	if a == b || math.IsInf(b, -1) && NotNaN(a) {
		if a == b {
			return math.Inf(-1)
		}
		return a
	}
	return a + Log1mExp(b-a)
}
