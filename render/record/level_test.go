package record_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	_ "logzlab/render/resampling"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/internal/rendertest"
	"logzlab/render/paint"
	"logzlab/render/record"
)

// TestColumn checks that the column is filled up to log Z, has a line at the exact value, and takes the same space
// before log Z is known.
func TestColumn(t *testing.T) {
	for _, w := range []float64{704, 390} {
		a := rendertest.Area(w, 456, 1)
		empty, full := paint.Layer{}, paint.Layer{}
		none := record.DrawColumn(a, &empty, record.Level{Z: math.NaN(), Exact: math.NaN()}, 0)
		v := record.Level{Z: 5, Se: 0.5, Exact: 5.25, Color: a.Theme.Methods[0], Where: "n = 3"}
		v.SetSpan(0, 10)
		rest := record.DrawColumn(a, &full, v, 0)
		if rest.W != none.W || rest.W >= a.W || a.W != w {
			t.Errorf("width %g: the remaining width is %g with log Z, %g without", w, rest.W, none.W)
		}
		box := rendertest.MarksOfKind([]paint.Layer{full}, paint.Fill)[0].Box
		filled := rendertest.MarksOfKind([]paint.Layer{full}, paint.Band)
		if len(filled) != 2 || len(rendertest.MarksOfKind([]paint.Layer{empty}, paint.Band)) > 0 {
			t.Fatalf("width %g: %d bands, want 2", w, len(filled))
		}
		// 5 is in the middle of the range; the waves are at most 0.5 nats high.
		mid, nat := box.Y+box.H/2, box.H/(v.Hi-v.Lo)
		for _, q := range filled[1].Pts {
			if math.Abs(q.Y-mid) > 0.5*nat+1 {
				t.Errorf("width %g: the surface is at %g, want about %g", w, q.Y, mid)
			}
		}
		if line := rendertest.MarksOfKind([]paint.Layer{full}, paint.Fill)[2].Box; math.Abs(line.Y+line.H/2-(mid-0.25*nat)) > 1.5 {
			t.Errorf("width %g: the exact value is at %g", w, line.Y)
		}
		if s := rendertest.Texts([]paint.Layer{full}); !strings.Contains(s, "5.0") || w > 600 && !strings.Contains(s, "± 0.5") {
			t.Errorf("width %g: the column reads %q", w, s)
		}
	}
}

// TestColumnOfSlides checks that slides have the column on screens of 4:3 to 16:9; a narrow phone has none.
func TestColumnOfSlides(t *testing.T) {
	for _, c := range []struct {
		w, h, unit float64
		want       bool
	}{{655, 600, 2.0025, true}, {819, 800, 2.56, true}, {1229, 1080, 3.6, true}, {300, 500, 1, false}} {
		var l paint.Layer
		a := rendertest.Area(c.w, c.h, c.unit)
		if got := record.DrawColumn(a, &l, record.Level{Z: 3, Se: 0.1, Lo: 0, Hi: 4, Exact: 3}, 0).W < a.W; got != c.want {
			t.Errorf("%v: has a column = %v, want %v", c, got, c.want)
		}
	}
}

// TestColumnFromZero checks that the column is filled from 0 up or down to log Z for any range, and that its label
// stays on the canvas.
func TestColumnFromZero(t *testing.T) {
	for _, v := range []record.Level{{Z: 212.7, Se: .2}, {Z: -55.74, Se: .1}, {Z: -.0001, Se: 4e-7}, {Z: -123456.789, Se: .001},
		{Z: 3, Se: math.NaN()}} {
		for _, w := range []float64{704, 390} {
			a := rendertest.Area(w, 456, 1)
			v.Color, v.Exact = a.Theme.Methods[0], math.NaN()
			v.SetSpan(v.Z, v.Z*.8)
			var l paint.Layer
			record.DrawColumn(a, &l, v, 0)
			rendertest.CheckMarks(t, "column", a, []paint.Layer{l})
			box := rendertest.MarksOfKind([]paint.Layer{l}, paint.Fill)[0].Box
			want := box.H * math.Abs(v.Z) / (v.Hi - v.Lo)
			filling := rendertest.MarksOfKind([]paint.Layer{l}, paint.Band)[1]
			if got := filling.Lower[0].Y - filling.Pts[0].Y; math.Abs(math.Abs(got)-want) > 3 || (got > 0) != (v.Z > 0) {
				t.Errorf("log Z = %g: height %g, want %g", v.Z, got, want)
			}
			for _, m := range rendertest.MarksOfKind([]paint.Layer{l}, paint.Text) {
				if bar, ok := strings.CutPrefix(m.Text, "\u00b1 0."); ok && strings.Trim(bar, "0") == "" {
					t.Errorf("log Z = %g: error bar %s", v.Z, m.Text)
				}
			}
		}
	}
}

