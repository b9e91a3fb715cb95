package render

import (
	"strings"
	"testing"

	"logzlab/internal/rendertest"
	"logzlab/render/paint"
)

// TestPrint checks that a print is at least 1,200 pixels wide and shows the canvas without buttons.
func TestPrint(t *testing.T) {
	forms, _ := rendertest.ShowStage("formback", 700, 600)
	forms.SetDrawing(true, "")
	for _, c := range []struct {
		canvas *Canvas
		press  string
	}{{&Canvas{Stage: forms}, "Draw"}, {&Canvas{Stage: rendertest.AnnealedStage(t, "units")}, ""}} {
		s := c.canvas
		s.W, s.H = 700, 600
		shown, _ := s.Layers()
		a := s.PrintArea()
		kept := s.CurrentScene().Draw(a)
		if a.W != 1200 || a.H != 1029 {
			t.Errorf("%s: the print is %g by %g, want 1200 by 1029", s.Scene, a.W, a.H)
		}
		if text := rendertest.Texts(kept); text == "" || !strings.Contains(rendertest.Texts(shown), c.press) ||
			c.press != "" && strings.Contains(text, c.press) {
			t.Errorf("%s: texts of the print %q, of the canvas %q", s.Scene, text, rendertest.Texts(shown))
		}
		if c.press == "" && len(rendertest.MarksOfKind(shown, paint.Disc)) != len(rendertest.MarksOfKind(kept, paint.Disc))+1 {
			t.Errorf("play button: %d discs on the canvas, %d in the print, want one less", len(rendertest.MarksOfKind(shown, paint.Disc)),
				len(rendertest.MarksOfKind(kept, paint.Disc)))
		}
	}
}
