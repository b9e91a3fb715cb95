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

// where returns the mean x of the particles that are shown.
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

// TestScrubbing checks that bar, keys and play button go through the history of a run: particles are where they were,
// and the description says at which temperature.
func TestScrubbing(t *testing.T) {
	for _, scene := range []string{"units", "plane", "ladder"} {
		s := rendertest.AnnealedStage(t, scene)
		if x := where(s); x != 10 {
			t.Fatalf("%s: the newest particles have x = %g, want 10", scene, x)
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
			t.Errorf("%s: a press in the middle of the bar shows x = %g, want 5", scene, x)
		}
		s.Point(bar.Box.X+8+(bar.Box.W-30)/4, y-200)
		if x := where(s); math.Abs(x-2.5) > .05 {
			t.Errorf("%s: a drag to a quarter shows x = %g, want 2.5", scene, x)
		}
		s.Release()
		said := ""
		s.OnDescribe = func(text string) { said = text }
		if !s.Key("Home") || where(s) != 0 || said != "β = 0, log Z(β) = 0.00" {
			t.Errorf("%s: Home shows x = %g with description %q", scene, where(s), said)
		}
		moved := s.Key("ArrowRight")
		if !moved || math.Abs(where(s)-.25) > .01 || !strings.Contains(said, "β = 0.03, log Z(β) = 0.075 ± 0.005") {
			t.Errorf("%s: an arrow shows x = %g with description %q", scene, where(s), said)
		}
		if !s.Key("Escape") || where(s) != 10 || s.Key("ArrowRight") {
			t.Errorf("%s: Escape shows x = %g, want 10", scene, where(s))
		}
	}
}

