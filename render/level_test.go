package render

import (
	"math"
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
		if line := all([]paint.Layer{full}, paint.Fill)[1].Box; math.Abs(line.Y+line.H/2-(mid-0.25*nat)) > 1.5 {
			t.Errorf("%g wide: the exact value stands at %g", w, line.Y)
		}
		if s := reads([]paint.Layer{full}); !strings.Contains(s, "5.0") || w > 600 && !strings.Contains(s, "± 0.5") {
			t.Errorf("%g wide reads %q", w, s)
		}
	}
}

// Where the exact value is not known, the column spans the ladder alone.
func TestLevelWithoutTruth(t *testing.T) {
	p := &Picture{ladders: []frame.Ladder{{Method: "ais", Beta: []float64{0, 1}, LogZ: []float64{500, 600}}}}
	if v := p.level(&wall{method: "ais"}, testArea(704, 456, 1)); v.lo < 490 || v.z != 600 || num.Finite(v.exact) {
		t.Errorf("the column spans %g to %g and stands at %g, exact %g", v.lo, v.hi, v.z, v.exact)
	}
}

// Without a ladder, as on a device in a room, the column shows the newest estimate; at the target that of all repeated
// runs, of which the ladder is the first's.
func TestColumnOfAll(t *testing.T) {
	p := &Picture{curves: []frame.Curve{{Method: "ais", Points: []frame.Point{{LogZ: 2, SE: 1}, {LogZ: 3, SE: 0.5}}}}}
	for range 2 {
		v := p.level(&wall{method: "ais"}, testArea(704, 456, 1))
		if v.z != 3 || v.se != 0.5 || !(v.lo <= 0 && v.hi > 3) {
			t.Errorf("%+v", v)
		}
		p.ladders = []frame.Ladder{{Method: "ais", Beta: []float64{0, 1}, LogZ: []float64{0, 2.5}, SE: []float64{0, 1}}}
	}
}
