package resamplemove

import (
	"logzlab/estimators"
	"logzlab/internal/methodtest"
	"math"
	"testing"
)

// A second opinion is log Z by annealing, does not change the run, and is left out for short runs.
func TestOpinion(t *testing.T) {
	m := methodtest.RBM(t, 7, 4, .8, false)
	c := methodtest.Config(t, RM, m, 3, "particles=100", "islands=2", "moves=450", "absent=off")
	with, heard := methodtest.Drive(t, RM, c)
	run, ok := with.(*estimators.WithSecondOpinion)
	if !ok {
		t.Fatal("a long run has no second opinion")
	}
	alone := run.Method.Estimate(nil)[0]
	if heard.LogZ != alone.LogZ || heard.SE != alone.SE {
		t.Errorf("log Z is %g +- %g, and %g +- %g without the opinion", heard.LogZ, heard.SE, alone.LogZ, alone.SE)
	}
	z, se := heard.Diagnostics[estimators.DiagLogZAnnealed], heard.Diagnostics[estimators.DiagLogZAnnealedSE]
	if want := methodtest.ExactLogZ(t, m); !(math.Abs(z-want) < 4*se) || se > .1 {
		t.Errorf("annealing says %g +- %g, exact is %g", z, se, want)
	}
	if share := run.Opinion.Need().Time / run.Method.Need().Time; share > opinionShare || share < opinionShare/2 {
		t.Errorf("the opinion takes %.2f of the run", share)
	}
	short, err := estimators.Open(methodtest.Config(t, RM, m, 3, "particles=100", "islands=2", "moves=2"))
	if _, ok := short.(*estimators.WithSecondOpinion); ok || err != nil {
		t.Error("a short run has a second opinion", err)
	}
}
