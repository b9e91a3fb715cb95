package gpu

import (
	"testing"

	"golang.org/x/image/font"

	"logzlab/render/paint"
)

// TestWidths checks that the widths and positions of package paint are those of the faces, at any size.
func TestWidths(t *testing.T) {
	for _, scale := range []float64{0.9, 1, 1.1, 1.25, 2, 2.625, 3} {
		f := paint.NewFonts(scale, false)
		for _, st := range []paint.Style{paint.Tick, paint.Plain, paint.Strong, paint.StrongTick, paint.Figure} {
			face := face(f, st)
			for _, s := range []string{"", "log Z = −212.7 ± 0.3", "AVAST, Type: fi", "β ≤ 1 → §", "größer", "漢字 missing", "0.05\u00a0k"} {
				want := float64(font.MeasureString(face, s)) / 64
				if got := f.Width(s, st); got != want {
					t.Errorf("Width(%q), style %d, scale %g = %g, want %g", s, st, scale, got, want)
				}
				last := 0.0
				f.EachRune(s, st, func(r rune, x float64) { last = x + float64(font.MeasureString(face, string(r)))/64 })
				if last != want {
					t.Errorf("EachRune(%q), style %d, scale %g ends at %g, want %g", s, st, scale, last, want)
				}
			}
		}
	}
}
