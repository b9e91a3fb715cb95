package bridge_test

import (
	"math"
	"testing"

	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/estimators/bridge"
	"logzlab/internal/methodtest"
	"logzlab/internal/tier"
	"logzlab/models"
	"logzlab/models/density"
)

// shape is a hand-made density with a known log Z, with a normal base of mean 0.
type shape struct {
	name    string
	dim     int
	logF    func(x []float64) float64
	slope   func(x, out []float64)
	logZ    float64
	oneMode bool
}

// space returns the model of a shape; its base has standard deviation sd.
func (s shape) space(t *testing.T, sd float64) models.Model {
	t.Helper()
	k := density.Kernel{Moves: 2}
	if s.slope != nil {
		k.Name = "hmc_tuned"
	}
	d := density.Density{Dim: s.dim, LogF: s.logF, Grad: s.slope, Unimodal: s.oneMode, Centred: true,
		LogBase: func(x []float64) float64 {
			return -num.Dot(x, x)/(2*sd*sd) - float64(s.dim)*math.Log(sd*math.Sqrt(2*math.Pi))
		},
		GradBase: func(x, out []float64) {
			for i, v := range x {
				out[i] = -v / (sd * sd)
			}
		},
		DrawBase: func(r *rng.Stream, x []float64) {
			for i := range x {
				x[i] = sd * r.Norm()
			}
		}}
	m, err := density.New(models.Info{Name: s.name, Kind: "test"}, d, k)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// shapes returns densities that are not normal, and one that is, in many dimensions.
func shapes() []shape {
	const rho, far = .9, 3.
	return []shape{
		// Logs of gamma variables of shape 2, skewed to the left: e^(2x - e^x), log Z = 2 log Gamma(2) = 0.
		{"skewed", 2, func(x []float64) float64 {
			return 2*x[0] - math.Exp(x[0]) + 2*x[1] - math.Exp(x[1])
		}, func(x, out []float64) {
			out[0], out[1] = 2-math.Exp(x[0]), 2-math.Exp(x[1])
		}, 0, true},
		// An autoregression of ten normal variables about far.
		{"correlated", 10, func(x []float64) float64 {
			f, last := 7., 0.
			for i, v := range x {
				d := v - far
				if i == 0 {
					f -= d * d / 2
				} else {
					f -= (d - rho*last) * (d - rho*last) / (2 * (1 - rho*rho))
				}
				last = d
			}
			return f
		}, nil, 7 + 5*math.Log(2*math.Pi) + 4.5*math.Log(1-rho*rho), true},
		// A normal variable, and one about its square.
		{"banana", 2, func(x []float64) float64 {
			d := x[1] - x[0]*x[0]/2
			return -x[0]*x[0]/2 - 2*d*d
		}, nil, math.Log(2*math.Pi) - math.Log(2), false},
		// A t density of 5 degrees of freedom in three dimensions, about 2.
		{"t", 3, func(x []float64) float64 {
			q := 0.
			for _, v := range x {
				q += (v - 2) * (v - 2)
			}
			return -4 * math.Log1p(q/5)
		}, nil, num.LogGamma(2.5) - num.LogGamma(4) + 1.5*math.Log(5*math.Pi), true},
	}
}

// Error bars are calibrated at the defaults: the root mean square of error over error bar is about 1. Detects errors of
// dependent draws treated as independent, a fit to the draws of the estimate, and a normal density of another width.
func TestErrorBars(t *testing.T) {
	tier.Test(t)
	runs := tier.Size(8, 10, 200)
	all := map[string]models.Model{}
	exact := map[string]float64{}
	for _, name := range []string{"linreg-line", "betabinom-coin", "nig-12"} {
		all[name] = methodtest.LatentModel(t, name)
		exact[name] = methodtest.ExactLogZ(t, all[name])
	}
	for _, s := range shapes() {
		all[s.name], exact[s.name] = s.space(t, 4), s.logZ
	}
	for _, warp := range []string{"2", "3"} {
		if warp == "3" {
			runs = tier.Size(5, 5, 50)
		}
		for name, m := range all {
			sum, off, bar, ess, rhat := 0., 0., 0., 0., 0.
			for seed := range runs {
				_, res := methodtest.Drive(t, bridge.Bridge, methodtest.Config(t, bridge.Bridge, m, seed+1, "warp="+warp))
				e := res.LogZ - exact[name]
				sum += e * e / (res.SE * res.SE)
				off += e / float64(runs)
				bar += res.SE / float64(runs)
				ess += res.Diagnostics["ess"] / float64(runs)
				rhat += res.Diagnostics["rhat"] / float64(runs)
			}
			rms := math.Sqrt(sum / float64(runs))
			t.Logf("%-14s warp %s: rms z %.2f, mean error %+.4f, bar %.4f, ess %.0f, R-hat %.2f", name, warp, rms, off, bar,
				ess, rhat)
			slack := 3 / math.Sqrt(2*float64(runs)) // of the root mean square of as many normal numbers
			if rms > 1.2+slack || rms < .85-slack {
				t.Errorf("%s with warp %s: rms z %.2f", name, warp, rms)
			}
		}
	}
}
