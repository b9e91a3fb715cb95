package num

import "math"

// P(z) with erf(x) = x + x*P(x*x) for |x| <= 1/2, error 1.8e-17.
const (
	erfC0 = 0.1283791670955126
	erfC1 = -0.3761263890318375
	erfC2 = 0.1128379167095487
	erfC3 = -0.02686617064500007
	erfC4 = 0.005223977622023461
	erfC5 = -0.0008548326511406058
	erfC6 = 0.00012055286243325919
	erfC7 = -1.4923004808361972e-05
	erfC8 = 1.6371261008121684e-06
	erfC9 = -1.4621112923386238e-07
)

// G(t) with erfcx(x) = G(t)/(1+2x), t = (x-K)/(x+K), for 1/2 <= x <= 30,
// where erfcx(x) = exp(x*x)*erfc(x); error 1.1e-17. K was chosen so that the
// leading coefficient is almost exact in float64.
const (
	erfcxK = 3.8125

	erfcxC0  = 1.2363539084541144
	erfcxC1  = -0.14015514677325874
	erfcxC2  = 0.006738807450822668
	erfcxC3  = 0.07862435546319514
	erfcxC4  = -0.10697124619072369
	erfcxC5  = 0.09290774430762336
	erfcxC6  = -0.06081432180413222
	erfcxC7  = 0.030630562690611613
	erfcxC8  = -0.011296473880786733
	erfcxC9  = 0.0024679105822519596
	erfcxC10 = 0.00011018533008079962
	erfcxC11 = -0.00030065677725539855
	erfcxC12 = 8.064400024156763e-05
	erfcxC13 = 1.4374003491651224e-05
	erfcxC14 = -1.3465351148397808e-05
	erfcxC15 = 7.099615486831684e-07
	erfcxC16 = 1.7428909343324613e-06
	erfcxC17 = -3.238842579568851e-07
	erfcxC18 = -2.23532775691181e-07
	erfcxC19 = 6.080904279710037e-08
	erfcxC20 = 2.8981739785721854e-08
	erfcxC21 = -6.845344673538319e-09
	erfcxC22 = -2.8021600150270016e-09
)

// erfSmall returns erf(x)-x for |x| <= 1/2 (even and odd powers of z apart).
func erfSmall(x float64) float64 {
	z := float64(x * x)
	w := float64(z * z)
	even := erfC6 + float64(w*erfC8)
	even = erfC4 + float64(w*even)
	even = erfC2 + float64(w*even)
	even = erfC0 + float64(w*even)
	odd := erfC7 + float64(w*erfC9)
	odd = erfC5 + float64(w*odd)
	odd = erfC3 + float64(w*odd)
	odd = erfC1 + float64(w*odd)
	return float64(x * (even + float64(z*odd)))
}

// erfcxG returns G((x-K)/(x+K)) for 1/2 <= x <= 30; erfcx(x) is G/(1+2x). Even
// and odd powers of t run apart and the dominant c0 is added last.
func erfcxG(x float64) float64 {
	t := (x - erfcxK) / (x + erfcxK)
	w := float64(t * t)
	even := erfcxC20 + float64(w*erfcxC22)
	even = erfcxC18 + float64(w*even)
	even = erfcxC16 + float64(w*even)
	even = erfcxC14 + float64(w*even)
	even = erfcxC12 + float64(w*even)
	even = erfcxC10 + float64(w*even)
	even = erfcxC8 + float64(w*even)
	even = erfcxC6 + float64(w*even)
	even = erfcxC4 + float64(w*even)
	even = erfcxC2 + float64(w*even)
	odd := erfcxC19 + float64(w*erfcxC21)
	odd = erfcxC17 + float64(w*odd)
	odd = erfcxC15 + float64(w*odd)
	odd = erfcxC13 + float64(w*odd)
	odd = erfcxC11 + float64(w*odd)
	odd = erfcxC9 + float64(w*odd)
	odd = erfcxC7 + float64(w*odd)
	odd = erfcxC5 + float64(w*odd)
	odd = erfcxC3 + float64(w*odd)
	odd = erfcxC1 + float64(w*odd)
	return erfcxC0 + (float64(t*odd) + float64(w*even))
}

// splitSquare returns hi = v*v up to a small lo with hi + lo = x*x; hi is exact
// because v keeps the leading 26 bits of x.
func splitSquare(x float64) (hi, lo float64) {
	v := math.Float64frombits(math.Float64bits(x) &^ (1<<27 - 1))
	return float64(v * v), float64((x - v) * (x + v))
}

// erfcPos returns erfc(x) for 1/2 <= x < 27.3 as exp(-x*x)*G/(1+2x).
func erfcPos(x float64) float64 {
	hi, lo := splitSquare(x)
	m, k := expParts(-hi, -lo)
	return scale2(float64(m*erfcxG(x))/(1+float64(2*x)), k)
}

// Erfc returns the complementary error function 1 - erf(x).
//
// Error: at most 4 ulp where the result is normal (measured 3.0), half the
// smallest subnormal plus 4 ulp below. Erfc(-Inf) = 2, Erfc(+Inf) = 0,
// Erfc(NaN) = NaN; the result is 0 for x >= 27.3.
func Erfc(x float64) float64 {
	switch {
	case !NotNaN(x):
		return math.NaN()
	case x >= 27.3:
		return 0
	case x >= 0.5:
		return erfcPos(x)
	case x >= 0.25:
		// x-1/2 is exact, which keeps a bit that 1-erf(x) would lose.
		return 0.5 - ((x - 0.5) + erfSmall(x))
	case x > -0.5:
		return 1 - (x + erfSmall(x))
	case x > -7:
		return 2 - erfcPos(-x)
	}
	return 2
}

// Erf returns the error function, 2/sqrt(pi) times the integral of exp(-t*t)
// from 0 to x. It is odd to the last bit.
//
// Error: at most 2.5 ulp (measured 2.2). Erf(±0) = ±0, Erf(±Inf) = ±1,
// Erf(NaN) = NaN.
func Erf(x float64) float64 {
	ax := math.Abs(x)
	switch {
	case !NotNaN(x):
		return math.NaN()
	case ax < 0x1p-500: // x*x would underflow; erf(x) = 2x/sqrt(pi)
		return float64(1.1283791670955126 * x)
	case ax <= 0.5:
		return x + erfSmall(x)
	case ax < 7:
		return math.Copysign(1-erfcPos(ax), x)
	}
	return math.Copysign(1, x)
}
