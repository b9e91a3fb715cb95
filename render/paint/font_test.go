package paint

import (
	"strings"
	"testing"
)

// TestFit checks that Fit truncates a text that is too long, with an ellipsis, and no other.
func TestFit(t *testing.T) {
	f := NewFonts(1, false)
	for _, s := range []string{"overlap of neighbours", "β = 0.33", "", "mmmm", strings.Repeat("long ", 5000)} {
		whole := f.Width(s, Plain)
		if got := f.Fit(s, Plain, whole); got != s {
			t.Errorf("Fit(%.20q) = %.20q, want no change", s, got)
		}
		got := f.Fit(s, Plain, 40)
		if whole > 40 && (f.Width(got, Plain) > 40 || !strings.HasSuffix(got, "…") ||
			!strings.HasPrefix(s, strings.TrimSuffix(got, "…"))) {
			t.Errorf("Fit(%.20q) = %q, width %v", s, got, f.Width(got, Plain))
		}
	}
}
