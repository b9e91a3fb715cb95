package num

import (
	"math"
	"math/bits"
)

const (
	twoOverPi = 0.63661977236758134308
	piHalf    = 1.57079632679489661923
	piHalfLo  = 6.123233995736766e-17 // pi/2 - piHalf
	nearest   = 0x1p28                // largest |x| reduced with quarterParts
)

// quarterParts is pi/2 as a sum of three parts of 22 bits, so that products with 2^30 are exact, and a remainder.
var quarterParts = [4]float64{0x1.921fbp+0, 0x1.5110bp-22, 0x1.184698p-44, 2.0222662487959506e-21}

// twoOverPiBits has 64 zeros and the first 1216 bits of 2/pi.
var twoOverPiBits = [...]uint64{0, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
	0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41,
	0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7,
	0x4f463f669e5fea2d, 0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab}

// quarters returns r + low = |x| - k pi/2, |r| <= pi/4, and k mod 4, for a finite x.
func quarters(x float64) (r, low float64, k uint64) {
	x = math.Abs(x)
	if x >= nearest {
		return farQuarters(x)
	}
	n := (float64(x*twoOverPi) + roundMagic) - roundMagic
	r = (x - float64(n*quarterParts[0])) - float64(n*quarterParts[1]) // exact
	r, low = twoSum(r, -float64(n*quarterParts[2]))
	r, low = twoSum(r, low-float64(n*quarterParts[3]))
	return r, low, uint64(n) & 3
}

// farQuarters multiplies x = m 2^e, m an integer, by the bits of 2/pi that determine k mod 4 and the following 126
// bits, by the method of [Payne1983].
func farQuarters(x float64) (r, low float64, k uint64) {
	b := math.Float64bits(x)
	e := int(b>>52) - 1075
	m := b&(1<<52-1) | 1<<52

	// With m 2^e, bit i counts 2^(e+63-i). Bits that count 2^3 or more are whole turns.
	from := e + 61
	word := func(i int) uint64 {
		at, s := from/64+i, from%64
		return twoOverPiBits[at]<<s | twoOverPiBits[at+1]>>(64-s)
	}

	// The leading words of the product.
	_, hi := bits.Mul64(m, word(0))
	mid, lo := bits.Mul64(m, word(1))
	last, _ := bits.Mul64(m, word(2))
	lo, carry := bits.Add64(lo, last, 0)
	hi, _ = bits.Add64(hi, mid, carry)

	// Whole quarters, and the fraction.
	k = hi >> 61
	hi, lo = hi<<3|lo>>61, lo<<3
	sign := 1.0
	if hi>>63 == 1 { // more than half a quarter: count from the next one
		k, sign = k+1, -1
		lo, carry = bits.Sub64(0, lo, 0)
		hi, _ = bits.Sub64(0, hi, carry)
	}
	part := func(w uint64, scale float64) float64 { return float64(sign * scale * float64(w)) }
	a, c := part(hi>>32, 0x1p-32), part(hi&(1<<32-1), 0x1p-64)
	c += part(lo>>32, 0x1p-96)
	f, g := twoSum(a, c)

	// (f+g) pi/2 with the product of f in two parts.
	ph, pl := twoProduct(f, piHalf)
	r, low = twoSum(ph, pl+(float64(f*piHalfLo)+float64(g*piHalf)))
	return r, low, k & 3
}

// twoProduct returns p = fl(x*y) and the exact rounding error x*y-p.
func twoProduct(x, y float64) (p, e float64) {
	p = float64(x * y)
	xh, yh := upper(x), upper(y)
	xl, yl := x-xh, y-yh
	return p, ((float64(xh*yh) - p) + float64(xh*yl) + float64(xl*yh)) + float64(xl*yl)
}

// upper returns x with its leading 26 bits only.
func upper(x float64) float64 { return math.Float64frombits(math.Float64bits(x) &^ (1<<27 - 1)) }

// sinNear returns sin(r+low) for |r| <= pi/4 and a small low.
func sinNear(r, low float64) float64 {
	z := float64(r * r)
	p := 0.0
	for _, c := range [...]float64{1. / 355687428096000, -1. / 1307674368000, 1. / 6227020800, -1. / 39916800,
		1. / 362880, -1. / 5040, 1. / 120} {
		p = step(p, z, c)
	}
	// sin(r+low) = r - r^3/6 + r^5 P + low cos r
	return r + (float64(float64(r*z)*(float64(z*p)-1./6)) + float64(low*(1-float64(0.5*z))))
}

// cosNear returns cos(r+low) for |r| <= pi/4 and a small low.
func cosNear(r, low float64) float64 {
	z := float64(r * r)
	p := 0.0
	for _, c := range [...]float64{-1. / 6402373705728000, 1. / 20922789888000, -1. / 87178291200, 1. / 479001600,
		-1. / 3628800, 1. / 40320, -1. / 720, 1. / 24} {
		p = step(p, z, c)
	}
	half := float64(0.5 * z)
	w := 1 - half
	return w + (((1 - w) - half) + (float64(float64(z*z)*p) - float64(r*low)))
}

