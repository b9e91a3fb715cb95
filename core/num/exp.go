package num

import "math"

const (
	log2E = 1.4426950408889634
	// ln2 = ln2Hi + ln2Lo; ln2Hi has 42 bits, so k*ln2Hi is exact for |k| < 2^11.
	ln2Hi = 0x1.62e42fefa3800p-1
	ln2Lo = 5.497923018708371e-14

	roundMagic = 6755399441055744 // 1.5*2^52: adding it rounds to an integer, ties to even

	expOver  = 709.782712893384   // largest x with a finite exp(x)
	expUnder = -745.1332191019411 // smallest x whose exp(x) does not round to 0
	expFast  = 708                // for |x| <= expFast the result is normal
)

// q(r) with exp(r) = 1 + r + r*r*q(r) on |r| <= ln2/2, error 7.2e-19.
const (
	expC0  = 0.5
	expC1  = 0.16666666666666682
	expC2  = 0.041666666666666095
	expC3  = 0.008333333333317072
	expC4  = 0.0013888888889115024
	expC5  = 0.00019841269896304984
	expC6  = 2.4801586927246156e-05
	expC7  = 2.7557234929741317e-06
	expC8  = 2.7557581597307023e-07
	expC9  = 2.5112016014820395e-08
	expC10 = 2.082665259587128e-09
)

// expQ evaluates r*r*q(r). Order: pairs c(2i)+c(2i+1)*r, pairs of pairs with
// r^2, then r^4 and r^8.
func expQ(r float64) float64 {
	r2 := float64(r * r)
	r4 := float64(r2 * r2)
	a := expC0 + float64(expC1*r)
	b := expC2 + float64(expC3*r)
	c := expC4 + float64(expC5*r)
	d := expC6 + float64(expC7*r)
	e := expC8 + float64(expC9*r)
	a = a + float64(b*r2)
	c = c + float64(d*r2)
	e = e + float64(expC10*r2)
	c = c + float64(e*r4)
	a = a + float64(c*r4)
	return float64(a * r2)
}

// Exp returns e**x.
//
// Error: at most 1 ulp (measured 0.86), also for subnormal results.
// Exp(+Inf) = +Inf, Exp(-Inf) = 0, Exp(NaN) = NaN. The result is +Inf for
// x > 709.782712893384 and 0 for x < -745.1332191019411.
func Exp(x float64) float64 {
	if !(math.Abs(x) <= expFast) {
		return expEdge(x)
	}
	t := float64(x*log2E) + roundMagic
	k := t - roundMagic
	hi := x - float64(k*ln2Hi)
	lo := float64(k * ln2Lo)
	y := 1 + (hi + (expQ(hi-lo) - lo))
	return math.Float64frombits(math.Float64bits(y) + math.Float64bits(t)<<52)
}

// expEdge handles the arguments outside the fast range of Exp.
func expEdge(x float64) float64 {
	switch {
	case !NotNaN(x):
		return math.NaN()
	case x > expOver:
		return math.Inf(1)
	case x < expUnder:
		return 0
	}
	m, k := expParts(x, 0)
	return scale2(m, k)
}

// expParts returns m in about [0.70, 1.42] and k with exp(a+b) = m * 2^k. It
// needs |a| < 1400 and |b| < 1e-3; b carries the low part of a split argument.
func expParts(a, b float64) (m float64, k int) {
	kf := (float64(a*log2E) + roundMagic) - roundMagic
	hi := a - float64(kf*ln2Hi)
	lo := float64(kf*ln2Lo) - b
	m = 1 + (hi + (expQ(hi-lo) - lo))
	return m, int(kf)
}

// pow2 returns 2^k for -1022 <= k <= 1023.
func pow2(k int) float64 { return math.Float64frombits(uint64(k+1023) << 52) }

// scale2 returns y * 2^k for y near 1 and |k| <= 2040, with one rounding.
func scale2(y float64, k int) float64 {
	h := k >> 1
	return float64(float64(y*pow2(h)) * pow2(k-h))
}

