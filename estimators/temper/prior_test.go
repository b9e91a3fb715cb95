package temper

import (
	"math"
	"testing"

	"logzlab/core/schedule"
	"logzlab/estimators"
	"logzlab/internal/methodtest"
	"logzlab/internal/tier"
)

// Eqs 7 and 12 with a non-uniform r, from sums written out here: chains see log f of three sweeps, the same in all of
// them, and log Zhat = 0. Detects r left out of eq. 7 (log Z wrong by log r_4/r_1 = 2 with exp:2) or of eq. 12, and c_k
// in place of c_k/r_k in the occupancy.
func TestPriorByHand(t *testing.T) {
	logf := [][]float64{{0, 1, -2, 4}, {0, -1, .5, 2}, {0, 3, 1, -1}}
	m := script{func(_, step uint32, k int) float64 { return logf[(step-1)%3][k] }}
	for prior, r := range map[string][]float64{
		"exp:2":         {1, math.Exp(2. / 3), math.Exp(4. / 3), math.Exp(2)},
		"weights:1_4":   {1, 2, 3, 4},
		"weights:4_2_4": {4, 8. / 3, 8. / 3, 4},
	} {
		total := r[0] + r[1] + r[2] + r[3]
		c := make([]float64, 4)
		for _, f := range logf {
			sum := 0.0
			for k := range f {
				sum += math.Exp(f[k]) * r[k]
			}
			for k := range f {
				c[k] += math.Exp(f[k]) * r[k] / sum / 3
			}
		}
		set := []string{"chains=12", "temperatures=4", "sweeps=3", "burn_in=0", "init=ones", "init_rounds=0",
			"prior=" + prior}
		for _, info := range []estimators.Info{RTS, RTSStationary} {
			_, res := methodtest.Drive(t, info, methodtest.Config(t, info, m, 1, set...))
			for k := range c {
				methodtest.Near(t, prior+" occupancy", res.Occupancy[k], c[k]/(r[k]/total), 1e-12)
				if info.Name == "rts" {
					methodtest.Near(t, prior+" log Z", res.Ladder[k].LogZ, math.Log(c[k]/r[k]/(c[0]/r[0])), 1e-12)
				}
			}
		}
	}
}

// The initial iterations stop when c is near r, not when c is even: f_k = e^k is known after one iteration, and the
// second one sees c = r.
func TestPriorStops(t *testing.T) {
	phases := map[uint32]bool{}
	m := script{func(phase, _ uint32, k int) float64 { phases[phase] = true; return float64(k) }}
	cfg := methodtest.Config(t, RTS, m, 1, "chains=12", "temperatures=4", "sweeps=10", "init=ones", "init_rounds=5",
		"init_sweeps=3", "prior=exp:2", "merge=yes")
	_, res := methodtest.Drive(t, RTS, cfg)
	methodtest.Near(t, "log Z", res.LogZ, 3, 1e-9)
	if len(phases) != 3 || !(res.Diagnostics[estimators.DiagInitialMaxDev] < 1e-12) {
		t.Errorf("phases %v, max dev %v: want two initial iterations and the final run", phases, res.Diagnostics)
	}
	methodtest.Near(t, "max dev of a share", res.Occupancy[3], 1, 1e-12)
}

// Every reader finds log Z under a prior, and the chains distribute their sweeps by it. Detects r left out in one
// place: log Z would be off by 2 nats with exp:2, and by log 8 with weights.
func TestPriorExact(t *testing.T) {
	m := methodtest.RBM(t, 8, 5, .8, false)
	want := methodtest.ExactLogZ(t, m)
	runs := []string{"chains=20", "temperatures=12", "sweeps=300"}
	islands := []string{"chains=5", "islands=10", "temperatures=12", "sweeps=600"}
	for prior, rise := range map[string]float64{"exp:2": math.Exp(2), "weights:8_2_1": 1. / 8} {
		for _, try := range []struct {
			info estimators.Info
			set  []string
		}{{RTS, runs}, {RTS, append(runs[:3:3], "init=wl")}, {RTS, append(runs[:3:3], "init=ones", "merge=yes")}, {TS, runs},
			{TI, runs}, {TIRB, runs}, {RTSStationary, runs}, {BAR, runs}, {MBAR, runs}, {WL, islands}, {SAMS, islands}} {
			for seed := range tier.Size(1, 2, 10) {
				cfg := methodtest.Config(t, try.info, m, 1+seed, append(try.set[:len(try.set):len(try.set)], "prior="+prior)...)
				_, res := methodtest.Drive(t, try.info, cfg)
				if z := (res.LogZ - want) / res.SE; !(math.Abs(z) < 4) || res.SE > .2 {
					t.Errorf("%s %v prior %s: %g +- %g, want %g", try.info.Name, try.set, prior, res.LogZ, res.SE, want)
				}
				if lo := res.Diagnostics[estimators.DiagOccupancyMin]; !(lo > .6) {
					t.Errorf("%s %v prior %s: occupancy c/r is down to %g", try.info.Name, try.set, prior, lo)
				}
				if res.Batch == nil {
					continue
				}
				c := res.Batch.LogC
				if got := math.Exp(c[len(c)-1] - c[0]); !(math.Abs(math.Log(got/rise)) < .3) {
					t.Errorf("%s prior %s: the target has %g times the samples of the base, want %g", try.info.Name, prior, got, rise)
				}
			}
		}
	}
}

// Equal weights are the uniform prior, up to rounding.
func TestPriorOfEqualWeights(t *testing.T) {
	m := methodtest.Mixture(t, 2, 0)
	set := []string{"chains=12", "temperatures=7", "sweeps=40"}
	_, even := methodtest.Drive(t, RTS, methodtest.Config(t, RTS, m, 1, set...))
	_, same := methodtest.Drive(t, RTS, methodtest.Config(t, RTS, m, 1, append(set, "prior=weights:3_3")...))
	methodtest.Near(t, "log Z", same.LogZ, even.LogZ, 1e-9)
	methodtest.Near(t, "its error", same.SE, even.SE, 1e-9)
	if p, err := schedule.Prior("uniform", []float64{0, 1}); p != nil || err != nil {
		t.Error("uniform is not nil, and so may change digits")
	}
}
