package num

import (
	"math"
	"math/big"
	"testing"
)

func TestPhiInvAccuracy(t *testing.T) {
	t.Parallel()
	// First-order inversion error (Phi(x)-p)/(phi(x)*x) against big Phi. 1e-15
	// is the AS 241 claim; any mistyped coefficient is above 1e-14 somewhere.
	worst, at := 0.0, 0.0
	check := func(p float64) {
		x := PhiInv(p)
		if x == 0 {
			t.Fatalf("PhiInv(%v) = 0", p)
		}
		e := bigPhi(bf(refPrec, x))
		e.Sub(e, bf(refPrec, p))
		d := bigDensity(bf(refPrec, x))
		d.Mul(d, bf(refPrec, x))
		f, _ := e.Quo(e, d).Float64()
		if f = math.Abs(f); !(f <= worst) {
			worst, at = f, p
		}
	}
	for _, p := range around(0.075, 0.925, 1.3887943864964e-11, 0.499, 0.501, 1e-300, 0.9999999999) {
		check(p)
	}
	check(math.Nextafter(0.5, 0))
	check(math.Nextafter(0.5, 1))
	check(math.Nextafter(1, 0))
	r := testRand(3)
	n := samples(600)
	for i := 0; i < n; i++ {
		check(r.in(0.075, 0.925))
		check(r.in(0, 0.075))
		check(r.in(0.925, 1))
		lo, hi := math.Float64bits(1e-300), math.Float64bits(0.01)
		if i < n/4 {
			check(math.Float64frombits(lo + r.bits()%(hi-lo)))
		}
	}
	t.Logf("PhiInv: worst relative error %.3g at %v", worst, at)
	if worst > 1e-15 {
		t.Errorf("PhiInv: relative error %g at %v", worst, at)
	}
}

func TestExp32Accuracy(t *testing.T) {
	t.Parallel()
	// 2e-7 is the contract; a degree too low or a missing ln2Lo32 gives 1e-6.
	worst, at := 0.0, float32(0)
	check := func(x float32) {
		if e := relErr(float64(Exp32(x)), bigExp(64, bf(100, float64(x)))); !(e <= worst) {
			worst, at = e, x
		}
	}
	for _, x := range []float32{0, 1, -1, 88.7, -87.3, 1e-30, -1e-30, 0.34657, -0.34657, 44.3614, -60.2} {
		check(x)
	}
	r := testRand(8)
	for i := 0; i < samples(40000); i++ {
		check(float32(r.in(-87.3, 88.7)))
		check(float32(r.in(-1, 1)))
	}
	// Against our own Exp (1e-16) the whole range is cheap: every 1024th float32.
	step := uint32(1024)
	if samples(1000) < 1000 {
		step = 65536
	}
	for b := uint32(0); b < math.Float32bits(88.7); b += step {
		for _, s := range []uint32{0, 1 << 31} {
			x := math.Float32frombits(b | s)
			if x < exp32Min {
				continue
			}
			want := Exp(float64(x))
			if e := math.Abs(float64(Exp32(x))-want) / want; !(e <= worst) {
				worst, at = e, x
			}
		}
	}
	t.Logf("Exp32: worst relative error %.3g at %v", worst, at)
	if worst > 2e-7 {
		t.Errorf("Exp32: relative error %g at %v", worst, at)
	}
	inf := float32(math.Inf(1))
	next := func(x, to float32) float32 { return math.Nextafter32(x, to) }
	for _, c := range [][2]float32{
		{0, 1}, {inf, inf}, {-inf, 0}, {next(88.7, 100), inf}, {next(-87.3, -100), 0},
		{1e38, inf}, {-1e38, 0}, {math.SmallestNonzeroFloat32, 1},
	} {
		if got := Exp32(c[0]); got != c[1] {
			t.Errorf("Exp32(%v) = %v, want %v", c[0], got, c[1])
		}
	}
	if got := Exp32(float32(math.NaN())); got == got {
		t.Errorf("Exp32(NaN) = %v", got)
	}
	if lo, hi := Exp32(-87.3), Exp32(88.7); lo < 0x1p-126 || math.IsInf(float64(hi), 0) {
		t.Errorf("Exp32 leaves the normal range: %v, %v", lo, hi)
	}
}

