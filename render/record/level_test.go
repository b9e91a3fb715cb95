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

// The column is filled up to log Z between the ends of its range, has the exact value as a line, and room is kept for
// it before there is a number.
func TestColumn(t *testing.T) {
	for _, w := range []float64{704, 390} {
		a := rendertest.Area(w, 456, 1)
		empty, full := paint.Layer{}, paint.Layer{}
		none := record.DrawColumn(a, &empty, record.Level{Z: math.NaN(), Exact: math.NaN()}, 0)
		v := record.Level{Z: 5, Se: 0.5, Exact: 5.25, Color: a.Theme.Methods[0], Where: "n = 3"}
		v.SetSpan(0, 10)
		rest := record.DrawColumn(a, &full, v, 0)
		if rest.W != none.W || rest.W >= a.W || a.W != w {
			t.Errorf("%g wide: the rest is %g wide with a number, %g before", w, rest.W, none.W)
		}
		box := rendertest.All([]paint.Layer{full}, paint.Fill)[0].Box
		filled := rendertest.All([]paint.Layer{full}, paint.Band)
		if len(filled) != 2 || len(rendertest.All([]paint.Layer{empty}, paint.Band)) > 0 {
			t.Fatalf("%g wide: %d fillings", w, len(filled))
		}
		// 5 is half way up; the waves are at most 0.5 nats high.
		mid, nat := box.Y+box.H/2, box.H/(v.Hi-v.Lo)
		for _, q := range filled[1].Pts {
			if math.Abs(q.Y-mid) > 0.5*nat+1 {
				t.Errorf("%g wide: the surface is at %g, not near %g", w, q.Y, mid)
			}
		}
		if line := rendertest.All([]paint.Layer{full}, paint.Fill)[2].Box; math.Abs(line.Y+line.H/2-(mid-0.25*nat)) > 1.5 {
			t.Errorf("%g wide: the exact value stands at %g", w, line.Y)
		}
		if s := rendertest.Reads([]paint.Layer{full}); !strings.Contains(s, "5.0") || w > 600 && !strings.Contains(s, "± 0.5") {
			t.Errorf("%g wide reads %q", w, s)
		}
	}
}

// Slides have the column on screens of 4:3 to 16:9; a narrow phone keeps the room for the picture.
func TestColumnOfSlides(t *testing.T) {
	for _, c := range []struct {
		w, h, unit float64
		want       bool
	}{{655, 600, 2.0025, true}, {819, 800, 2.56, true}, {1229, 1080, 3.6, true}, {300, 500, 1, false}} {
		var l paint.Layer
		a := rendertest.Area(c.w, c.h, c.unit)
		if got := record.DrawColumn(a, &l, record.Level{Z: 3, Se: 0.1, Lo: 0, Hi: 4, Exact: 3}, 0).W < a.W; got != c.want {
			t.Errorf("%v: a column: %v", c, got)
		}
	}
}

// The height of the filling is log Z: it begins at the line of zero, above it or below, whatever the ladder spans, and
// its number stays in the canvas.
func TestColumnFromZero(t *testing.T) {
	for _, v := range []record.Level{{Z: 212.7, Se: .2}, {Z: -55.74, Se: .1}, {Z: -.0001, Se: 4e-7}, {Z: -123456.789, Se: .001},
		{Z: 3, Se: math.NaN()}} {
		for _, w := range []float64{704, 390} {
			a := rendertest.Area(w, 456, 1)
			v.Color, v.Exact = a.Theme.Methods[0], math.NaN()
			v.SetSpan(v.Z, v.Z*.8)
			var l paint.Layer
			record.DrawColumn(a, &l, v, 0)
			rendertest.Check(t, "column", a, []paint.Layer{l})
			box := rendertest.All([]paint.Layer{l}, paint.Fill)[0].Box
			want := box.H * math.Abs(v.Z) / (v.Hi - v.Lo)
			filling := rendertest.All([]paint.Layer{l}, paint.Band)[1]
			if got := filling.Lower[0].Y - filling.Pts[0].Y; math.Abs(math.Abs(got)-want) > 3 || (got > 0) != (v.Z > 0) {
				t.Errorf("log Z = %g: %g pixels high, not %g", v.Z, got, want)
			}
			for _, m := range rendertest.All([]paint.Layer{l}, paint.Text) {
				if bar, ok := strings.CutPrefix(m.Text, "\u00b1 0."); ok && strings.Trim(bar, "0") == "" {
					t.Errorf("log Z = %g has the bar %s", v.Z, m.Text)
				}
			}
		}
	}
}