// Expm1 returns e**x - 1, accurate near 0.
//
// Error: at most 1.2 ulp (measured 1.08). Expm1(±0) = ±0, Expm1(+Inf) = +Inf,
// Expm1(-Inf) = -1, Expm1(NaN) = NaN.
func Expm1(x float64) float64 {
	ax := math.Abs(x)
	switch {
	case !NotNaN(x):
		return math.NaN()
	case ax < 0x1p-54:
		return x
	case x < -38:
		return -1
	case x > 60:
		return Exp(x)
	case ax <= 0.34:
		return x + expQ(x)
	}
	kf := (float64(x*log2E) + roundMagic) - roundMagic
	hi := x - float64(kf*ln2Hi)
	lo := float64(kf * ln2Lo)
	s := pow2(int(kf))
	// s*(1+hi+q) - 1 = (s-1) + s*hi + s*q, every sum with its error term.
	sum, e := twoSum(s, -1)
	sum, f := twoSum(sum, float64(s*hi))
	sum, g := twoSum(sum, float64(s*(expQ(hi-lo)-lo)))
	return sum + ((e + f) + g)
}

// twoSum returns s = fl(a+b) and the exact rounding error a+b-s.
func twoSum(a, b float64) (s, e float64) {
	s = a + b
	t := s - a
	e = (a - (s - t)) + (b - t)
	return s, e
}

const (
	log2E32      float32 = 1.44269504
	ln2Hi32      float32 = 0.693359375 // 9 bits: k*ln2Hi32 is exact
	ln2Lo32      float32 = -2.12194440e-4
	roundMagic32 float32 = 12582912 // 1.5*2^23

	exp32Max float32 = 88.7
	exp32Min float32 = -87.3

	exp32C0 float32 = 0.49999994
	exp32C1 float32 = 0.166665211
	exp32C2 float32 = 0.0416683853
	exp32C3 float32 = 0.00836871006
	exp32C4 float32 = 0.00138146337
)

// Exp32 returns e**x computed in float32 operations only, in this order (so
// that a f32x4 version gives the same bits):
//
//	t = x*log2(e) + 1.5*2^23;  k = t - 1.5*2^23
//	r = (x - k*ln2Hi) - k*ln2Lo
//	p = (((c4*r + c3)*r + c2)*r + c1)*r + c0
//	y = 1 + (r + p*(r*r))
//	result bits = bits(y) + bits(t)<<23
//
// Relative error: at most 2e-7 for float32(-87.3) <= x <= float32(88.7)
// (measured 0.8e-7). x > float32(88.7) gives +Inf, x < float32(-87.3) gives 0
// (so no result is subnormal), NaN gives NaN.
func Exp32(x float32) float32 {
	if !(x >= exp32Min && x <= exp32Max) {
		switch {
		case x > exp32Max:
			return float32(math.Inf(1))
		case x < exp32Min:
			return 0
		}
		return float32(math.NaN())
	}
	t := float32(x*log2E32) + roundMagic32
	k := t - roundMagic32
	r := (x - float32(k*ln2Hi32)) - float32(k*ln2Lo32)
	p := float32(exp32C4*r) + exp32C3
	p = float32(p*r) + exp32C2
	p = float32(p*r) + exp32C1
	p = float32(p*r) + exp32C0
	y := 1 + (r + float32(p*float32(r*r)))
	return math.Float32frombits(math.Float32bits(y) + math.Float32bits(t)<<23)
}

// Pow returns x**y as Exp(y*Log(x)); for x < 0 and a whole y, with the sign of (-1)**y.
//
// Relative error: about (1 + |y*log x|) * 2^-52. Pow(x, 0) = Pow(1, y) = 1, Pow(x, 1) = x,
// Pow(0, y) = 0 for y > 0 and +Inf for y < 0; x < 0 with y not whole and NaN give NaN (other
// than Pow(NaN, 0) = 1).
func Pow(x, y float64) float64 {
	switch {
	case y == 0 || x == 1:
		return 1
	case y == 1:
		return x
	case x < 0 && math.Floor(y) == y:
		if half := y / 2; math.Floor(half) != half {
			return -Pow(-x, y)
		}
		return Pow(-x, y)
	}
	return Exp(float64(y * Log(x)))
}