func TestIdentities(t *testing.T) {
	t.Parallel()
	r := testRand(77)
	for i := 0; i < 20000; i++ {
		x := r.in(-30, 30)
		// softplus(x)-softplus(-x) = x; a sign or branch error is O(1).
		if d := Softplus(x) - Softplus(-x) - x; math.Abs(d) > 2e-15*math.Max(1, math.Abs(x)) {
			t.Fatalf("softplus identity at %v: %g", x, d)
		}
		if d := Sigmoid(x) + Sigmoid(-x) - 1; math.Abs(d) > 4e-16 {
			t.Fatalf("sigmoid identity at %v: %g", x, d)
		}
		// logit inverts sigmoid; its condition number is 1/(1-p) at the top.
		if x < 5 {
			if d := Logit(Sigmoid(x)) - x; math.Abs(d) > 1e-15*(2+math.Abs(x)+Exp(x)) {
				t.Fatalf("logit(sigmoid(%v)) off by %g", x, d)
			}
		}
		if d := Log(Exp(x)) - x; math.Abs(d) > 2.5e-16+2e-16*math.Abs(x) {
			t.Fatalf("log(exp(%v)) off by %g", x, d)
		}
		y := r.in(-6, 6)
		if Erf(-y) != -Erf(y) {
			t.Fatalf("erf not odd at %v", y)
		}
		if d := Erf(y) + Erfc(y) - 1; math.Abs(d) > 5e-16 {
			t.Fatalf("erf+erfc at %v: %g", y, d)
		}
		if d := Phi(y) + Phi(-y) - 1; math.Abs(d) > 5e-16 {
			t.Fatalf("Phi symmetry at %v: %g", y, d)
		}
		p := r.unit()
		if d := Phi(PhiInv(p)) - p; math.Abs(d) > 2e-15*p*(1+math.Abs(PhiInv(p))) && math.Abs(d) > 5e-16 {
			t.Fatalf("Phi(PhiInv(%v)) off by %g", p, d)
		}
		// Mills is the derivative of LogPhi; a central difference with h=1e-4
		// has error h*h/6*|m''| + rounding/h, below 1e-7.
		if d := (LogPhi(y+1e-4)-LogPhi(y-1e-4))/2e-4 - Mills(y); math.Abs(d) > 1e-7 {
			t.Fatalf("Mills is not LogPhi' at %v: %g", y, d)
		}
		// The defining formula, which cancels by up to x*x/2 = 18 here.
		if m, w := Mills(y), Exp(-y*y/2-halfLog2Pi-LogPhi(y)); math.Abs(m-w) > 1e-14*m {
			t.Fatalf("Mills formula at %v: %v, %v", y, m, w)
		}
	}
}

func TestScale2(t *testing.T) {
	t.Parallel()
	// One rounding at the subnormal boundary; two would lose a half ulp.
	for k := -1080; k <= 1023; k++ {
		for _, m := range []float64{0.71, 1, 1.3, 1.4142135} {
			b := bf(53, m)
			b.SetMantExp(b, k)
			want, acc := b.Float64()
			_ = acc
			if got := scale2(m, k); got != want {
				t.Fatalf("scale2(%v,%d) = %v, want %v", m, k, got, want)
			}
		}
	}
	for _, x := range around(-708.5, -720, -740) {
		if e := ulpErr(Exp(x), bigExp(refPrec, new(big.Float).SetFloat64(x))); e > 1 {
			t.Errorf("Exp(%v): %g ulp", x, e)
		}
	}
}
