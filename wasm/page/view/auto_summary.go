package view

import (
	"slices"
	"strings"

	"logzlab/core/diag"
	"logzlab/core/format"
	"logzlab/core/words"
	"logzlab/estimators"
	"logzlab/estimators/report"
	"logzlab/render/html"
)

// AutoSummary summarises in a few sentences what the method auto did and why. It returns "" for other methods, and
// while the diagnostics are not known yet.
func AutoSummary(w *words.Language, r *report.Report) string {
	number := func(x report.Number, decimals int) string { return w.Number(format.Fixed(float64(x), decimals)) }
	if !report.IsNumber(r.LogZ) {
		return ""
	}
	d := r.Diagnostics
	estimateText := func(key string, z, se diag.Number) string {
		bar := float64(d[se])
		return w.T(key, w.Number(format.Value(float64(d[z]), bar)), w.Number(format.Fixed(bar, format.Decimals(bar))))
	}
	if slices.Contains(r.Flags, estimators.FlagByGrowing) {
		return estimateText("auto.formed", estimators.DiagLogZFirst, estimators.DiagLogZFirstSE)
	}

	// Costs of annealing and tempering, and which of them was chosen.
	otherLogZ, ok := d[estimators.DiagLogZOther]
	if _, planned := d[estimators.DiagCostAnnealing]; !ok || !planned {
		return ""
	}
	annealing, tempering := d[estimators.DiagCostAnnealing], d[estimators.DiagCostTempering]
	chosen, other, ratio := w.T("auto.annealing"), w.T("auto.tempering"), tempering/annealing
	_, isCombined := d[estimators.DiagESSBennett]
	if ratio < 1 && !isCombined {
		chosen, other, ratio = other, chosen, 1/ratio
	}
	choice := w.T("auto.choice", chosen, other, number(ratio, 1))
	if isCombined && ratio >= 1 {
		choice = w.T("auto.both", number(ratio, 1))
	} else if isCombined {
		choice = w.T("auto.both_dearer", number(ratio, 1))
	}
	se := float64(d[estimators.DiagLogZOtherSE])

	// The base, and the third method.
	var base []string
	if slices.Contains(r.Flags, estimators.FlagUniformBase) {
		base = append(base, w.T("auto.even"))
	}
	if n, ok := d[estimators.DiagBaseSamples]; ok {
		base = append(base, w.T("auto.fitted", number(n, 0)))
	}
	var third []string
	if _, ok := d[estimators.DiagLogZGrown]; ok {
		third = append(third, estimateText("auto.third", estimators.DiagLogZGrown, estimators.DiagLogZGrownSE))
	}

	// The result of the method that was not chosen.
	otherText := w.T("auto.other", other, w.Number(format.Value(float64(otherLogZ), se)),
		w.Number(format.Fixed(se, format.Decimals(se))))
	isCheckOther := func(c report.VerdictCheck) bool { return c.Name == estimators.CheckOther }
	if se >= 0 && !slices.ContainsFunc(r.Verdict.Checks, isCheckOther) { // without an error bar there is no check of this result
		otherText += " " + w.T("auto.void")
	}
	if slices.Contains(r.Flags, estimators.FlagByAnnealing) {
		otherText = estimateText("auto.annealed", estimators.DiagLogZOther, estimators.DiagLogZOtherSE)
	}
	return strings.Join(slices.Concat(base, []string{
		w.T("auto.pilot", number(d[estimators.DiagPathOptimal], 0), number(d[estimators.DiagLag], 1)),
		choice,
		otherText,
	}, third), " ")
}

// autoParagraph returns AutoSummary of a report as a paragraph, "" if there is none.
func (p *page) autoParagraph(r *report.Report) html.HTML {
	if r == nil {
		return ""
	}
	if s := AutoSummary(p.w, r); s != "" {
		return html.TagText(`p class="why told"`, s)
	}
	return ""
}
