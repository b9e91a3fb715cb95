package anneal

import (
	"math"
	"testing"

	"logzlab/estimators"
	"logzlab/internal/methodtest"
	"logzlab/models"
)

// ratios runs a method for many seeds and returns exp(log Zhat - log Z) of every run and exp(log w + log Z - log Z_0)
// of every reverse chain: both have mean 1.
func ratios(t *testing.T, info estimators.Info, m models.Model, runs int, set ...string) (forward, reverse []float64) {
	t.Helper()
	z := methodtest.ExactLogZ(t, m)
	for seed := range runs {
		method, res := methodtest.Drive(t, info, methodtest.Config(t, info, m, seed, set...))
		forward = append(forward, math.Exp(res.LogZ-z))
		for _, w := range method.(*run).known.Reverse {
			reverse = append(reverse, math.Exp(w+z-m.LogZ0()))
		}
	}
	return
}

// E[Zhat] = Z and E[exp(log w reverse)] = Z_0/Z hold for any kernels that leave their rung's density invariant, however
// short the ladder. Ladders here are short and kernels slow on purpose, so that 4 s.e. (2 to 5 % of Z) detect a missing
// first or last weight term, a wrong sign, the mean of the log weights in place of the log of the mean weight, weights
// taken after the move, and a kernel at the wrong rung.
func TestUnbiased(t *testing.T) {
	for _, c := range []struct {
		name  string
		info  estimators.Info
		model models.Model
		set   []string
	}{
		{"is rbm", IS, methodtest.RBM(t, 6, 4, .5, false), []string{"particles=20"}},
		{"is rbm joint", IS, methodtest.RBM(t, 6, 4, .4, true), []string{"particles=20"}},
		{"is mixture", IS, methodtest.Mixture(t, 2, 3), []string{"particles=20"}},
		{"is ising", IS, methodtest.Ising(t, 3, 3, true, .2), []string{"particles=20"}},
		{"ais rbm", AIS, methodtest.RBM(t, 8, 5, .8, false), []string{"chains=12", "temperatures=5"}},
		{"ais rbm joint", AIS, methodtest.RBM(t, 8, 5, .5, true), []string{"chains=12", "temperatures=6"}},
		{"ais rbm 3 sweeps", AIS, methodtest.RBM(t, 8, 5, .8, false), []string{"chains=12", "temperatures=4", "sweeps=3"}},
		{"ais mixture", AIS, methodtest.Mixture(t, 3, -2), []string{"chains=12", "temperatures=5", "schedule=power:2"}},
		{"ais ising", AIS, methodtest.Ising(t, 3, 4, true, .3), []string{"chains=12", "temperatures=5"}},
		{"ais ising open", AIS, methodtest.Ising(t, 4, 3, false, .4), []string{"chains=12", "temperatures=5"}},
	} {
		runs := 2000
		if testing.Short() {
			runs = 500
		}
		forward, reverse := ratios(t, c.info, c.model, runs, c.set...)
		zf, mf, sf := methodtest.ZScore(forward, 1)
		zr, mr, sr := methodtest.ZScore(reverse, 1)
		t.Logf("%-18s mean Zhat/Z %.4f +- %.4f (z %+.1f), reverse %.4f +- %.4f (z %+.1f)", c.name, mf, sf, zf, mr, sr, zr)
		if !(math.Abs(zf) < 4) || sf > .03 {
			t.Errorf("%s: mean of Zhat/Z is %.4f +- %.4f", c.name, mf, sf)
		}
		if !(math.Abs(zr) < 4) || sr > .03 {
			t.Errorf("%s: mean of reverse weights times Z/Z_0 is %.4f +- %.4f", c.name, mr, sr)
		}
	}
}
