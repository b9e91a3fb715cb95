package render

import (
	"strings"
	"testing"

	"logzlab/render/paint"
)

// TestKept: a picture for keeping is at least 1,200 pixels wide and has what the canvas shows, but nothing to press.
func TestKept(t *testing.T) {
	forms, _ := shownOn("formback", 700, 600)
	forms.SetDrawing(true, "")
	for _, c := range []struct {
		canvas *Canvas
		press  string
	}{{&Canvas{Stage: forms}, "Draw"}, {&Canvas{Stage: cooled(t, "units")}, ""}} {
		s := c.canvas
		s.w, s.h = 700, 600
		shown, _ := s.layers()
		a := s.keeping()
		kept := s.shown().Draw(a)
		if a.W != 1200 || a.H != 1029 {
			t.Errorf("%s: a picture of %g by %g", s.scene, a.W, a.H)
		}
		if text := reads(kept); text == "" || !strings.Contains(reads(shown), c.press) ||
			c.press != "" && strings.Contains(text, c.press) {
			t.Errorf("%s: to be kept: %q; on the canvas: %q", s.scene, text, reads(shown))
		}
		if c.press == "" && len(all(shown, paint.Disc)) != len(all(kept, paint.Disc))+1 {
			t.Errorf("the button that plays: %d discs on the canvas, %d in the picture", len(all(shown, paint.Disc)),
				len(all(kept, paint.Disc)))
		}
	}
}
