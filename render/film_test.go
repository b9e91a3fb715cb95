package render

import (
	"fmt"
	"regexp"
	"testing"

	"logzlab/internal/rendertest"
)

// address matches pointers, for example to reliefs, which differ between layouts.
var address = regexp.MustCompile("0x[0-9a-f]+")

// TestFilm checks that a film goes through the history of a run in several scenes, and leaves the canvas unchanged.
func TestFilm(t *testing.T) {
	forming, _ := rendertest.ShowStage("formback", 700, 600)
	racing := rendertest.RaceStage()
	racing.SetScene("race")
	racing.Fit(700, 600, 1)
	weights, _ := rendertest.ShowStage("weights", 700, 600)
	for _, c := range []struct {
		canvas *Canvas
		least  int // minimum number of different frames of eleven
	}{
		{&Canvas{Stage: rendertest.AnnealedStage(t, "units")}, 11},
		{&Canvas{Stage: rendertest.AnnealedStage(t, "plane")}, 11},
		{&Canvas{Stage: rendertest.AnnealedStage(t, "ladder")}, 11},
		{&Canvas{Stage: rendertest.WeightedStage(t, rendertest.WeightedRuns()["digits"])}, 8},
		{&Canvas{Stage: rendertest.WeightedStage(t, rendertest.WeightedRuns()["plane"])}, 8},
		{&Canvas{Stage: forming}, 4},
		{&Canvas{Stage: racing}, 11},
		{&Canvas{Stage: weights}, 1},
	} {
		s := c.canvas
		s.W, s.H, s.FixedSeconds = 700, 600, 50
		s.SetRun("done")
		s.Run.Now = s.Seconds()
		s.Layers() // animations of the scene start
		canvas := func() string { return address.ReplaceAllString(fmt.Sprint(s.Layers()), "") }
		before := canvas()
		s.Film(nil)
		r := s.reel
		if r.area.W != filmWidth || r.area.H != 512 {
			t.Errorf("%s: the film is %g by %g, want %d by 512", s.Scene, r.area.W, r.area.H, filmWidth)
		}
		seen := map[string]bool{}
		for k := range 11 {
			seen[address.ReplaceAllString(fmt.Sprint(s.filmFrame(r, r.area, float64(k)/10)), "")] = true
		}
		t.Logf("%s: %d different frames", s.Scene, len(seen))
		if len(seen) < c.least {
			t.Errorf("%s: %d different frames, want at least %d", s.Scene, len(seen), c.least)
		}
		if canvas() != before {
			t.Errorf("%s: the film changed the canvas", s.Scene)
		}
	}
}

// TestCard checks that the picture for link previews shows the end of the run, has the size of a card, and leaves the
// canvas unchanged.
func TestCard(t *testing.T) {
	for _, scene := range []string{"units", "plane", "ladder"} {
		s := &Canvas{Stage: rendertest.AnnealedStage(t, scene)}
		s.W, s.H, s.FixedSeconds = 700, 600, 50
		s.SetRun("done")
		s.Run.Now = s.Seconds()
		s.Layers()
		canvas := address.ReplaceAllString(fmt.Sprint(s.Layers()), "")
		s.Card(nil)
		if r := s.reel; r.area.W != cardWide || r.area.H != cardHigh || r.frameCount != 1 || len(s.filmFrame(r, r.area, 1)) == 0 {
			t.Errorf("%s: the card is %g by %g, want %d by %d", s.Scene, r.area.W, r.area.H, cardWide, cardHigh)
		}
		s.reel = nil
		if now := address.ReplaceAllString(fmt.Sprint(s.Layers()), ""); now != canvas {
			t.Errorf("%s: the card changed the canvas", s.Scene)
		}
	}
}
