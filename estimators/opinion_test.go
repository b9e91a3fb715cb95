package estimators

import (
	"math"
	"testing"
)

// A second opinion is log Z by annealing, changes no digit of the run, and is left out of short ones.
func TestOpinion(t *testing.T) {
	m := testRBM(t, 7, 4, .8, false)
	c := config(t, RM, m, 3, "particles=100", "islands=2", "moves=450", "absent=off")
	with, heard := drive(t, RM, c)
	run, ok := with.(*WithSecondOpinion)
	if !ok {
		t.Fatal("a long run has no second opinion")
	}
	alone := run.Method.Estimate(nil)[0]
	if heard.LogZ != alone.LogZ || heard.SE != alone.SE {
		t.Errorf("log Z is %g +- %g, and %g +- %g without the opinion", heard.LogZ, heard.SE, alone.LogZ, alone.SE)
	}
	z, se := heard.Diagnostics[DiagLogZAnnealed], heard.Diagnostics[DiagLogZAnnealedSE]
	if want := exactLogZ(t, m); !(math.Abs(z-want) < 4*se) || se > .1 {
		t.Errorf("annealing says %g +- %g, exact is %g", z, se, want)
	}
	if share := run.Opinion.Need().Time / run.Method.Need().Time; share > opinionShare || share < opinionShare/2 {
		t.Errorf("the opinion takes %.2f of the run", share)
	}
	short, err := Open(config(t, RM, m, 3, "particles=100", "islands=2", "moves=2"))
	if _, ok := short.(*WithSecondOpinion); ok || err != nil {
		t.Error("a short run has a second opinion", err)
	}
}
