package num

import (
	"math"
	"math/big"
	"testing"
)

// LogGamma at integers is the log of the factorial; at half-integers it has the closed form with sqrt(pi); elsewhere it
// is compared with package math. A wrong decimal in any coefficient that matters shows at 10.
func TestLogGamma(t *testing.T) {
	t.Parallel()
	check := func(x, want float64) {
		t.Helper()
		if got := LogGamma(x); !(math.Abs(got-want) <= max(1e-14, 1e-15*math.Abs(want))) {
			t.Errorf("LogGamma(%v) = %.17g, want %.17g", x, got, want)
		}
	}
	f := big.NewInt(1)
	for n := 1; n <= 150; n++ {
		v, _ := new(big.Float).SetInt(f).Float64()
		check(float64(n), math.Log(v))
		f.Mul(f, big.NewInt(int64(n)))
	}
	half := math.Log(math.Pi) / 2
	for n := range 40 {
		check(float64(n)+.5, half)
		half += math.Log(float64(n) + .5)
	}
	for x := 1e-300; x < 1e300; x *= 1.7e5 {
		want, _ := math.Lgamma(x)
		check(x, want)
	}
	for x := .01; x < 30; x += .0173 {
		want, _ := math.Lgamma(x)
		check(x, want)
	}
	for _, x := range []float64{0, -1, -.5, math.NaN(), math.Inf(-1)} {
		if got := LogGamma(x); NotNaN(got) {
			t.Errorf("LogGamma(%v) = %v", x, got)
		}
	}
	if got := LogGamma(math.Inf(1)); !math.IsInf(got, 1) {
		t.Errorf("LogGamma(+Inf) = %v", got)
	}
}
