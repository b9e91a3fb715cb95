package derived

import (
	"testing"

	"logzlab/core/frame"
	"logzlab/estimators"
	"logzlab/estimators/report"
)

// The overlaps of rungs reach the picture where they belong to its ladder.
func TestClimbTakesOverlaps(t *testing.T) {
	c := NewCurves()
	r := &report.Report{Method: "rts", Ladder: []estimators.Rung{{Beta: 0}, {Beta: .5}, {Beta: 1}},
		Overlap: []float64{.25, .5}}
	c.AddLadder(r, nil)
	r.Doing, r.Overlap = "final", []float64{.25}
	c.AddLadder(r, nil)
	if l := c.Ladders["rts"]; len(l) != 2 || len(l[0].Overlap) != 2 || l[0].Overlap[1] != .5 || l[1].Overlap != nil {
		t.Errorf("the picture is told of %+v", l)
	}
}

// TestWhatThePictureGets: guesses and overlap matrices are thinned to what can be drawn, ends kept; rows still sum
// to 1.
func TestWhatThePictureGets(t *testing.T) {
	var all []estimators.Guess
	for i := range 300 {
		g := estimators.Guess{Sweeps: i + 1}
		for k := range 1000 {
			g.LogZ = append(g.LogZ, float64(k))
		}
		all = append(all, g)
	}
	few := thinGuesses(all)
	if n := len(few); n != maxGuesses || few[0].Sweeps != 1 || few[n-1].Sweeps != 300 ||
		len(few[3].LogZ) != guessedRungs ||
		few[3].LogZ[0] != 0 || few[3].LogZ[guessedRungs-1] != 999 || few[3].LogC != nil {
		t.Errorf("%d guesses of %d rungs", n, len(few[3].LogZ))
	}
	if thinGuesses(nil) != nil {
		t.Error("guesses of nothing")
	}
	r := &report.Report{Method: "rts", Result: estimators.Result{Travel: &frame.Travel{}}}
	if v := travel(r, []*report.Report{r, {Method: "mbar"}}); len(v.Methods) != 2 || len(r.Travel.Methods) != 0 {
		t.Errorf("a run is read by %v", v.Methods)
	}
}
