package smc

import (
	"fmt"
	"math"
	"testing"

	"logzlab/core/num/stats"
	"logzlab/estimators"
	"logzlab/internal/methodtest"
	"logzlab/models/conjugate"
)

// Posterior means and variances are right with and without a move at the last temperature, with particles resampled
// there or not, and log Z is the same number. Detects particles that keep their weights after resampling there, and a
// move that leaves the density of the previous rung invariant.
func TestAISELLast(t *testing.T) {
	m := methodtest.LatentModel(t, "linreg-line")
	hills, _ := m.(*conjugate.Model).Components()
	var z [2][]float64
	for ess, rungs := range map[string]int{"ess=0": 16, "ess=1": 8} {
		z = [2][]float64{}
		for way, last := range []string{"last=no", "last=yes"} {
			var mean, square [2]stats.Welford
			sweeps, squares := 0., 0.
			const runs = 40
			for seed := range runs {
				_, res := methodtest.Drive(t, AISEL, methodtest.Config(t, AISEL, m, seed, "particles=30", "islands=12",
					fmt.Sprint("temperatures=", rungs), "schedule=power:3", ess, last))
				z[way] = append(z[way], res.LogZ)
				sweeps = res.Sweeps
				for i, p := range res.Posterior {
					mean[i].Add(p.Mean)
					square[i].Add(p.SD*p.SD + (p.Mean-hills[0].Mean[i])*(p.Mean-hills[0].Mean[i]))
					d := (p.Mean - hills[0].Mean[i]) / p.SE
					squares += d * d / (2 * runs)
				}
				if e := res.Diagnostics[estimators.DiagESS]; e > 12*30-1e-9 {
					t.Errorf("%s %s: %v of 360 particles are effective", ess, last, e)
				}
			}
			if want := float64(13 * 30 * 2 * (rungs - 2 + way)); sweeps != want {
				t.Errorf("%s %s: %v sweeps, not %v", ess, last, sweeps, want)
			}
			for i := range mean {
				sd := hills[0].SD[i]
				d, e := mean[i].Mean-hills[0].Mean[i], math.Sqrt(mean[i].Var()/runs)
				v, f := square[i].Mean/(sd*sd), math.Sqrt(square[i].Var()/runs)/(sd*sd)
				t.Logf("%s %s, coordinate %d: mean off by %.4f +- %.4f sd, variance %.4f +- %.4f times that, rms z %.2f", ess,
					last, i, d/sd, e/sd, v, f, math.Sqrt(squares))
				if !(math.Abs(d) < 4*e && math.Abs(v-1) < 4*f) || e > .1*sd || f > .1 {
					t.Errorf("%s %s, coordinate %d: mean off by %.4f +- %.4f, variance %.4f +- %.4f times what it is", ess,
						last, i, d, e, v, f)
				}
			}
			if rms := math.Sqrt(squares); !(rms > .7 && rms < 1.5) {
				t.Errorf("%s %s: error bars of means are off by a factor of %.2f", ess, last, rms)
			}
		}
		for seed := range z[0] {
			if z[0][seed] != z[1][seed] {
				t.Fatalf("%s: log Z is %v without and %v with a last move", ess, z[0][seed], z[1][seed])
			}
		}
	}
}
