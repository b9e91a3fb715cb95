package num

import (
	"math"
	"math/big"
	"runtime"
	"sync"

	"logzlab/internal/tier"
)

// References computed with math/big. prec is the working precision in bits;
// each function is accurate to well below 2^-110 relative.

const refPrec = 160

func bf(prec uint, x float64) *big.Float { return new(big.Float).SetPrec(prec).SetFloat64(x) }

func bnew(prec uint) *big.Float { return new(big.Float).SetPrec(prec) }

// atanhInv returns atanh(1/n) (sign=1) or atan(1/n) (sign=-1).
func atanhInv(prec uint, n int64, sign int64) *big.Float {
	p := prec + 32
	t := bnew(p).Quo(bf(p, 1), bf(p, float64(n)))
	n2 := bf(p, float64(n*n))
	sum := bnew(p).Set(t)
	for k := int64(1); ; k++ {
		t.Quo(t, n2)
		u := bnew(p).Quo(t, bf(p, float64(2*k+1)))
		if u.Sign() == 0 || u.MantExp(nil) < -int(p) {
			return sum
		}
		if sign < 0 && k%2 == 1 {
			u.Neg(u)
		}
		sum.Add(sum, u)
	}
}

var (
	constMu  sync.Mutex
	constMap = map[[2]uint]*big.Float{}
)

func cached(kind, prec uint, f func() *big.Float) *big.Float {
	constMu.Lock()
	defer constMu.Unlock()
	key := [2]uint{kind, prec}
	if constMap[key] == nil {
		constMap[key] = f()
	}
	return constMap[key]
}

// bigLn2 = 18 atanh(1/26) - 2 atanh(1/4801) + 8 atanh(1/8749).
func bigLn2(prec uint) *big.Float {
	return cached(0, prec, func() *big.Float {
		p := prec + 32
		a := atanhInv(p, 26, 1)
		a.Mul(a, bf(p, 18))
		b := atanhInv(p, 4801, 1)
		a.Sub(a, b.Mul(b, bf(p, 2)))
		c := atanhInv(p, 8749, 1)
		return a.Add(a, c.Mul(c, bf(p, 8)))
	})
}

// bigPi = 16 atan(1/5) - 4 atan(1/239) (Machin).
func bigPi(prec uint) *big.Float {
	return cached(1, prec, func() *big.Float {
		p := prec + 32
		a := atanhInv(p, 5, -1)
		a.Mul(a, bf(p, 16))
		b := atanhInv(p, 239, -1)
		return a.Sub(a, b.Mul(b, bf(p, 4)))
	})
}

// bigExpm1Small sums the Taylor series of e^r - 1 for |r| < 1/2.
func bigExpm1Small(p uint, r *big.Float) *big.Float {
	sum, t := bnew(p).Set(r), bnew(p).Set(r)
	for n := 2; t.Sign() != 0 && t.MantExp(nil) > sum.MantExp(nil)-int(p); n++ {
		t.Mul(t, r)
		t.Quo(t, bf(p, float64(n)))
		sum.Add(sum, t)
	}
	return sum
}

func bigExp(prec uint, x *big.Float) *big.Float {
	p := prec + 64
	l := bigLn2(p)
	kf, _ := bnew(p).Quo(x, l).Float64()
	k := math.Round(kf)
	r := bnew(p).Mul(l, bf(p, k))
	r.Sub(x, r)
	e := bigExpm1Small(p, r)
	e.Add(e, bf(p, 1))
	return e.SetMantExp(e, int(k))
}

func bigExpm1(prec uint, x *big.Float) *big.Float {
	p := prec + 64
	if x.MantExp(nil) < -1 {
		return bigExpm1Small(p, x)
	}
	e := bigExp(p, x)
	return e.Sub(e, bf(p, 1))
}

// bigLog uses log(m*2^k) = 2 atanh((m-1)/(m+1)) + k log 2, m in [0.7, 1.4].
func bigLog(prec uint, x *big.Float) *big.Float {
	p := prec + 64
	m := bnew(max(p, x.Prec()))
	k := x.MantExp(m)
	if m.Cmp(big.NewFloat(0.7)) < 0 {
		m.SetMantExp(m, 1)
		k--
	}
	one := bf(p, 1)
	num, den := bnew(p).Sub(m, one), bnew(p).Add(m, one)
	s := num.Quo(num, den)
	s2 := bnew(p).Mul(s, s)
	sum, t := bnew(p).Set(s), bnew(p).Set(s)
	for n := 3; t.Sign() != 0 && t.MantExp(nil) > sum.MantExp(nil)-int(p); n += 2 {
		t.Mul(t, s2)
		sum.Add(sum, bnew(p).Quo(t, bf(p, float64(n))))
	}
	sum.Mul(sum, bf(p, 2))
	return sum.Add(sum, bnew(p).Mul(bigLn2(p), bf(p, float64(k))))
}

