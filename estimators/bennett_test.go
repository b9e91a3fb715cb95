package estimators

import (
	"math"
	"testing"

	"logzlab/core/num"
	"logzlab/core/num/rng"
)

// Forward weights w ~ N(c - s²/2, s²) and reverse ones -w with w ~ N(c + s²/2, s²) belong to two normal distributions
// with log Z = c. 4 s.e. of 0.004 detect a wrong sign or exchanged sides (0.5 and more).
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
	// A third of the target has no forward weight: the forward estimate is log 1.5 too low, which the reverse side
	// corrects.
	for i := range n / 3 {
		reverse[i] = -60
	}
	if got := Bennett(forward, reverse) - c; !(got > .25) {
		t.Errorf("a missed third shifts log Z by %v", got)
	}
}

// Bisection skips certain points and gives the same bits as without skipping, also if weights do not overlap, are 0 or
// unknown.
func TestBennettBits(t *testing.T) {
	t.Parallel()
	key := rng.NewKey(7, "bennett", 0)
	for try := range 600 {
		s := key.Stream(0, uint32(try), 0)
		spread, shift := []float64{.01, 1, 5, 50, 1000}[s.Intn(5)], []float64{0, 1, 30, 1000, 1e6}[s.Intn(5)]*s.Norm()
		forward, reverse := make([]float64, 1+s.Intn(300)), make([]float64, 1+s.Intn(300))
		for i := range forward {
			forward[i] = shift + spread*s.Norm()
		}
		for i := range reverse {
			reverse[i] = -shift + spread*(s.Norm()-float64(3*s.Intn(2)))
		}
		forward[0] = []float64{forward[0], math.Inf(-1), math.NaN()}[max(s.Intn(20)-17, 0)]
		ahead, back := num.LogMeanExp(forward), -num.LogMeanExp(reverse)
		room := 1 + math.Abs(num.Log(float64(len(reverse))/float64(len(forward))))
		lo, hi := min(ahead, back)-room, max(ahead, back)+room
		for range 40 {
			c := (lo + hi) / 2
			if sum, _ := excess(c, forward, reverse); sum > 0 {
				lo = c
			} else {
				hi = c
			}
		}
		if got, want := Bennett(forward, reverse), (lo+hi)/2; math.Float64bits(got) != math.Float64bits(want) &&
			(num.NotNaN(got) || num.NotNaN(want)) {
			t.Fatalf("%d: %v, bisected %v", try, got, want)
		}
	}
}
