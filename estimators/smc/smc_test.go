package smc

import (
	"math"
	"testing"

	"logzlab/internal/methodtest"
	"logzlab/internal/tier"
	"logzlab/models"
)

// E[Zhat] = Z on a fixed ladder, however short and however often particles are resampled. Detects weights kept after
// resampling, offspring drawn in proportion to the density, weights dropped without resampling, the kernel of the
// previous rung, and the mean of the islands' log Zhat.
func TestSMCUnbiased(t *testing.T) {
	tier.Test(t)
	runs := tier.Size(60, 60, 2000)
	for _, c := range []struct {
		name  string
		model models.Model
		set   []string
	}{
		{"rbm", methodtest.RBM(t, 8, 5, .8, false), []string{"particles=8", "temperatures=5", "ess=1"}},
		{"rbm joint", methodtest.RBM(t, 8, 5, .5, true), []string{"particles=8", "temperatures=6", "ess=0.7"}},
		{"mixture", methodtest.Mixture(t, 3, -2), []string{"particles=8", "temperatures=5", "ess=0.9",
			"resample=systematic"}},
		{"ising", methodtest.Ising(t, 3, 4, true, .3), []string{"particles=8", "temperatures=4", "ess=0.8",
			"resample=multinomial"}},
		{"rbm without moves", methodtest.RBM(t, 8, 5, .5, false), []string{"particles=20", "temperatures=6", "ess=0.9",
			"moves=0"}},
		{"two modes", methodtest.TwoModes(t), []string{"particles=12", "temperatures=6", "ess=0.5"}},
	} {
		z := methodtest.ExactLogZ(t, c.model)
		ratio := make([]float64, runs)
		for seed := range ratio {
			_, res := methodtest.Drive(t, SMC, methodtest.Config(t, SMC, c.model, seed, append(c.set, "islands=2")...))
			ratio[seed] = math.Exp(res.LogZ - z)
		}
		d, mean, se := methodtest.ZScore(ratio, 1)
		t.Logf("%s: mean Zhat/Z %.4f +- %.4f (z %+.1f)", c.name, mean, se, d)
		if !(math.Abs(d) < 4) || tier.Releases() && se > .02 {
			t.Errorf("%s: mean of Zhat/Z is %.4f +- %.4f", c.name, mean, se)
		}
	}
}

// Adaptive temperatures agree with the truth, use fewer rungs if steps are easy, never fewer than two, and with cess
// near one all of them. Ladders along which f does not change have no variance.
func TestSMCAdaptive(t *testing.T) {
	m := methodtest.RBM(t, 8, 5, .8, false)
	z := methodtest.ExactLogZ(t, m)
	used := 1000.0
	for _, cess := range []string{"cess=0.99", "cess=0.9", "cess=0.5", "cess=0"} {
		_, res := methodtest.Drive(t, SMC, methodtest.Config(t, SMC, m, 1, "particles=400", "islands=30", "temperatures=300",
			"adaptive=yes", cess))
		n := res.Diagnostics["temperatures_used"]
		d := (res.LogZ - z) / res.SE
		t.Logf("%s: %.0f temperatures, off by %.4f +- %.4f (z %.1f)", cess, n, res.LogZ-z, res.SE, d)
		if !(math.Abs(d) < 4) || res.SE > .02 || n > used || n < 2 {
			t.Errorf("%s: %.0f temperatures, off by %.4f +- %.4f", cess, n, res.LogZ-z, res.SE)
		}
		used = n
	}
	if used != 2 {
		t.Errorf("cess = 0 uses %v temperatures", used)
	}
	_, res := methodtest.Drive(t, SMC, methodtest.Config(t, SMC, m, 1, "particles=50", "islands=2", "temperatures=20",
		"adaptive=yes", "cess=1"))
	if n := res.Diagnostics["temperatures_used"]; n != 20 {
		t.Errorf("cess = 1 uses %v of 20 temperatures", n)
	}
}
