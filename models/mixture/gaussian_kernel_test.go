package mixture

import (
	"fmt"
	"math"
	"testing"

	"logzlab/core/num/rng"
	"logzlab/core/wire"
	"logzlab/internal/labtest"
	"logzlab/internal/tier"
	"logzlab/models"
	"logzlab/models/density"
)

// Exact draws at beta from a fine grid, of a two-component mixture in one dimension, keep their distribution under each
// kernel. The test detects an acceptance probability without the base, and rejected moves that keep the log density of
// the proposal.
func TestMixtureInvariance(t *testing.T) {
	f := GaussianParams{D: 1, BaseSD: 3, LogC: 1, Weights: []float64{.3, .7}, Means: [][]float64{{-2}, {1.5}},
		SDs: []float64{.5, 1}}
	m, err := NewGaussian(f, density.Kernel{Moves: 3})
	if err != nil {
		t.Fatal(err)
	}
	invariance(t, f, "mh with its own step", m)
	for _, name := range density.Kernels {
		space, err := density.New(models.Info{}, m.Density(), density.Kernel{Name: name})
		if err != nil {
			t.Fatal(err)
		}
		invariance(t, f, name, space)
	}
}

// invariance checks that the kernel of m leaves the distribution at each rung invariant.
func invariance(t *testing.T, f GaussianParams, name string, m models.Model) {
	n := tier.Draws(20000)
	ladder := []float64{0, 0.4, 1}
	pop := m.New(n, ladder)
	const cells, reach = 20000, 15.0
	for rung, beta := range ladder {
		logw := make([]float64, cells)
		at := func(i int) float64 { return reach * (2*(float64(i)+.5)/cells - 1) }
		for i := range logw {
			x := at(i)
			logw[i] = (1-beta)*labtest.LogNormal(x, 0, 3) + beta*(f.LogC+math.Log(.3*math.Exp(labtest.LogNormal(x, -2,
				.5))+.7*math.Exp(labtest.LogNormal(x, 1.5, 1))))
		}
		pi := labtest.Normalize(logw)
		pick := labtest.NewCategorical(pi)
		for _, back := range []bool{false, true} {
			for r := range n {
				s := rng.NewKey(7, "exact", r).Stream(uint32(rung), 0, 0)
				var w wire.Writer
				w.Float(at(pick.Draw(&s)) + (s.Float64()-.5)*2*reach/cells)
				pop.Load(r, &wire.Reader{B: w.B})
			}
			for step := range 20 {
				pop.Move(rng.At{Key: rng.NewKey(8, "gmm", 0), Phase: uint32(rung), Step: uint32(step)}, labtest.Rungs(n, rung),
					back)
			}
			mo := labtest.Moments{N: float64(n)}
			fs := []func(float64) float64{
				func(x float64) float64 { return x }, func(x float64) float64 { return x * x },
				func(x float64) float64 { return map[bool]float64{true: 1}[x < 0] },
				func(x float64) float64 { return math.Abs(x - 1) },
			}
			for k, g := range fs {
				e, ee := 0.0, 0.0
				for i, q := range pi {
					e += q * g(at(i))
					ee += q * g(at(i)) * g(at(i))
				}
				mo.Expect(e, ee-e*e, "moment %d", k)
			}
			out := make([]float64, n)
			pop.LogF(rung, 1, out)
			for r := range n {
				x := labtest.Point(pop, r, 1)[0]
				for k, g := range fs {
					mo.Sum[k] += g(x)
				}
				if r < 50 { // the stored log densities belong to the state
					want := (1-beta)*labtest.LogNormal(x, 0, 3) + beta*(f.LogC+math.Log(.3*math.Exp(labtest.LogNormal(x, -2,
						.5))+.7*math.Exp(labtest.LogNormal(x, 1.5, 1))))
					labtest.Near(t, "log f", out[r], want, 1e-10)
				}
			}
			mo.Test(t, fmt.Sprint(name, ", beta ", beta, " back ", back))
		}
	}
}
