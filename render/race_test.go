package render

import (
	"math"
	"strings"
	"testing"

	"logzlab/core/frame"
	"logzlab/render/paint"
)

// raced is a picture of two methods: the first is within 0.1 nat from its third point on, the second never is.
func raced() *Canvas {
	course := func(off ...float64) (out []frame.Course) {
		for i, d := range off {
			out = append(out, frame.Course{Sweeps: math.Pow(10, float64(2+i)), LogZ: 5 + d, Lower: 5 - d, Upper: 5 + 2*d,
				Off: d})
		}
		return out
	}
	p := NewCanvas()
	p.run.state, p.run.now = "done", 20
	p.take(&frame.Frame{Truth: 5, HasTruth: true, Curves: []frame.Curve{
		{Method: "ais", Course: course(1, 0.05, 0.3, 0.08, 0.01)}, {Method: "rts", Run: 1, Course: course(2, 1, 0.5, 0.4)}}})
	return p
}

// squares are those of the flags.
func squares(ls []paint.Layer) (out []paint.Mark) {
	for _, m := range all(ls, paint.Fill) {
		if m.Box.W == 4 && m.Box.H == 4 {
			out = append(out, m)
		}
	}
	return out
}

// A lane has a runner and the target band; a method that comes into the band and stays there has a flag and its place.
func TestRaceNamesTheFirst(t *testing.T) {
	p := raced()
	a := testArea(800, 600, 1)
	a.Still = true
	ls := draw("race", a, p)
	check(t, "race", a, ls)
	all := reads(ls)
	if poles := len(squares(ls)); poles != 12 {
		t.Errorf("%d squares of flags for one finish", poles)
	}
	for _, want := range []string{"1. first to 0.1 nat: 100\u00a0k", "not within 0.1 nat yet", "AIS", "RTS", "+2"} {
		if !strings.Contains(all, want) {
			t.Errorf("no %q in\n%s", want, all)
		}
	}
}

// The race plays once when the run is done, tells nothing before it has happened, and plays again at a tap.
func TestRacePlays(t *testing.T) {
	p := raced()
	a := testArea(800, 600, 1)
	if all := reads(draw("race", a, p)); strings.Contains(all, "0.1 nat") || !the[*race](p).Moves(false) || the[*race](p).Moves(true) {
		t.Errorf("at the start: racing %v, still %v\n%s", the[*race](p).Moves(false), the[*race](p).Moves(true), all)
	}
	p.run.now += raceTime / 8.
	if all := reads(draw("race", a, p)); strings.Count(all, " nats|") != 2 {
		t.Errorf("runners without their distances: %s", all)
	}
	p.run.now += raceTime + 1
	if all := reads(draw("race", a, p)); !strings.Contains(all, "first to") || the[*race](p).Moves(false) {
		t.Errorf("at the end: %s", all)
	}
	the[*race](p).began = p.run.now
	if draw("race", a, p); !the[*race](p).Moves(false) {
		t.Error("a tap does not start it again")
	}
	if all := reads(draw("race", testArea(800, 600, 1), NewCanvas())); !strings.Contains(all, "No race before") {
		t.Errorf("without courses: %s", all)
	}
}
