package estimators

import (
	"math"
	"testing"

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
