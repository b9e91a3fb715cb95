package num

import (
	"math"
	"testing"
)

// Angles in all four quadrants, and beyond a full turn, against package math.
func TestCosSinPi(t *testing.T) {
	for x := -2.0; x <= 2; x += 1.0 / 64 {
		c, s := CosSinPi(x)
		if dc, ds := math.Abs(c-math.Cos(math.Pi*x)), math.Abs(s-math.Sin(math.Pi*x)); dc > 2e-15 || ds > 4e-15 {
			t.Errorf("CosSinPi(%v): errors %v and %v", x, dc, ds)
		}
	}
}