// TestLevelWithoutTruth checks that without an exact value the column includes only 0 and the ladder.
func TestLevelWithoutTruth(t *testing.T) {
	p := &record.Run{Ladders: []frame.Ladder{{Method: "ais", Beta: []float64{0, 1}, LogZ: []float64{500, 600}}}}
	v := p.Level(&record.Particles{Method: "ais"}, rendertest.Area(704, 456, 1))
	if v.Hi > 640 || v.Z != 600 || num.Finite(v.Exact) {
		t.Errorf("the range is %g to %g, log Z %g, exact %g", v.Lo, v.Hi, v.Z, v.Exact)
	}
}

// TestLevelDuringRun checks that before there is an estimate, the column shows log Z by the weights of the shown
// island, at each temperature that it has reached.
func TestLevelDuringRun(t *testing.T) {
	frames := rendertest.RunFrames("smc", "mixture2", "particles", "24", "islands", "1", "temperatures", "12")
	frames = slices.DeleteFunc(frames, func(f *frame.Frame) bool { return f.Weighing == nil })
	half := frames[:len(frames)/2]
	s := rendertest.WeightedStage(t, half)
	p, a := s, rendertest.Area(704, 456, 1)
	p.Run.Truth, p.Run.HasTruth, p.Run.State = 3, true, "running"
	last := half[len(half)-1]
	where := record.FormatBeta(float64(last.Beta[0]))
	v := p.Run.Level(p.Run.Particles[0], a)
	if v.Z != last.Weighing.LogZ || v.Where != where || v.Hi < 3 || num.Finite(v.Exact) {
		t.Errorf("Level = %+v, want Z = %g", v, last.Weighing.LogZ)
	}
	p.Run.Scrubber.Active, p.Run.Scrubber.Beta = true, float64(half[1].Beta[0])
	if v := p.Run.Level(p.Run.Particles[0], a); v.Z == last.Weighing.LogZ || !num.Finite(v.Z) {
		t.Errorf("Level at an earlier temperature = %+v", v)
	}
}

// TestColumnOfAll checks that without a ladder, as on a device in a room, the column shows the newest estimate; at the
// target it shows the estimate of all replicates, while the ladder is that of the first.
func TestColumnOfAll(t *testing.T) {
	p := &record.Run{Curves: []frame.Curve{{Method: "ais", Points: []frame.Point{{LogZ: 2, SE: 1}, {LogZ: 3, SE: 0.5}}}}}
	for range 2 {
		v := p.Level(&record.Particles{Method: "ais"}, rendertest.Area(704, 456, 1))
		if v.Z != 3 || v.Se != 0.5 || !(v.Lo <= 0 && v.Hi > 3) {
			t.Errorf("Level = %+v, want Z = 3, Se = 0.5", v)
		}
		p.Ladders = []frame.Ladder{{Method: "ais", Beta: []float64{0, 1}, LogZ: []float64{0, 2.5}, SE: []float64{0, 1}}}
	}
}

// TestLevelLabel checks that an estimate that does not use the whole run is labelled: the first island's during a run,
// and the first replicate's between the ends of the ladder.
func TestLevelLabel(t *testing.T) {
	a := rendertest.Area(704, 456, 1)
	for islands, want := range map[string]string{"1": "", "3": "group 1"} {
		frames := rendertest.RunFrames("smc", "mixture2", "particles", "24", "islands", islands, "temperatures", "8")
		frames = slices.DeleteFunc(frames, func(f *frame.Frame) bool { return f.Weighing == nil })
		s := rendertest.WeightedStage(t, frames)
		if v := s.Run.Level(s.Run.Particles[0], a); v.Label != want {
			t.Errorf("%s islands: Label = %q, want %q", islands, v.Label, want)
		}
	}
	for final, want := range map[float64]string{2: "", 2.25: "first run"} {
		p := &record.Run{State: "done", Curves: []frame.Curve{{Method: "ais", Points: []frame.Point{{LogZ: final}}}},
			Ladders: []frame.Ladder{{Method: "ais", Beta: []float64{0, 1}, LogZ: []float64{0, 2}}}}
		w := &record.Particles{Method: "ais"}
		if v := p.Level(w, a); v.Label != "" || v.Z != final {
			t.Errorf("Level at the target = %+v", v)
		}
		p.Scrubber.Active, p.Scrubber.Beta = true, 0.5
		v := p.Level(w, a)
		if v.Label != want || v.Z != 1 {
			t.Errorf("Level at beta = 0.5, with %g at the end = %+v", final, v)
		}
		var l paint.Layer
		record.DrawColumn(a, &l, v, 0)
		if s := rendertest.Texts([]paint.Layer{l}); strings.Contains(s, "first run|") != (want != "") {
			t.Errorf("the column reads %q", s)
		}
	}
}
