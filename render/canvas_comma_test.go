package render

import (
	"testing"

	"logzlab/render/paint"
)

// TestDecimalComma checks that numbers on the canvas are measured, drawn and described with a decimal comma if the
// language of the page has one.
func TestDecimalComma(t *testing.T) {
	s := NewCanvas()
	for sample, want := range map[string]string{"1\u202f234,5": "log Z = 2,5", "⟦1,234.5⟧": "log Z = 2.5"} {
		s.SetWords(map[string]string{"1,234.5": sample})
		s.Fit(300, 200, 1)
		drawn := ""
		s.Fonts.EachRune("log Z = 2.5", paint.Plain, func(r rune, _ float64) { drawn += string(r) })
		if drawn != want || s.Fonts.Localized("log Z = 2.5") != want {
			t.Errorf("%s: %q is drawn, want %q", sample, drawn, want)
		}
	}
}
