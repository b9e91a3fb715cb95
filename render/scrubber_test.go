package render

import (
	"math"
	"strings"
	"testing"

	"logzlab/core/frame"
	"logzlab/render/paint"
)

// cooled is a stage with a run of ten particles that went from hot to cold; at beta they stand at x = 10 beta.
func cooled(t *testing.T, scene string) *Stage {
	t.Helper()
	s := NewStage()
	s.hold = 50
	if !s.SetScene(scene) {
		t.Fatal(scene)
	}
	for k := range 51 {
		beta := float32(k) / 50
		f := &frame.Frame{Model: "line", Method: "ais", Phase: "forward", Step: k, Steps: 50, N: 10, Total: 10, Rungs: 51}
		for i := range 10 {
			f.Points = append(f.Points, 10*beta, float32(i))
			f.Beta, f.LogW, f.Rung = append(f.Beta, beta), append(f.LogW, beta), append(f.Rung, int32(k))
		}
		s.Take(f)
	}
	s.Take(&frame.Frame{Curves: []frame.Curve{{Method: "ais", Points: []frame.Point{{Sweeps: 500, LogZ: 3, SE: .1}}}},
		Ladders: []frame.Ladder{{Method: "ais", Beta: []float64{0, 1}, LogZ: []float64{0, 3}, SE: []float64{0, .2}}}})
	s.fit(900, 700, 1)
	s.w, s.h = 900, 700
	return s
}

// where is the mean x of the particles on show.
func where(s *Stage) float64 {
	s.picture.now = s.seconds()
	s.layers()
	w := s.picture.held(s.picture.walls[0], s.still)
	sum := 0.0
	for i := range w.slots {
		sum += w.slots[i].at.X
	}
	return sum / float64(len(w.slots))
}

// The record of a run can be gone through by hand: the bar, keys and the button before it; particles are where they
// were, and words say where that is.
func TestHand(t *testing.T) {
	for _, scene := range []string{"units", "plane", "ladder"} {
		s := cooled(t, scene)
		if x := where(s); x != 10 {
			t.Fatalf("%s: the newest particles are at %g", scene, x)
		}
		var bar *paint.Tap
		for i := range s.taps {
			if s.taps[i].Action.Drag {
				bar = &s.taps[i]
			}
		}
		if bar == nil {
			t.Fatalf("%s has no bar", scene)
		}
		y := bar.Box.Y + bar.Box.H/2
		s.Press(bar.Box.X+8+(bar.Box.W-30)/2, y, false)
		if x := where(s); math.Abs(x-5) > .05 {
			t.Errorf("%s: a press in the middle of the bar shows x = %g", scene, x)
		}
		s.Point(bar.Box.X+8+(bar.Box.W-30)/4, y-200)
		if x := where(s); math.Abs(x-2.5) > .05 {
			t.Errorf("%s: a drag to a quarter shows x = %g", scene, x)
		}
		s.Release()
		said := ""
		s.Said = func(text string) { said = text }
		if !s.Key("Home") || where(s) != 0 || said != "β = 0, log Z(β) = 0.00" {
			t.Errorf("%s: Home shows x = %g and says %q", scene, where(s), said)
		}
		moved := s.Key("ArrowRight")
		if !moved || math.Abs(where(s)-.25) > .01 || !strings.Contains(said, "β = 0.03, log Z(β) = 0.075 ± 0.005") {
			t.Errorf("%s: an arrow shows x = %g and says %q", scene, where(s), said)
		}
		if !s.Key("Escape") || where(s) != 10 || s.Key("ArrowRight") {
			t.Errorf("%s: Escape shows x = %g", scene, where(s))
		}
	}
}

// A run that was too fast to be watched plays once when it is over, in six seconds, and rests at the cold end; not with
// reduced motion, and not after it has been taken in hand.
func TestHandPlays(t *testing.T) {
	s := cooled(t, "plane")
	s.SetRun("done")
	at := func(seconds float64) float64 { s.hold = 50 + seconds; return where(s) }
	if a, b, c := at(0), at(3), at(6.1); a != 0 || !(b > 3 && b < 7) || c != 10 {
		t.Errorf("after 0, 3 and 6.1 s it shows x = %g, %g, %g", a, b, c)
	}
	if s.picture.playing(false) || at(9) != 10 {
		t.Error("it does not rest")
	}
	still := cooled(t, "plane")
	still.SetStill(true)
	still.SetRun("done")
	held := cooled(t, "plane")
	held.Key("Home")
	held.SetRun("done")
	long := cooled(t, "plane")
	long.hold = 65
	long.SetRun("done")
	if a, b, c := where(still), where(held), where(long); a != 10 || b != 0 || c != 10 {
		t.Errorf("reduced motion shows x = %g, a run in hand %g, one of 15 s %g", a, b, c)
	}
}
