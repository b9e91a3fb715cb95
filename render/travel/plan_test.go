package travel

import (
	"math"
	"strings"
	"testing"

	"logzlab/internal/rendertest"
	"logzlab/render/paint"
	"logzlab/render/stage"
)

// planStage returns a stage with the plan of 81 rungs, before a run.
func planStage(prior string) *stage.Stage {
	s := stage.NewStage()
	s.SetScene("travel")
	s.Take(rendertest.PlanFrame(prior, 81))
	s.Fit(900, 560, 1)
	s.W, s.H, s.FixedSeconds = 900, 560, 50
	s.Layers()
	return s
}

// knots returns the positions of the knots of a plan, and the height of a decade.
func knots(s *stage.Stage) (at []paint.Point, decade float64) {
	ls, _ := s.Layers()
	ticks := map[string]float64{}
	for _, m := range rendertest.MarksOfKind(ls, paint.Text) {
		ticks[m.Text] = m.At.Y
	}
	for _, m := range rendertest.MarksOfKind(ls, paint.Disc) {
		if m.Hollow > 0 {
			at = append(at, m.At)
		}
	}
	return at, ticks["1"] - ticks["10"]
}

// TestDragWeights checks that a knot can be dragged by mouse and finger on a log scale, that the edit is reported
// once, at the end of the drag, and that the reported plan has the same knots when the page sends it back.
func TestDragWeights(t *testing.T) {
	for _, finger := range []bool{false, true} {
		s := planStage("uniform")
		var drew []string
		s.OnEdit = func(text string) { drew = append(drew, text) }
		all, decade := knots(s)
		if len(all) != 9 || decade < 50 || !s.Press(all[4].X+3, all[4].Y-9, finger) {
			t.Fatalf("a press does not grab one of the knots %v", all)
		}
		at := func(weight float64) (x, y float64) { return all[4].X, all[4].Y - decade*math.Log10(weight) }
		s.Point(at(3))
		s.Point(at(1e9)) // beyond the plot
		if w := rendertest.SceneOf[*travel](s).editor.Knots; w[4] != 10 || w[3] != 1 {
			t.Errorf("knots = %v, want 10 at index 4", w)
		}
		s.Point(at(2.5))
		if s.Layers(); len(drew) > 0 {
			t.Errorf("edits during the drag: %v", drew)
		}
		s.Take(rendertest.PlanFrame("uniform", 81)) // sent by the page before it knows the edit
		s.Release()
		s.Tap(at(2.5)) // the click event after the drag
		if want := "rts.prior=weights:1_1_1_1_2.5_1_1_1_1"; len(drew) != 1 || drew[0] != want {
			t.Fatalf("edits = %q, want %q", drew, want)
		}
		s.Take(rendertest.PlanFrame(strings.TrimPrefix(drew[0], "rts.prior="), 81))
		v := rendertest.SceneOf[*travel](s)
		if v.editor.Reported != "" || v.editor.Differs(v.plan.Knots) || v.editor.Knots[4] != 2.5 {
			t.Errorf("after the page has sent the plan back: %+v", v.editor)
		}
		if ls, _ := s.Layers(); !strings.Contains(rendertest.Texts(ls), "Visit all evenly|") {
			t.Errorf("the link is missing in %q", rendertest.Texts(ls))
		}
		s.Key("o")
		if len(drew) != 2 || drew[1] != "rts.prior=uniform" {
			t.Errorf("edits after o = %q", drew)
		}
	}
}

// TestWeightsByKeys checks that keys edit the plan and describe it.
func TestWeightsByKeys(t *testing.T) {
	s := planStage("exp:2")
	drew, said := "", ""
	s.OnEdit = func(text string) { drew = text }
	s.OnDescribe = func(text string) { said = text }
	if s.Key("ArrowRight") || s.Key("x") || s.Key("Escape") {
		t.Error("the scene uses keys of the page")
	}
	if !s.Key("d") || !s.Key("End") || !s.Key("ArrowUp") || !strings.HasPrefix(drew, "rts.prior=weights:0.31_") ||
		!strings.HasSuffix(drew, "_2.8") || !strings.HasPrefix(said, "knot 9 of 9: weight 2.8, Rung 81, β = 1: ") {
		t.Errorf("an arrow: edit %q, description %q", drew, said)
	}
	for range 5 {
		s.Key("PageDown")
	}
	if !strings.HasSuffix(drew, "_0.001") {
		t.Errorf("at the lower limit: edit %q", drew)
	}
	if !s.Key("Escape") || s.Key("ArrowLeft") {
		t.Error("Escape does not stop editing")
	}
}

// TestPlanOfVisits checks that after a run the plan replaces the visits and vice versa, by its link, d and Escape, and
// that keys move the knots while the plan is shown.
func TestPlanOfVisits(t *testing.T) {
	s := stage.NewStage()
	for _, f := range append(rendertest.TravelFrames(24, 14), rendertest.PlanFrame("exp:2", 24)) {
		s.Take(f)
	}
	s.SetScene("travel")
	s.Fit(704, 456, 1)
	s.W, s.H, s.FixedSeconds = 704, 456, 50
	planned := func() bool {
		ls, _ := s.Layers()
		reads := rendertest.Texts(ls)
		plan := strings.Contains(reads, "Planned visits of each rung, r|")
		if plan == strings.Contains(reads, "Visits against") {
			t.Fatalf("the scene reads %q", reads)
		}
		return plan
	}
	tap := func(word string) {
		ls, _ := s.Layers()
		for _, m := range rendertest.MarksOfKind(ls, paint.Text) {
			if m.Text == word {
				s.Tap(m.At.X+4, m.At.Y-4)
				return
			}
		}
		t.Fatalf("%q is missing", word)
	}
	if planned() || s.Key("ArrowUp") || s.Key("o") {
		t.Error("the plan is shown before it is selected")
	}
	if tap("Plan the visits"); !planned() {
		t.Error("the link does not show the plan")
	}
	if tap("Show the visits"); planned() {
		t.Error("the link does not show the visits")
	}
	if !s.Key("d") || !planned() || !s.Key("ArrowLeft") {
		t.Error("d does not show the plan")
	}
	if !s.Key("d") || planned() || s.Key("ArrowLeft") {
		t.Error("d does not hide the plan")
	}
	if !s.Key("d") || !s.Key("Escape") || planned() || s.Key("Escape") {
		t.Error("Escape does not hide the plan")
	}

	// A plan can be shown only with the visits of its own run.
	other := rendertest.PlanFrame("exp:2", 24)
	other.Plan.Methods = []string{"wl"}
	if s.Take(other); s.Key("d") || planned() {
		t.Error("the visits of another run can be planned")
	}
}
