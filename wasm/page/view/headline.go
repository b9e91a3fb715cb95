package view

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"logzlab/core/format"
	"logzlab/core/num"
	"logzlab/core/spec"
	"logzlab/estimators"
	"logzlab/estimators/catalog"
	"logzlab/estimators/report"
	"logzlab/models"
	"logzlab/render/html"
	"logzlab/wasm/page/state"
)

// head shows the result of the method on show: log Z in large type with its error bar, an explanation, and the verdict.
func (p *page) head() html.HTML {
	w := p.w
	r := p.Shown()
	symbol := []html.HTML{html.LogZ}
	if p.Spec != nil {
		symbol = append(symbol, html.TagText("span", w.T("by", state.Label(p.Spec.Methods[p.Focus]))),
			html.TagText(`span class="model"`, w.T("model.seed", p.ModelName(), p.Spec.Seed)))
	}

	// Before there is a result.
	v, chip, why, help := "none", w.T("verdict.none"), w.T("why."+string(p.State)), html.Absent
	number := []html.HTML{html.TagText(`span class="n soft"`, "–")}
	var reason []html.HTML

	if r != nil && p.State.Active() {
		why = w.T("why.first")
		if z, estimateSymbol, description := p.currentEstimate(r); z != nil {
			symbol[0], number, why, reason = estimateSymbol, p.largeNumber(z.LogZ, z.SE), w.T("why.noislands"), []html.HTML{html.Text(description)}
			if num.NotNaN(z.SE) {
				why = w.T("why.faint", p.errorBarSource(r))
			}
		}
	}

	// The result from before the last edit.
	class := "r-num"
	if previous := p.previousReport(); previous != nil && len(reason) == 0 && (r == nil || !report.IsNumber(r.LogZ)) {
		class = "r-num was"
		number, why = p.previousNumber(previous)
	}

	// The result with its error bar.
	if r != nil && report.IsNumber(r.LogZ) {
		number = p.largeNumber(float64(r.LogZ), float64(r.SE))
		why, help = p.describeErrorBar(r)

		// The verdict, and log p of a drawing.
		v, chip = state.Level(r), p.Verdict(r)
		reason = p.reason(r)
		if d := r.LogP; d != nil && report.IsNumber(d.LogP) {
			symbol[0], number = html.LogP, p.largeNumber(float64(d.LogP), float64(d.SE))
			why = w.T("drawing.parts", p.Num(format.Value(float64(r.LogZ), float64(r.SE))), p.Num(format.Value(float64(d.Free),
				float64(d.SE)))) + " " + why
			reason = append([]html.HTML{html.TagText("b", w.T("drawing.odds", p.Num(format.Superscript(w.Explain(d.OneIn()))))), html.Text(" ")},
				reason...)
		} else if d != nil {
			why = p.whyNoLogP() + " " + why
		}
	}

	// The section.
	var glyph, compared html.HTML
	if r != nil && report.IsNumber(r.LogZ) {
		compared = p.comparison(r) + p.bayes(r)
	}
	if v != "none" {
		glyph = html.Icon("v-"+v, "i")
	}
	return html.El(`section id="r-head" class="r-head"`, html.At("aria-label", w.T("result"), "tabindex", "0"),
		html.Tag(`h1 class="r-of"`, symbol...), html.El("p", html.At("class", class), number...),
		html.El(`p class="why lead"`, html.At("title", help), html.Text(why)), compared,
		html.El(`div class="verdict"`, html.At("data-v", v), glyph, html.TagText("span", chip)),
		html.Tag(`p class="reason"`, reason...), p.modesFound(r), p.autoParagraph(r), p.assignment())
}

