package catalog

import (
	"math"
	"slices"
	"testing"

	"logzlab/core/num"
	"logzlab/estimators"
	"logzlab/estimators/anneal"
	"logzlab/estimators/bridge"
	"logzlab/estimators/temper"
	"logzlab/internal/methodtest"
	"logzlab/models"
	"logzlab/models/density"
	"logzlab/models/mixture"
	"logzlab/models/rbm"
)

// AIS on {0, 1} is importance sampling, bit for bit.
func TestTwoTemperaturesAreImportanceSampling(t *testing.T) {
	for name, m := range methodtest.Models(t) {
		is := methodtest.Config(t, anneal.IS, m, 1, "particles=30")
		ais := methodtest.Config(t, anneal.AIS, m, 1, "chains=30", "temperatures=2")
		ais.Key = is.Key
		_, a := methodtest.Drive(t, anneal.IS, is)
		_, b := methodtest.Drive(t, anneal.AIS, ais)
		a.Diagnostics, b.Diagnostics = nil, nil
		if methodtest.Bits(a) != methodtest.Bits(b) {
			t.Errorf("%s: is\n%s\nais with K = 2\n%s", name, methodtest.Bits(a), methodtest.Bits(b))
		}
	}
}

// If the target is the base times a constant, weights have no spread: every method is exact except ts, whose visits are
// random. 1e-9 detects any weight term missing or counted twice, and a kernel's own normaliser leaking into a weight.
func TestConstantRatioIsExact(t *testing.T) {
	flat := rbm.Params{M: 9, J: 6, W: make([]float64, 54), C: make([]float64, 9), B: make([]float64, 6),
		P1: make([]float64, 9)}
	want := 0.0
	for i := range flat.C {
		flat.C[i] = .25 * float64(i-4) // a multiple of any 2^-s
		flat.P1[i] = num.Sigmoid(flat.C[i])
		want += num.Softplus(flat.C[i])
	}
	for j := range flat.B {
		flat.B[j] = float64(j) - 2.5
		want += num.Softplus(flat.B[j])
	}
	rbm, err := rbm.New(flat, nil)
	if err != nil {
		t.Fatal(err)
	}
	gmm, err := mixture.NewGaussian(mixture.GaussianParams{D: 3, BaseSD: 2, LogC: 7.25, Weights: []float64{1},
		SDs: []float64{2}, Means: [][]float64{{0, 0, 0}}}, density.Kernel{Moves: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []struct {
		name  string
		model models.Model
		want  float64
	}{
		{"RBM without weights", rbm, want},
		{"mixture equal to its base", gmm, 7.25},
		{"ising at beta = 0", methodtest.Ising(t, 4, 3, true, 0), 12 * math.Ln2},
	} {
		for _, c := range conforming {
			if !fits(c.info, m.model) || slices.Contains([]string{temper.TS.Name, temper.WL.Name,
				temper.SAMS.Name, bridge.Bridge.Name}, c.info.Name) {
				continue // visits and the fit are random; weights come nearer with every sweep
			}
			_, res := methodtest.Drive(t, c.info, methodtest.Config(t, c.info, m.model, 1, c.set...))
			if c.unlisted { // nobody has said that its weights are constant here
				if off := math.Abs(res.LogZ - m.want); !(off <= 4*res.SE+1e-9) {
					t.Errorf("%s on %s is off by %v, the bar is %v", c.info.Name, m.name, off, res.SE)
				}
				continue
			}
			// For the RBM the slope is the same for all states, but not for all rungs: only the rule errs, within the
			// error bar.
			if rule := res.Diagnostics[estimators.DiagRuleError]; rule != 0 && m.model == rbm {
				if off := math.Abs(res.LogZ - m.want); !(off <= 1.05*rule && res.SE <= 1.05*rule) {
					t.Errorf("%s on %s is off by %v, the bar is %v", c.info.Name, m.name, off, res.SE)
				}
				continue
			}
			if c.info.Name == temper.TIContinuous.Name && m.model == rbm { // which inverse temperatures were drawn is random
				if off := math.Abs(res.LogZ - m.want); !(off <= 4*res.SE) {
					t.Errorf("%s on %s is off by %v, the bar is %v", c.info.Name, m.name, off, res.SE)
				}
				continue
			}
			methodtest.Near(t, c.info.Name+" on "+m.name, res.LogZ, m.want, 1e-9)
			if !(res.SE < 1e-9) {
				t.Errorf("%s on %s: s.e. %v of an exact value", c.info.Name, m.name, res.SE)
			}
		}
	}
}

// Costs are counted as the contract says.
func TestCost(t *testing.T) {
	m := methodtest.Mixture(t, 2, 0)
	_, res := methodtest.Drive(t, anneal.AIS, methodtest.Config(t, anneal.AIS, m, 1, "chains=13", "temperatures=9",
		"sweeps=2"))
	if res.Sweeps != 2*13*7*2 || res.Evaluations != 2*13*2*8 {
		t.Errorf("ais: %v sweeps, %v evaluations", res.Sweeps, res.Evaluations)
	}
	_, res = methodtest.Drive(t, anneal.IS, methodtest.Config(t, anneal.IS, m, 1, "particles=50"))
	if res.Sweeps != 0 || res.Evaluations != 2*50*2 {
		t.Errorf("is: %v sweeps, %v evaluations", res.Sweeps, res.Evaluations)
	}
	method, res := methodtest.Drive(t, temper.RTS, methodtest.Config(t, temper.RTS, m, 1, "chains=11", "temperatures=5",
		"sweeps=40", "burn_in=6",
		"init_rounds=1", "init_sweeps=9"))
	if want := 11. * (3*4 + 9 + 6 + 40); res.Sweeps != want || method.Sweeps() != want {
		t.Errorf("rts: %v sweeps, planned %v, want %v", res.Sweeps, method.Sweeps(), want)
	}
	if want := 11.*(2*4+5*(9+6+40)) + 2*estimators.TargetDraws; res.Evaluations != want {
		t.Errorf("rts: %v evaluations, want %v", res.Evaluations, want)
	}
}
