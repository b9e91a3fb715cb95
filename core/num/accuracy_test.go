package num

import (
	"math"
	"math/big"
	"testing"
)

// Every bound below is the bound stated in the doc comment. A wrong last decimal of a coefficient, a missing low part
// of ln 2 or an unsplit square moves the error to several ulp or more, far above these limits.
type accCase struct {
	name  string
	f     func(float64) float64
	ref   func(*big.Float) *big.Float
	bound float64 // ulp, or relative when rel is set
	rel   bool
	n     int          // native samples per range
	rng   [][2]float64 // uniform ranges
	logs  [][2]float64 // log-uniform ranges of |x|; sign is random when neg is set
	neg   bool
	extra []float64
}

// around lists x and its neighbours, where the branches of a function meet.
func around(xs ...float64) []float64 {
	var out []float64
	for _, x := range xs {
		out = append(out, math.Nextafter(x, math.Inf(-1)), x, math.Nextafter(x, math.Inf(1)))
	}
	return out
}

func withPrec(f func(uint, *big.Float) *big.Float) func(*big.Float) *big.Float {
	return func(x *big.Float) *big.Float { return f(refPrec, x) }
}

func bigSoftplus(x *big.Float) *big.Float {
	e := bigExp(refPrec+64, x)
	return bigLog1p(refPrec, e)
}

func bigSigmoid(x *big.Float) *big.Float {
	p := uint(refPrec + 64)
	e := bigExp(p, bnew(p).Neg(x))
	e.Add(e, bf(p, 1))
	return e.Quo(bf(p, 1), e)
}

func bigLogit(x *big.Float) *big.Float {
	p := uint(2400)
	q := bnew(p).Sub(bf(p, 1), x)
	return bigLog(refPrec+64, bnew(p).Quo(x, q))
}

func bigMills(x *big.Float) *big.Float {
	d := bigDensity(x)
	return d.Quo(d, bigPhi(x))
}

