package anneal

import (
	"testing"

	"logzlab/core/schedule"
	"logzlab/estimators"
	"logzlab/internal/methodtest"
	"logzlab/models"
	"logzlab/models/density"
	"logzlab/models/mixture"
	"logzlab/models/rbm"
)

// With moves that mix, Var(log w) is as predicted by the schedule, and the optimum on a path that is hard in one place
// needs a fraction of the chains of a linear ladder.
func TestPredictedVariance(t *testing.T) {
	hard, err := mixture.NewGaussian(mixture.GaussianParams{D: 3, BaseSD: 5, Weights: []float64{1}, SDs: []float64{.3},
		Means: [][]float64{{.5, .5, .5}}}, density.Kernel{Name: "hmc", Moves: 2})
	if err != nil {
		t.Fatal(err)
	}
	measured := map[string]float64{}
	for _, text := range []string{"linear", "varopt"} {
		_, res := methodtest.Drive(t, AIS, methodtest.Config(t, AIS, hard, 1, "chains=200", "temperatures=300", "sweeps=3",
			"schedule="+text))
		v := res.Diagnostics[estimators.DiagVarLogWeight]
		measured[text] = v
		if r := v / res.Diagnostics[estimators.DiagVarPredicted]; text == "varopt" && (r < .6 || r > 1.7) {
			t.Errorf("%s: measured variance %.3f is %.2f times the predicted one", text, v, r)
		}
	}
	if r := measured["varopt"] / measured["linear"]; r > .25 {
		t.Errorf("varopt has %.2f times the variance of linear", r)
	}
}

// The pilot counts as work, and does not change a run without one.
func TestPilotCost(t *testing.T) {
	m := methodtest.RBM(t, 7, 4, .8, false)
	plain, a := methodtest.Drive(t, AIS, methodtest.Config(t, AIS, m, 1, "chains=10", "temperatures=30"))
	piloted, b := methodtest.Drive(t, AIS, methodtest.Config(t, AIS, m, 1, "chains=10", "temperatures=30",
		"schedule=varopt"))
	if got := b.Sweeps - a.Sweeps; got != PilotChains*(2*PilotSteps-2) {
		t.Errorf("the pilot counts as %g sweeps", got)
	}
	if piloted.Sweeps() != b.Sweeps || plain.Sweeps() != a.Sweeps {
		t.Errorf("planned %g and %g sweeps, done %g and %g", piloted.Sweeps(), plain.Sweeps(), b.Sweeps, a.Sweeps)
	}
	if a.PathStats == nil || a.Diagnostics[estimators.DiagVarPredicted] == 0 {
		t.Error("annealing itself learned nothing")
	}
	var up []float64
	for _, k := range b.Ladder {
		up = append(up, k.Beta)
	}
	want, err := schedule.Make("varopt", 30, b.PathStats)
	if err != nil {
		t.Fatal(err)
	}
	for i := range want {
		if up[i] != want[i] {
			t.Fatalf("rung %d is at %g, the pilot's schedule has it at %g", i, up[i], want[i])
		}
	}
}

// climbs counts the climbs from states.
type climbs struct {
	*rbm.Model
	n *int
}

func (c climbs) Capabilities() models.Capabilities {
	can := c.Model.Capabilities()
	can.Bounds.FloorFrom = c.Climb
	return can
}

func (c climbs) Climb(state []uint8) float64 { *c.n++; return c.Model.FloorFrom(state) }

// A pilot computes no bound of log Z: only the chains of the run itself climb.
func TestPilotDoesNotClimb(t *testing.T) {
	m := climbs{methodtest.RBM(t, 8, 5, .8, false), new(int)}
	methodtest.Drive(t, AIS, methodtest.Config(t, AIS, m, 1, "chains=20", "temperatures=10", "schedule=varopt"))
	if *m.n != estimators.ClimbedChains {
		t.Errorf("%d climbs, want %d", *m.n, estimators.ClimbedChains)
	}
}

// A pilot measures g of the visible units and of the joint density. The latter is d^2 log Z/d beta^2: F of the linear
// schedule is the rise of d log Z/d beta, F of the best one follows from second differences of the exact log Z. The
// joint form sums nothing out, so it has only one g.
func TestJointG(t *testing.T) {
	m := methodtest.RBM(t, 10, 5, 1, false)
	const h, knots, runs = 1e-3, 100, 12
	var betas, exact []float64
	for i := range knots + 1 {
		b := min(max(float64(i)/knots, h), 1-h)
		z, err := m.LadderLogZ([]float64{b - h, b, b + h})
		if err != nil {
			t.Fatal(err)
		}
		betas, exact = append(betas, b), append(exact, (z[2]-2*z[1]+z[0])/(h*h))
	}
	linear, optimal := schedule.Functionals(betas, exact)
	got := map[string][]float64{}
	for seed := range runs {
		_, res := methodtest.Drive(t, AIS, methodtest.Config(t, AIS, m, seed, "chains=10", "temperatures=10",
			"schedule=varopt"))
		d := res.Diagnostics
		got["linear"] = append(got["linear"], d[estimators.DiagPathLinearJoint]/linear)
		got["optimal"] = append(got["optimal"], d[estimators.DiagPathOptimalJoint]/optimal)
		for k, g := range res.PathStats.Joint {
			if !(g >= res.PathStats.Var[k]) {
				t.Fatalf("at %g the joint g is %g, that of the visible units %g", res.PathStats.Betas[k], g, res.PathStats.Var[k])
			}
		}
		if !(d[estimators.DiagPathLinear] < .9*d[estimators.DiagPathLinearJoint]) {
			t.Errorf("F is %g, of the joint %g", d[estimators.DiagPathLinear], d[estimators.DiagPathLinearJoint])
		}
	}
	for name, ratios := range got {
		_, mean, se := methodtest.ZScore(ratios, 1)
		t.Logf("F of the %s schedule by the joint g: %.3f +- %.3f of the exact one", name, mean, se)
		if mean < .95-4*se || mean > 1.05+4*se || se > .05 {
			t.Errorf("F of the %s schedule by the joint g is %.3f +- %.3f of the exact one", name, mean, se)
		}
	}
	_, res := methodtest.Drive(t, AIS, methodtest.Config(t, AIS, methodtest.RBM(t, 10, 5, 1, true), 1, "chains=10",
		"temperatures=10", "schedule=varopt"))
	if _, has := res.Diagnostics[estimators.DiagPathLinearJoint]; has || res.PathStats.Joint != nil {
		t.Error("the joint form has two")
	}
}
