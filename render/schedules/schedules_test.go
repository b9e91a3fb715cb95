package schedules

import (
	"fmt"
	"strings"
	"testing"

	"logzlab/core/schedule"
	"logzlab/internal/rendertest"
	"logzlab/render/stage"
)

// pathStage returns a stage with the scene schedule.
func pathStage(text string, measured bool, w, h float64) *stage.Stage {
	s := stage.NewStage()
	s.SetScene("schedule")
	s.Take(rendertest.ScheduleFrame(text, measured))
	s.Fit(w, h, 1)
	s.W, s.H, s.FixedSeconds = int(w), int(h), 50
	return s
}

// TestDragKnots checks that a knot can be dragged by mouse and finger and moves its neighbours, which return with it,
// that the cost is updated at once, and that the edit is reported once, at the end of the drag.
func TestDragKnots(t *testing.T) {
	s := pathStage("linear", true, 900, 560)
	var drew []string
	s.OnEdit = func(text string) { drew = append(drew, text) }
	ls, _ := s.Layers()
	if got := rendertest.Texts(ls); !strings.Contains(got, "Linear costs 1.7 times the|optimum's chains.|") {
		t.Errorf("the verdict is missing in %q", got)
	}
	v := newView(rendertest.Area(900, 560, 1), rendertest.SceneOf[*schedules](s))
	at := func(i int, b float64) (x, y float64) {
		q := v.chart.At(float64(i+1)/10, b)
		return q.X, q.Y
	}
	for _, finger := range []bool{false, true} {
		drew = nil
		s.Take(rendertest.ScheduleFrame("linear", true))
		s.Layers()
		x, y := at(4, .5)
		if !s.Press(x+3, y+9, finger) {
			t.Fatal("a press does not grab a knot")
		}
		s.Point(at(4, .95))
		if b := rendertest.SceneOf[*schedules](s).editor.Knots; b[4] != .95 || b[8] <= .95 {
			t.Errorf("knots after a drag up = %v", b)
		}
		s.Point(at(4, .2))
		if b := rendertest.SceneOf[*schedules](s).editor.Knots; b[4] != .2 || b[8] != .9 || b[0] != .1 || b[2] != .18 {
			t.Errorf("knots after a drag back = %v", b)
		}
		if ls, _ := s.Layers(); !strings.Contains(rendertest.Texts(ls), "Your curve costs") || len(drew) > 0 {
			t.Errorf("during the drag: texts %q, edits %v", rendertest.Texts(ls), drew)
		}
		s.Take(rendertest.ScheduleFrame("linear", true)) // of the current run
		if s.Release(); finger != (s.Pointer == nil) {
			t.Errorf("finger %v: pointer after the drag at %v", finger, s.Pointer)
		}
		s.Tap(at(4, .2)) // the click event after the drag
		if want := "ais.schedule=betas:0.1_0.17_0.18_0.19_0.2_0.6_"; len(drew) != 1 || !strings.HasPrefix(drew[0], want) {
			t.Fatalf("edits = %q, want %s...", drew, want)
		}
		rendertest.SceneOf[*schedules](s).editor.Reported = ""
	}
	text := strings.TrimPrefix(drew[0], "ais.schedule=")
	s.Reset()
	s.Take(rendertest.ScheduleFrame("linear", true)) // sent before the page knew the edit
	s.Take(rendertest.ScheduleFrame(text, false))
	ls, _ = s.Layers()
	got := rendertest.Texts(ls)
	if !strings.Contains(got, "your curve|") || !strings.Contains(got, "A run shows what curves cost.") {
		t.Errorf("texts without g: %q", got)
	}
	if x, y := at(0, .9); s.Press(x, y, false) {
		t.Error("a press away from the knots grabs something")
	}
	s.Release()
	if len(drew) != 1 {
		t.Errorf("edits without a drag: %q", drew)
	}
}

func TestKnotsByKeys(t *testing.T) {
	s := pathStage("linear", true, 900, 560)
	drew, said := "", ""
	s.OnEdit = func(text string) { drew = text }
	s.OnDescribe = func(text string) { said = text }
	if s.Key("ArrowRight") || s.Key("x") || s.Key("Escape") {
		t.Error("the scene uses keys of the page")
	}
	if !s.Key("ArrowUp") || !strings.HasPrefix(drew, "ais.schedule=betas:0.11_0.2_") ||
		!strings.HasPrefix(said, "knot 1 of 9, 10 %: β = 0.11, predicted variance ") ||
		!strings.Contains(said, "Your curve costs") {
		t.Errorf("an arrow: edit %q, description %q", drew, said)
	}
	if !s.Key("End") || !s.Key("PageDown") || rendertest.SceneOf[*schedules](s).editor.Knots[8] != .8 ||
		rendertest.SceneOf[*schedules](s).editor.Knots[7] != .79 {
		t.Errorf("the last knots are %v", rendertest.SceneOf[*schedules](s).editor.Knots)
	}
	if !s.Key("ArrowLeft") || !strings.HasPrefix(said, "knot 8 of 9, 80 %: β = 0.79") {
		t.Errorf("description %q", said)
	}
	if !s.Key("o") || !strings.HasSuffix(said, "Your curve costs no more chains than the optimum.") {
		t.Errorf("description of the optimum: %q", said)
	}
	v := newView(rendertest.Area(900, 560, 1), rendertest.SceneOf[*schedules](s))
	if cost := v.cost(-1); !(cost >= v.best && cost < 1.1*v.best) {
		t.Errorf("cost of the optimum as edited curve = %g, of the optimum %g", cost, v.best)
	}
	if !s.Key("Escape") || s.Key("ArrowLeft") {
		t.Error("Escape does not stop editing")
	}
}

// TestStartsFit checks that the list of starts is on every canvas that is high enough, also with an edited curve; that
// before a run it says when starts are probed; and that the chart does not move when they arrive.
func TestStartsFit(t *testing.T) {
	for _, size := range [][2]float64{{360, 384}, {390, 428}, {390, 456}, {536, 536}, {704, 456}, {660, 384},
		{1280, 720}} {
		a := rendertest.Area(size[0], size[1], 1)
		p := rendertest.StageWith(rendertest.ScheduleFrame("linear", true))
		rendertest.SceneOf[*schedules](p).editor.Knots = schedule.MoveKnot(rendertest.SceneOf[*schedules](p).editor.Knots, 4, .1)
		names := "rates|smoothed|clipped|biases|uniform|fitted"
		rendertest.CheckMarks(t, fmt.Sprint("starts at ", size), a, rendertest.Draw("schedule", a, p))
		s := rendertest.Texts(rendertest.Draw("schedule", a, p))
		for _, name := range strings.Split(names, "|") {
			if !strings.Contains(s, "|"+name+"|") {
				t.Errorf("%v: %s is missing in %q", size, name, s)
			}
		}
		full := newView(a, rendertest.SceneOf[*schedules](p))
		rendertest.SceneOf[*schedules](p).path.Starts = nil
		if s := rendertest.Texts(rendertest.Draw("schedule", a, p)); !strings.Contains(s, "Probes follow a run.|") {
			t.Errorf("%v, before a run: texts %q", size, s)
		}
		if v := newView(a, rendertest.SceneOf[*schedules](p)); v.plot != full.plot {
			t.Errorf("%v: the chart moves from %v to %v when starts arrive", size, v.plot, full.plot)
		}
	}
}
