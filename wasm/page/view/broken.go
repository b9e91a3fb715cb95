package view

import (
	"slices"
	"strconv"

	"logzlab/core/runstate"
	"logzlab/core/spec"
	"logzlab/estimators/report"
	"logzlab/render/html"
	"logzlab/wasm/page/repair"
	"logzlab/wasm/page/state"
)

// brokenButton returns the button in the page header that opens the sheet of broken experiments again.
func (p *page) brokenButton() html.HTML {
	return html.El(`button type="button" id="broken" class="quiet" data-event="sheet" data-value="broken"`,
		html.At("title", p.w.T("broken.at", p.Settings.Break, len(repair.Broken))), html.Text(p.w.T("broken.head",
			p.Settings.Break, len(repair.Broken))))
}

// brokenSheet lists the broken experiments, the state of the selected run, and the reasons to choose from.
func (p *page) brokenSheet() []html.HTML {
	w, selected := p.w, p.Settings.Break

	// The experiments.
	var numbers []html.HTML
	for n := range repair.Broken {
		numbers = append(numbers, html.El(`button type="button" data-event="break"`, html.At("data-value", strconv.Itoa(n+1),
			"aria-pressed", html.Yes(n+1 == selected), "aria-label", w.T("broken.at", n+1,
				len(repair.Broken))), html.Text(strconv.Itoa(n+1))))
	}
	children := []html.HTML{html.TagText("p", w.T("broken.why")),
		html.El(`div class="seg" role="group"`, html.At("aria-label", w.T("broken.which")), numbers...)}
	if selected == 0 || p.Spec == nil {
		return children
	}

	// The models of the selected experiment.
	var models []html.HTML
	for i, link := range repair.Broken[selected-1] {
		s, _ := spec.ParseLink(link, p.Names())
		models = append(models, html.El(`button type="button" data-event="break"`, html.At("data-value",
			strconv.Itoa(selected)+"."+strconv.Itoa(i),
			"aria-pressed", html.Yes(s.Model == p.Spec.Model)), html.Text(s.Model)))
	}
	children = append(children, html.El(`div class="seg" role="group"`, html.At("aria-label", w.T("model")), models...),
		html.Button("", "break-seed", "", html.Text(w.T("broken.seed"))))
	if p.State != runstate.Done {
		children = append(children, html.TagText(`p class="why"`, w.T("broken.wait", state.PercentOf(p.Share))))
	}

	// The reasons, and the answer.
	var radios []html.HTML
	for i, k := range repair.ReasonKeys {
		radios = append(radios, html.El("label", html.At("data-key", k), html.El(`input type="radio" name="reason"`,
			html.At("id", "reason-"+k, "value", k, "checked",
				html.When(p.Quiz.Chosen == k))), html.Text(w.T("reason."+repair.ReasonKeys[i]))))
	}
	ready := p.Quiz.Chosen != "" && p.State == runstate.Done
	children = append(children, html.Tag(`fieldset class="boxes"`, append([]html.HTML{html.TagText("legend", w.T("broken.ask"))},
		radios...)...),
		html.El(`button type="button" class="primary" data-event="answer"`, html.At("aria-disabled", html.Yes(!ready)),
			html.Text(w.T("broken.answer"))))
	return append(children, html.Tag(`div role="status" id="diagnosis"`, p.answer()...))
}

// answer reports whether the run shows the reason that the student chose, with the evidence.
func (p *page) answer() []html.HTML {
	if !p.Quiz.Answered || p.State != runstate.Done {
		return nil
	}
	w := p.w
	evidence := repair.Diagnose(p.Reports, p.Focus)
	if len(evidence) == 0 {
		return []html.HTML{html.TagText("p", w.T("shows.none"))}
	}

	// The student's reason against the evidence.
	first := evidence[0]
	chosenIndex := slices.IndexFunc(evidence, func(e repair.Evidence) bool { return repair.ReasonKeys[e.Reason] == p.Quiz.Chosen })
	key, name := "broken.no", w.T("reason."+repair.ReasonKeys[first.Reason])
	switch {
	case chosenIndex >= 0 && evidence[chosenIndex].Reason == first.Reason:
		key = "broken.yes"
	case chosenIndex > 0:
		key = "broken.also"
	}
	children := []html.HTML{html.Tag("p", html.TagText("b", w.T(key, name)), html.Text(" "+p.evidenceText(first)))}
	if key == "broken.also" {
		children = append(children, html.TagText(`p class="why"`, p.evidenceText(evidence[chosenIndex])))
	}

	// The exact value, and the corrected experiment.
	if r := p.Shown(); r.Truth != nil {
		children = append(children, html.TagText(`p class="why"`, w.T("broken.truth", p.FormatLogZ(r),
			p.NumberOrDash(float64(r.Truth.LogZ), 2))))
	}
	if a := p.Quiz.Repair; a != nil {
		children = append(children, html.Button("primary", a.Event, a.Value, html.Text(a.Label)))
	}
	return children
}

// evidenceText returns the evidence e as a sentence.
func (p *page) evidenceText(e repair.Evidence) string {
	if c, ok := e.Args[0].(*report.VerdictCheck); ok {
		return p.w.T(e.Key, CheckName(p.w, c), p.w.Measure(c.Text), p.w.Phrase(c.Needs))
	}
	args := slices.Clone(e.Args)
	for i, x := range args {
		if number, ok := x.(string); ok {
			args[i] = p.Num(number)
		}
	}
	return p.w.T(e.Key, args...)
}
