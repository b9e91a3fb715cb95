package num

import (
	"math"
	"math/big"
	"testing"
)

// The tolerance is the documented bound of each function (LogPhi, Mills and
// PhiInv: their relative bounds in ulp), so one wrong decimal in any coefficient
// that matters at a listed point fails.
func TestTables(t *testing.T) {
	t.Parallel()
	for _, c := range tables() {
		if len(c.x) != len(c.want) {
			t.Fatalf("%s: %d arguments, %d values", c.name, len(c.x), len(c.want))
		}
		for i, x := range c.x {
			want, _, err := big.ParseFloat(c.want[i], 10, refPrec, big.ToNearestEven)
			if err != nil {
				t.Fatal(err)
			}
			if e := ulpErr(c.f(x), want); !(e <= c.ulps) {
				t.Errorf("%s(%v) = %v, want %s: %g ulp", c.name, x, c.f(x), c.want[i], e)
			}
		}
	}
}

// same compares bits, except that all NaNs are equal. It distinguishes -0 from +0.
func same(a, b float64) bool {
	return !NotNaN(a) && !NotNaN(b) || math.Float64bits(a) == math.Float64bits(b)
}

func TestSpecialValues(t *testing.T) {
	t.Parallel()
	inf, nan, neg0 := math.Inf(1), math.NaN(), math.Copysign(0, -1)
	tiny := math.SmallestNonzeroFloat64
	cases := []struct {
		name string
		f    func(float64) float64
		in   []float64
		out  []float64
	}{
		{"Exp", Exp, []float64{0, neg0, inf, -inf, nan, tiny, -tiny, 709.782712893384, 709.7827128933841, 1e308,
			-745.1332191019411, -745.1332191019412, -1e308},
			[]float64{1, 1, inf, 0, nan, 1, 1, 1.7976931348622732e308, inf, inf, tiny, 0, 0}},
		{"Expm1", Expm1, []float64{0, neg0, inf, -inf, nan, tiny, -tiny, 1e308, -1e308, -38, -37.6},
			[]float64{0, neg0, inf, -1, nan, tiny, -tiny, inf, -1, -1, -1}},
		{"Log", Log, []float64{0, neg0, inf, -inf, nan, 1, -1, -tiny, tiny, 0x1p-1022, math.MaxFloat64},
			[]float64{-inf, -inf, inf, nan, nan, 0, nan, nan, -744.4400719213812, -708.3964185322641, 709.782712893384}},
		{"Log1p", Log1p, []float64{0, neg0, inf, -inf, nan, -1, -1.5, tiny, -tiny, math.MaxFloat64, -1 + 0x1p-53},
			[]float64{0, neg0, inf, nan, nan, -inf, nan, tiny, -tiny, 709.782712893384, -36.7368005696771}},
		{"Erf", Erf, []float64{0, neg0, inf, -inf, nan, tiny, 30, -30}, []float64{0, neg0, 1, -1, nan, tiny, 1, -1}},
		{"Erfc", Erfc, []float64{0, neg0, inf, -inf, nan, tiny, 27.3, 1e300, -30, -1e300},
			[]float64{1, 1, 0, 2, nan, 1, 0, 0, 2, 2}},
		{"Phi", Phi, []float64{0, neg0, inf, -inf, nan, tiny, 40, -40, -1e300, 1e300},
			[]float64{0.5, 0.5, 1, 0, nan, 0.5, 1, 0, 0, 1}},
		{"LogPhi", LogPhi, []float64{inf, -inf, nan, 40, 1e300, -1e300, -1e154},
			[]float64{neg0, -inf, nan, neg0, neg0, -inf, -5e307}},
		{"Mills", Mills, []float64{inf, -inf, nan, 40, 1e300, -1e300, -1e10}, []float64{0, inf, nan, 0, 0, 1e300, 1e10}},
		{"PhiInv", PhiInv, []float64{0, neg0, 1, 0.5, nan, -tiny, 1.0000000000000002, inf, -inf},
			[]float64{-inf, -inf, inf, 0, nan, nan, nan, nan, nan}},
		{"Softplus", Softplus, []float64{inf, -inf, nan, 1e300, -1e300}, []float64{inf, 0, nan, 1e300, 0}},
		{"Sigmoid", Sigmoid, []float64{0, neg0, inf, -inf, nan, 1e300, -1e300}, []float64{0.5, 0.5, 1, 0, nan, 1, 0}},
		{"Logit", Logit, []float64{0, 1, 0.5, nan, -tiny, 1.0000000000000002, inf},
			[]float64{-inf, inf, 0, nan, nan, nan, nan}},
		{"Sin", Sin, []float64{0, neg0, inf, -inf, nan}, []float64{0, neg0, nan, nan, nan}},
		{"Cos", Cos, []float64{0, neg0, inf, -inf, nan, tiny}, []float64{1, 1, nan, nan, nan, 1}},
		{"Tan", Tan, []float64{0, neg0, inf, -inf, nan}, []float64{0, neg0, nan, nan, nan}},
		{"Asin", Asin, []float64{0, neg0, 1, -1, 1.1, nan}, []float64{0, neg0, math.Pi / 2, -math.Pi / 2, nan, nan}},
		{"Acos", Acos, []float64{1, -1, 0, 1.1, nan}, []float64{0, math.Pi, math.Pi / 2, nan, nan}},
		{"Atan", Atan, []float64{0, neg0, inf, -inf, nan}, []float64{0, neg0, math.Pi / 2, -math.Pi / 2, nan}},
		{"Sinh", Sinh, []float64{0, neg0, inf, -inf, nan, 711}, []float64{0, neg0, inf, -inf, nan, inf}},
		{"Cosh", Cosh, []float64{0, neg0, inf, -inf, nan, -711}, []float64{1, 1, inf, inf, nan, inf}},
		{"Tanh", Tanh, []float64{0, neg0, inf, -inf, nan}, []float64{0, neg0, 1, -1, nan}},
		{"Cbrt", Cbrt, []float64{0, neg0, inf, -inf, nan, 8}, []float64{0, neg0, inf, -inf, nan, 2}},
		{"Log1mExp", Log1mExp, []float64{0, -inf, 1, nan}, []float64{-inf, neg0, nan, nan}},
		{"Digamma", Digamma, []float64{0, -1, inf, nan}, []float64{nan, nan, inf, nan}},
		{"Trigamma", Trigamma, []float64{0, -1, inf, nan}, []float64{nan, nan, 0, nan}},
		{"GammaP(2)", func(x float64) float64 { return GammaP(2, x) },
			[]float64{0, inf, -1, nan}, []float64{0, 1, nan, nan}},
		{"GammaQ(2)", func(x float64) float64 { return GammaQ(2, x) },
			[]float64{0, inf, -1, nan}, []float64{1, 0, nan, nan}},
		{"GammaP(.,1)", func(a float64) float64 { return GammaP(a, 1) }, []float64{0, inf, -1, nan},
			[]float64{nan, nan, nan, nan}},
		{"BetaInc", func(x float64) float64 { return BetaInc(2, 3, x) }, []float64{0, 1, -1, 2, nan},
			[]float64{0, 1, nan, nan, nan}},
		{"LogBessel", func(x float64) float64 { return LogBessel(0, x) }, []float64{0, inf, -1, nan},
			[]float64{0, inf, nan, nan}},
	}
	for _, c := range cases {
		for i, x := range c.in {
			if got := c.f(x); !same(got, c.out[i]) {
				t.Errorf("%s(%v) = %v, want %v", c.name, x, got, c.out[i])
			}
		}
	}
}

