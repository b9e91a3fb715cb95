package stan

import (
	"os"
	"slices"
	"strings"
	"testing"

	"logzlab/models/stan/lang"
)

// TestDocumented checks that the documentation lists every supported function and distribution.
func TestDocumented(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../site/docs/programs.md")
	if err != nil {
		t.Fatal(err)
	}
	words := strings.Fields(string(text))
	for _, name := range slices.Concat(lang.Functions(), lang.Distributions(), lang.RandomDistributions()) {
		if !slices.Contains(words, name) {
			t.Errorf("site/docs/programs.md lacks %s", name)
		}
	}
}
