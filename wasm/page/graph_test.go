package page

import (
	"strings"
	"testing"
)

// A graph that forms takes in variables, and no data.
func TestFormingGraph(t *testing.T) {
	for lang, want := range map[string]string{"en": " of 256 variables.", "de": " der 256 Variablen."} {
		p := newPage(t, 1)
		p.brain.Open("#v=1&model=glass16&method=arm&arm.islands=2&arm.particles=50&view.lang=" + lang)
		p.until("stages are shown", func() bool { return strings.Contains(p.part("r-head"), "<sub>") })
		if head := p.part("r-head"); !strings.Contains(head, want) {
			t.Errorf("%s: %s", lang, head)
		}
	}
}
