package schedules

import (
	"fmt"
	"strings"
	"testing"

	"logzlab/core/schedule"
	"logzlab/internal/rendertest"
	"logzlab/render/stage"
)

// pathCanvas is a canvas with the scene of schedules.
func pathCanvas(text string, measured bool, w, h float64) *stage.Stage {
	s := stage.NewStage()
	s.SetScene("schedule")
	s.Take(rendertest.Annealing(text, measured))
	s.Fit(w, h, 1)
	s.W, s.H, s.FixedSeconds = int(w), int(h), 50
	return s
}

// TestBend: a knot is dragged by mouse and by finger and takes its neighbours along, which come back with it; the cost
// is told at once, the page once, when the drag ends; keys do the same in words.
func TestBend(t *testing.T) {
	s := pathCanvas("linear", true, 900, 560)
	var drew []string
	s.OnEdit = func(text string) { drew = append(drew, text) }
	ls, _ := s.Layers()
	if got := rendertest.Reads(ls); !strings.Contains(got, "Linear costs 1.7 times the|optimum's chains.|") {
		t.Errorf("it reads %q", got)
	}
	v := newView(rendertest.Area(900, 560, 1), rendertest.The[*schedules](s))
	at := func(i int, b float64) (x, y float64) {
		q := v.chart.At(float64(i+1)/10, b)
		return q.X, q.Y
	}
	for _, finger := range []bool{false, true} {
		drew = nil
		s.Take(rendertest.Annealing("linear", true))
		s.Layers()
		x, y := at(4, .5)
		if !s.Press(x+3, y+9, finger) {
			t.Fatal("a knot cannot be grabbed")
		}
		s.Point(at(4, .95))
		if b := rendertest.The[*schedules](s).editor.Knots; b[4] != .95 || b[8] <= .95 {
			t.Errorf("the knot went to %v", b)
		}
		s.Point(at(4, .2))
		if b := rendertest.The[*schedules](s).editor.Knots; b[4] != .2 || b[8] != .9 || b[0] != .1 || b[2] != .18 {
			t.Errorf("on the way back the knots are %v", b)
		}
		if ls, _ := s.Layers(); !strings.Contains(rendertest.Reads(ls), "Your curve costs") || len(drew) > 0 {
			t.Errorf("while it is dragged it reads %q and told %v", rendertest.Reads(ls), drew)
		}
		s.Take(rendertest.Annealing("linear", true)) // of the run under way
		if s.Release(); finger != (s.Pointer == nil) {
			t.Errorf("finger %v: after the drag the pointer is at %v", finger, s.Pointer)
		}
		s.Tap(at(4, .2)) // the click that follows
		if want := "ais.schedule=betas:0.1_0.17_0.18_0.19_0.2_0.6_"; len(drew) != 1 || !strings.HasPrefix(drew[0], want) {
			t.Fatalf("it told %q", drew)
		}
		rendertest.The[*schedules](s).editor.Reported = ""
	}
	text := strings.TrimPrefix(drew[0], "ais.schedule=")
	s.Reset()
	s.Take(rendertest.Annealing("linear", true)) // on its way before the page knew
	s.Take(rendertest.Annealing(text, false))
	ls, _ = s.Layers()
	if got := rendertest.Reads(ls); !strings.Contains(got, "your curve|") || !strings.Contains(got, "A run shows what curves cost.") {
		t.Errorf("without g it reads %q", got)
	}
	if x, y := at(0, .9); s.Press(x, y, false) {
		t.Error("the sky can be grabbed")
	}
	s.Release()
	if len(drew) != 1 {
		t.Errorf("nothing was drawn, and it told %q", drew)
	}
}

func TestBendByKeys(t *testing.T) {
	s := pathCanvas("linear", true, 900, 560)
	drew, said := "", ""
	s.OnEdit = func(text string) { drew = text }
	s.OnDescribe = func(text string) { said = text }
	if s.Key("ArrowRight") || s.Key("x") || s.Key("Escape") {
		t.Error("it takes keys of the page")
	}
	if !s.Key("ArrowUp") || !strings.HasPrefix(drew, "ais.schedule=betas:0.11_0.2_") ||
		!strings.HasPrefix(said, "knot 1 of 9, 10 %: β = 0.11, predicted variance ") ||
		!strings.Contains(said, "Your curve costs") {
		t.Errorf("an arrow told %q and said %q", drew, said)
	}
	if !s.Key("End") || !s.Key("PageDown") || rendertest.The[*schedules](s).editor.Knots[8] != .8 ||
		rendertest.The[*schedules](s).editor.Knots[7] != .79 {
		t.Errorf("the last knots are %v", rendertest.The[*schedules](s).editor.Knots)
	}
	if !s.Key("ArrowLeft") || !strings.HasPrefix(said, "knot 8 of 9, 80 %: β = 0.79") {
		t.Errorf("it said %q", said)
	}
	if !s.Key("o") || !strings.HasSuffix(said, "Your curve costs no more chains than the optimum.") {
		t.Errorf("from the optimum it said %q", said)
	}
	v := newView(rendertest.Area(900, 560, 1), rendertest.The[*schedules](s))
	if cost := v.cost(-1); !(cost >= v.best && cost < 1.1*v.best) {
		t.Errorf("the optimum by hand costs %g, the optimum %g", cost, v.best)
	}
	if !s.Key("Escape") || s.Key("ArrowLeft") {
		t.Error("Escape does not let go")
	}
}

// TestStartsFit: the list of starts stands on every canvas of the page that is tall enough, also while a curve is
// drawn; before a run it says when starts are probed, and nothing moves when they come.
func TestStartsFit(t *testing.T) {
	for _, size := range [][2]float64{{360, 384}, {390, 428}, {390, 456}, {536, 536}, {704, 456}, {660, 384},
		{1280, 720}} {
		a := rendertest.Area(size[0], size[1], 1)
		p := rendertest.Stage(rendertest.Annealing("linear", true))
		rendertest.The[*schedules](p).editor.Knots = schedule.Place(rendertest.The[*schedules](p).editor.Knots, 4, .1)
		names := "rates|smoothed|clipped|biases|uniform|fitted"
		rendertest.Check(t, fmt.Sprint("starts at ", size), a, rendertest.Draw("schedule", a, p))
		s := rendertest.Reads(rendertest.Draw("schedule", a, p))
		for _, name := range strings.Split(names, "|") {
			if !strings.Contains(s, "|"+name+"|") {
				t.Errorf("at %v there is no %s: %q", size, name, s)
			}
		}
		full := newView(a, rendertest.The[*schedules](p))
		rendertest.The[*schedules](p).path.Starts = nil
		if s := rendertest.Reads(rendertest.Draw("schedule", a, p)); !strings.Contains(s, "Probes follow a run.|") {
			t.Errorf("at %v, before a run, it reads %q", size, s)
		}
		if v := newView(a, rendertest.The[*schedules](p)); v.plot != full.plot {
			t.Errorf("at %v the chart moves from %v to %v when starts come", size, v.plot, full.plot)
		}
	}
}
