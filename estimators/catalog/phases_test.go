package catalog

import (
	"iter"
	"slices"
	"testing"

	"logzlab/core/frame"
	"logzlab/estimators"
	"logzlab/internal/methodtest"
	"logzlab/render/vocabulary"
)

// Every phase of a lane is among the words of the canvas, which are translated.
func TestPhasesAreWords(t *testing.T) {
	models := methodtest.Models(t)
	seen := map[string]bool{}
	for _, c := range conforming {
		for _, m := range []string{"rbm", "mixture"} {
			if !fits(c.info, models[m]) {
				continue
			}
			cfg := methodtest.Config(t, c.info, models[m], 1, c.set...)
			lanesOf(t, c.info, cfg, func(_ string, start func() (*estimators.Unit, iter.Seq[*frame.Frame])) {
				u, lane := start()
				u.Snapshots = true
				for f := range lane {
					word, _ := vocabulary.Stem(f.Phase)
					if f.Weighing != nil {
						seen[f.Weighing.Phase] = true
					}
					if seen[word] = true; !slices.Contains(vocabulary.Phases, word) {
						t.Fatalf("%s shows the phase %q, which is not in vocabulary.Phases", c.info.Name, f.Phase)
					}
				}
			})
		}
	}
	for _, word := range vocabulary.Phases {
		if !seen[word] && word != "base rates" { // the engine's own, before any method
			t.Errorf("no method has a phase %q", word)
		}
	}
}
