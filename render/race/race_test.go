package race

import (
	"strings"
	"testing"

	"logzlab/internal/rendertest"
	"logzlab/render/paint"
	"logzlab/render/stage"
)

// squares returns the squares of the flags.
func squares(ls []paint.Layer) (out []paint.Mark) {
	for _, m := range rendertest.MarksOfKind(ls, paint.Fill) {
		if m.Box.W == 4 && m.Box.H == 4 {
			out = append(out, m)
		}
	}
	return out
}

// TestRaceNamesTheFirst checks the texts of the lanes, and that a method whose error stays below 0.1 nat has a flag
// and a rank.
func TestRaceNamesTheFirst(t *testing.T) {
	p := rendertest.RaceStage()
	a := rendertest.Area(800, 600, 1)
	a.Still = true
	ls := rendertest.Draw("race", a, p)
	rendertest.CheckMarks(t, "race", a, ls)
	all := rendertest.Texts(ls)
	if poles := len(squares(ls)); poles != 12 {
		t.Errorf("%d squares of flags, want 12 for one finish", poles)
	}
	for _, want := range []string{"1. first to 0.1 nat: 100\u00a0k", "not within 0.1 nat yet", "AIS", "RTS", "+2"} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is missing in\n%s", want, all)
		}
	}
}

// TestRacePlays checks that the race plays once when the run is done, shows no result before the finish, and plays
// again after a restart.
func TestRacePlays(t *testing.T) {
	p := rendertest.RaceStage()
	a, s := rendertest.Area(800, 600, 1), rendertest.SceneOf[*race](p)
	all := rendertest.Texts(rendertest.Draw("race", a, p))
	if moving, still := s.IsAnimating(false), s.IsAnimating(true); strings.Contains(all, "0.1 nat") || !moving || still {
		t.Errorf("at the start: animating %v, if still %v\n%s", moving, still, all)
	}
	p.Run.Now += raceTime / 8.
	if all := rendertest.Texts(rendertest.Draw("race", a, p)); strings.Count(all, " nats|") != 2 {
		t.Errorf("the errors of the runners are missing in %s", all)
	}
	p.Run.Now += raceTime + 1
	if all := rendertest.Texts(rendertest.Draw("race", a, p)); !strings.Contains(all, "first to") || s.IsAnimating(false) {
		t.Errorf("at the end: %s", all)
	}
	s.start = p.Run.Now
	if rendertest.Draw("race", a, p); !s.IsAnimating(false) {
		t.Error("the race does not restart")
	}
	all = rendertest.Texts(rendertest.Draw("race", a, stage.NewStage()))
	if !strings.Contains(all, "No race before") {
		t.Errorf("without courses: %s", all)
	}
}
