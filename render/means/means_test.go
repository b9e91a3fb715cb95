package means

import (
	"math"
	"strings"
	"testing"

	"logzlab/core/num"
	"logzlab/internal/rendertest"
	"logzlab/render/paint"
)

// TestMeans checks at several sizes that all pictures are on the canvas, that the texts contain the sizes of the
// errors, and the tooltip of a unit. A clamped unit does not contribute to the sizes.
func TestMeans(t *testing.T) {
	f := rendertest.MeansFrame(28, 28, true)
	nan := float32(math.NaN())
	m := f.Means
	m.All[30], m.Target[30], m.Exact[30], m.AllSE[30], m.TargetSE[30] = 1, 1, 1, nan, nan // clamped
	p := rendertest.StageWith(f)
	for _, size := range [][2]float64{{704, 456}, {390, 456}, {390, 300}, {1280, 720}, {300, 300}} {
		a := rendertest.Area(size[0], size[1], 1)
		v := newMeansView(a, m)
		v.layOut(v.title(&paint.Layer{}))
		for i := range v.quantities {
			for s := range v.sources {
				if b := v.place(i, s); (s < 2 || i == 0) && (b.X < 0 || b.Y < 0 || b.X+b.W > a.W || b.Y+b.H > a.H-8) {
					t.Errorf("%v: a picture at %v", size, b)
				}
			}
		}
		ls := rendertest.Draw("means", a, p)
		if n := len(rendertest.MarksOfKind(ls, paint.Cells)); n != 7 {
			t.Errorf("%v: %d pictures, want 7", size, n)
		}
		if s := strings.ReplaceAll(rendertest.Texts(ls), "|", " "); !strings.Contains(s, "0.5 times that from") ||
			!strings.Contains(s, "and the error 0.54 times.") || size[0] > 300 && !strings.Contains(s, "rms 0.013") {
			t.Errorf("%v: texts %q", size, s)
		}
	}
	v := newMeansView(rendertest.Area(704, 456, 1), m)
	if s := v.describe(2, 1); s != "row 2, column 3\nAll rungs: 1\nβ = 1 alone: 1\nExact: 1.0000" {
		t.Errorf("tooltip of a clamped unit = %q", s)
	}
	if q := v.quantities[2]; q.rms[0] > q.rms[1] || v.quantities[1].maxValue > .2 || num.NotNaN(float64(q.values[0][30])) {
		t.Errorf("sizes of errors = %v", q.rms)
	}
	few := rendertest.MeansFrame(10, 10, false)
	for i := range few.Means.AllSE { // of one chain
		few.Means.AllSE[i], few.Means.TargetSE[i] = nan, nan
	}
	s := rendertest.Texts(rendertest.Draw("means", rendertest.Area(704, 456, 1), rendertest.StageWith(few)))
	if strings.Contains(s, "times") || strings.Contains(s, "Exact") {
		t.Errorf("texts without errors: %q", s)
	}
}
