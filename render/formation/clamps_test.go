package formation

import (
	"fmt"
	"strings"
	"testing"

	"logzlab/core/frame"
	"logzlab/internal/rendertest"
	"logzlab/render/paint"
	"logzlab/render/record"
)

// TestClampEditor checks that strokes and keys clamp pixels of the large picture to ink, then to paper, then free
// them, and that an edit is reported once, at the end of a stroke.
func TestClampEditor(t *testing.T) {
	s, is := rendertest.ShowStage("formback", 900, 700)
	s.Tap(0, 0)
	ls, _ := s.Layers()
	if strings.Contains(rendertest.Texts(ls), "Draw") {
		t.Error("a model that cannot be clamped offers Draw")
	}
	var drew []string
	s.OnEdit = func(text string) { drew = append(drew, text) }
	said := ""
	s.OnDescribe = func(text string) { said = text }
	s.SetDrawing(true, "")
	ls, _ = s.Layers()
	for _, m := range rendertest.MarksOfKind(ls, paint.Text) {
		if m.Text == "Draw" {
			s.Tap(m.At.X+4, m.At.Y-3)
		}
	}
	if !s.CanDraw() {
		t.Fatal("a tap on Draw does not start drawing")
	}
	if ls, _ = s.Layers(); !strings.Contains(rendertest.Texts(ls), "ink \u2192 paper \u2192 free|") {
		t.Errorf("the sequence of effects is missing in %s", rendertest.Texts(ls))
	}
	var box paint.Rect
	for _, tap := range s.Taps {
		if tap.Action.Drag && tap.Box.Y < 300 {
			box = tap.Box
		}
	}
	if box.W == 0 {
		t.Fatal("no box for drawing")
	}
	cell := box.W / float64(is.W)
	to := func(x, y int) (float64, float64) {
		return box.X + (float64(x)+.5)*cell, box.Y + (float64(y)+.5)*cell
	}
	stroke := func(y, from, upTo int) {
		x0, y0 := to(from, y)
		s.Press(x0, y0, true) // a finger draws at once
		for x := from; x <= upTo; x++ {
			s.Point(to(x, y))
		}
		s.Release()
		s.Tap(to(upTo, y)) // the click event after the stroke is not another stroke
	}
	stroke(2, 3, 5)
	stroke(2, 5, 6)
	stroke(2, 5, 5)
	if got := strings.Join(drew, " "); got != "clamp=59i3 clamp=59i2-61p2 clamp=59i2-62p" {
		t.Errorf("three strokes reported %q", got)
	}
	if s.Point(box.X-50, box.Y); len(drew) != 3 {
		t.Error("a pointer that is up draws")
	}
	s.SetDrawing(true, "0i")
	if !s.Key("ArrowUp") || said != "row 2, column 6: free" || !s.Key(" ") || drew[3] != "clamp=0i-33i" {
		t.Errorf("keys: description %q, edits %v", said, drew)
	}
	if !s.Key("Escape") || s.CanDraw() || !strings.HasPrefix(said, "n = ") {
		t.Errorf("Escape: description %q", said)
	}
	if s.SetDrawing(false, ""); s.Key("d") || s.CanDraw() {
		t.Error("a model that cannot be clamped can be drawn on")
	}
}

// TestDrawButtonStays checks that the button Draw has the same position for the newest and for earlier moments.
func TestDrawButtonStays(t *testing.T) {
	at := map[bool]float64{}
	for _, back := range []bool{false, true} {
		s, is := rendertest.ShowStage("form", 704, 620)
		s.SetDrawing(true, "")
		if is.ShownID = 0; back {
			is.ShownID = 1
		}
		ls, _ := s.Layers()
		for _, m := range rendertest.MarksOfKind(ls, paint.Text) {
			if m.Text == "Draw" {
				at[back] = m.At.X
			}
		}
	}
	if at[false] != at[true] || at[true] == 0 {
		t.Errorf("x of Draw by earlier moment = %v, want equal", at)
	}
}

// TestGalleryOfSlides checks that on a slide with hidden details the pictures fill the canvas, and that at least nine
// fit on a projector.
func TestGalleryOfSlides(t *testing.T) {
	p, _ := rendertest.IslandStage(rendertest.ResampleMoveRun(rendertest.Run{R: 24, Islands: 1, Stages: 784, To: 784, W: 28, H: 28,
		Every: 28, Method: "rm"})...)
	for _, size := range [][3]float64{{360, 620, 1}, {655, 600, 2}, {819, 800, 2.56}, {1229, 1080, 3.6}} {
		a := rendertest.Area(size[0], size[1], size[2])
		a.Hidden = []string{"details"}
		rendertest.CheckMarks(t, fmt.Sprint(size), a, rendertest.Draw("formation", a, p))
		v := NewStageView(a, &p.Run, p.Run.Particles[0])
		wall, bottom := v.gallery(paint.XYWH(v.Pad, 32*a.Unit, a.W-2*v.Pad, a.H-40*a.Unit))
		if v.tileCount < 9 || bottom < 0.7*a.H || len(wall) == 0 {
			t.Errorf("%v: %d pictures down to y = %.0f", size, v.tileCount, bottom)
		}
	}
}

// TestUnitOfGraph checks that the stages of a graph on a grid are variables, not pixels.
func TestUnitOfGraph(t *testing.T) {
	s := rendertest.StageWith(&frame.Frame{Model: "triangle3", Graph: &frame.Graph{}})
	v := &stageView{a: rendertest.Area(640, 480, 1), p: &s.Run, Island: &record.Island{W: 2}}
	if unit := v.unit(); unit != "variables" {
		t.Errorf("unit = %s, want variables", unit)
	}
}
