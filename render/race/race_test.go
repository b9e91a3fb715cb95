package race

import (
	"strings"
	"testing"

	"logzlab/internal/rendertest"
	"logzlab/render/paint"
	"logzlab/render/stage"
)

// squares are those of the flags.
func squares(ls []paint.Layer) (out []paint.Mark) {
	for _, m := range rendertest.All(ls, paint.Fill) {
		if m.Box.W == 4 && m.Box.H == 4 {
			out = append(out, m)
		}
	}
	return out
}

// A lane has a runner and the target band; a method that comes into the band and stays there has a flag and its place.
func TestRaceNamesTheFirst(t *testing.T) {
	p := rendertest.Raced()
	a := rendertest.Area(800, 600, 1)
	a.Still = true
	ls := rendertest.Draw("race", a, p)
	rendertest.Check(t, "race", a, ls)
	all := rendertest.Reads(ls)
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
	p := rendertest.Raced()
	a := rendertest.Area(800, 600, 1)
	if all := rendertest.Reads(rendertest.Draw("race", a, p)); strings.Contains(all, "0.1 nat") || !rendertest.The[*race](p).IsAnimating(false) || rendertest.The[*race](p).IsAnimating(true) {
		t.Errorf("at the start: racing %v, still %v\n%s", rendertest.The[*race](p).IsAnimating(false), rendertest.The[*race](p).IsAnimating(true), all)
	}
	p.Run.Now += raceTime / 8.
	if all := rendertest.Reads(rendertest.Draw("race", a, p)); strings.Count(all, " nats|") != 2 {
		t.Errorf("runners without their distances: %s", all)
	}
	p.Run.Now += raceTime + 1
	if all := rendertest.Reads(rendertest.Draw("race", a, p)); !strings.Contains(all, "first to") || rendertest.The[*race](p).IsAnimating(false) {
		t.Errorf("at the end: %s", all)
	}
	rendertest.The[*race](p).start = p.Run.Now
	if rendertest.Draw("race", a, p); !rendertest.The[*race](p).IsAnimating(false) {
		t.Error("a tap does not start it again")
	}
	if all := rendertest.Reads(rendertest.Draw("race", rendertest.Area(800, 600, 1), stage.NewStage())); !strings.Contains(all, "No race before") {
		t.Errorf("without courses: %s", all)
	}
}
