package view

import (
	"slices"
	"strings"

	"logzlab/core/format"
	"logzlab/core/runstate"
	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/estimators/report"
	"logzlab/render/html"
	"logzlab/wasm/page/state"
)

// previousReport returns the previous result of the selected method, or of another method if that one was not run, or
// nil.
func (p *page) previousReport() *report.Report {
	all := p.PreviousResults()
	same := func(r *report.Report) bool { return r.Method == p.Spec.Methods[p.Focus] }
	if i := slices.IndexFunc(all, same); i >= 0 {
		return all[i]
	}
	if len(all) > 0 && !slices.ContainsFunc(p.Previous.Reports, same) {
		return all[0]
	}
	return nil
}

// changedSettings lists the settings of the previous experiment that differ from the current ones, such as
// "temperatures = 500".
func (p *page) changedSettings(r *report.Report) string {
	var changes []string
	previous := p.Previous.Spec
	info, _ := catalog.Method(r.Method)
	differ := func(params []spec.Param, method string) {
		now := p.Spec.Values(params, method)
		for name, x := range previous.Values(params, method) {
			if now[name] != x {
				changes = append(changes, name+" = "+x)
			}
		}
	}
	if slices.Contains(p.Spec.Methods, r.Method) {
		differ(info.Params, r.Method)
	} else {
		changes = append(changes, p.w.T("by", state.Label(r.Method)))
	}
	differ(p.ModelParams(), "")
	slices.Sort(changes)
	if previous.Seed != p.Spec.Seed {
		changes = append(changes, p.w.T("ghost.seed", previous.Seed))
	}
	if previous.Replicates != p.Spec.Replicates {
		changes = append(changes, p.w.T("ghost.replicates", previous.Replicates))
	}
	return strings.Join(changes, ", ")
}

// previousNumber returns the previous result in place of the new one, marked as previous.
func (p *page) previousNumber(r *report.Report) (num []html.HTML, why string) {
	x, se := state.Headline(r)
	why = p.w.T("ghost.why")
	if changes := p.changedSettings(r); changes != "" {
		why = p.w.T("ghost.why.of", changes)
	}
	return append([]html.HTML{html.TagText(`span class="was"`, p.w.T("ghost"))}, p.largeNumber(x, se)...), why
}

// comparison compares the new result with the previous one. It is "" without a previous result.
func (p *page) comparison(r *report.Report) html.HTML {
	old := p.previousReport()
	if old == nil {
		return ""
	}
	x, se := state.Headline(old)
	newX, newSE := state.Headline(r)
	text := p.w.T("ghost.now", p.FormatEstimate(x, se), p.FormatEstimate(newX, newSE), p.Num(format.Signed(newX-x,
		max(format.Decimals(newSE), 2))))
	return html.El(`p class="before"`, html.At("title", p.changedSettings(old)), html.Text(text))
}

// bayes states the log Bayes factor against the model to compare with, and its interpretation. Without such a model it
// is the button of rivalButton.
func (p *page) bayes(r *report.Report) html.HTML {
	if r.State != runstate.MethodDone {
		return ""
	}
	other, name := p.Rival.Report, p.Rival.Name
	if other == nil || !report.IsNumber(other.LogZ) {
		return p.rivalButton(r)
	}
	c := report.Compare(r, other)
	factor := p.FormatEstimate(float64(c.LogBF), float64(c.SE))
	text := p.w.T("bayes", name, factor)
	if report.IsNumber(c.Exact) {
		exact := format.Fixed(float64(c.Exact), max(format.Decimals(float64(c.SE)), 2))
		text = p.w.T("bayes.exact", name, factor, p.Num(exact))
	}
	for _, s := range c.Sentences(p.ModelName(), name) {
		text += " " + format.Superscript(p.w.Number(p.w.Sentence(s)))
	}
	return html.TagText(`p class="before" id="r-bayes"`, text)
}

// rivalButton offers a second program for the same data: the related example, or an empty editor.
func (p *page) rivalButton(r *report.Report) html.HTML {
	if !state.IsProgram(r) || r.DataID == "" || slices.Contains(p.HiddenParts(), "setup") {
		return ""
	}
	if id := p.Settings.Rival; spec.IsFile(id) {
		return html.TagText(`p class="before"`, p.w.T("rival.missing", id))
	}
	for _, e := range state.Examples {
		if e.Name == p.Program.Example && e.Rival != "" {
			return html.Button("rival", "example", e.Rival, html.Text(p.w.T("rival.example", p.w.T("program."+e.Rival))))
		}
	}
	return html.Button("rival", "sheet", "program", html.Text(p.w.T("rival")))
}
