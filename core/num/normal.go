package num

import "math"

// Log2Pi is log 2 pi.
const Log2Pi = 1.8378770664093454835606594728112353

const (
	halfLog2Pi  = 0.91893853320467274178 // log(2 pi)/2
	sqrtHalf    = 0.70710678118654752440
	sqrt2OverPi = 0.79788456080286535588 // sqrt(2/pi)
	invSqrt2Pi  = 0.39894228040143267794 // 1/sqrt(2 pi)
)

// gaussParts returns m and k with exp(-x*x/2) = m * 2^k, for |x| < 50.
func gaussParts(x float64) (m float64, k int) {
	hi, lo := splitSquare(x)
	return expParts(float64(-0.5*hi), float64(-0.5*lo))
}

// phiTail returns the normal probability above x for 0.7072 <= x < 38.6.
func phiTail(x float64) float64 {
	z := float64(sqrtHalf * x)
	m, k := gaussParts(x)
	return scale2(float64(m*erfcxG(z))/(1+float64(2*z)), k-1)
}

// Phi returns the standard normal distribution function, erfc(-x/sqrt 2)/2.
//
// Error: at most 5 ulp where the result is normal (measured 3.8). The square
// in the exponential is split, so the error does not grow in the lower tail.
// Phi(-Inf) = 0, Phi(+Inf) = 1, Phi(NaN) = NaN; the result is 0 for
// x <= -38.6.
func Phi(x float64) float64 {
	switch {
	case !NotNaN(x):
		return math.NaN()
	case x <= -38.6:
		return 0
	case x < -0.7072:
		return phiTail(-x)
	case x < 0.7072:
		z := float64(sqrtHalf * x)
		return 0.5 + float64(0.5*Erf(z))
	case x < 9:
		return 1 - phiTail(x)
	}
	return 1
}

// LogPhi returns log(Phi(x)).
//
// For x <= -30 it is the asymptotic form
// -x*x/2 - log(-x) - log(2 pi)/2 + log(1 - 1/x^2 + 3/x^4 - 15/x^6 + 105/x^8)
// whose truncation error is 1.6e-12 at -30 and falls as |x|^-10; above it is
// log(Phi(x)), for x > 0 in the form log1p(-Phi(-x)).
//
// Relative error: at most 6e-15 (measured 3.7e-15 just below -30) and 2e-15 for
// x > -30 (measured 5e-16) while the result is normal, x < 37.4. LogPhi(-Inf) = -Inf, LogPhi(+Inf) = 0, LogPhi(NaN) =
// NaN.
func LogPhi(x float64) float64 {
	switch {
	case !NotNaN(x):
		return math.NaN()
	case x <= -30:
		return ((float64(-0.5*float64(x*x)) - Log(-x)) - halfLog2Pi) + Log1p(phiSeries(x))
	case x <= 0:
		return Log(Phi(x))
	}
	return Log1p(-Phi(-x))
}

// phiSeries returns -1/x^2 + 3/x^4 - 15/x^6 + 105/x^8.
func phiSeries(x float64) float64 {
	w := 1 / float64(x*x)
	p := float64(105*w) - 15
	p = 3 + float64(w*p)
	p = -1 + float64(w*p)
	return float64(w * p)
}

// phiSeriesLong continues phiSeries with -945/x^10 + 10395/x^12, which leaves a
// truncation error of 2.8e-16 at -30.
func phiSeriesLong(x float64) float64 {
	w := 1 / float64(x*x)
	p := float64(10395*w) - 945
	p = 105 + float64(w*p)
	p = -15 + float64(w*p)
	p = 3 + float64(w*p)
	p = -1 + float64(w*p)
	return float64(w * p)
}

// Mills returns phi(x)/Phi(x) = exp(-x*x/2 - log(2 pi)/2 - LogPhi(x)), the
// derivative of LogPhi. It is computed without that cancelling difference:
// for x <= -30 from the asymptotic series (two terms longer than in LogPhi),
// for x < -0.7072 from the scaled complementary error function, above from the
// density and Phi.
//
// Relative error: at most 1e-15 where the result is normal, x < 37.4 (measured
// 5e-16). Mills(-Inf) = +Inf, Mills(+Inf) = 0, Mills(NaN) = NaN.
func Mills(x float64) float64 {
	switch {
	case !NotNaN(x):
		return math.NaN()
	case x <= -30:
		return -x / (1 + phiSeriesLong(x))
	case x < -0.7072:
		z := float64(-sqrtHalf * x)
		return float64(sqrt2OverPi*(1+float64(2*z))) / erfcxG(z)
	case x >= 38.7:
		return 0
	}
	m, k := gaussParts(x)
	return scale2(float64(invSqrt2Pi*m)/Phi(x), k)
}
