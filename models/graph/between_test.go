package graph

import (
	"math"
	"testing"
)

// TestBetween: of a graph whose elimination is not made by itself, the interval holds the sum and narrows.
func TestBetween(t *testing.T) {
	t.Parallel()
	p, err := FileOf(Glass(20, 20, 1, 3), nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := New(p, 1, "natural")
	if err != nil {
		t.Fatal(err)
	}
	want, _ := m.g.Eliminate(m.plan(), going)
	low, high, wide := math.Inf(-1), math.Inf(1), 0.0
	m.Between(1<<10, going, func(below, above float64) bool {
		if below < low || above > high || below > want+1e-9 || above < want-1e-9 {
			t.Errorf("between %v and %v after %v and %v, log Z %v", below, above, low, high, want)
		}
		if low, high = below, above; wide == 0 && !math.IsInf(below, -1) {
			wide = high - low
		}
		return true
	})
	if !(high-low < .7*wide) {
		t.Errorf("an interval of %v nats became one of %v", wide, high-low)
	}
}
