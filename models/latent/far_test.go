package latent

import (
	"fmt"
	"math"
	"testing"

	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/core/num/stats"
	"logzlab/core/spec"
	"logzlab/models"
)

// The evidence of state-space data on any scale, with posteriors far from the prior, equals that of a Kalman filter on
// wider grids in another program. A grid around 0 alone was off by 2 to 5e8 nats.
func TestLGSSMFar(t *testing.T) {
	for _, c := range []struct {
		y    []float64
		want float64
	}{
		{[]float64{1e6, -1e6, 1e6}, -374.55745765275},
		{make([]float64, 10), -7.3420600811176},
		{make([]float64, 60), 145.769272},
	} {
		m, err := LGSSMParams{Y: c.y, Phi: .5}.Open("own", "", spec.Values{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		truth := m.(*Kalman).Truth()
		if truth == nil || math.Abs(truth.LogZ-c.want) > 1e-5 {
			t.Errorf("%v: %v, want %g", c.y[:3], truth, c.want)
		}
	}
}

// Estimates around the mode are unbiased for a wide prior of u, also in groups with only ones, and are finite at any
// psi. The reference is quadrature over u = sd z.
func TestVagueIntercepts(t *testing.T) {
	for _, y := range [][]float64{{1}, {1, 1, 1, 1}, {1, 0, 1}} {
		for _, psi := range []float64{-1000, -4, 2.9, 4, 8, 20, 700} {
			sd, sum, h := math.Exp(min(psi, 30)/2), 0., 1e-3
			for z := -9.; z <= 9; z += h {
				p := math.Exp(-z*z/2) / math.Sqrt(2*math.Pi) * h
				for _, v := range y {
					p *= 1 / (1 + math.Exp((1-2*v)*sd*z))
				}
				sum += p
			}
			if sum < 1e-3 {
				continue // quadrature needs more points
			}
			for _, n := range []int{3, 20} {
				f := GLMMParams{X: [][]float64{nil}, Y: [][]float64{y}, PriorSD: 1, PsiSD: 1}
				m, err := f.Open("own", "", spec.Values{"inner": fmt.Sprint(n)}, nil)
				if err != nil {
					t.Fatal(err)
				}
				estimateMean(t, fmt.Sprint(y, psi), m.(*Model), []float64{0, psi},
					math.Log(sum), repeatsFor(4000))
			}
		}
	}
}

// The filter proposes states near an outlier and corrects by its weights: the mean of its estimates is the likelihood
// by a grid.
func TestOutlier(t *testing.T) {
	p := withOutlier
	m, err := p.Open("", "", spec.Values{"inner": "200", "unit": unitAuto}, nil)
	if err != nil {
		t.Fatal(err)
	}
	estimate := m.(*Model).estimator(200)
	for i, x := range [][]float64{{0, 1.5, 0}, {1, 1.2, 1.5}, {.5, 2, .5}, {-1, .3, 2}} {
		exact := gridFilter(p.Y, stationary(x[0], x[1], math.Exp(x[2]/2)), .02)
		var w []float64
		for n := range 2000 {
			s := rng.NewKey(7, "outlier", i).Stream(0, 0, uint32(n))
			w = append(w, num.Exp(estimate(&s, x)-exact))
		}
		mean, variance := stats.MeanVar(w)
		se := math.Sqrt(variance / float64(len(w)))
		if math.Abs(mean-1) > 4*se || se > .05 {
			t.Errorf("at %v the mean of the estimates is %.3f +- %.3f times the likelihood", x, mean, se)
		}
	}
	if outliers([]float64{1, 2, 9, 1, 30}) != nil || outliers([]float64{0, 0, 0, 5}) != nil {
		t.Error("typical returns count as outliers")
	}
}

// FitByImportance finds a base for any units of covariates: importance sampling from it gives the evidence of data with
// x = 100, 200 and 1000. The reference is importance sampling in another program, +- .007.
func TestFitByImportance(t *testing.T) {
	p := GLMMParams{P: 1, PriorSD: 2.5, PsiSD: 1.5, Y: [][]float64{{0, 1, 1}, {0, 0, 1}, {0, 1, 1}, {1, 0, 1}, {0, 0, 0},
		{1, 1, 1}}}
	for range p.Y {
		p.X = append(p.X, []float64{100, 200, 1000})
	}
	m, err := p.Open("", "", spec.Values{"inner": "20", "latent": "laplace"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	rough, evaluations := m.(*Model).FitByImportance()
	base := rough.(*Model)
	if evaluations < 200 || evaluations%100 != 0 {
		t.Errorf("FitByImportance evaluated %d points", evaluations)
	}
	if models.CapabilitiesOf(base).Base.Refit != nil || models.CapabilitiesOf(m).Base.Refit == nil {
		t.Error("want Refit for the original base and none for the fitted one")
	}
	estimate, x := base.Density().Estimate(), make([]float64, 3)
	var w []float64
	for n := range 20000 {
		s := rng.NewKey(7, "rough", 0).Stream(0, 0, uint32(n))
		base.Density().DrawBase(&s, x)
		w = append(w, num.Exp(estimate(&s, x)+19))
	}
	mean, variance := stats.MeanVar(w)
	se := math.Sqrt(variance/float64(len(w))) / mean
	if off := num.Log(mean) - .001; math.Abs(off) > 4*se+.02 || se > .05 {
		t.Errorf("log Z - truth = %.3f +- %.3f, want 0", off, se)
	}
}