// Where the exact value is not known, the column spans zero and the ladder alone.
func TestLevelWithoutTruth(t *testing.T) {
	p := &record.Run{Ladders: []frame.Ladder{{Method: "ais", Beta: []float64{0, 1}, LogZ: []float64{500, 600}}}}
	if v := p.Level(&record.Particles{Method: "ais"}, rendertest.Area(704, 456, 1)); v.Hi > 640 || v.Z != 600 || num.Finite(v.Exact) {
		t.Errorf("the column spans %g to %g and stands at %g, exact %g", v.Lo, v.Hi, v.Z, v.Exact)
	}
}

// Before there is an estimate, the column of particles that are weighed is as high as log Z by the weights of the
// island on show, at each temperature that it has reached.
func TestLevelOnTheWay(t *testing.T) {
	frames := rendertest.Really("smc", "mixture2", "particles", "24", "islands", "1", "temperatures", "12")
	frames = slices.DeleteFunc(frames, func(f *frame.Frame) bool { return f.Weighing == nil })
	half := frames[:len(frames)/2]
	s := rendertest.WeightedStage(t, half)
	p, a := s, rendertest.Area(704, 456, 1)
	p.Run.Truth, p.Run.HasTruth, p.Run.State = 3, true, "running"
	last := half[len(half)-1]
	if v := p.Run.Level(p.Run.Particles[0], a); v.Z != last.Weighing.LogZ || v.Where != record.FormatBeta(float64(last.Beta[0])) || v.Hi < 3 ||
		num.Finite(v.Exact) {
		t.Errorf("the column is at %+v, not %g", v, last.Weighing.LogZ)
	}
	p.Run.Scrubber.Active, p.Run.Scrubber.Beta = true, float64(half[1].Beta[0])
	if v := p.Run.Level(p.Run.Particles[0], a); v.Z == last.Weighing.LogZ || !num.Finite(v.Z) {
		t.Errorf("further up it is at %+v", v)
	}
}

// Without a ladder, as on a device in a room, the column shows the newest estimate; at the target that of all repeated
// runs, of which the ladder is the first's.
func TestColumnOfAll(t *testing.T) {
	p := &record.Run{Curves: []frame.Curve{{Method: "ais", Points: []frame.Point{{LogZ: 2, SE: 1}, {LogZ: 3, SE: 0.5}}}}}
	for range 2 {
		v := p.Level(&record.Particles{Method: "ais"}, rendertest.Area(704, 456, 1))
		if v.Z != 3 || v.Se != 0.5 || !(v.Lo <= 0 && v.Hi > 3) {
			t.Errorf("%+v", v)
		}
		p.Ladders = []frame.Ladder{{Method: "ais", Beta: []float64{0, 1}, LogZ: []float64{0, 2.5}, SE: []float64{0, 1}}}
	}
}

// What is not the estimate of the whole run says whose it is: the first island on its way, and between the ends of the
// ladder the first of repeated runs, whose ladder is shown.
func TestWhoseLevel(t *testing.T) {
	a := rendertest.Area(704, 456, 1)
	for islands, want := range map[string]string{"1": "", "3": "island 1"} {
		frames := rendertest.Really("smc", "mixture2", "particles", "24", "islands", islands, "temperatures", "8")
		frames = slices.DeleteFunc(frames, func(f *frame.Frame) bool { return f.Weighing == nil })
		s := rendertest.WeightedStage(t, frames)
		if v := s.Run.Level(s.Run.Particles[0], a); v.Label != want {
			t.Errorf("%s islands: log Z of %q, want %q", islands, v.Label, want)
		}
	}
	for final, want := range map[float64]string{2: "", 2.25: "first run"} {
		p := &record.Run{State: "done", Curves: []frame.Curve{{Method: "ais", Points: []frame.Point{{LogZ: final}}}},
			Ladders: []frame.Ladder{{Method: "ais", Beta: []float64{0, 1}, LogZ: []float64{0, 2}}}}
		w := &record.Particles{Method: "ais"}
		if v := p.Level(w, a); v.Label != "" || v.Z != final {
			t.Errorf("at the target %+v", v)
		}
		p.Scrubber.Active, p.Scrubber.Beta = true, 0.5
		v := p.Level(w, a)
		if v.Label != want || v.Z != 1 {
			t.Errorf("half way, with %g at the end: %+v", final, v)
		}
		var l paint.Layer
		record.DrawColumn(a, &l, v, 0)
		if s := rendertest.Reads([]paint.Layer{l}); strings.Contains(s, "first run|") != (want != "") {
			t.Errorf("the column reads %q", s)
		}
	}
}
