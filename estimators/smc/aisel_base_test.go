package smc

import (
	"math"
	"strings"
	"testing"

	"logzlab/core/num/rng"
	"logzlab/core/num/stats"
	"logzlab/estimators"
	"logzlab/internal/methodtest"
	"logzlab/internal/tier"
	"logzlab/models"
	"logzlab/models/conjugate"
	"logzlab/models/density"
)

// noisyLine returns linreg-bend with normal noise of variance s2 in its log likelihoods, and its log Z.
func noisyLine(t *testing.T, s2 float64) (models.Model, float64) {
	t.Helper()
	line := methodtest.LatentModel(t, "linreg-bend").(*conjugate.Model)
	d, sd := line.Density(), math.Sqrt(s2)
	exact, prior := d.LogF, d.LogBase
	d.LogF, d.DrawTarget = nil, nil
	d.Estimate = func() models.Estimator {
		return func(s *rng.Stream, x []float64) float64 { return exact(x) - prior(x) + sd*s.Norm() - s2/2 }
	}
	m, err := density.New(line.Info(), d, density.Kernel{})
	if err != nil {
		t.Fatal(err)
	}
	return m, line.Truth().LogZ
}

// With a fitted base E[Zhat] = Z as with the prior, with less variance, and all work is counted. Detects an estimate
// that is still log f_1 minus the log of the prior.
func TestFittedBase(t *testing.T) {
	tier.Test(t)
	noisy, z := noisyLine(t, .5)
	filter := methodtest.LatentModel(t, "lgssm-40", "likelihood=filter", "inner=40")
	for _, c := range []struct {
		name  string
		model models.Model
		z     float64
		info  estimators.Info
		set   []string
		runs  int
		least float64 // times the variance from the prior
	}{
		{"line", noisy, z, IS2, []string{"particles=100", "islands=4"}, 20, 5},
		{"line", noisy, z, AISEL, []string{"particles=30", "islands=2", "temperatures=8", "schedule=power:3"}, 20, 2},
		{"filter", filter, methodtest.ExactLogZ(t, filter), IS2, []string{"particles=100", "islands=2"}, 6, 1},
	} {
		spread := map[string]float64{}
		for _, base := range []string{"prior", "normal", "t"} {
			ratio, work := make([]float64, c.runs), stats.Welford{}
			for seed := range ratio {
				_, res := methodtest.Drive(t, c.info, methodtest.Config(t, c.info, c.model, seed, append(c.set,
					"base="+base)...))
				ratio[seed] = math.Exp(res.LogZ - c.z)
				work.Add(res.Work())
			}
			d, mean, se := methodtest.ZScore(ratio, 1)
			_, spread[base] = stats.MeanVar(ratio)
			t.Logf("%s, %s from %s: mean Zhat/Z %.4f +- %.4f (z %+.1f), work %.0f", c.info.Name, c.name, base, mean, se, d,
				work.Mean)
			if !(math.Abs(d) < 4) || base != "prior" && se > .1 {
				t.Errorf("%s, %s from %s: mean of Zhat/Z is %.4f +- %.4f", c.info.Name, c.name, base, mean, se)
			}
		}
		for _, base := range []string{"normal", "t"} {
			if times := spread["prior"] / spread[base]; !(times > c.least) {
				t.Errorf("%s, %s: the variance from the prior is %.2f times that from %s", c.info.Name, c.name, times, base)
			}
		}
	}
}

// Models without a density of continuous parameters are refused with the reason, and so is a prior that chains cannot
// leave.
func TestNoFittedBase(t *testing.T) {
	m := methodtest.RBM(t, 4, 3, .5, false)
	for _, info := range []estimators.Info{AISEL, IS2} {
		_, err := estimators.Open(methodtest.Config(t, info, m, 1, "base=t"))
		if err == nil || !strings.Contains(err.Error(), "base = t needs") || !strings.Contains(err.Error(), "test") {
			t.Errorf("%s: error %v", info.Name, err)
		}
	}
	d := density.Density{Dim: 1, DrawBase: func(s *rng.Stream, x []float64) { x[0] = 1 },
		LogBase: func(x []float64) float64 { return math.Log(max(0, 1-math.Abs(x[0]-1)*1e9)) }}
	d.LogF = d.LogBase
	point, err := density.New(models.Info{Name: "point"}, d, density.Kernel{Step: func(float64) float64 { return 1 }})
	if err != nil {
		t.Fatal(err)
	}
	run, err := estimators.Open(methodtest.Config(t, IS2, point, 1, "base=normal"))
	if err != nil {
		t.Fatal(err)
	}
	round, err := run.Next(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = run.Next(round.Run(run)); err == nil || !strings.Contains(err.Error(), "no covariance") {
		t.Errorf("samples at one point: error %v", err)
	}
}
