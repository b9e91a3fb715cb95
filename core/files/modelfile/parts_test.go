package modelfile

import (
	"slices"
	"strings"
	"testing"
)

// Files that come together make one where it is clear which belong together.
func TestTogether(t *testing.T) {
	for names, want := range map[string][]int{
		"a.json line.stan":           {1, 0},
		"line.stan b.csv a.json":     nil,
		"x.evid y.txt x.UAI.gz":      {2, 0},
		"W.npy a.npy":                nil,
		"W.npy note.txt b.npy a.NPY": {0, 2, 3},
		"x.json W.npy a.npy b.npy":   {1, 2, 3},
		"":                           nil,
	} {
		if got := GroupFiles(strings.Fields(names)); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", names, got, want)
		}
	}
}
