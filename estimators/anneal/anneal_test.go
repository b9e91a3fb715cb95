package anneal

import (
	"slices"
	"testing"

	"logzlab/estimators"
	"logzlab/internal/methodtest"
)

// The ends of the sandwich are as in the contract: mean log weight minus 2 sd/sqrt(C), and minus the mean reverse log
// weight plus 2 sd/sqrt(C), plus log Z of the base. Detects a wrong sign and a missing base (8.3 nats here).
func TestSandwichFormula(t *testing.T) {
	m := methodtest.Ising(t, 3, 4, true, .3)
	method, res := methodtest.Drive(t, AIS, methodtest.Config(t, AIS, m, 1, "chains=23", "temperatures=6"))
	a := method.(*run)
	forward := a.known.Works(len(a.known.Betas) - 1)
	_, mean, se := methodtest.ZScore(forward, 0)
	methodtest.Near(t, "lower", res.Lower, m.LogZ0()+mean-2*se, 1e-12)
	_, mean, se = methodtest.ZScore(a.known.Reverse, 0)
	methodtest.Near(t, "upper", res.Upper, m.LogZ0()-mean+2*se, 1e-12)
	if len(forward) != 23 || len(a.known.Reverse) != 23 {
		t.Errorf("%d forward and %d reverse chains", len(forward), len(a.known.Reverse))
	}
}

// An error bar counts as calibrated only with ESS >= 50 and Var(log w) <= 1.
func TestOptimisticFlag(t *testing.T) {
	m := methodtest.RBM(t, 8, 5, 1.2, false)
	seen := map[bool]bool{}
	for _, k := range []string{"2", "3", "5", "30"} {
		for _, c := range []string{"20", "60", "400"} {
			_, res := methodtest.Drive(t, AIS, methodtest.Config(t, AIS, m, 1, "chains="+c, "temperatures="+k))
			claims := res.Diagnostics["ess"] >= 50 && res.Diagnostics["var_log_weight"] <= 1
			if flagged := slices.Contains(res.Flags, "se_optimistic"); flagged == claims {
				t.Errorf("K = %s, C = %s: flagged %v with ESS %.1f, Var(log w) %.2f", k, c, flagged, res.Diagnostics["ess"],
					res.Diagnostics["var_log_weight"])
			}
			seen[claims] = true
		}
	}
	if len(seen) != 2 {
		t.Error("the settings show one side only")
	}
}

// Chains that are added later equal those of a run with more chains from the beginning, for any division into lanes.
func TestAnnealGrows(t *testing.T) {
	m := methodtest.RBM(t, 8, 5, .8, false)
	_, want := methodtest.Drive(t, AIS, methodtest.Config(t, AIS, m, 1, "chains=26", "temperatures=30"))
	for _, size := range []int{0, 1, 4, 100} {
		for _, cut := range []int{0, 7} {
			c := methodtest.Config(t, AIS, m, 1, "chains=20", "temperatures=30")
			c.LaneSize, c.RoundSweeps = size, cut
			ladder, err := c.Ladder()
			if err != nil {
				t.Fatal(err)
			}
			a, worker := along(c, ladder, 20, 1), along(c, ladder, 20, 1)
			a.back, worker.back = c.Lanes(26), c.Lanes(26)
			a.ExtraChains = func(_ []*estimators.Result, chains int) int { return min(26-chains, 5) }
			var round *estimators.Round
			for partials, states := [][]byte(nil), [][]byte(nil); ; partials, states = round.Run(worker) {
				if round, err = a.Next(partials, states); round == nil || err != nil {
					break
				}
			}
			got := a.Estimate(nil)[0]
			if err != nil || got.LogZ != want.LogZ || got.SE != want.SE || got.Upper != want.Upper ||
				got.Sweeps != want.Sweeps || a.Sweeps() != want.Sweeps {
				t.Errorf("lanes of %d: %g +- %g with %g sweeps, want %g +- %g with %g: %v", size, got.LogZ, got.SE, got.Sweeps,
					want.LogZ, want.SE, want.Sweeps, err)
			}
		}
	}
}
