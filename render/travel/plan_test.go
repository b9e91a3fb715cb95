package travel

import (
	"math"
	"strings"
	"testing"

	"logzlab/internal/rendertest"
	"logzlab/render/paint"
	"logzlab/render/stage"
)

// planCanvas is a canvas with the plan of 81 rungs, before a run.
func planCanvas(prior string) *stage.Stage {
	s := stage.NewStage()
	s.SetScene("travel")
	s.Take(rendertest.Planning(prior, 81))
	s.Fit(900, 560, 1)
	s.W, s.H, s.FixedSeconds = 900, 560, 50
	s.Layers()
	return s
}

// knots are where the knots of a plan are on a canvas, and the height of a decade.
func knots(s *stage.Stage) (at []paint.Point, decade float64) {
	ls, _ := s.Layers()
	ticks := map[string]float64{}
	for _, m := range rendertest.All(ls, paint.Text) {
		ticks[m.Text] = m.At.Y
	}
	for _, m := range rendertest.All(ls, paint.Disc) {
		if m.Hollow > 0 {
			at = append(at, m.At)
		}
	}
	return at, ticks["1"] - ticks["10"]
}

// A knot is dragged by mouse and by finger, by the log of its weight; the page is told once, when the drag ends, and what
// it told comes back with the same knots.
func TestWeigh(t *testing.T) {
	for _, finger := range []bool{false, true} {
		s := planCanvas("uniform")
		var drew []string
		s.OnEdit = func(text string) { drew = append(drew, text) }
		all, decade := knots(s)
		if len(all) != 9 || decade < 50 || !s.Press(all[4].X+3, all[4].Y-9, finger) {
			t.Fatalf("a knot of %v cannot be grabbed", all)
		}
		at := func(weight float64) (x, y float64) { return all[4].X, all[4].Y - decade*math.Log10(weight) }
		s.Point(at(3))
		s.Point(at(1e9)) // beyond the plot
		if w := rendertest.The[*travel](s).editor.Knots; w[4] != 10 || w[3] != 1 {
			t.Errorf("the knots are %v", w)
		}
		s.Point(at(2.5))
		if s.Layers(); len(drew) > 0 {
			t.Errorf("while it is dragged it told %v", drew)
		}
		s.Take(rendertest.Planning("uniform", 81)) // of the page, which does not know
		s.Release()
		s.Tap(at(2.5)) // the click that follows
		if want := "rts.prior=weights:1_1_1_1_2.5_1_1_1_1"; len(drew) != 1 || drew[0] != want {
			t.Fatalf("it told %q", drew)
		}
		s.Take(rendertest.Planning(strings.TrimPrefix(drew[0], "rts.prior="), 81))
		v := rendertest.The[*travel](s)
		if v.editor.Reported != "" || v.editor.Differs(v.plan.Knots) || v.editor.Knots[4] != 2.5 {
			t.Errorf("it came back as %+v", v.editor)
		}
		if ls, _ := s.Layers(); !strings.Contains(rendertest.Reads(ls), "Visit all evenly|") {
			t.Errorf("it reads %q", rendertest.Reads(ls))
		}
		s.Key("o")
		if len(drew) != 2 || drew[1] != "rts.prior=uniform" {
			t.Errorf("it told %q", drew)
		}
	}
}

// Keys say in words what a drag shows.
func TestWeighByKeys(t *testing.T) {
	s := planCanvas("exp:2")
	drew, said := "", ""
	s.OnEdit = func(text string) { drew = text }
	s.OnDescribe = func(text string) { said = text }
	if s.Key("ArrowRight") || s.Key("x") || s.Key("Escape") {
		t.Error("it takes keys of the page")
	}
	if !s.Key("d") || !s.Key("End") || !s.Key("ArrowUp") || !strings.HasPrefix(drew, "rts.prior=weights:0.31_") ||
		!strings.HasSuffix(drew, "_2.8") || !strings.HasPrefix(said, "knot 9 of 9: weight 2.8, Rung 81, β = 1: ") {
		t.Errorf("an arrow told %q and said %q", drew, said)
	}
	for range 5 {
		s.Key("PageDown")
	}
	if !strings.HasSuffix(drew, "_0.001") {
		t.Errorf("at the end it told %q", drew)
	}
	if !s.Key("Escape") || s.Key("ArrowLeft") {
		t.Error("Escape does not let go")
	}
}

// After a run the plan takes the place of the visits and gives it back: by its link, and by d and Escape, which let keys
// move the knots meanwhile.
func TestPlanOfVisits(t *testing.T) {
	s := stage.NewStage()
	for _, f := range append(rendertest.Travelling(24, 14), rendertest.Planning("exp:2", 24)) {
		s.Take(f)
	}
	s.SetScene("travel")
	s.Fit(704, 456, 1)
	s.W, s.H, s.FixedSeconds = 704, 456, 50
	planned := func() bool {
		ls, _ := s.Layers()
		reads := rendertest.Reads(ls)
		plan := strings.Contains(reads, "Planned visits of each rung, r|")
		if plan == strings.Contains(reads, "Visits against") {
			t.Fatalf("it reads %q", reads)
		}
		return plan
	}
	tap := func(word string) {
		ls, _ := s.Layers()
		for _, m := range rendertest.All(ls, paint.Text) {
			if m.Text == word {
				s.Tap(m.At.X+4, m.At.Y-4)
				return
			}
		}
		t.Fatalf("%q is not there", word)
	}
	if planned() || s.Key("ArrowUp") || s.Key("o") {
		t.Error("the plan is there before it is asked for")
	}
	if tap("Plan the visits"); !planned() {
		t.Error("the link does not show the plan")
	}
	if tap("Show the visits"); planned() {
		t.Error("the link does not show the visits again")
	}
	if !s.Key("d") || !planned() || !s.Key("ArrowLeft") {
		t.Error("d does not take up the plan")
	}
	if !s.Key("d") || planned() || s.Key("ArrowLeft") {
		t.Error("d does not put the plan down")
	}
	if !s.Key("d") || !s.Key("Escape") || planned() || s.Key("Escape") {
		t.Error("Escape does not put the plan down")
	}

	// It is over the visits of its own run alone.
	other := rendertest.Planning("exp:2", 24)
	other.Plan.Methods = []string{"wl"}
	if s.Take(other); s.Key("d") || planned() {
		t.Error("the visits of another run can be planned")
	}
}
