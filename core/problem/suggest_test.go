package problem

import "testing"

func TestSuggest(t *testing.T) {
	t.Parallel()
	models := []string{"mixture2", "mixture10", "ising16", "rbm-pcd-20", "rbm-pcd-100", "rts", "ts", "ais", "smc", "is"}
	for misspelled, want := range map[string]string{
		"rbm-pcd-2O": " (did you mean rbm-pcd-20?)",
		"mixtrue2":   " (did you mean mixture2?)", // two letters swapped
		"misture":    " (did you mean mixture2?)",
		"asi":        " (did you mean ais?)",
		"isign16":    " (did you mean ising16?)",
		"potato":     "",
		"xy":         "",
		"":           "",
	} {
		if got := Suggest(misspelled, models).Error(); got != want {
			t.Errorf("%s: %q, not %q", misspelled, got, want)
		}
	}
}
