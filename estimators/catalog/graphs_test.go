package catalog

import (
	"math"
	"testing"

	"logzlab/estimators"
	"logzlab/estimators/anneal"
	"logzlab/estimators/resamplemove"
	"logzlab/estimators/smc"
	"logzlab/internal/methodtest"
	"logzlab/internal/tier"
	"logzlab/models/graph"
)

// E[Zhat] = Z on ten small graphs, of spins and of three states, with and without constraints. Detects a table that a
// stage completes twice, weights of broken constraints that are not 0, and moves with the tables of another stage.
func TestGraphsUnbiased(t *testing.T) {
	runs := tier.Size(100, 100, 3000) // of fewer the error is over .2
	for i := range 10 {
		var m *graph.Graph
		switch {
		case i%2 == 0:
			m = methodtest.Graph(t, 6, 2, 0, i)
		default:
			m = methodtest.Graph(t, 5, 3, .1*float64(i%3), i)
		}
		z := methodtest.ExactLogZ(t, m)
		for _, c := range []struct {
			info estimators.Info
			set  []string
		}{
			{anneal.AIS, []string{"chains=20", "temperatures=6", "schedule=linear"}},
			{smc.SMC, []string{"particles=15", "islands=2", "temperatures=6", "schedule=linear", "moves=1"}},
			{resamplemove.RM, []string{"particles=25", "islands=2", "moves=1", "ess=0.9"}},
		} {
			ratio := make([]float64, runs)
			for seed := range ratio {
				_, res := methodtest.Drive(t, c.info, methodtest.Config(t, c.info, m, seed, c.set...))
				ratio[seed] = math.Exp(res.LogZ - z)
			}
			d, mean, se := methodtest.ZScore(ratio, 1)
			t.Logf("graph %d %s: mean Zhat/Z %.4f +- %.4f (z %+.1f)", i, c.info.Name, mean, se, d)
			if !(math.Abs(d) < 4) || se > .2 {
				t.Errorf("graph %d %s: mean of Zhat/Z is %.4f +- %.4f", i, c.info.Name, mean, se)
			}
		}
	}
}
