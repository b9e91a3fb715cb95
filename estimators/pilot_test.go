package estimators

import (
	"math"
	"testing"

	"logzlab/core/schedule"
	"logzlab/core/stats"
	"logzlab/models"
)

// Schedules from a pilot give right answers with every kind of run that has a ladder. Planted and caught: the ladder
// of lanes differs from that of the fold; the pilot's random numbers are those of the run.
func TestLearnedSchedules(t *testing.T) {
	const runs = 6
	for name, m := range map[string]models.Model{"rbm": testRBM(t, 8, 5, .8, false), "mixture": testMixture(t, 2, 1)} {
		truth := exactLogZ(t, m)
		for _, c := range []struct {
			info Info
			text string
			set  []string
		}{
			{AIS, "varopt", []string{"chains=60", "temperatures=40"}},
			{AIS, "varopt:1.5", []string{"chains=60", "temperatures=40"}},
			{AIS, "friction", []string{"chains=60", "temperatures=40"}},
			{AIS, "gms13", []string{"chains=60", "temperatures=40"}},
			{SMC, "gms13", []string{"particles=60", "temperatures=20", "islands=4"}},
			{RTS, "adaptive:0.8", []string{"chains=10", "temperatures=12", "sweeps=150", "init_rounds=2"}},
			{SAMS, "varopt", []string{"chains=5", "islands=4", "temperatures=12", "sweeps=300"}},
		} {
			z, squares := make([]float64, runs), 0.0
			for seed := range z {
				_, res := drive(t, c.info, config(t, c.info, m, seed, append(c.set, "schedule="+c.text)...))
				z[seed], squares = res.LogZ, squares+res.SE*res.SE
				if res.Learned == nil || !(res.Diagnostics[DiagPathOptimal] <= res.Diagnostics[DiagPathLinear]) {
					t.Fatalf("%s with %s: learned %v, %v", c.info.Name, c.text, res.Learned, res.Diagnostics)
				}
			}
			mean, v := stats.MeanVar(z) // of so few the spread may be small by luck
			if d := (mean - truth) / math.Sqrt(max(v, squares/runs)/runs); math.Abs(d) > 4 {
				t.Errorf("%s, %s with %s: %.3f, exact %.3f, z %.1f", name, c.info.Name, c.text, mean, truth, d)
			}
		}
	}
}

// With moves that mix, Var(log w) is what the schedule leads one to expect, and the optimum of a path that is hard in
// one place needs a fraction of the chains of a linear one.
func TestPredictedVariance(t *testing.T) {
	hard, err := models.NewMixture(models.MixtureParams{D: 3, BaseSD: 5, Weights: []float64{1}, SDs: []float64{.3},
		Means: [][]float64{{.5, .5, .5}}}, models.Kernel{Name: "hmc", Moves: 2})
	if err != nil {
		t.Fatal(err)
	}
	measured := map[string]float64{}
	for _, text := range []string{"linear", "varopt"} {
		_, res := drive(t, AIS, config(t, AIS, hard, 1, "chains=200", "temperatures=300", "sweeps=3", "schedule="+text))
		v := res.Diagnostics[DiagVarLogWeight]
		measured[text] = v
		if r := v / res.Diagnostics[DiagVarPredicted]; text == "varopt" && (r < .6 || r > 1.7) {
			t.Errorf("%s: measured variance %.3f is %.2f times the predicted one", text, v, r)
		}
	}
	if r := measured["varopt"] / measured["linear"]; r > .25 {
		t.Errorf("varopt has %.2f times the variance of linear", r)
	}
}

// The pilot counts as work, and a run without one is not changed by it.
func TestPilotCost(t *testing.T) {
	m := testRBM(t, 7, 4, .8, false)
	plain, a := drive(t, AIS, config(t, AIS, m, 1, "chains=10", "temperatures=30"))
	piloted, b := drive(t, AIS, config(t, AIS, m, 1, "chains=10", "temperatures=30", "schedule=varopt"))
	if got := b.Sweeps - a.Sweeps; got != pilotChains*(2*pilotSteps-2) {
		t.Errorf("the pilot counts as %g sweeps", got)
	}
	if piloted.Sweeps() != b.Sweeps || plain.Sweeps() != a.Sweeps {
		t.Errorf("planned %g and %g sweeps, done %g and %g", piloted.Sweeps(), plain.Sweeps(), b.Sweeps, a.Sweeps)
	}
	if a.Learned == nil || a.Diagnostics[DiagVarPredicted] == 0 {
		t.Error("annealing itself learned nothing")
	}
	var up []float64
	for _, k := range b.Ladder {
		up = append(up, k.Beta)
	}
	want, err := schedule.Make("varopt", 30, b.Learned)
	if err != nil {
		t.Fatal(err)
	}
	for i := range want {
		if up[i] != want[i] {
			t.Fatalf("rung %d is at %g, the pilot's schedule has it at %g", i, up[i], want[i])
		}
	}
}

// Before the first lane of the run that follows a pilot has come there is no estimate, as without a pilot.
func TestPilotEstimate(t *testing.T) {
	for _, info := range []Info{AIS, RTS, SMC, AUTO} {
		set := []string{"schedule=varopt"}
		if info.Name == "auto" {
			set = nil
		}
		c := config(t, info, testRBM(t, 7, 4, .8, false), 1, set...)
		c.Target = .3
		m, err := Open(c)
		if err != nil {
			t.Fatal(err)
		}
		round, err := m.Next(nil, nil)
		for err == nil && round.Name == pilotRound {
			if got := m.Estimate(make([][]byte, round.Lanes)); got != nil {
				t.Errorf("%s: the pilot has estimates", info.Name)
			}
			round, err = m.Next(round.Run(m))
		}
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Estimate(make([][]byte, round.Lanes)); got != nil {
			t.Errorf("%s: %d estimates before a lane has come", info.Name, len(got))
		}
	}
}

// climbs counts the climbs from states.
type climbs struct {
	*models.RBM
	n *int
}

func (c climbs) Climb(state []uint8) float64 { *c.n++; return c.RBM.Climb(state) }

// Nobody asks a pilot for a bound of log Z: only the chains of the run itself climb.
func TestPilotDoesNotClimb(t *testing.T) {
	m := climbs{testRBM(t, 8, 5, .8, false), new(int)}
	drive(t, AIS, config(t, AIS, m, 1, "chains=20", "temperatures=10", "schedule=varopt"))
	if *m.n != climbed {
		t.Errorf("%d climbs, want %d", *m.n, climbed)
	}
}
