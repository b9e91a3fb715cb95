package page

import (
	"strings"

	"logzlab/estimators/report"
	"logzlab/wasm/page/state"
)

// summary is the text for screen readers.
type summary struct {
	text    string
	lang    string
	updated float64 // time of the text, 0 to renew it
}

const summaryInterval = 3.0 // seconds

// update makes the summary of the reports if the last one is older than summaryInterval or in another language. now is
// in seconds.
func (x *summary) update(a *state.Appearance, reports []*report.Report, now float64) {
	if x.updated != 0 && now-x.updated < summaryInterval && x.lang == a.Words.Lang {
		return
	}
	x.updated, x.lang = now, a.Words.Lang
	var parts []string
	for _, r := range reports {
		if !report.IsNumber(r.LogZ) {
			continue
		}
		parts = append(parts, a.ResultSentence(r)+" "+a.Verdict(r)+".")
	}
	if len(parts) == 0 {
		parts = append(parts, a.Words.T("say.running"))
	}
	x.text = strings.Join(parts, " ")
}