func accCases() []accCase {
	return []accCase{
		{name: "Exp", f: Exp, ref: withPrec(bigExp), bound: 1, n: 6000,
			rng:  [][2]float64{{-1, 1}, {-30, 30}, {-745.13, 709.78}},
			logs: [][2]float64{{1e-20, 1}}, neg: true,
			extra: around(708, -708, 709.78, 709.782712893384-1e-13, -745.133, -708.4, ln2Hi/2, -ln2Hi/2, 1, 0.5)},
		{name: "Expm1", f: Expm1, ref: withPrec(bigExpm1), bound: 1.2, n: 6000,
			rng:  [][2]float64{{-2, 2}, {-40, 62}, {60, 709.78}},
			logs: [][2]float64{{1e-300, 1}}, neg: true,
			extra: around(0.34, -0.34, ln2Hi/2, -ln2Hi/2, 1.03972, 60, -38, -37.5, 0x1p-54)},
		{name: "Log", f: Log, ref: withPrec(bigLog), bound: 1, n: 6000,
			rng:   [][2]float64{{0.5, 2}, {0.99, 1.01}, {0, 1000}},
			logs:  [][2]float64{{5e-324, 1e308}, {0.68, 1.45}},
			extra: around(math.Sqrt2, math.Sqrt2/2, 1, 2, 0.5, 0x1p-1022, math.MaxFloat64/2, math.Pi)},
		{name: "Log1p", f: Log1p, ref: withPrec(bigLog1p), bound: 1, n: 6000,
			rng:   [][2]float64{{-0.999999, 1}, {-0.5, 3}, {0, 1e4}},
			logs:  [][2]float64{{1e-300, 1e300}},
			extra: around(-0.29, 0.41, math.Sqrt2-1, 1, 0x1p-54, -0x1p-54, 0x1p53, 0x1p54, -1+0x1p-52, -0.5)},
		{name: "Erf", f: Erf, ref: bigErf, bound: 2.5, n: 2000,
			rng:   [][2]float64{{-0.6, 0.6}, {-3, 3}, {0, 6}},
			logs:  [][2]float64{{1e-306, 1}},
			neg:   true,
			extra: around(0.25, 0.5, -0.5, 0x1p-500, 5.9)},
		{name: "Erfc", f: Erfc, ref: bigErfc, bound: 4, n: 300,
			rng:   [][2]float64{{-6, 6}, {0.2, 1.2}, {0.5, 10}, {0.5, 26.54}, {26.54, 27.2}},
			extra: around(0.25, 0.5, -0.5, 1, -7.1, 26.54)},
		{name: "Phi", f: Phi, ref: bigPhi, bound: 5, n: 300,
			rng:   [][2]float64{{-6, 6}, {-1.2, 1.2}, {-37.5, 0}, {-38.5, -37.5}},
			extra: around(0.7072, -0.7072, 1e-20, 8.9, -37.5)},
		{name: "LogPhi", f: LogPhi, ref: func(x *big.Float) *big.Float { return bigLog(refPrec, bigPhi(x)) },
			bound: 6e-15, rel: true, n: 300,
			rng:   [][2]float64{{-2, 2}, {-30, 10}, {-45, -30}, {5, 37.4}},
			extra: around(-30, 0, 5, 0.7072, -0.7072)},
		{name: "LogPhi>-30", f: LogPhi, ref: func(x *big.Float) *big.Float { return bigLog(refPrec, bigPhi(x)) },
			bound: 2e-15, rel: true, n: 400, rng: [][2]float64{{-2, 2}, {-29.99, 30}}},
		{name: "Mills", f: Mills, ref: bigMills, bound: 1e-15, rel: true, n: 400,
			rng:   [][2]float64{{-2, 2}, {-29.999, 37}},
			extra: around(0, 0.7072, -0.7072)},
		{name: "Mills<=-30", f: Mills, ref: bigMills, bound: 1e-15, rel: true, n: 300,
			rng: [][2]float64{{-60, -30}}, extra: []float64{-30, -80}},
		{name: "Softplus", f: Softplus, ref: bigSoftplus, bound: 2, n: 6000,
			rng:   [][2]float64{{-2, 2}, {-40, 40}, {-708, 200}},
			extra: around(0, 1e-20, 36.7, -36.7)},
		{name: "Sigmoid", f: Sigmoid, ref: bigSigmoid, bound: 2.5, n: 6000,
			rng:   [][2]float64{{-2, 2}, {-40, 40}, {-708, 100}},
			extra: around(0, 1e-20, 36.7, -36.7)},
		{name: "Logit", f: Logit, ref: bigLogit, bound: 3, n: 6000,
			rng: [][2]float64{{0, 1}, {0.49, 0.51}}, logs: [][2]float64{{1e-300, 1}},
			extra: around(0.25, 0.75, 0.5, 1-0x1p-52)},
	}
}

func (c accCase) inputs() []float64 {
	r := testRand(12345)
	xs := append([]float64(nil), c.extra...)
	n := samples(c.n)
	for _, g := range c.rng {
		for i := 0; i < n; i++ {
			xs = append(xs, r.in(g[0], g[1]))
		}
	}
	for _, g := range c.logs {
		// Uniform bit patterns are log-uniform within a factor of two.
		lo, hi := math.Float64bits(g[0]), math.Float64bits(g[1])
		for i := 0; i < n; i++ {
			x := math.Float64frombits(lo + r.bits()%(hi-lo))
			if c.neg && r.bits()&1 == 1 {
				x = -x
			}
			xs = append(xs, x)
		}
	}
	return xs
}

func TestAccuracy(t *testing.T) {
	for _, c := range accCases() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			worst, at := 0.0, 0.0
			for _, x := range c.inputs() {
				if x == 0 || c.name == "Logit" && x == 0.5 {
					continue
				}
				want := c.ref(bf(refPrec+64, x))
				e := 0.0
				if c.rel {
					e = relErr(c.f(x), want)
				} else {
					e = ulpErr(c.f(x), want)
				}
				if !(e <= worst) {
					worst, at = e, x
				}
			}
			t.Logf("%s: worst error %.3g at %v", c.name, worst, at)
			if !(worst <= c.bound) {
				t.Errorf("error %g at %v exceeds %g", worst, at, c.bound)
			}
		})
	}
}
