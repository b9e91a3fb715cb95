package rng

import (
	"math"
	"testing"

	"logzlab/core/num"
)

// Normal variates are below each of many points with the right frequency, also far out. Planted and caught: one layer
// too many or too few, wedges always accepted, the tail without rejection, one sign only.
func TestNormal(t *testing.T) {
	t.Parallel()
	const n = 4000000
	s := NewKey(1, "normal", 0).Stream(0, 0, 0)
	points := []float64{-4.2, -3.8, -3.6, -3, -2, -1.5, -1, -.5, -.2, 0, .1, .3, .7, 1.2, 1.8, 2.5, 3.3, 3.66, 4}
	below := make([]float64, len(points))
	sum, squares := 0., 0.
	for range n {
		x := s.Normal()
		sum += x
		squares += x * x
		for i, p := range points {
			if x < p {
				below[i]++
			}
		}
	}
	for i, p := range points {
		q := num.Phi(p)
		if z := (below[i] - n*q) / math.Sqrt(n*q*(1-q)); math.Abs(z) > 4.5 {
			t.Errorf("%.0f of %d below %v, z = %.1f", below[i], n, p, z)
		}
	}
	if math.Abs(sum)/math.Sqrt(n) > 4 || math.Abs(squares/n-1) > 4*math.Sqrt(2./n) {
		t.Errorf("mean %v, mean square %v", sum/n, squares/n)
	}
}

func BenchmarkNormal(b *testing.B) {
	s := NewKey(1, "normal", 0).Stream(0, 0, 0)
	for b.Loop() {
		s.Normal()
	}
}
