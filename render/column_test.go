package render

import (
	"math"
	"strings"
	"testing"

	"logzlab/core/frame"
	"logzlab/core/num"
)

// The column is filled up to log Z between the ends of its range, has the exact value as a line, and room is kept for
// it before there is a number.
func TestColumn(t *testing.T) {
	for _, w := range []float64{704, 390} {
		a := testArea(w, 456, 1)
		empty, full := layer{}, layer{}
		none := columnBeside(a, &empty, level{z: math.NaN(), exact: math.NaN()}, 0)
		v := level{z: 5, se: 0.5, exact: 5.25, ink: a.theme.Methods[0], at: "n = 3"}
		v.span(0, 10)
		rest := columnBeside(a, &full, v, 0)
		if rest.w != none.w || rest.w >= a.w || a.w != w {
			t.Errorf("%g wide: the rest is %g wide with a number, %g before", w, rest.w, none.w)
		}
		box := all([]layer{full}, fill)[0].box
		filled := all([]layer{full}, band)
		if len(filled) != 2 || len(all([]layer{empty}, band)) > 0 {
			t.Fatalf("%g wide: %d fillings", w, len(filled))
		}
		// 5 is half way up; the waves are at most 0.5 nats high.
		mid, nat := box.y+box.h/2, box.h/(v.hi-v.lo)
		for _, q := range filled[1].pts {
			if math.Abs(q.y-mid) > 0.5*nat+1 {
				t.Errorf("%g wide: the surface is at %g, not near %g", w, q.y, mid)
			}
		}
		if line := all([]layer{full}, fill)[1].box; math.Abs(line.y+line.h/2-(mid-0.25*nat)) > 1.5 {
			t.Errorf("%g wide: the exact value stands at %g", w, line.y)
		}
		if s := reads([]layer{full}); !strings.Contains(s, "5.0") || w > 600 && !strings.Contains(s, "± 0.5") {
			t.Errorf("%g wide reads %q", w, s)
		}
	}
}

// Where particles are resampled slowly, those without children grey out and drop, and copies slide away from the place
// of their parent; weights come to their new values within 300 ms.
func TestResamplingIsSeen(t *testing.T) {
	rows := func(step int, logw []float32, parents []int32) *frame.Frame {
		return &frame.Frame{Model: "m", Method: "smc", Phase: "cooling", Step: step, Steps: 9, N: 3, Total: 3, Rungs: 3,
			Points: []float32{0, 0, 2, 0, 4, 0}, Beta: []float32{0.5, 0.5, 0.5}, Rung: []int32{1, 1, 1}, LogW: logw,
			Parents: parents}
	}
	take := func(p *Picture, now float64, f *frame.Frame) {
		p.now = now
		p.Take(f)
	}
	p := &Picture{}
	take(p, 1, rows(1, []float32{0, 0, 0}, nil))
	take(p, 1.2, rows(2, []float32{0, -3, 0}, nil))
	w := p.walls[0]
	for at, want := range map[float64]float64{1.2: 1, 1.35: math.Exp(-1.5), 1.6: math.Exp(-3)} {
		p.now = at
		p.held(w, false)
		if rel, _ := w.weights(); math.Abs(rel[1]-want) > 0.01 {
			t.Errorf("at %g s the light row weighs %g, not %g", at, rel[1], want)
		}
	}
	take(p, 1.4, rows(3, []float32{0, 0, 0}, []int32{0, 2, 2}))
	if len(w.fallen) != 1 || w.fallen[0].i != 1 || !p.gliding() {
		t.Fatalf("%d rows fall", len(w.fallen))
	}
	if q := w.slots[1].place(1.4, false); q.x != 4 {
		t.Errorf("the copy begins at %g, not where its parent was", q.x)
	}
	if q := w.slots[1].place(3, false); q.x != 2 {
		t.Errorf("the copy ends at %g", q.x)
	}
	if g := w.fallen[0].gone(1.7, false); !(g > 0.4 && g < 0.6) || w.fallen[0].gone(1.4, true) != 1 {
		t.Errorf("the light one has fallen %g", g)
	}
	// At full speed nothing is animated.
	take(p, 1.41, rows(4, []float32{0, 0, 0}, []int32{1, 1, 1}))
	if len(w.fallen) != 1 || w.slots[0].of >= 0 {
		t.Error("rows of fast frames fall")
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
