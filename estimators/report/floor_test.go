package report

import (
	"fmt"
	"math"
	"testing"

	"logzlab/core/diag"
	"logzlab/core/runstate"
	"logzlab/estimators"
	"logzlab/estimators/engine"
	"logzlab/internal/testmodels"
	"logzlab/internal/tier"
	"logzlab/models"
	"logzlab/models/gpc"
	"logzlab/models/rbm"
)

// farState returns an RBM whose state of all units on has all the mass, log f = 80, which no chain from the base finds.
func farState(t *testing.T) models.Model {
	t.Helper()
	p := rbm.Params{M: 32, J: 32} // too large for its exact value to be found by itself
	for range p.M {
		p.C, p.P1 = append(p.C, -24), append(p.P1, .05)
		for range p.J {
			p.W = append(p.W, 2)
		}
	}
	for range p.J {
		p.B = append(p.B, -37.5)
	}
	return testmodels.FileModel(t, p)
}

// Methods that all miss the far state agree on log Z = 0; the state itself refutes them. Fails if the floor is ignored,
// if methods with the same provenance confirm each other, or if the floor depends on how the work is divided.
func TestFloorRefutes(t *testing.T) {
	t.Parallel()
	m := farState(t)
	for _, link := range []string{"ais,rts&ais.temperatures=50&rts.temperatures=12&rts.sweeps=100",
		"smc,ais&ais.temperatures=50&smc.temperatures=30", "arm,rm&arm.absent=off&rm.absent=off",
		"rm,ais,rts&ais.temperatures=50&rm.absent=off&rts.temperatures=12&rts.sweeps=100"} {
		for _, workers := range []int{1, 3} {
			j, err := engine.NewJob(testmodels.Parse(t, link), m, engine.Options{Workers: workers, LaneSize: 7 * (workers - 1)})
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range finished(t, j, workers) {
				if math.Abs(float64(r.LogZ)) > 10 {
					t.Errorf("%s of %s finds %v: this machine tells nothing any more", r.Method, link, r.LogZ)
				}
				if r.Verdict.Level != Stop || r.Verdict.Failing().Name != "Floor of log Z" {
					t.Errorf("%s of %s: log Z %v, %s by %+v", r.Method, link, r.LogZ, r.Verdict.Level, r.Verdict.Failing())
				}
				if r.Floor == nil || fmt.Sprintf("%.6f %s", r.Floor.LogZ, r.Floor.Kind) != "80.000000 mean_field" {
					t.Errorf("%s of %s: floor %+v", r.Method, link, r.Floor)
				}
			}
		}
	}
}

// An estimate less than its error bar below the floor passes with a true text and a neutral mark: no tick next to a
// false inequality.
func TestFloorWithinTheBar(t *testing.T) {
	t.Parallel()
	for floor, want := range map[float64]VerdictCheck{-26.9: {OK: true, Near: true, Needs: "below, within the bar"},
		-27.2: {OK: true, Needs: "\u2264 log Z"}, -25: {Needs: "\u2264 log Z"}} {
		r := &Report{LogZ: -27.13, SE: .13, Verdict: &Verdict{Level: Trust}}
		r.addFloor(&estimators.Bounds{Floor: floor})
		if c := r.Verdict.Checks[0]; c.OK != want.OK || c.Near != want.Near || c.Needs != want.Needs {
			t.Errorf("floor %v: %+v", floor, c)
		}
	}
}

// The floor of every kind is in the report, not above the exact value, and refutes no healthy run. It has the same bits
// however the work is divided, also with climbs from samples.
func TestFloorInReports(t *testing.T) {
	tier.Test(t)
	t.Parallel()
	for link, m := range map[string]models.Model{
		"ais,rm&ais.temperatures=200&rm.particles=300": testmodels.RBMModel(t, 20, 8, .5, 3),
		"ais,rts&ais.temperatures=200&rts.sweeps=200":  testmodels.IsingModel(t, 6, 6, true, .4),
		"ais,arm&ais.temperatures=100": testmodels.FileModel(t, gpc.Params{N: 3, Y: []float64{1, -1, 1},
			K: []float64{2, 1, 0, 1, 2, 1, 0, 1, 2}}),
		"is&is.particles=5000": testmodels.HillsModel(t, 2, 3, 2, 1.5, 1),
	} {
		var first *Bound
		for workers := 1; workers <= 3; workers++ {
			j, err := engine.NewJob(testmodels.Parse(t, link), m, engine.Options{Workers: workers, LaneSize: 3 * (workers - 1)})
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range finished(t, j, workers) {
				if r.Floor == nil || r.Floor.LogZ > r.Truth.LogZ+1e-9 {
					t.Fatalf("%s on %s: floor %+v, exact %v", r.Method, m.Info().Kind, r.Floor, r.Truth)
				}
				if c := r.Verdict.Failing(); r.Verdict.Level == Stop || c != nil && c.Name == "Floor of log Z" {
					t.Errorf("%s on %s: %s by %+v", r.Method, m.Info().Kind, r.Verdict.Level, r.Verdict.Failing())
				}
				if first == nil {
					first = r.Floor
				}
				if *r.Floor != *first {
					t.Errorf("%s on %s: floor %v with %d workers, %v with one", r.Method, m.Info().Kind, *r.Floor, workers, *first)
				}
			}
		}
	}
}