// assignment shows the goal of the link, and after the run whether it is reached: if so, with a button that copies the
// result code to hand in, otherwise with the conditions that are not met.
func (p *page) assignment() html.HTML {
	w := p.w
	goal, err := state.ParseGoal(p.Settings.Goal)
	if p.Settings.Goal == "" || err != nil {
		return ""
	}
	var conditions []string
	if goal.SE > 0 {
		conditions = append(conditions, w.T("goal.se", w.Number(spec.Decimal(goal.SE))))
	}
	if goal.Verdict != "" {
		conditions = append(conditions, w.T("goal.verdict."+goal.Verdict))
	}
	children := []html.HTML{html.TagText("b", w.T("goal", strings.Join(conditions, ", ")))}
	level := "info"
	if code := p.ResultCode(); code != "" {
		if unmet := goal.Unmet(p.Reports); unmet == nil {
			level = report.Trust
			children = append(children, html.Icon("v-"+level, "i"), html.TagText("span", w.T("goal.reached")),
				html.Button("primary", "copy", "result", html.Text(w.T("codes.copy"))))
		} else {
			level = report.Caution
			var reasons []string
			for _, reason := range unmet {
				reasons = append(reasons, w.Explain(reason))
			}
			children = append(children, html.Icon("v-"+level, "i"), html.TagText("span", w.T("goal.missed", strings.Join(reasons, "; "))))
		}
	}
	return html.El(`div class="goal" id="goal"`, html.At("data-level", level), children...)
}

// maxListedModes is the number of modes that are listed.
const maxListedModes = 5

// modesFound lists the modes that the search before the run found, if there are several, with their shares of Z by
// Laplace's method.
func (p *page) modesFound(r *report.Report) html.HTML {
	if r == nil || len(r.Modes) < 2 {
		return ""
	}
	var shares []string
	for _, m := range r.Modes[:min(len(r.Modes), maxListedModes)] {
		shares = append(shares, p.Num(format.Fixed(100*float64(m.Mass), 1))+"\u00a0%")
	}
	list := strings.Join(shares, ", ")
	if len(r.Modes) > maxListedModes {
		list += ", …"
	}
	found := max(float64(len(r.Modes)), float64(r.Diagnostics[models.DiagModes])) // reports list at most twenty
	return html.TagText(`p class="why told"`, p.w.T("modes.found", p.Count(found), list))
}

// currentEstimate returns the current estimate of a run in progress, or nil, with its symbol and a description: log Z
// of the pixels (or data) formed so far, or log Z at the temperature that all groups have passed.
func (p *page) currentEstimate(r *report.Report) (z *estimators.Rung, symbol html.HTML, description string) {
	w := p.w
	if !r.Provisional || report.IsNumber(r.LogZ) {
		return nil, "", ""
	}
	if z := r.SoFar; z != nil {
		return z, html.LogZOf("β"), w.T("cooled", p.NumberOrDash(z.Beta, 2))
	}
	m := models.CapabilitiesOf(p.Model).GrowingSpaces.Sequence
	if m == nil || catalog.Path(r.Method) != estimators.Sequential || len(r.Stages) == 0 {
		return nil, "", ""
	}
	unit := "data"
	switch catalog.Kinds.Of(p.Model.Info().Kind).Look {
	case models.Pictures:
		unit = "pixels"
	case models.Lattices:
		unit = "variables"
	}
	last := r.Stages[len(r.Stages)-1]
	return &estimators.Rung{LogZ: last.LogZ, SE: last.SE}, html.LogZOf(strconv.Itoa(last.N)),
		w.T("formed", last.N, m.Stages(), w.Phrase(unit))
}

// describeErrorBar explains how the error bar was computed and what its coverage is; help is the tooltip.
func (p *page) describeErrorBar(r *report.Report) (why, help string) {
	w := p.w
	why = w.T("why.nobar")
	if r.SEMethod == estimators.SEIslands {
		why = w.T("why.noislands")
	}
	if report.IsNumber(r.SE) {
		why = w.T("why.faint", p.errorBarSource(r))
		if n := float64(r.Diagnostics[estimators.DiagIslands]); r.SEMethod == estimators.SEIslands && n >= 2 && n < 20 {
			why += " " + w.T("why.rough", math.Round(100/math.Sqrt(2*(n-1)))) // sd of the logarithm of an sd that is estimated from n values, in percent
		}
		if mean, ok := r.Diagnostics[estimators.DiagMeanLogLikelihood]; ok {
			se := float64(r.Diagnostics[estimators.DiagMeanLogLikelihoodSE])
			d := format.Decimals(se)
			why += " " + w.T("why.data", int(r.Diagnostics[estimators.DiagData]), p.Num(format.Fixed(float64(mean), d)),
				p.Num(format.Fixed(se, d)))
		}
	}
	help = w.Phrase(estimators.SEMeans[r.SEMethod])
	if calibration := r.Calibration; calibration != nil {
		why += " " + w.T("held", p.Count(float64(calibration.Runs)), 100*calibration.Within2)
		help += " " + w.T("held.means")
	}
	return why, help
}

