package render

import (
	"math"
	"slices"
	"strings"
	"testing"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/render/paint"
)

// The column is filled up to log Z between the ends of its range, has the exact value as a line, and room is kept for
// it before there is a number.
func TestColumn(t *testing.T) {
	for _, w := range []float64{704, 390} {
		a := testArea(w, 456, 1)
		empty, full := paint.Layer{}, paint.Layer{}
		none := columnBeside(a, &empty, level{z: math.NaN(), exact: math.NaN()}, 0)
		v := level{z: 5, se: 0.5, exact: 5.25, ink: a.Theme.Methods[0], at: "n = 3"}
		v.span(0, 10)
		rest := columnBeside(a, &full, v, 0)
		if rest.W != none.W || rest.W >= a.W || a.W != w {
			t.Errorf("%g wide: the rest is %g wide with a number, %g before", w, rest.W, none.W)
		}
		box := all([]paint.Layer{full}, paint.Fill)[0].Box
		filled := all([]paint.Layer{full}, paint.Band)
		if len(filled) != 2 || len(all([]paint.Layer{empty}, paint.Band)) > 0 {
			t.Fatalf("%g wide: %d fillings", w, len(filled))
		}
		// 5 is half way up; the waves are at most 0.5 nats high.
		mid, nat := box.Y+box.H/2, box.H/(v.hi-v.lo)
		for _, q := range filled[1].Pts {
			if math.Abs(q.Y-mid) > 0.5*nat+1 {
				t.Errorf("%g wide: the surface is at %g, not near %g", w, q.Y, mid)
			}
		}
		if line := all([]paint.Layer{full}, paint.Fill)[2].Box; math.Abs(line.Y+line.H/2-(mid-0.25*nat)) > 1.5 {
			t.Errorf("%g wide: the exact value stands at %g", w, line.Y)
		}
		if s := reads([]paint.Layer{full}); !strings.Contains(s, "5.0") || w > 600 && !strings.Contains(s, "± 0.5") {
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
		a := testArea(c.w, c.h, c.unit)
		if got := columnBeside(a, &l, level{z: 3, se: 0.1, lo: 0, hi: 4, exact: 3}, 0).W < a.W; got != c.want {
			t.Errorf("%v: a column: %v", c, got)
		}
	}
}

// The height of the filling is log Z: it begins at the line of zero, above it or below, whatever the ladder spans, and
// its number stays in the canvas.
func TestColumnFromZero(t *testing.T) {
	for _, v := range []level{{z: 212.7, se: .2}, {z: -55.74, se: .1}, {z: -.0001, se: 4e-7}, {z: -123456.789, se: .001},
		{z: 3, se: math.NaN()}} {
		for _, w := range []float64{704, 390} {
			a := testArea(w, 456, 1)
			v.ink, v.exact = a.Theme.Methods[0], math.NaN()
			v.span(v.z, v.z*.8)
			var l paint.Layer
			columnBeside(a, &l, v, 0)
			check(t, "column", a, []paint.Layer{l})
			box := all([]paint.Layer{l}, paint.Fill)[0].Box
			want := box.H * math.Abs(v.z) / (v.hi - v.lo)
			filling := all([]paint.Layer{l}, paint.Band)[1]
			if got := filling.Lower[0].Y - filling.Pts[0].Y; math.Abs(math.Abs(got)-want) > 3 || (got > 0) != (v.z > 0) {
				t.Errorf("log Z = %g: %g pixels high, not %g", v.z, got, want)
			}
			for _, m := range all([]paint.Layer{l}, paint.Text) {
				if bar, ok := strings.CutPrefix(m.Text, "\u00b1 0."); ok && strings.Trim(bar, "0") == "" {
					t.Errorf("log Z = %g has the bar %s", v.z, m.Text)
				}
			}
		}
	}
}

// Where the exact value is not known, the column spans zero and the ladder alone.
func TestLevelWithoutTruth(t *testing.T) {
	p := &Run{ladders: []frame.Ladder{{Method: "ais", Beta: []float64{0, 1}, LogZ: []float64{500, 600}}}}
	if v := p.level(&wall{method: "ais"}, testArea(704, 456, 1)); v.hi > 640 || v.z != 600 || num.Finite(v.exact) {
		t.Errorf("the column spans %g to %g and stands at %g, exact %g", v.lo, v.hi, v.z, v.exact)
	}
}

// Before there is an estimate, the column of particles that are weighed is as high as log Z by the weights of the
// island on show, at each temperature that it has reached.
func TestLevelOnTheWay(t *testing.T) {
	frames := really("smc", "mixture2", "particles", "24", "islands", "1", "temperatures", "12")
	frames = slices.DeleteFunc(frames, func(f *frame.Frame) bool { return f.Weighing == nil })
	half := frames[:len(frames)/2]
	s := weighedCanvas(t, half)
	p, a := s, testArea(704, 456, 1)
	p.run.truth, p.run.hasTruth, p.run.state = 3, true, "running"
	last := half[len(half)-1]
	if v := p.run.level(p.run.walls[0], a); v.z != last.Weighing.LogZ || v.at != betaIs(float64(last.Beta[0])) || v.hi < 3 ||
		num.Finite(v.exact) {
		t.Errorf("the column is at %+v, not %g", v, last.Weighing.LogZ)
	}
	p.run.scrubber.on, p.run.scrubber.beta = true, float64(half[1].Beta[0])
	if v := p.run.level(p.run.walls[0], a); v.z == last.Weighing.LogZ || !num.Finite(v.z) {
		t.Errorf("further up it is at %+v", v)
	}
}

// Without a ladder, as on a device in a room, the column shows the newest estimate; at the target that of all repeated
// runs, of which the ladder is the first's.
func TestColumnOfAll(t *testing.T) {
	p := &Run{curves: []frame.Curve{{Method: "ais", Points: []frame.Point{{LogZ: 2, SE: 1}, {LogZ: 3, SE: 0.5}}}}}
	for range 2 {
		v := p.level(&wall{method: "ais"}, testArea(704, 456, 1))
		if v.z != 3 || v.se != 0.5 || !(v.lo <= 0 && v.hi > 3) {
			t.Errorf("%+v", v)
		}
		p.ladders = []frame.Ladder{{Method: "ais", Beta: []float64{0, 1}, LogZ: []float64{0, 2.5}, SE: []float64{0, 1}}}
	}
}
