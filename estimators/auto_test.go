package estimators

import (
	"math"
	"testing"

	"logzlab/core/schedule"
	"logzlab/models"
)

// auto finds log Z of models of every kind to the wanted error, and its second opinion agrees.
func TestAuto(t *testing.T) {
	for name, m := range map[string]models.Model{"rbm": testRBM(t, 8, 5, .8, false), "mixture": testMixture(t, 2, 1),
		"ising": testIsing(t, 3, 4, true, .4), "two modes": twoModes(t)} {
		c := config(t, AUTO, m, 1)
		for c.Target = .2; c.Target > .04; c.Target /= 2 {
			method, res := drive(t, AUTO, c)
			if off := math.Abs(res.LogZ - exactLogZ(t, m)); off > 3*c.Target || off > 5*res.SE || res.SE > 1.5*c.Target {
				t.Errorf("%s to %g: off by %.3f, error bar %.3f", name, c.Target, off, res.SE)
			}
			if d := res.Diagnostics; !(math.Abs(res.LogZ-d[DiagLogZOther]) < 5*math.Hypot(res.SE, d[DiagLogZOtherSE])) ||
				!(d[DiagCostAnnealing] > 0 && d[DiagCostTempering] > 0) {
				t.Errorf("%s: %g +- %g, %v", name, res.LogZ, res.SE, d)
			}
			if res.Sweeps < pilotChains*pilotSteps {
				t.Errorf("%s: %g sweeps without those of the pilot", name, res.Sweeps)
			}
			if method.Need().Time <= 0 {
				t.Error("no planned time")
			}
		}
	}
}

// Chains that lag far behind make tempering the cheaper way; a smaller wanted error makes both dearer.
func TestAutoChoice(t *testing.T) {
	plan := func(lag, target float64) (annealing, tempering float64) {
		c := config(t, AUTO, testRBM(t, 30, 12, .3, false), 1)
		c.Target = target
		c.Pilot = &schedule.Pilot{Betas: []float64{0, 1}, Mean: []float64{0, 0}, Var: []float64{100, 100}, Lag: lag}
		a, b := planAuto(c)
		return a.work(), b.work()
	}
	if a, b := plan(1, .1); a > b {
		t.Errorf("easy: annealing %g, tempering %g", a, b)
	}
	if a, b := plan(100, .1); b > a {
		t.Errorf("hard: annealing %g, tempering %g", a, b)
	}
	_, b := plan(1, .1)
	if _, half := plan(1, .05); half < 2*b || half > 5*b {
		t.Errorf("half the error costs %g times the work", half/b)
	}
}
