package estimators

import (
	"math"
	"testing"

	"logzlab/core/rng"
)

// Forward weights w ~ N(c - s²/2, s²) and reverse ones -w with w ~ N(c + s²/2, s²)
// are those of two normal distributions: log Z is c. 4 s.e. of 0.004 catch a sign or a
// side exchanged (0.5 and more).
func TestBennett(t *testing.T) {
	const n, c, s = 20000, 3.7, .8
	x := rng.NewKey(1, "bennett", 0).Stream(0, 0, 0)
	forward, reverse := make([]float64, n), make([]float64, n)
	for i := range forward {
		forward[i] = c - s*s/2 + s*x.Norm()
		reverse[i] = -(c + s*s/2 + s*x.Norm())
	}
	if got := Bennett(forward, reverse); !(math.Abs(got-c) < .016) {
		t.Errorf("log Z = %v, want %v", got, c)
	}
	// A third of the target that no forward weight has seen: log 1.5 too low ahead,
	// told by the reverse side.
	for i := range n / 3 {
		reverse[i] = -60
	}
	if got := Bennett(forward, reverse) - c; !(got > .25) {
		t.Errorf("a missed third shifts log Z by %v", got)
	}
}
