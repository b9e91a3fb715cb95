package temper

import (
	"math"
	"testing"

	"logzlab/core/wire"
	"logzlab/internal/methodtest"
)

// The overlap of neighbours is the integral of the smaller of their densities, here for a mixture on a line, by a sum
// over a grid. 0.03 detects the larger in place of the smaller, sums over all rungs but one, and a factor of 2.
func TestOverlap(t *testing.T) {
	m := methodtest.Mixture(t, 1, 0)
	_, res := methodtest.Drive(t, RTS, methodtest.Config(t, RTS, m, 1, "chains=20", "temperatures=4", "sweeps=3000"))
	ladder := []float64{0, 1. / 3, 2. / 3, 1}
	pop, logf := m.New(1, ladder), make([]float64, 4)
	const step = .01
	density := make([][]float64, 4)
	z := make([]float64, 4)
	for x := -12.0; x < 12; x += step {
		var w wire.Writer
		w.Float(x)
		pop.Load(0, &wire.Reader{B: w.B})
		pop.LogF(0, 4, logf)
		for k := range logf {
			density[k] = append(density[k], math.Exp(logf[k]))
			z[k] += step * math.Exp(logf[k])
		}
	}
	if len(res.Overlap) != 3 {
		t.Fatalf("%d overlaps", len(res.Overlap))
	}
	for k, got := range res.Overlap {
		want := 0.0
		for i := range density[k] {
			want += step * math.Min(density[k][i]/z[k], density[k+1][i]/z[k+1])
		}
		if !(math.Abs(got-want) < .03) {
			t.Errorf("overlap of rungs %d and %d is %.3f, want %.3f", k+1, k+2, got, want)
		}
	}
}
