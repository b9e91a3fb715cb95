package page

import (
	"strings"
	"testing"

	"logzlab/estimators"
	"logzlab/estimators/report"
)

// How bars like one held stands below the number and in the table, and both tell in a tooltip how the bar was made; in
// German too. Where it is not known nothing is said.
func TestHeld(t *testing.T) {
	for lang, want := range map[string][]string{
		"en": {"This bar held in 96\u00a0% of 1,400 runs like this one.", "held in 96\u00a0% of 1,400"},
		"de": {"Dieser Balken hielt in 96\u00a0% von 1\u202f400 ähnlichen Läufen.", "hielt in 96\u00a0% von 1\u202f400"},
	} {
		p := newPage(t, 2)
		p.brain.Start(Page{Link: smallLink + "&view.lang=" + lang, Base: "https://lab.example/"})
		p.finish()
		made := p.brain.pane()
		r := made.shown()
		means := escape(made.w.Phrase(estimators.SEMeans[r.SEMethod]))
		r.Calibration = nil
		if head, table := string(made.head()), string(made.numbers()); strings.Contains(head+table, made.count(1400)) ||
			!strings.Contains(table, means) || !strings.Contains(head, means) {
			t.Errorf("%s: without a record\n%s\n%s", lang, head, table)
		}
		r.Calibration = &report.Calibration{Runs: 1400, Within1: .7, Within2: .9551, RMSZ: 1}
		for i, text := range []string{string(made.head()), string(made.numbers())} {
			if !strings.Contains(text, want[i]) || !strings.Contains(text, means+" "+escape(made.w.T("held.means"))) {
				t.Errorf("%s: no %q in\n%s", lang, want[i], text)
			}
		}
	}
}
