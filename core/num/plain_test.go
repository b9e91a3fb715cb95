package num

import (
	"math"
	"testing"
)

// TestPlain checks Finite and NotNaN, and that Mul rounds each product.
func TestPlain(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		x             float64
		finite, known bool
	}{
		{0, true, true}, {-1e308, true, true}, {math.SmallestNonzeroFloat64, true, true}, {math.MaxFloat64, true, true},
		{inf, false, true}, {-inf, false, true}, {math.NaN(), false, false}, {-math.NaN(), false, false},
	} {
		if Finite(c.x) != c.finite || NotNaN(c.x) != c.known {
			t.Errorf("%v: finite %v, known %v; want %v, %v", c.x, Finite(c.x), NotNaN(c.x), c.finite, c.known)
		}
	}
	// Rounded once, (1+e)(1-e) = 1 - e**2 is 1; fused with the subtraction it would leave -e**2.
	e := math.Ldexp(1, -30)
	if d := Mul(1+e, 1-e) - 1; d != 0 {
		t.Errorf("a product before a difference was fused: result %g, want 0", d)
	}
	if d := math.FMA(1+e, 1-e, -1); d == 0 {
		t.Error("the example does not distinguish a fused product from a rounded one")
	}
}
