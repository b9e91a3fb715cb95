package report

import (
	"math"
	"testing"

	"logzlab/internal/testmodels"
	"logzlab/internal/tier"
	"logzlab/models"
	"logzlab/models/mixture"
)

// 30 replicates of a second each on known answers. 4 s.e. (0.01 to 0.02 nat) detect a step that is not divided by r, a
// gain that falls too soon (wl on the easy lattice), and chains that continue with the rungs of others. 0.1 nat is the
// accuracy wanted of 2,500 sweeps of 20 chains on the RBM.
func TestKnownAdaptive(t *testing.T) {
	t.Parallel()
	tier.Release(t)
	for _, f := range []truthFile{{"public_rbm_24x12.json", 0}, {"public_ising_4x4.json", .5},
		{"public_ising_4x4_open.json", .2}} {
		m, truth := testmodels.TruthModel(t, f.name, f.beta)
		for method, link := range map[string]string{
			"wl":             "wl&wl.sweeps=1500&wl.temperatures=20",
			"sams":           "sams&sams.sweeps=1500&sams.temperatures=20",
			"rts after wl":   "rts&rts.init=wl&rts.init_rounds=1&rts.sweeps=500&rts.temperatures=20",
			"rts after sams": "rts&rts.init=sams&rts.init_rounds=1&rts.sweeps=500&rts.temperatures=20",
		} {
			x := measure(t, m, truth, link)
			judge(t, f.name, method, x)
			for _, z := range x.r.Replicates {
				if off := math.Abs(float64(z) - truth); f.beta == 0 && off > .1 {
					t.Errorf("%s, %s: a replicate is %.2f nats off", f.name, method, off)
				}
			}
		}
	}
}

// By its own checks a run that has hardly filled its ladder is stopped, a longer one is trusted. Of two hills the far
// and narrow one is never found: log Z is log 2 low, islands agree, and exact samples of the target reveal it.
func TestVerdictsOfAdaptiveWeights(t *testing.T) {
	t.Parallel()
	hills := builtinModel(t, "mixture2", "")
	far := testmodels.FileModel(t, mixture.GaussianParams{D: 2, BaseSD: 1.5, Weights: []float64{.5, .5},
		SDs: []float64{.7, .02}, Means: [][]float64{{0, 0}, {5, 5}}})
	for _, name := range []string{"wl", "sams"} {
		for _, x := range []struct {
			model models.Model
			set   string
			level string
			off   float64
		}{
			{hills.model, ".sweeps=50", Stop, math.NaN()},
			{hills.model, ".sweeps=1500&" + name + ".temperatures=20", Trust, 0},
			{far, ".sweeps=600&" + name + ".temperatures=20", Stop, -math.Ln2},
			{far, ".sweeps=600&" + name + ".temperatures=4", Stop, -math.Ln2},
			{far, ".sweeps=600&" + name + ".temperatures=3", Stop, -math.Ln2},
		} {
			r := finished(t, newJob(t, x.model, name+"&"+name+x.set), 1)[0]
			off := float64(r.LogZ - r.Truth.LogZ)
			r.Truth = nil
			if got := r.Judge(); r.OwnLevel != x.level || math.Abs(off-x.off) > .1 {
				t.Errorf("%s%s: %.3f nats off and judged %s: %+v", name, x.set, off, r.OwnLevel, got.Failing())
			}
		}
	}
}
