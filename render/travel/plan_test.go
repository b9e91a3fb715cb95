package travel

import (
	"math"
	"strings"
	"testing"

	"logzlab/render/paint"
	"logzlab/render/rendertest"
	"logzlab/render/stage"
)

// planCanvas is a canvas with the plan of 81 rungs, before a run.
func planCanvas(prior string) *stage.Stage {
	s := stage.NewStage()
	s.SetScene("visits")
	s.Take(rendertest.Planning(prior, 81))
	s.Fit(900, 560, 1)
	s.W, s.H, s.Hold = 900, 560, 50
	s.Layers()
	return s
}

// A knot is dragged by mouse and by finger; the page is told once, when the drag ends, and what it told comes back with
// the same knots.
func TestWeigh(t *testing.T) {
	for _, finger := range []bool{false, true} {
		s := planCanvas("uniform")
		var drew []string
		s.Drew = func(text string) { drew = append(drew, text) }
		v := newPlan(rendertest.Area(900, 560, 1), rendertest.The[*visits](s), rendertest.The[*visits](s).plan, grid(s))
		at := func(knot int, weight float64) (x, y float64) { return v.x.At(10 * float64(knot)), v.height(weight) }
		x, y := at(4, 1)
		if !s.Press(x+3, y-9, finger) {
			t.Fatal("a knot cannot be grabbed")
		}
		s.Point(at(4, 3))
		s.Point(at(4, 1e9)) // beyond the box
		if w := rendertest.The[*visits](s).hand.Knots; w[4] != 10 || w[3] != 1 {
			t.Errorf("the knots are %v", w)
		}
		s.Point(at(4, 2.5))
		if s.Layers(); len(drew) > 0 {
			t.Errorf("while it is dragged it told %v", drew)
		}
		s.Take(rendertest.Planning("uniform", 81)) // of the page, which does not know
		s.Release()
		s.Tap(at(4, 2.5)) // the click that follows
		if want := "rts.prior=weights:1_1_1_1_2.5_1_1_1_1"; len(drew) != 1 || drew[0] != want {
			t.Fatalf("it told %q", drew)
		}
		s.Take(rendertest.Planning(strings.TrimPrefix(drew[0], "rts.prior="), 81))
		if o := &rendertest.The[*visits](s).hand; o.Told != "" || o.Bent(rendertest.The[*visits](s).plan.Knots) || o.Knots[4] != 2.5 {
			t.Errorf("it came back as %+v", o)
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
	s.Drew = func(text string) { drew = text }
	s.Said = func(text string) { said = text }
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

// The plan is over the visits of its own run alone, and shares sum to one.
func TestPlanOfItsRun(t *testing.T) {
	fs := rendertest.Travelling(24, 14)
	p := rendertest.Stage(append(fs, rendertest.Planning("exp:2", 24))...)
	a := rendertest.Area(704, 456, 1)
	if s := rendertest.Reads(rendertest.Draw("visits", a, p)); !strings.Contains(s, "Planned visits of each rung, r|") ||
		!strings.Contains(s, "Visits against those planned, c / r|") || !strings.Contains(s, "even|") {
		t.Errorf("it reads %q", s)
	}
	s := rendertest.The[*visits](p)
	v, sum := planView{s: s, hand: &s.hand, plan: s.plan}, 0.0
	for k := range 24 {
		_, share := v.rung(k)
		sum += share
	}
	if math.Abs(sum-1) > 1e-12 {
		t.Errorf("shares sum to %g", sum)
	}
	other := rendertest.Planning("exp:2", 24)
	other.Plan.Methods = []string{"wl"}
	p = rendertest.Stage(append(fs, other)...)
	if s := rendertest.Reads(rendertest.Draw("visits", a, p)); strings.Contains(s, "Planned") || rendertest.The[*visits](p).Key("ArrowUp") {
		t.Errorf("over the visits of another run it reads %q", s)
	}
}

// grid is where the plan of a canvas stands.
func grid(s *stage.Stage) (box paint.Rect) {
	a := rendertest.Area(900, 560, 1)
	var top paint.Layer
	ls, _ := planAbove(a, rendertest.The[*visits](s), rendertest.The[*visits](s).plan, &top, 24, 0, true)
	box = ls[1].Clip
	return paint.XYWH(box.X+2, box.Y+2, box.W-4, box.H-4)
}