// The quadrants of Atan2, and LogSubExp of equal arguments and of -Inf.
func TestSpecialPairs(t *testing.T) {
	t.Parallel()
	inf, neg0 := math.Inf(1), math.Copysign(0, -1)
	for _, c := range [][2]float64{{0, 1}, {neg0, 1}, {0, -1}, {neg0, -1}, {1, 0}, {-1, 0}, {0, 0}, {neg0, neg0},
		{inf, inf}, {inf, -inf}, {-inf, 2}, {2, inf}, {2, -inf}, {1, 1}, {1, -1}, {-1, -1}, {math.NaN(), 1}} {
		if got, want := Atan2(c[0], c[1]), math.Atan2(c[0], c[1]); !same(got, want) && math.Abs(got-want) > 5e-16 {
			t.Errorf("Atan2(%v, %v) = %v, want %v", c[0], c[1], got, want)
		}
	}
	for _, c := range [][3]float64{{1, 1, -inf}, {1, -inf, 1}, {-inf, -inf, -inf}, {0, 1, math.NaN()}} {
		if got := LogSubExp(c[0], c[1]); !same(got, c[2]) {
			t.Errorf("LogSubExp(%v, %v) = %v", c[0], c[1], got)
		}
	}
}

func TestPow(t *testing.T) {
	t.Parallel()
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range [][3]float64{
		{0, 0, 1}, {0, 2, 0}, {0, -1, inf}, {1, nan, 1}, {nan, 0, 1}, {1, inf, 1},
		{-1, 2, 1}, {-1, 3, -1}, {-2, 1, -2}, {-2, 0.5, nan}, {-1, 1e300, 1}, {-2, inf, inf}, {-2, -inf, 0}, {-inf, 3, -inf},
		{nan, 1, nan}, {2, nan, nan}, {inf, 2, inf},
		{inf, -2, 0}, {2, inf, inf}, {2, -inf, 0}, {0.3, 1, 0.3},
	} {
		if got := Pow(c[0], c[1]); !same(got, c[2]) {
			t.Errorf("Pow(%v,%v) = %v, want %v", c[0], c[1], got, c[2])
		}
	}
	// The stated bound; a swapped argument or a lost factor is off by O(1).
	r := testRand(5)
	for i := 0; i < samples(4000); i++ {
		x, y := r.in(0, 2), r.in(-20, 20)
		e := bigLog(refPrec, bf(refPrec, x))
		e.Mul(e, bf(refPrec, y))
		l, _ := e.Float64()
		if got := relErr(Pow(x, y), bigExp(refPrec, e)); got > (1+math.Abs(l))*0x1p-52 {
			t.Fatalf("Pow(%v,%v): relative error %g, y*log x = %g", x, y, got, l)
		}
	}
}

