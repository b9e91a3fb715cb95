package anneal

import (
	"math"
	"slices"
	"testing"

	"logzlab/core/num/rng"
	"logzlab/core/num/stats"
	"logzlab/estimators"
	"logzlab/internal/methodtest"
	"logzlab/internal/tier"
)

// crooks draws works of both directions of n chains, normal with variance s² and with densities in the ratio e^(w - c),
// so that log Z = c.
func crooks(x *rng.Stream, n int, c, s float64) (forward, reverse []float64) {
	for range n {
		forward = append(forward, c-s*s/2+s*x.Norm())
		reverse = append(reverse, -(c + s*s/2 + s*x.Norm()))
	}
	return forward, reverse
}

// The root without some pairs equals Bennett's estimate from the others, also in blocks.
func TestBennettWithout(t *testing.T) {
	x := rng.NewKey(2, "without", 0).Stream(0, 0, 0)
	forward, reverse := crooks(&x, 30, -4, 1.5)
	for _, cut := range [][2]int{{0, 0}, {0, 1}, {7, 12}, {29, 30}, {1, 30}} {
		f, r := slices.Delete(slices.Clone(forward), cut[0], cut[1]), slices.Delete(slices.Clone(reverse), cut[0], cut[1])
		methodtest.Near(t, "log Z without some pairs", estimators.BennettWithout(-4, forward, reverse, cut[0], cut[1]),
			estimators.Bennett(f, r), 1e-9)
	}
}

// If the works do not overlap at all, the root is half-way between the estimates of both sides, and the effective
// number of pairs shows that it means nothing. Sums that are not scaled by their largest term give 0 = 0 here.
func TestNoOverlap(t *testing.T) {
	for _, gap := range []float64{50, 4000} {
		j := joinWorks([]float64{10, 10, 10}, []float64{-10 - gap, -10 - gap, -10 - gap})
		methodtest.Near(t, "log Z", j.logZ, 10+gap/2, 1e-9)
		if !(j.ess < 1e-6) {
			t.Errorf("gap %v: %v pairs in common", gap, j.ess)
		}
	}
}

// The jackknife error equals that of replicates: rms z in [.88, 1.12] for 400 replicates (3 s.e. are .11), by pairs and
// by blocks, with much overlap and with little. The error of one side alone, or blocks counted as pairs, are off by 1.4
// and more.
func TestJackknifeJoint(t *testing.T) {
	all := []struct {
		n int
		s float64
	}{{60, .3}, {60, 1.5}, {100, 2.5}, {1000, 1.5}}
	for _, v := range all[:tier.Size(2, 3, 4)] {
		var z2, bar, ahead stats.Welford
		for rep := range 400 {
			x := rng.NewKey(3, "jackknife", rep).Stream(0, 0, uint32(v.n))
			forward, reverse := crooks(&x, v.n, 3.7, v.s)
			j := joinWorks(forward, reverse)
			z := (j.logZ - 3.7) / j.se
			z2.Add(z * z)
			bar.Add(j.logZ)
			ahead.Add(stats.LogWeights(forward).LogMean)
		}
		rms := math.Sqrt(z2.Mean)
		t.Logf("%d pairs of sd %v: rms z %.3f, sd %.4f, of forward works alone %.4f", v.n, v.s, rms,
			math.Sqrt(bar.Var()), math.Sqrt(ahead.Var()))
		if !(rms > .88 && rms < 1.12) {
			t.Errorf("%d pairs of sd %v: rms z = %.3f", v.n, v.s, rms)
		}
		if !(bar.Var() < ahead.Var()) {
			t.Errorf("%d pairs of sd %v: joint works vary more than forward ones", v.n, v.s)
		}
	}
}
