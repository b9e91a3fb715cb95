package render

import (
	"strings"
	"testing"

	"logzlab/internal/rendertest"
	"logzlab/render/paint"
)

// TestKept: a picture for keeping is at least 1,200 pixels wide and has what the canvas shows, but nothing to press.
func TestKept(t *testing.T) {
	forms, _ := rendertest.ShownOn("formback", 700, 600)
	forms.SetDrawing(true, "")
	for _, c := range []struct {
		canvas *Canvas
		press  string
	}{{&Canvas{Stage: forms}, "Draw"}, {&Canvas{Stage: rendertest.Cooled(t, "units")}, ""}} {
		s := c.canvas
		s.W, s.H = 700, 600
		shown, _ := s.Layers()
		a := s.PrintArea()
		kept := s.CurrentScene().Draw(a)
		if a.W != 1200 || a.H != 1029 {
			t.Errorf("%s: a picture of %g by %g", s.Scene, a.W, a.H)
		}
		if text := rendertest.Reads(kept); text == "" || !strings.Contains(rendertest.Reads(shown), c.press) ||
			c.press != "" && strings.Contains(text, c.press) {
			t.Errorf("%s: to be kept: %q; on the canvas: %q", s.Scene, text, rendertest.Reads(shown))
		}
		if c.press == "" && len(rendertest.All(shown, paint.Disc)) != len(rendertest.All(kept, paint.Disc))+1 {
			t.Errorf("the button that plays: %d discs on the canvas, %d in the picture", len(rendertest.All(shown, paint.Disc)),
				len(rendertest.All(kept, paint.Disc)))
		}
	}
}
