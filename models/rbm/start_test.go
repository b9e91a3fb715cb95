package rbm

import (
	"math"
	"testing"

	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/internal/labtest"
)

// TestBase checks each choice for means of 0, .01, .5 and 1 of 999 rows, and for the same without a number of rows.
func TestBase(t *testing.T) {
	means := []float64{0, .01, .5, 1}
	for _, c := range []struct {
		start string
		rows  int
		want  []float64
	}{{StartRates, 999, []float64{.0005, .01049, .5, .9995}}, {StartRates, 0, []float64{1e-5, .01, .5, 1 - 1e-5}},
		{StartSmoothed, 999, []float64{.05 / 1.05, .06 / 1.05, .55 / 1.05, 1 - 1e-5}},
		{StartClipped, 999, []float64{.05, .05, .5, .95}}, {"", 0, []float64{.05, .05, .5, .95}},
		{StartUniform, 999, []float64{.5, .5, .5, .5}}} {
		got := BaseRates(c.start, means, c.rows)
		for i, want := range c.want {
			labtest.Near(t, c.start, got[i], want, 1e-12)
		}
	}
}

// TestStartsKeepTheTarget checks that every start has the same ends of the path: log Z of the base is 0, and log Z of
// the target does not change. Rates of 1e-5 and 1 - 1e-5 are drawn and weighted exactly.
func TestStartsKeepTheTarget(t *testing.T) {
	for _, joint := range []bool{false, true} {
		p := randomRBM(6, 5, 4, 2)
		p.Joint, p.P1, p.Means, p.Rows = joint, []float64{.05, .95, .3, .05, .5}, []float64{0, 1, .3, 1e-3, .5}, 50_000
		want := newRBM(t, p).Truth().LogZ
		for _, start := range Starts {
			p.Start = start
			m := newRBM(t, p)
			z, err := m.LadderLogZ([]float64{0, .5, 1})
			if err != nil {
				t.Fatal(err)
			}
			if start != StartFitted { // another model can use this start, too
				p.Start = StartUniform
				other := newRBM(t, p).WithStart(start).(*Model)
				if half, err := other.LadderLogZ([]float64{.5}); err != nil || other.Joint {
					t.Error(err)
				} else {
					labtest.Near(t, start+": log Z half way, from another start", half[0], z[1], 1e-9)
				}
			}
			labtest.Near(t, start+": log Z of the base", z[0], 0, 1e-9)
			labtest.Near(t, start+": log Z of the target", z[2], want, 1e-9)
		}
	}
}

// TestStartDrawsRareUnits checks that draws of a base with rates of 1e-5 have these rates, and that importance sampling
// from it finds log Z of a target with the same units.
func TestStartDrawsRareUnits(t *testing.T) {
	const n, m = 4000, 500
	p := Params{M: m, J: 1, W: make([]float64, m), C: make([]float64, m), B: make([]float64, 1), Start: StartRates}
	for range m {
		p.P1 = append(p.P1, 0)
	}
	for i := range p.C {
		p.C[i] = num.Logit(2e-5)
	}
	model := newRBM(t, p)
	pop := model.New(n, []float64{0, 1})
	pop.Draw(rng.At{Key: rng.NewKey(3, "rare", 0)})
	on := 0.0
	for _, x := range pop.(*population).RefitSums() {
		on += x
	}
	if want := 1e-5 * n * m; math.Abs(on-want) > 4*math.Sqrt(want) {
		t.Errorf("%v units on, want %v", on, want)
	}
	f, weights := make([]float64, 2*n), labtest.Moments{N: n}
	pop.LogF(0, 2, f)
	exact := math.Ln2 + m*num.Softplus(num.Logit(2e-5))
	ratio := math.Pow(1+1e-5, m) // approximately E[w^2]/Z^2
	weights.Expect(1, ratio-1, "w/Z")
	for r := range n {
		weights.Sum[0] += num.Exp(f[2*r+1] - f[2*r] - exact)
	}
	weights.Test(t, "weights of rare units")
}
