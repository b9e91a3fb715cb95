package mixture

import (
	"encoding/json"
	"math"
	"strconv"
	"testing"

	"logzlab/core/num/rng"
	"logzlab/core/num/stats"
	"logzlab/core/spec"
	"logzlab/internal/labtest"
	"logzlab/models"
	"logzlab/models/density"
)

// ridge is a badly scaled mixture in ten dimensions: a row of components of standard deviation 0.2 along a line of
// length 10.
func ridge() GaussianParams {
	p := GaussianParams{D: 10, BaseSD: 4, LogC: -1}
	for j := range 21 {
		mean := make([]float64, 10)
		mean[0] = .5 * float64(j-10)
		p.Means, p.SDs, p.Weights = append(p.Means, mean), append(p.SDs, .2), append(p.Weights, 1./21)
	}
	return p
}

// gradientsPerSample returns the number of gradients for an independent value of the first coordinate at beta = 1: the
// variance of the mean over a chain, times its number of gradients, divided by the variance of the coordinate. 100
// chains start at exact samples.
func gradientsPerSample(t *testing.T, m *Gaussian) float64 {
	t.Helper()
	const chains, work = 100, 2000
	pop, at := m.New(chains, []float64{0, 1}), rng.At{Key: rng.NewKey(4, "mixing", 0)}
	models.RowCapabilitiesOf(pop).DrawTarget(at, nil, nil)
	_, leaps := m.StepAt(1)
	means := make([]float64, chains)
	var all stats.Welford
	sweeps := work / (leaps + 1)
	for range sweeps {
		at.Step++
		pop.Move(at, labtest.Rungs(chains, 1), false)
		for r := range means {
			x := labtest.Point(pop, r, 1)[0]
			means[r] += x / float64(sweeps)
			all.Add(x)
		}
	}
	_, v := stats.MeanVar(means)
	return v / all.Var() * work
}

// The tuning run chooses short trajectories for round components, and long ones along a ridge, where they mix several
// times faster than three leapfrog steps for the same number of gradients.
func TestTunedLeaps(t *testing.T) {
	if testing.Short() {
		t.Skip("a thousand gradients for each of a hundred chains: native only")
	}
	f, err := kinds.Open("mixture10", spec.Values{"moves": "1", "proposal": "hmc_tuned"}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	round := f.(*Gaussian)
	for _, beta := range []float64{0, .3, 1} {
		if _, leaps := round.StepAt(beta); leaps > 4 {
			t.Errorf("mixture10 at %v: %d leaps", beta, leaps)
		}
	}
	cost := map[string]float64{}
	for _, name := range []string{"hmc", "hmc_tuned"} {
		m, err := NewGaussian(ridge(), density.Kernel{Name: name, Moves: 1})
		if err != nil {
			t.Fatal(err)
		}
		cost[name] = gradientsPerSample(t, m)
		_, leaps := m.StepAt(1)
		t.Logf("ridge, %s: %d leaps, %.0f gradients for an independent value", name, leaps, cost[name])
	}
	if !(cost["hmc_tuned"] < .5*cost["hmc"]) {
		t.Errorf("ridge: %.0f gradients with tuned leaps, want far fewer than %.0f with three", cost["hmc_tuned"], cost["hmc"])
	}
}

// Mean and variance of log f_1 - log f_0 along the ladder equal the public known answers, within 4 standard errors of
// .05 to .15, for chains that start from the base with the kernels of a run. The test detects steps that adapt during
// the run, and an acceptance probability without the base.
func TestHamiltonianMoments(t *testing.T) {
	var g struct {
		Betas     []float64
		MeanDelta []float64 `json:"mean_Delta"`
		VarDelta  []float64 `json:"var_Delta"`
	}
	truth := labtest.ReadTruth(t, "public_gmm10")
	if err := json.Unmarshal(truth.Content, &g); err != nil {
		t.Fatal(err)
	}
	const chains = 1500
	for _, k := range []density.Kernel{{Name: "hmc"}, {Name: "hmc", Leaps: 1}, {Name: "hmc_tuned"}} {
		m := labtest.Open(t, truth, spec.Values{"moves": "1", "proposal": k.Name, "leaps": strconv.Itoa(k.Leaps)},
			kinds.ReadFile, models.FromFile)
		pop, at := m.New(chains, g.Betas), rng.At{Key: rng.NewKey(6, "moments", k.Leaps)}
		pop.Draw(at)
		ends, last := make([]float64, chains*len(g.Betas)), len(g.Betas)-1
		for i := range g.Betas {
			for range 30 {
				at.Step++
				pop.Move(at, labtest.Rungs(chains, i), false)
			}
			pop.LogF(0, last+1, ends)
			delta := make([]float64, chains)
			for r := range delta {
				delta[r] = ends[r*(last+1)+last] - ends[r*(last+1)]
			}
			mean, v := stats.MeanVar(delta)
			se := math.Sqrt(v / chains)
			if z := (mean - g.MeanDelta[i]) / se; !(math.Abs(z) < 4) {
				t.Errorf("%+v at beta %v: mean %v, exact %v, %.1f s.e.", k, g.Betas[i], mean, g.MeanDelta[i], z)
			}
			if ratio := v / g.VarDelta[i]; !(ratio > .8 && ratio < 1.25) {
				t.Errorf("%+v at beta %v: variance %v, exact %v", k, g.Betas[i], v, g.VarDelta[i])
			}
		}
	}
}
