package render

import (
	"fmt"
	"regexp"
	"testing"

	"logzlab/internal/rendertest"
)

// address is that of a picture that marks share, which is painted anew.
var address = regexp.MustCompile("0x[0-9a-f]+")

// TestFilm: a film goes through the record of a run, whatever the scene, and leaves the canvas where it is.
func TestFilm(t *testing.T) {
	forming, _ := rendertest.ShownOn("formback", 700, 600)
	racing := rendertest.Raced()
	racing.SetScene("race")
	racing.Fit(700, 600, 1)
	weights, _ := rendertest.ShownOn("weights", 700, 600)
	for _, c := range []struct {
		canvas *Canvas
		least  int // different pictures of eleven
	}{{&Canvas{Stage: rendertest.Cooled(t, "units")}, 11}, {&Canvas{Stage: rendertest.Cooled(t, "plane")}, 11}, {&Canvas{Stage: rendertest.Cooled(t, "ladder")}, 11},
		{&Canvas{Stage: rendertest.WeightedStage(t, rendertest.Culled()["digits"])}, 8}, {&Canvas{Stage: rendertest.WeightedStage(t, rendertest.Culled()["plane"])}, 8}, {&Canvas{Stage: forming}, 4},
		{&Canvas{Stage: racing}, 11}, {&Canvas{Stage: weights}, 1}} {
		s := c.canvas
		s.W, s.H, s.FixedSeconds = 700, 600, 50
		s.SetRun("done")
		s.Run.Now = s.Seconds()
		s.Layers() // what plays by itself begins
		canvas := func() string { return address.ReplaceAllString(fmt.Sprint(s.Layers()), "") }
		before := canvas()
		s.Film(nil)
		r := s.reel
		if r.area.W != filmWidth || r.area.H != 512 {
			t.Errorf("%s: a film of %g by %g", s.Scene, r.area.W, r.area.H)
		}
		seen := map[string]bool{}
		for k := range 11 {
			seen[address.ReplaceAllString(fmt.Sprint(s.filmFrame(r, r.area, float64(k)/10)), "")] = true
		}
		t.Logf("%s: %d pictures", s.Scene, len(seen))
		if len(seen) < c.least {
			t.Errorf("%s: a film of %d pictures", s.Scene, len(seen))
		}
		if canvas() != before {
			t.Errorf("%s: a film changes what is on the canvas", s.Scene)
		}
	}
}

// TestCard: the picture for previews is a PNG of the end of the run, of the size that previews ask for, and small.
func TestCard(t *testing.T) {
	for _, s := range []*Canvas{{Stage: rendertest.Cooled(t, "units")}, {Stage: rendertest.Cooled(t, "plane")}, {Stage: rendertest.Cooled(t, "ladder")}} {
		s.W, s.H, s.FixedSeconds = 700, 600, 50
		s.SetRun("done")
		s.Run.Now = s.Seconds()
		s.Layers()
		canvas := address.ReplaceAllString(fmt.Sprint(s.Layers()), "")
		s.Card(nil)
		if r := s.reel; r.area.W != cardWide || r.area.H != cardHigh || r.frameCount != 1 || len(s.filmFrame(r, r.area, 1)) == 0 {
			t.Errorf("%s: a card of %g by %g", s.Scene, r.area.W, r.area.H)
		}
		s.reel = nil
		if now := address.ReplaceAllString(fmt.Sprint(s.Layers()), ""); now != canvas {
			t.Errorf("%s: the canvas has changed", s.Scene)
		}
	}
}