// whyNoLogP explains why a drawing has no log p.
func (p *page) whyNoLogP() string {
	if p.AuxiliaryPending && p.Active {
		return p.w.T("drawing.next")
	}
	return p.w.T("drawing.free")
}

// largeNumber returns log Z in large type with its error bar, and the last decimal in grey. With se = NaN there is no
// error bar.
func (p *page) largeNumber(logZ, se float64) []html.HTML {
	d := format.Decimals(se)
	s := p.Num(format.Fixed(logZ, d))
	if !num.NotNaN(se) {
		return []html.HTML{html.El(`span class="n"`, html.At("data-size", numberSize(utf8.RuneCountInString(s), 0)),
			html.Text(s))}
	}
	bar := "± " + p.Num(format.Fixed(se, d))
	return []html.HTML{html.El(`span class="n"`, html.At("data-size", numberSize(utf8.RuneCountInString(s),
		utf8.RuneCountInString(bar))),
		html.Text(s[:len(s)-1]), html.TagText(`span class="soft"`, s[len(s)-1:])), html.TagText(`span class="pm"`, bar)}
}

// numberSize returns the largest type size (l, m or s) in which a number of n letters and its error bar of m letters
// fit into one line of the narrowest pane, which is 288 pixels wide.
func numberSize(n, m int) string {
	switch width := float64(288 - 8 - 13*m); {
	case 31*float64(n) <= width:
		return "l"
	case 27.3*float64(n) <= width:
		return "m"
	}
	return "s"
}

// errorBarSource names the samples from which an error bar was computed.
func (p *page) errorBarSource(r *report.Report) string {
	if n := r.Spec.Replicates; n > 1 {
		return p.w.T("from.replicates", len(r.Replicates))
	}
	for _, name := range []string{"islands", "chains", "particles"} {
		if s, ok := r.Spec.Params[name]; ok {
			x, _ := strconv.ParseFloat(s, 64)
			return p.w.T("from."+name, p.Count(x))
		}
	}
	return p.w.T("from.run")
}

// maxReasonLetters is the number of letters that fit into three lines on a phone; longer reasons shrink the picture
// (sizes.css).
const maxReasonLetters = 120

// reason returns the first failing check with its meaning and advice, or a sentence that all checks pass.
func (p *page) reason(r *report.Report) []html.HTML {
	w := p.w
	if r.Early {
		return []html.HTML{html.Text(w.T("verdict.early.why"))}
	}

	// All checks pass, perhaps only so far.
	c := r.Verdict.Failing()
	if c == nil {
		n := len(r.Verdict.Checks)
		counts := strings.Fields(w.T("counts"))
		count := fmt.Sprint(n)
		if n < len(counts) {
			count = counts[n]
		}
		s := w.T("pass.n", count)
		switch n {
		case 1:
			s = w.T("pass.1")
		case 2:
			s = w.T("pass.2")
		}
		if r.Provisional {
			return []html.HTML{html.Text(w.T("pass.sofar", s, state.PercentOf(p.Share)))}
		}
		return []html.HTML{html.Text(s + ".")}
	}

	// The failing check, with meaning and advice.
	failure := w.T("check.is", CheckName(p.w, c), w.Measure(c.Text))
	if sentence := "fails." + c.Name; w.Has(sentence) {
		failure = w.T(sentence, w.Measure(c.Text))
	}
	why := " " + w.Phrase(c.Meaning) + " " + w.Phrase(c.Advice)
	isLong := html.When(len(failure)+len(why) > maxReasonLetters)
	return []html.HTML{html.El("b", html.At("title", w.Phrase(c.Name)), html.Text(failure)),
		html.El("span", html.At("data-long", isLong), html.Text(why)), p.mendButton(r, c)}
}
