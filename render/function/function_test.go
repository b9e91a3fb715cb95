package function

import (
	"strings"
	"testing"

	"logzlab/internal/rendertest"
	"logzlab/render/paint"
)

// TestFunctionsWithoutPicture checks that the scene says so if functions cannot be drawn, and gives their space to the
// strips.
func TestFunctionsWithoutPicture(t *testing.T) {
	fs := rendertest.ClassificationRun(0, 20, 30, 20)
	for _, f := range fs {
		f.Latent.W, f.Latent.H, f.Latent.Pictures = 0, 0, nil
	}
	p := rendertest.StageWith(fs...)
	for _, size := range [][2]float64{{704, 590}, {360, 456}} {
		a := rendertest.Area(size[0], size[1], 1)
		ls := rendertest.Draw("function", a, p)
		if s := rendertest.Texts(ls); !strings.Contains(s, "cannot be drawn|Only functions of one or two inputs") ||
			strings.Contains(s, "No functions yet") {
			t.Errorf("texts %q", s)
		}
		for _, m := range rendertest.MarksOfKind(ls, paint.Text) {
			if m.Text == "Ancestry" && m.At.Y > 0.3*a.H {
				t.Errorf("%v: the lineage begins at y = %v", size, m.At.Y)
			}
		}
	}
}