func bigLog1p(prec uint, x *big.Float) *big.Float {
	p := prec + 1200 // 1+x exact for every float64 x that is not trivially small
	return bigLog(prec, bnew(p).Add(bf(p, 1), x))
}

// bigErfPos sums erf(x) = 2/sqrt(pi) e^(-x^2) sum 2^n x^(2n+1)/(2n+1)!!.
func bigErfPos(p uint, x *big.Float) *big.Float {
	x2 := bnew(p).Mul(x, x)
	two := bnew(p).Mul(x2, bf(p, 2))
	sum, t := bnew(p).Set(x), bnew(p).Set(x)
	for n := 1; t.Sign() != 0 && t.MantExp(nil) > sum.MantExp(nil)-int(p); n++ {
		t.Mul(t, two)
		t.Quo(t, bf(p, float64(2*n+1)))
		sum.Add(sum, t)
	}
	sum.Mul(sum, bigExp(p, x2.Neg(x2)))
	sum.Mul(sum, bf(p, 2))
	return sum.Quo(sum, bnew(p).Sqrt(bigPi(p)))
}

// erfcWork is the precision at which 1 -/+ erf keeps refPrec bits of the tail.
func erfcWork(x *big.Float) uint {
	f, _ := x.Float64()
	return refPrec + 64 + 64*uint(f*f*1.6/64)
}

func bigErf(x *big.Float) *big.Float {
	p := uint(refPrec + 64)
	if x.Sign() < 0 {
		e := bigErfPos(p, bnew(p).Neg(x))
		return e.Neg(e)
	}
	return bigErfPos(p, x)
}

func bigErfc(x *big.Float) *big.Float {
	p := erfcWork(x)
	var e *big.Float
	if x.Sign() < 0 {
		e = bigErfPos(p, bnew(p).Neg(x))
		return e.Add(bf(p, 1), e)
	}
	e = bigErfPos(p, bnew(p).Set(x))
	return e.Sub(bf(p, 1), e)
}

// bigPhi returns erfc(-x/sqrt 2)/2.
func bigPhi(x *big.Float) *big.Float {
	z := bnew(2000).Sqrt(bf(2000, 0.5))
	z.Mul(z, x)
	z.Neg(z)
	e := bigErfc(z)
	return e.SetMantExp(e, -1)
}

// bigDensity returns exp(-x*x/2)/sqrt(2 pi).
func bigDensity(x *big.Float) *big.Float {
	p := uint(refPrec + 64)
	q := bnew(p).Mul(x, x)
	q.SetMantExp(q, -1)
	d := bigExp(p, q.Neg(q))
	r := bnew(p).Mul(bigPi(p), bf(p, 2))
	return d.Quo(d, r.Sqrt(r))
}

// ulpErr returns |got-want| in units of the float64 spacing at want.
func ulpErr(got float64, want *big.Float) float64 {
	if math.IsNaN(got) || math.IsInf(got, 0) {
		return math.Inf(1)
	}
	d := bnew(want.Prec()+64).Sub(bf(64, got), want)
	if d.Sign() == 0 {
		return 0
	}
	e := -1074
	if want.Sign() != 0 {
		e = max(want.MantExp(nil)-53, -1074)
	}
	d.SetMantExp(d, -e)
	f, _ := d.Float64()
	return math.Abs(f)
}

// relErr returns |got-want|/|want|.
func relErr(got float64, want *big.Float) float64 {
	d := bnew(want.Prec()+64).Sub(bf(64, got), want)
	f, _ := d.Quo(d, want).Float64()
	return math.Abs(f)
}

// testRand is SplitMix64; the tests need the same inputs on every platform.
type testRand uint64

func (r *testRand) bits() uint64 {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

func (r *testRand) unit() float64 { return float64(r.bits()>>11) * 0x1p-53 }

func (r *testRand) in(lo, hi float64) float64 { return lo + float64((hi-lo)*r.unit()) }

// samples scales a native sample count down where math/big is slow.
func samples(n int) int {
	if runtime.GOARCH == "wasm" {
		return n/20 + 1
	}
	return n/tier.Size(20, 4, 1) + 1
}
