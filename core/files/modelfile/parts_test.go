package modelfile

import (
	"slices"
	"strings"
	"testing"
)

// Files are grouped if their names show which belong together.
func TestGroupFiles(t *testing.T) {
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
			t.Errorf("GroupFiles(%s) = %v, want %v", names, got, want)
		}
	}
}
