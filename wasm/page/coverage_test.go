package page

import (
	"strings"
	"testing"

	"logzlab/estimators"
	"logzlab/estimators/report"
	"logzlab/render/html"
	"logzlab/wasm/page/state"
	"logzlab/wasm/page/view"
)

// The coverage of an error bar is shown below the result and in the table, with the expected value, in English and
// German. A tooltip says how the bar was computed. An unknown coverage is not shown.
func TestUnknownCoverageIsHidden(t *testing.T) {
	for lang, want := range map[string][]string{
		"en": {"Coverage: in 1,400 similar test runs, two standard errors covered the exact value 96\u00a0% of the time " +
			"(95\u00a0% expected).",
			"coverage: 96\u00a0% of 1,400"},
		"de": {"Überdeckung: In 1\u202f400 ähnlichen Testläufen enthielten zwei Standardfehler den exakten Wert in " +
			"96\u00a0% der Fälle",
			"Überdeckung: 96\u00a0% von 1\u202f400"},
	} {
		p := newPage(t, 2)
		p.controller.Start(state.BrowserPage{Link: smallLink + "&view.lang=" + lang, Base: "https://lab.example/"})
		p.finish()
		made := p.controller.Snapshot()
		r := made.Shown()
		means := html.Escape(made.Words.Phrase(estimators.SEMeans[r.SEMethod]))
		r.Calibration = nil
		head, table := string(view.Parts(made)["r-head"]), string(view.Parts(made)["numbers"])
		if strings.Contains(head+table, made.Count(1400)) ||
			!strings.Contains(table, means) || !strings.Contains(head, means) {
			t.Errorf("%s: without a record\n%s\n%s", lang, head, table)
		}
		r.Calibration = &report.Calibration{Runs: 1400, Within1: .7, Within2: .9551, RMSZ: 1}
		for i, text := range []string{string(view.Parts(made)["r-head"]), string(view.Parts(made)["numbers"])} {
			if !strings.Contains(text, want[i]) || !strings.Contains(text, means+" "+html.Escape(made.Words.T("held.means"))) {
				t.Errorf("%s: no %q in\n%s", lang, want[i], text)
			}
		}
	}
}
