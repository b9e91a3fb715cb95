package stats

import (
	"math"
	"testing"

	"logzlab/core/num/rng"
)

// The shape of Pareto weights is estimated to within its sampling error: of 10,000 weights 300 are in the tail, and
// sd(k) is about (1+k)/sqrt(300).
func TestParetoK(t *testing.T) {
	for _, k := range []float64{0, .3, .5, .7, 1, 1.5} {
		mean := 0.
		const runs = 20
		for run := range uint32(runs) {
			s := rng.NewKey(1, "pareto", 0).Stream(run, 0, 0)
			lw := make([]float64, 10000)
			for i := range lw {
				u := s.Float64()
				if k == 0 {
					lw[i] = math.Log(1 - math.Log(u))
					continue
				}
				lw[i] = -k*math.Log(u) + 100 // an offset does not matter
			}
			mean += ParetoK(lw) / runs
		}
		if off := math.Abs(mean - k); off > 4*(1+k)/math.Sqrt(300*runs)+.03 {
			t.Errorf("mean ParetoK = %.3f, want %.3f", mean, k)
		}
	}
	if k := ParetoK(make([]float64, 1000)); !math.IsNaN(k) {
		t.Errorf("equal weights: ParetoK = %g, want NaN", k)
	}
	if k := ParetoK([]float64{1, 2, 3}); !math.IsNaN(k) {
		t.Errorf("three weights: ParetoK = %g, want NaN", k)
	}
	none := make([]float64, 100)
	for i := range none {
		none[i] = math.Inf(-1)
	}
	if k := ParetoK(none); !math.IsNaN(k) {
		t.Errorf("zero weights: ParetoK = %g, want NaN", k)
	}
}
