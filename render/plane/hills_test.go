package plane_test

import (
	"math"
	"testing"

	"logzlab/core/frame"
	"logzlab/internal/rendertest"
	"logzlab/render/paint"
	"logzlab/render/stage"
)

// hillStage returns a stage with two hills that can be changed, and the last edit.
func hillStage(t *testing.T) (*stage.Stage, *string) {
	t.Helper()
	const text = "-3_0_1_10~3_0_1_10"
	f := &frame.Field{X0: -8, X1: 8, Y0: -8, Y1: 8, W: 64, H: 64, Hills: text,
		Components: []frame.Component{{X: -3, Mass: .5}, {X: 3, Mass: .5}}}
	hills, err := frame.ReadHills(text)
	if err != nil {
		t.Fatal(err)
	}
	for k := range f.W * f.H {
		x, y := -8+(float64(k%f.W)+.5)/4, 8-(float64(k/f.W)+.5)/4
		sum := 0.
		for _, h := range hills {
			sum += h.Mass * math.Exp(-((x-h.X)*(x-h.X)+(y-h.Y)*(y-h.Y))/2)
		}
		f.Log0, f.Log1 = append(f.Log0, float32(-(x*x+y*y)/32)), append(f.Log1, float32(math.Log(sum)))
	}
	s := stage.NewStage()
	s.SetScene("plane")
	s.Add(&frame.Frame{Model: "mixture2", Field: f})
	s.Fit(704, 620, 1)
	s.W, s.H = 704, 620
	edit := ""
	s.OnEdit = func(text string) { edit = text }
	return s, &edit
}

// TestKeysChangeHills moves, widens, weighs, adds and removes hills with keys, and reads the edits.
func TestKeysChangeHills(t *testing.T) {
	s, edit := hillStage(t)
	for _, step := range []struct{ key, want string }{{"ArrowUp", ""}, {"e", ""}, {"ArrowUp", "hills=-3_0.25_1_10~3_0_1_10"},
		{"n", ""}, {"w", "hills=-3_0.25_1_10~3_0_1.25_10"}, {"+", "hills=-3_0.25_1_10~3_0_1.25_12.5"},
		{"Delete", "hills=-3_0.25_1_10"}, {"Delete", ""}, {"a", "hills=-3_0.25_1_10~-1.5_2.125_0.6_10"}, {"e", ""},
		{"ArrowUp", ""}} {
		*edit = ""
		if s.Key(step.key); *edit != step.want {
			t.Errorf("%s: %q, want %q", step.key, *edit, step.want)
		}
	}
}

// TestDragMovesHill drags the middle of a hill; the edit is reported once, when the drag ends.
func TestDragMovesHill(t *testing.T) {
	s, edit := hillStage(t)
	s.Key("e")
	middle := func() paint.Point {
		layers, _ := s.Layers()
		for _, m := range rendertest.MarksOfKind(layers, paint.Disc) {
			if m.R == 6 {
				return m.At
			}
		}
		t.Fatal("no hill has a handle")
		return paint.Point{}
	}
	from := middle()
	s.Press(from.X, from.Y, false)
	s.Point(from.X+40, from.Y)
	if *edit != "" {
		t.Errorf("reported %q during the drag", *edit)
	}
	s.Release()
	hills, err := frame.ReadHills((*edit)[len("hills="):])
	if err != nil || !(hills[0].X > -3) || hills[0].Y != 0 || hills[1].X != 3 {
		t.Errorf("after the drag: %q, %v", *edit, err)
	}
	if to := middle(); math.Abs(to.X-from.X-40) > 2 {
		t.Errorf("the handle is %v pixels to the right, want 40", to.X-from.X)
	}
}
