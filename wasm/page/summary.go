package page

import (
	"strings"

	"logzlab/estimators/report"
)

// summary is what screen readers say of the run.
type summary struct {
	text string
	at   float64 // when it was made, 0: make it again
}

const summaryEvery = 3.0 // seconds

// say updates the polite summary, at most every few seconds.
func (b *Brain) say(reports []*report.Report) {
	now := b.host.Now()
	if b.summary.at != 0 && now-b.summary.at < summaryEvery {
		return
	}
	b.summary.at = now
	var parts []string
	for _, r := range reports {
		if !report.IsNumber(r.LogZ) {
			continue
		}
		parts = append(parts, b.spoken(r)+" "+b.verdict(r)+".")
	}
	if len(parts) == 0 {
		parts = append(parts, b.words.T("say.running"))
	}
	b.summary.text = strings.Join(parts, " ")
}

// spoken is a result in a sentence.
func (b *Brain) spoken(r *report.Report) string {
	value, bar, _ := strings.Cut(b.withBar(r), " ± ")
	if report.IsNumber(r.SE) {
		return b.words.T("say.bar", label(r.Method), value, bar)
	}
	return b.words.T("say.logz", label(r.Method), value)
}
