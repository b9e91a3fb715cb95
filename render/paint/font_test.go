package paint

import (
	"strings"
	"testing"
)

// A text that is too long is cut to its width, with an ellipsis; one that fits stays as it is.
func TestFit(t *testing.T) {
	f := NewFonts(1, false)
	for _, s := range []string{"overlap of neighbours", "β = 0.33", "", "mmmm", strings.Repeat("long ", 5000)} {
		whole := f.Width(s, Plain)
		if got := f.Fit(s, Plain, whole); got != s {
			t.Errorf("%.20q becomes %.20q, though it fits", s, got)
		}
		got := f.Fit(s, Plain, 40)
		if whole > 40 && (f.Width(got, Plain) > 40 || !strings.HasSuffix(got, "…") ||
			!strings.HasPrefix(s, strings.TrimSuffix(got, "…"))) {
			t.Errorf("%.20q becomes %q, %v wide", s, got, f.Width(got, Plain))
		}
	}
}