// TestAutoPlay checks that the history of a run that was too fast to be watched plays once when it is over, in six
// seconds, and stops at beta = 1; not without animations, and not after the viewer has used it.
func TestAutoPlay(t *testing.T) {
	s := rendertest.AnnealedStage(t, "plane")
	s.SetRun("done")
	at := func(seconds float64) float64 { s.FixedSeconds = 50 + seconds; return where(s) }
	if a, b, c := at(0), at(3), at(6.1); a != 0 || !(b > 3 && b < 7) || c != 10 {
		t.Errorf("after 0, 3 and 6.1 s: x = %g, %g, %g", a, b, c)
	}
	if s.Run.IsPlaying(false) || at(9) != 10 {
		t.Error("the history plays again")
	}
	still := rendertest.AnnealedStage(t, "plane")
	still.SetStill(true)
	still.SetRun("done")
	held := rendertest.AnnealedStage(t, "plane")
	held.Key("Home")
	held.SetRun("done")
	slow := rendertest.AnnealedStageIn(t, "plane", 15)
	slow.SetRun("done")
	if a, b, c := where(still), where(held), where(slow); a != 10 || b != 0 || c != 10 {
		t.Errorf("without animations x = %g, after use %g, in slow motion %g, want 10, 0, 10", a, b, c)
	}

	// The duration of all lanes together does not matter: on a slow computer each lane was still too fast.
	long := rendertest.AnnealedStage(t, "plane")
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

// TestReplayIsOfOneMoment checks that all parts of a scene show the same moment while the history plays, and that the
// last frame of the playback is the picture at rest. Log Z is only in the column.
func TestReplayIsOfOneMoment(t *testing.T) {
	for _, scene := range []string{"units", "plane", "ladder"} {
		s := rendertest.AnnealedStage(t, scene)
		s.SetRun("done")
		at := func(seconds float64) []paint.Layer {
			s.FixedSeconds = 50 + seconds
			s.Run.Now = s.Seconds()
			ls, _ := s.Layers()
			return ls
		}
		if says := rendertest.Texts(at(0)); scene != "ladder" && !strings.Contains(says, "log Z||0.00|") {
			t.Errorf("%s starts with %q", scene, says)
		}
		for _, m := range rendertest.MarksOfKind(at(3), paint.Text) {
			if name, ok := strings.CutPrefix(m.Text, "\u03b2 = "); ok && len(name) > 1 {
				if beta, _, _ := strings.Cut(name, ","); beta != "0.5" {
					t.Errorf("%s shows beta = %s halfway, want 0.5", scene, beta)
				}
			}
		}
		at(5.9)
		last, rest := at(6.01), at(9)
		for i := range rest { // actions differ in each painting
			if !reflect.DeepEqual(last[i].Marks, rest[i].Marks) {
				t.Errorf("%s: the last frame reads %s, at rest %s", scene, rendertest.Texts(last[i:i+1]), rendertest.Texts(rest[i:i+1]))
			}
		}
	}
	for beta, want := range map[float64]string{0: "0", .0012: "0.001", .4999: "0.5", .997: "0.997", 1: "1"} {
		if got := record.FormatBeta(beta); got != "\u03b2 = "+want {
			t.Errorf("FormatBeta(%g) = %q, want β = %s", beta, got, want)
		}
	}
}

// TestInitialBeta checks that a link can set the temperature at which the history of a run opens; without it, the
// history plays.
func TestInitialBeta(t *testing.T) {
	s := rendertest.AnnealedStage(t, "plane")
	s.SetBeta("0.2")
	if x := where(s); x != 10 {
		t.Errorf("during the run x = %g, want 10", x)
	}
	s.SetRun("done")
	if x := where(s); math.Abs(x-2) > 1e-6 || s.Run.IsPlaying(false) {
		t.Errorf("opened at 0.2: x = %g, want 2", x)
	}
	s.Key("End")
	if s.SetBeta("0.2"); where(s) != 10 {
		t.Error("setting the same temperature again moved the handle")
	}
	s.SetBeta("0")
	hot := where(s)
	s.SetBeta("")
	at := func(seconds float64) float64 { s.FixedSeconds = 50 + seconds; return where(s) }
	if a, b, c := at(0), at(3), at(6.1); hot != 0 || a != 0 || !(b > 3 && b < 7) || c != 10 {
		t.Errorf("opened at x = %g, then playing through %g, %g, %g", hot, a, b, c)
	}

	// The next run opens at the same temperature; without animations nothing plays.
	s.SetBeta("0.5")
	s.Reset()
	if next := rendertest.AnnealedStage(t, "plane"); s.Run.Scrubber.InitialBeta != "0.5" || s.Run.Scrubber.Active {
		t.Errorf("after Reset: %+v", s.Run.Scrubber)
	} else if next.SetStill(true); true {
		next.SetBeta("0.5")
		next.SetRun("done")
		half := where(next)
		if next.SetBeta(""); half != 5 || where(next) != 10 {
			t.Errorf("without animations: x = %g, then %g, want 5, then 10", half, where(next))
		}
	}
}

// TestHiddenParts checks that parts of a picture can be hidden: contours without points, points without numbers,
// estimates without curves.
func TestHiddenParts(t *testing.T) {
	s := rendertest.AnnealedStage(t, "plane")
	s.Take(&frame.Frame{Model: "line", Field: rendertest.ThreeGaussians()})
	s.SetRun("done")
	s.SetBeta("0.2")
	count := func(hidden string) (texts, dots int) {
		s.SetHidden(hidden)
		s.Run.Now = s.Seconds()
		ls, _ := s.Layers()
		for _, m := range rendertest.MarksOfKind(ls, paint.Dots) {
			dots += len(m.Pts)
		}
		for _, m := range rendertest.MarksOfKind(ls, paint.Text) {
			if strings.ContainsAny(m.Text, "xy%") {
				texts++
			}
		}
		return texts, dots
	}
	if texts, dots := count(""); texts < 4 || dots < 10 {
		t.Errorf("nothing hidden: %d words and %d dots", texts, dots)
	}
	if texts, dots := count("details"); texts > 0 || dots == 0 {
		t.Errorf("details hidden: %d words and %d dots", texts, dots)
	}
	if texts, dots := count("run details points"); texts > 0 || dots > 0 {
		t.Errorf("details and points hidden: %d words and %d dots", texts, dots)
	}

	// Resampling without strips, tree and column; a trace without curves.
	w := rendertest.WeightedStage(t, rendertest.RunFrames("smc", "mixture2", "particles", "24", "islands", "2",
		"temperatures", "8", "ess", "0.9"))
	w.SetHidden("details")
	for _, m := range rendertest.LayoutAt(w, 3, 1) {
		if m.Text == "Family tree" || m.Text == "Weights" || m.Text == "ESS" {
			t.Errorf("details hidden: the picture has %q", m.Text)
		}
	}
	u := rendertest.AnnealedStage(t, "units")
	u.Key("Escape")
	under := func() string {
		u.Run.Now = u.Seconds()
		ls, _ := u.Layers()
		return rendertest.Texts(ls)
	}
	before := under()
	u.Run.Scrubber.Opened = true
	if u.SetRun("done"); !strings.Contains(before, "50 of 50") || strings.Contains(under(), "50 of 50") {
		t.Errorf("during the run it reads %q, at the end %q", before, under())
	}

	a := rendertest.Area(704, 456, 1)
	a.Hidden = []string{"details"}
	ls := rendertest.Draw("trace", a, rendertest.StageWith(rendertest.Histories(true, "ais", "rts")))
	if says := rendertest.Texts(ls); len(rendertest.MarksOfKind(ls, paint.Band)) > 0 || len(rendertest.MarksOfKind(ls, paint.Disc)) == 0 ||
		strings.Contains(says, "work") || !strings.Contains(says, "exact|") {
		t.Errorf("details hidden: the trace reads %s", says)
	}
	var bars []paint.Mark // the bounds, and the samples at their labels
	ls = rendertest.Draw("trace", a, rendertest.StageWith(rendertest.Histories(true, "ais")))
	for _, m := range rendertest.MarksOfKind(ls, paint.Stroke) {
		if m.Color == a.Theme.Ink3 {
			bars = append(bars, m)
		}
	}
	if len(bars) != 4 || bars[0].Width != bars[3].Width || bars[0].Dash != bars[3].Dash {
		t.Errorf("bars of the bounds and of their labels: %+v", bars)
	}
}
