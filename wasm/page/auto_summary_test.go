package page

import (
	"strings"
	"testing"

	"logzlab/core/words"
	"logzlab/wasm/page/view"
)

// The page and the command summarise what auto did, and nothing for other methods. A file without a link is run by
// auto.
func TestAutoSummary(t *testing.T) {
	p := newPage(t, 2)
	p.controller.Open("v=1&model=mixture2&method=auto,is&target=0.3")
	p.finish()
	all := p.controller.Results()
	for _, lang := range []string{"en", "de"} {
		s := view.AutoSummary(wordsOf(lang), all[0])
		if strings.Count(s, ". ") != 2 || strings.Contains(s, "%!") || strings.Contains(s, "NaN") {
			t.Errorf("auto did: %s", s)
		}
	}
	if s := view.AutoSummary(words.New("en"), all[1]); s != "" {
		t.Errorf("is did: %s", s)
	}
	if head := p.part("r-head"); !strings.Contains(head, "the best schedule") {
		t.Errorf("the head is %s", head)
	}
}
