package record_test

import (
	"math"
	"reflect"
	"strings"
	"testing"

	_ "logzlab/render/ladder"
	_ "logzlab/render/plane"
	_ "logzlab/render/resampling"
	_ "logzlab/render/trace"
	_ "logzlab/render/units"

	"logzlab/core/frame"
	"logzlab/internal/rendertest"
	"logzlab/render/paint"
	"logzlab/render/record"
	"logzlab/render/stage"
)

// where is the mean x of the particles on show.
func where(s *stage.Stage) float64 {
	s.Run.Now = s.Seconds()
	s.Layers()
	w := s.Run.Replayed(s.Run.Particles[0], s.Still)
	sum := 0.0
	for i := range w.Slots {
		sum += w.Slots[i].At.X
	}
	return sum / float64(len(w.Slots))
}

// The record of a run can be gone through by hand: the bar, keys and the button before it; particles are where they
// were, and words say where that is.
func TestHand(t *testing.T) {
	for _, scene := range []string{"units", "plane", "ladder"} {
		s := rendertest.Cooled(t, scene)
		if x := where(s); x != 10 {
			t.Fatalf("%s: the newest particles are at %g", scene, x)
		}
		var bar *paint.Tap
		for i := range s.Taps {
			if s.Taps[i].Action.Drag {
				bar = &s.Taps[i]
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
		s.OnDescribe = func(text string) { said = text }
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
	s := rendertest.Cooled(t, "plane")
	s.SetRun("done")
	at := func(seconds float64) float64 { s.FixedSeconds = 50 + seconds; return where(s) }
	if a, b, c := at(0), at(3), at(6.1); a != 0 || !(b > 3 && b < 7) || c != 10 {
		t.Errorf("after 0, 3 and 6.1 s it shows x = %g, %g, %g", a, b, c)
	}
	if s.Run.IsPlaying(false) || at(9) != 10 {
		t.Error("it does not rest")
	}
	still := rendertest.Cooled(t, "plane")
	still.SetStill(true)
	still.SetRun("done")
	held := rendertest.Cooled(t, "plane")
	held.Key("Home")
	held.SetRun("done")
	slow := rendertest.CooledIn(t, "plane", 15)
	slow.SetRun("done")
	if a, b, c := where(still), where(held), where(slow); a != 10 || b != 0 || c != 10 {
		t.Errorf("reduced motion shows x = %g, a run in hand %g, one in slow motion %g", a, b, c)
	}

	// How long all lanes took together says nothing: on a slow machine each was too fast as well.
	long := rendertest.Cooled(t, "plane")
	long.FixedSeconds = 90
	for i := range 51 {
		f := &frame.Frame{Model: "line", Method: "ais", Phase: "forward", Step: i, Steps: 50, First: 10, N: 1, Total: 11,
			Points: []float32{0, 0}, Beta: []float32{float32(i) / 50}, LogW: []float32{0}, Rung: []int32{int32(i)}, Rungs: 51}
		long.Take(f)
	}
	long.SetRun("done")
	if where(long); !long.Run.IsPlaying(false) {
		t.Error("a long run of fast lanes does not play")
	}
}

// What a scene draws while a record plays is all of one moment, and its last painting is the picture at rest: the
// button, the handle and log Z of the end. Log Z is in the column alone.
func TestReplayIsOfOneMoment(t *testing.T) {
	for _, scene := range []string{"units", "plane", "ladder"} {
		s := rendertest.Cooled(t, scene)
		s.SetRun("done")
		at := func(seconds float64) []paint.Layer {
			s.FixedSeconds = 50 + seconds
			s.Run.Now = s.Seconds()
			ls, _ := s.Layers()
			return ls
		}
		if says := rendertest.Reads(at(0)); scene != "ladder" && !strings.Contains(says, "log Z||0.00|") {
			t.Errorf("%s begins with %q", scene, says)
		}
		for _, m := range rendertest.All(at(3), paint.Text) {
			if name, ok := strings.CutPrefix(m.Text, "\u03b2 = "); ok && len(name) > 1 {
				if beta, _, _ := strings.Cut(name, ","); beta != "0.5" {
					t.Errorf("%s names %s halfway", scene, beta)
				}
			}
		}
		at(5.9)
		last, rest := at(6.01), at(9)
		for i := range rest { // what one may tap is of each painting anew
			if !reflect.DeepEqual(last[i].Marks, rest[i].Marks) {
				t.Errorf("%s: the last painting has %s, at rest it is %s", scene, rendertest.Reads(last[i:i+1]), rendertest.Reads(rest[i:i+1]))
			}
		}
	}
	for beta, want := range map[float64]string{0: "0", .0012: "0.001", .4999: "0.5", .997: "0.997", 1: "1"} {
		if got := record.FormatBeta(beta); got != "\u03b2 = "+want {
			t.Errorf("%g is called %q", beta, got)
		}
	}
}

// A link can say where the record of a run opens; without that word it plays from there.
func TestOpensAt(t *testing.T) {
	s := rendertest.Cooled(t, "plane")
	s.SetBeta("0.2")
	if x := where(s); x != 10 {
		t.Errorf("a run under way stands at x = %g", x)
	}
	s.SetRun("done")
	if x := where(s); math.Abs(x-2) > 1e-6 || s.Run.IsPlaying(false) {
		t.Errorf("at 0.2 the particles stand at x = %g", x)
	}
	s.Key("End")
	if s.SetBeta("0.2"); where(s) != 10 {
		t.Error("the same word takes the handle out of a hand")
	}
	s.SetBeta("0")
	hot := where(s)
	s.SetBeta("")
	at := func(seconds float64) float64 { s.FixedSeconds = 50 + seconds; return where(s) }
	if a, b, c := at(0), at(3), at(6.1); hot != 0 || a != 0 || !(b > 3 && b < 7) || c != 10 {
		t.Errorf("it opens at x = %g and plays through %g, %g, %g", hot, a, b, c)
	}

	// The next run opens there too; with reduced motion nothing plays.
	s.SetBeta("0.5")
	s.Reset()
	if next := rendertest.Cooled(t, "plane"); s.Run.Scrubber.InitialBeta != "0.5" || s.Run.Scrubber.Active {
		t.Errorf("after a reset: %+v", s.Run.Scrubber)
	} else if next.SetStill(true); true {
		next.SetBeta("0.5")
		next.SetRun("done")
		half := where(next)
		if next.SetBeta(""); half != 5 || where(next) != 10 {
			t.Errorf("reduced motion opens at x = %g and then shows %g", half, where(next))
		}
	}
}

// A link can leave the main thing in a picture: hills without points, points without numbers, estimates without curves.
func TestHiddenParts(t *testing.T) {
	s := rendertest.Cooled(t, "plane")
	s.Take(&frame.Frame{Model: "line", Field: rendertest.ThreeHills()})
	s.SetRun("done")
	s.SetBeta("0.2")
	count := func(hidden string) (texts, dots int) {
		s.SetHidden(hidden)
		s.Run.Now = s.Seconds()
		ls, _ := s.Layers()
		for _, m := range rendertest.All(ls, paint.Dots) {
			dots += len(m.Pts)
		}
		for _, m := range rendertest.All(ls, paint.Text) {
			if strings.ContainsAny(m.Text, "xy%") {
				texts++
			}
		}
		return texts, dots
	}
	if texts, dots := count(""); texts < 4 || dots < 10 {
		t.Errorf("the whole picture has %d words and %d dots", texts, dots)
	}
	if texts, dots := count("details"); texts > 0 || dots == 0 {
		t.Errorf("without details it has %d words and %d dots", texts, dots)
	}
	if texts, dots := count("run details points"); texts > 0 || dots > 0 {
		t.Errorf("hills alone have %d words and %d dots", texts, dots)
	}

	// Resampling without strips, tree and column; a trace without curves.
	w := rendertest.WeightedStage(t, rendertest.Really("smc", "mixture2", "particles", "24", "islands", "2", "temperatures", "8", "ess", "0.9"))
	w.SetHidden("details")
	for _, m := range rendertest.OnShow(w, 3, 1) {
		if m.Text == "Family tree" || m.Text == "Weights" || m.Text == "ESS" {
			t.Errorf("it still has %q", m.Text)
		}
	}
	u := rendertest.Cooled(t, "units")
	u.Key("Escape")
	under := func() string {
		u.Run.Now = u.Seconds()
		ls, _ := u.Layers()
		return rendertest.Reads(ls)
	}
	before := under()
	u.Run.Scrubber.Opened = true
	if u.SetRun("done"); !strings.Contains(before, "50 of 50") || strings.Contains(under(), "50 of 50") {
		t.Errorf("under way it says %q, at the end %q", before, under())
	}

	a := rendertest.Area(704, 456, 1)
	a.Hidden = []string{"details"}
	ls := rendertest.Draw("trace", a, rendertest.Stage(rendertest.Histories(true, "ais", "rts")))
	if says := rendertest.Reads(ls); len(rendertest.All(ls, paint.Band)) > 0 || len(rendertest.All(ls, paint.Disc)) == 0 ||
		strings.Contains(says, "work") || !strings.Contains(says, "exact|") {
		t.Errorf("estimates alone: %s", says)
	}
	var bars []paint.Mark // the ends of a bracket, and what stands beside their names
	for _, m := range rendertest.All(rendertest.Draw("trace", a, rendertest.Stage(rendertest.Histories(true, "ais"))), paint.Stroke) {
		if m.Color == a.Theme.Ink3 {
			bars = append(bars, m)
		}
	}
	if len(bars) != 4 || bars[0].Width != bars[3].Width || bars[0].Dash != bars[3].Dash {
		t.Errorf("bars of a bracket and of its names: %+v", bars)
	}
}