// An exact value far away also stops a result without an error bar.
func TestTruthWithoutABar(t *testing.T) {
	t.Parallel()
	reports, err := RunLink(t.Context(), "v=1&model=ising16&method=is&is.particles=1", engine.Source{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if r := reports[0]; IsNumber(r.SE) || r.Verdict.Level != Stop || r.Verdict.Failing().Name != "Distance to the truth" {
		t.Errorf("log Z %v +- %v, exact %v: %s by %+v", r.LogZ, r.SE, r.Truth, r.Verdict.Level, r.Verdict.Failing())
	}
	for off, ok := range map[float64]bool{1: true, 3: true, 3.1: false} {
		if c := checkTruth(off, math.NaN()); c.OK != ok {
			t.Errorf("%v nats off without an error bar: %+v", off, c)
		}
	}
}

// A floor judges an estimate by the error bars between them, and drops annealed chains below the floor.
func TestFloorJudges(t *testing.T) {
	for _, c := range []struct {
		logZ, se, floor float64
		level           string
		near            bool
	}{{5, .1, 5, Trust, false}, {5.1, .1, 5, Trust, false}, {4.9, .1, 5, Trust, true}, {4.79, .1, 5, Caution, false},
		{4.65, .1, 5, Caution, false}, {4.59, .1, 5, Stop, false}, {4.99, .001, 5, Trust, true}} {
		r := &Report{State: runstate.MethodDone, LogZ: Number(c.logZ), SE: Number(c.se), Verdict: &Verdict{Level: Trust}}
		r.addFloor(&estimators.Bounds{Floor: c.floor})
		if got := r.Verdict.Checks[0]; r.Verdict.Level != c.level || got.Near != c.near {
			t.Errorf("log Z %v +- %v and floor %v: %s, near %v", c.logZ, c.se, c.floor, r.Verdict.Level, got.Near)
		}
	}
	// Annealed chains missed the mode that the run has found, and that the floor proves.
	r := &Report{State: runstate.MethodDone, LogZ: 80, SE: .001, Verdict: &Verdict{},
		Diagnostics: map[diag.Number]Number{estimators.DiagLogZAnnealed: .06, estimators.DiagLogZAnnealedSE: .01}}
	r.Verdict.Add(VerdictCheck{Name: estimators.CheckAnnealed, Bad: true})
	if r.addFloor(&estimators.Bounds{Floor: 80}); r.Verdict.Level != Trust {
		t.Errorf("an opinion that the floor refutes still counts: %+v", r.Verdict)
	}
}

// TestCeiling: an estimate above a ceiling is judged as one below a floor.
func TestCeiling(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		logZ  float64
		level string
		near  bool
	}{{4.9, Trust, false}, {5.1, Trust, true}, {5.25, Caution, false}, {5.5, Stop, false}} {
		r := &Report{State: runstate.MethodDone, LogZ: Number(c.logZ), SE: .1, Verdict: &Verdict{Level: Trust}}
		r.addCeiling(5)
		if got := r.Verdict.Checks[0]; r.Verdict.Level != c.level || got.Near != c.near || r.Ceiling.LogZ != 5 {
			t.Errorf("log Z %v: %s, %+v", c.logZ, r.Verdict.Level, got)
		}
	}
	// Tempering froze above the ceiling, while the estimate is within it.
	r := &Report{State: runstate.MethodDone, LogZ: 4.9, SE: .1, Verdict: &Verdict{},
		Diagnostics: map[diag.Number]Number{estimators.DiagLogZOther: 21, estimators.DiagLogZOtherSE: .3}}
	r.Verdict.Add(VerdictCheck{Name: estimators.CheckOther, Bad: true})
	if r.addCeiling(5); r.Verdict.Level != Trust {
		t.Errorf("a road that the ceiling refutes still counts: %+v", r.Verdict)
	}
}
