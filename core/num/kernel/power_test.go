package kernel

import (
	"math"
	"testing"

	"logzlab/core/num"
	"logzlab/core/num/rng"
)

// roughPower is the approximate power of the module, operation by operation.
func roughPower(x float32) float32 {
	const log2E float32 = 1.44269504
	const magic float32 = 3 << 22
	y := min(max(float32(x*log2E), powerMin), powerMax)
	t := y + magic
	r := y - (t - magic)
	p := float32(powerC4*r) + powerC3
	p = float32(p*r) + powerC2
	p = float32(p*r) + powerC1
	p = float32(p*r) + powerC0
	return math.Float32frombits(math.Float32bits(p) + math.Float32bits(t)<<23)
}

// If the approximate power decides a draw from the first 24 bits of r, Bern or Metropolis gives the same result for the
// smallest and the largest r with these bits. Numbers are drawn near the threshold.
func TestRoughPower(t *testing.T) {
	t.Run("Bern", func(t *testing.T) { testRoughPower(t, 1, Bern) })
	t.Run("Metropolis", func(t *testing.T) { testRoughPower(t, 0, Metropolis) })
}

// testRoughPower tests the rule r (one + e^-x) < 2^32.
func testRoughPower(t *testing.T, one float32, rule func(r uint32, x float32) bool) {
	s := rng.NewKey(1, "power", 0).Stream(0, 0, 0)
	var worst float64
	doubts, n := 0, 1<<21
	for i := range n {
		x := float32(60*s.Float64() - 30)
		if i%8 == 0 {
			x *= 5
		}
		odds := one + roughPower(-x)
		if exact := one + num.Exp32(-x); -x < 27 && (one == 1 || x < 20) { // between powerMin and powerMax
			worst = max(worst, math.Abs(float64(odds)/float64(exact)-1))
		}
		u := s.Float64()
		if i%2 == 0 { // close to where it is decided
			u = min(1, (1+4e-5*(u-.5))/(float64(one)+math.Exp(float64(-x))))
		}
		high := uint32(u * (1<<24 - 1))
		p := float32(float32(high) * odds)
		on := p < powerMaybe
		if on != (p+odds < powerSurely) {
			doubts++
			continue
		}
		for _, r := range []uint32{high << 8, high<<8 | 255} {
			if rule(r, x) != on {
				t.Fatalf("logit %v, number %d: on = %v, want %v", x, r, on, !on)
			}
		}
	}
	if worst > 5e-6 {
		t.Errorf("largest relative error of the odds = %.2g", worst)
	}
	if doubts == 0 || doubts > n*2/3 {
		t.Errorf("%d of %d draws are undecided", doubts, n)
	}
	t.Logf("the odds err by %.2g of themselves; %d of %d draws near them are in doubt", worst, doubts, n/2)
}
