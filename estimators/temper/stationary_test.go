package temper

import (
	"math"
	"testing"

	"logzlab/core/num"
	"logzlab/core/spec"
	"logzlab/internal/methodtest"
)

// The stationary vector of a chain with detailed balance, known in closed form, over 300 orders of magnitude.
func TestStationary(t *testing.T) {
	const k = 4
	want := []float64{0, -20, -345, -7} // logs
	p := make([]float64, k*k)
	for i := range k {
		rest := 1.0
		for l := range k {
			if l != i {
				p[i*k+l] = math.Exp(min(0, want[l]-want[i])) / k
				rest -= p[i*k+l]
			}
		}
		p[i*k+i] = rest
	}
	pi := stationary(p, k)
	for i := range pi {
		methodtest.Near(t, "log pi", num.Log(pi[i])-num.Log(pi[0]), want[i], 1e-12)
	}
}

// Runs whose matrices would be too large are refused.
func TestMovesFit(t *testing.T) {
	values := spec.Values{"chains": "100", "sweeps": "2000"}
	if err := checkTransitionMemory(100, values); err != nil {
		t.Error(err)
	}
	if err := checkTransitionMemory(300, values); err == nil {
		t.Error("300 rungs and 100 chains are not refused")
	}
}