// sinQuarters returns the sine of r + low + k pi/2.
func sinQuarters(r, low float64, k uint64) float64 {
	y := 0.0
	if k&1 == 0 {
		y = sinNear(r, low)
	} else {
		y = cosNear(r, low)
	}
	if k&2 != 0 {
		return -y
	}
	return y
}

// Sin returns the sine of x.
//
// Error: at most 1 ulp. The argument is reduced by multiples of pi/2 with a remainder of 90 bits up to 2^28 and of more
// bits above. Sin(±0) = ±0; infinities and NaN give NaN.
func Sin(x float64) float64 {
	if !Finite(x) {
		return math.NaN()
	}
	if math.Abs(x) < 0x1p-27 {
		return x
	}
	r, low, k := quarters(x)
	return float64(math.Copysign(1, x) * sinQuarters(r, low, k))
}

// Cos returns the cosine of x. Error: at most 1 ulp. Infinities and NaN give NaN.
func Cos(x float64) float64 {
	if !Finite(x) {
		return math.NaN()
	}
	r, low, k := quarters(x)
	return sinQuarters(r, low, k+1)
}

// Tan returns sin(x)/cos(x).
//
// Error: at most 1.5 ulp. Tan(±0) = ±0; infinities and NaN give NaN.
func Tan(x float64) float64 {
	if !Finite(x) {
		return math.NaN()
	}
	if math.Abs(x) < 0x1p-27 {
		return x
	}
	r, low, k := quarters(x)
	return float64(math.Copysign(1, x) * (sinQuarters(r, low, k) / sinQuarters(r, low, k+1)))
}

// eighthAngles has atan(k/8).
var eighthAngles = [...]float64{0, 0.124354994546761435031, 0.244978663126864154172, 0.358770670270572220396,
	0.463647609000806116214, 0.558599315343562435971, 0.643501108793284386803, 0.718829999621624505417,
	0.785398163397448309616}

// atanUnit returns the arc tangent of 0 <= x <= 1: with c = k/8 near x, atan x = atan c + atan((x-c)/(1+cx)).
func atanUnit(x float64) float64 {
	k := (float64(8*x) + roundMagic) - roundMagic
	c := float64(k / 8)
	t := (x - c) / (1 + float64(c*x))
	z := float64(t * t)
	p := 0.0
	for _, c := range [...]float64{-1. / 15, 1. / 13, -1. / 11, 1. / 9, -1. / 7, 1. / 5, -1. / 3} {
		p = step(p, z, c)
	}
	return eighthAngles[int(k)] + (t + float64(t*float64(z*p)))
}

// Atan returns the arc tangent of x, in [-pi/2, pi/2].
//
// Error: at most 1.5 ulp. Atan(±0) = ±0, Atan(±Inf) = ±pi/2, Atan(NaN) = NaN.
func Atan(x float64) float64 {
	ax := math.Abs(x)
	switch {
	case !NotNaN(x):
		return math.NaN()
	case ax < 0x1p-27:
		return x
	case ax > 1:
		return math.Copysign(piHalf-(atanUnit(1/ax)-piHalfLo), x)
	}
	return math.Copysign(atanUnit(ax), x)
}

// Asin returns the arc sine of x as atan(x/sqrt((1-x)(1+x))).
//
// Error: at most 2.5 ulp. |x| > 1 and NaN give NaN.
func Asin(x float64) float64 { return Atan(x / math.Sqrt(float64((1-x)*(1+x)))) }

// Acos returns the arc cosine of x as 2 atan(sqrt((1-x)/(1+x))).
//
// Error: at most 2.5 ulp. Acos(-1) = pi; |x| > 1 and NaN give NaN.
func Acos(x float64) float64 { return float64(2 * Atan(math.Sqrt((1-x)/(1+x)))) }

// Atan2 returns the angle of the point (x, y), in [-pi, pi].
//
// Error: at most 1.5 ulp. Signs of zeros and infinities determine the result as in IEEE 754; NaN gives NaN.
func Atan2(y, x float64) float64 {
	ay, ax := math.Abs(y), math.Abs(x)
	a := 0.0
	switch {
	case !NotNaN(x) || !NotNaN(y):
		return math.NaN()
	case ay == 0: // 0
	case math.IsInf(ay, 0) && math.IsInf(ax, 0):
		a = piHalf / 2
	case ay <= ax:
		a = Atan(ay / ax)
	default:
		a = piHalf - (Atan(ax/ay) - piHalfLo)
	}
	if math.Copysign(1, x) < 0 {
		a = float64(2*piHalf) - (a - float64(2*piHalfLo))
	}
	return math.Copysign(a, y)
}
