package mbar

import (
	"math"
	"testing"

	"logzlab/core/num/rng"
	"logzlab/core/num/stats"
)

// given returns independent samples of normal densities f_k = exp(-w_k x^2/2), n at each of the sampled rungs.
func given(widths []float64, n int, seed uint32, sampled ...int) *Samples {
	stream := rng.NewKey(seed, "given", 0).Stream(0, 0, 0)
	x := make([]float64, n*len(sampled))
	for i := range x {
		x[i] = stream.Norm() / math.Sqrt(widths[sampled[i/n]])
	}
	return Given(len(widths), len(x), func(i int) int { return sampled[i/n] },
		func(i int, at []int, out []float64) {
			for k, rung := range at {
				out[k] = -widths[rung] * x[i] * x[i] / 2
			}
		})
}

// The variance of the influences of independent samples equals the formula, and error bars are calibrated, also for
// ends without samples, for which there is no formula.
func TestPartsOfGivenSamples(t *testing.T) {
	t.Parallel()
	widths := []float64{1, 1.5, 2.5, 4}
	exact := -math.Log(4) / 2
	for _, sampled := range [][]int{{0, 1, 2, 3}, {1, 2}} {
		var mbar, bar stats.Welford
		for seed := range uint32(200) {
			s := given(widths, 500, seed, sampled...)
			for _, c := range []struct {
				of    *stats.Welford
				solve func() (*Solved, error)
			}{{&mbar, func() (*Solved, error) { return SolveMBAR(s, nil, nil) }},
				{&bar, func() (*Solved, error) { return SolveBAR(s, nil) }}} {
				r, err := c.solve()
				if err != nil {
					t.Fatal(err)
				}
				v := 0.0
				for i := range sampled {
					_, of := stats.MeanVar(r.Influence[i*500 : (i+1)*500])
					v += 500 * of
				}
				d := r.LogZ[3] - exact
				c.of.Add(d * d / v)
				if se := math.Sqrt(v); len(sampled) == 4 && c.of == &mbar && math.Abs(se/r.IID-1) > .1 {
					t.Errorf("mbar: %v by parts, %v by the formula", se, r.IID)
				}
			}
		}
		for name, w := range map[string]*stats.Welford{"mbar": &mbar, "bar": &bar} {
			if z := math.Sqrt(w.Mean); !(z > .88 && z < 1.15) { // noise .05
				t.Errorf("%s of rungs %v: rms z %.3f", name, sampled, z)
			}
		}
	}
}

// Rungs that share no samples have no log Z between them, and their influences are NaN.
func TestGivenWithoutOverlap(t *testing.T) {
	t.Parallel()
	s := Given(2, 20, func(i int) int { return i / 10 }, func(i int, at []int, out []float64) {
		for k, rung := range at {
			out[k] = float64(rung) * map[bool]float64{true: 5000, false: -5000}[i >= 10]
		}
	})
	if r, err := SolveBAR(s, nil); err != nil || !math.IsNaN(r.LogZ[1]) || !math.IsNaN(r.Influence[0]) {
		t.Errorf("%+v, %v", r, err)
	}
}
