package page

import (
	"strings"

	"logzlab/estimators/report"
	"logzlab/wasm/page/state"
)

// summary is the text for screen readers.
type summary struct {
	text string
	lang string
	at   float64 // time of the text, 0 to renew it
}

const summaryEvery = 3.0 // seconds

// say updates the summary, at most every few seconds and when the language changes.
func (x *summary) say(a *state.Appearance, reports []*report.Report, now float64) {
	if x.at != 0 && now-x.at < summaryEvery && x.lang == a.Words.Lang {
		return
	}
	x.at, x.lang = now, a.Words.Lang
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
