package catalog

import (
	"math"
	"testing"

	"logzlab/core/num/stats"
	"logzlab/estimators"
	"logzlab/estimators/anneal"
	"logzlab/estimators/auto"
	"logzlab/estimators/smc"
	"logzlab/estimators/temper"
	"logzlab/internal/methodtest"
	"logzlab/internal/tier"
	"logzlab/models"
)

// Schedules from a pilot give right answers with every kind of run that has a ladder. Detects a ladder of lanes that
// differs from that of the fold, and a pilot with the random numbers of the run.
func TestLearnedSchedules(t *testing.T) {
	tier.Test(t)
	const runs = 6
	for name, m := range map[string]models.Model{"rbm": methodtest.RBM(t, 8, 5, .8, false),
		"mixture": methodtest.Mixture(t, 2, 1)} {
		truth := methodtest.ExactLogZ(t, m)
		for _, c := range []struct {
			info estimators.Info
			text string
			set  []string
		}{
			{anneal.AIS, "varopt", []string{"chains=60", "temperatures=40"}},
			{anneal.AIS, "varopt:1.5", []string{"chains=60", "temperatures=40"}},
			{anneal.AIS, "friction", []string{"chains=60", "temperatures=40"}},
			{anneal.AIS, "gms13", []string{"chains=60", "temperatures=40"}},
			{smc.SMC, "gms13", []string{"particles=60", "temperatures=20", "islands=4"}},
			{temper.RTS, "adaptive:0.8", []string{"chains=10", "temperatures=12", "sweeps=150", "init_rounds=2"}},
			{temper.SAMS, "varopt", []string{"chains=5", "islands=4", "temperatures=12", "sweeps=300"}},
		} {
			z, squares := make([]float64, runs), 0.0
			for seed := range z {
				_, res := methodtest.Drive(t, c.info, methodtest.Config(t, c.info, m, seed, append(c.set, "schedule="+c.text)...))
				z[seed], squares = res.LogZ, squares+res.SE*res.SE
				if res.PathStats == nil ||
					!(res.Diagnostics[estimators.DiagPathOptimal] <= res.Diagnostics[estimators.DiagPathLinear]) {
					t.Fatalf("%s with %s: learned %v, %v", c.info.Name, c.text, res.PathStats, res.Diagnostics)
				}
			}
			mean, v := stats.MeanVar(z) // of so few the spread may be small by luck
			if d := (mean - truth) / math.Sqrt(max(v, squares/runs)/runs); math.Abs(d) > 4 {
				t.Errorf("%s, %s with %s: %.3f, exact %.3f, z %.1f", name, c.info.Name, c.text, mean, truth, d)
			}
		}
	}
}

// There is no estimate until the first lane of the run that follows a pilot is done, as without a pilot.
func TestPilotEstimate(t *testing.T) {
	for _, info := range []estimators.Info{anneal.AIS, temper.RTS, smc.SMC, auto.AUTO} {
		set := []string{"schedule=varopt"}
		if info.Name == "auto" {
			set = nil
		}
		c := methodtest.Config(t, info, methodtest.RBM(t, 7, 4, .8, false), 1, set...)
		c.Target = .3
		m, err := estimators.Open(c)
		if err != nil {
			t.Fatal(err)
		}
		round, err := m.Next(nil, nil)
		for err == nil && round.Name == anneal.PilotRound {
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