// Near 1 ulp monotonicity is not promised, but at the branch points a jump
// larger than the bounds would show here. One step in x changes each function
// by at most a few ulp more than its error bound.
func TestBranchContinuity(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		f    func(float64) float64
		x    float64
		tol  float64 // relative
	}{
		{"Exp", Exp, 708, 4e-13}, {"Exp", Exp, -708, 4e-13},
		{"Expm1", Expm1, 0.34, 2e-15}, {"Expm1", Expm1, 60, 4e-14}, {"Expm1", Expm1, -38, 1e-15},
		{"Log1p", Log1p, 0.41, 2e-15}, {"Log1p", Log1p, -0.29, 2e-15},
		{"Erf", Erf, 0.5, 2e-15}, {"Erf", Erf, 7, 1e-15}, {"Erfc", Erfc, 0.25, 2e-15},
		{"Erfc", Erfc, 0.5, 2e-15}, {"Erfc", Erfc, -0.5, 2e-15}, {"Erfc", Erfc, -7, 1e-15},
		{"Phi", Phi, 0.7072, 2e-15}, {"Phi", Phi, -0.7072, 2e-15}, {"Phi", Phi, 9, 1e-15},
		{"LogPhi", LogPhi, -30, 5e-15}, {"LogPhi", LogPhi, 0, 1e-15},
		{"Mills", Mills, -30, 2e-15}, {"Mills", Mills, -0.7072, 2e-15},
		{"PhiInv", PhiInv, 0.075, 2e-15}, {"PhiInv", PhiInv, 0.925, 2e-15}, {"PhiInv", PhiInv, 1.3887943864964e-11, 2e-15},
		{"Logit", Logit, 0.25, 2e-15}, {"Logit", Logit, 0.75, 2e-15},
	} {
		xs := around(c.x)
		for i := range 2 {
			a, b := c.f(xs[i]), c.f(xs[i+1])
			if !(math.Abs(a-b) <= c.tol*math.Abs(a)) {
				t.Errorf("%s jumps at %v: %v, %v", c.name, c.x, a, b)
			}
		}
	}
}
