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

// changed lists the settings of the previous experiment that differ from the current ones, such as "temperatures =
// 500".
func (p *page) changed(r *report.Report) string {
	var all []string
	was := p.Previous.Spec
	info, _ := catalog.Method(r.Method)
	differ := func(params []spec.Param, method string) {
		now := p.Spec.Values(params, method)
		for name, x := range was.Values(params, method) {
			if now[name] != x {
				all = append(all, name+" = "+x)
			}
		}
	}
	if slices.Contains(p.Spec.Methods, r.Method) {
		differ(info.Params, r.Method)
	} else {
		all = append(all, p.w.T("by", state.Label(r.Method)))
	}
	differ(p.ModelParams(), "")
	slices.Sort(all)
	if was.Seed != p.Spec.Seed {
		all = append(all, p.w.T("ghost.seed", was.Seed))
	}
	if was.Replicates != p.Spec.Replicates {
		all = append(all, p.w.T("ghost.replicates", was.Replicates))
	}
	return strings.Join(all, ", ")
}

// previousNumber returns the previous result in place of the new one, marked as previous.
func (p *page) previousNumber(r *report.Report) (num []html.HTML, why string) {
	x, se := state.Headline(r)
	why = p.w.T("ghost.why")
	if of := p.changed(r); of != "" {
		why = p.w.T("ghost.why.of", of)
	}
	return append([]html.HTML{html.TagText(`span class="was"`, p.w.T("ghost"))}, p.largeNumber(x, se)...), why
}

// compared compares the new result with the previous one; "" if there is none.
func (p *page) compared(r *report.Report) html.HTML {
	old := p.previousReport()
	if old == nil {
		return ""
	}
	x, se := state.Headline(old)
	now, bar := state.Headline(r)
	says := p.w.T("ghost.now", p.FormatEstimate(x, se), p.FormatEstimate(now, bar), p.Num(format.Signed(now-x,
		max(format.Decimals(bar), 2))))
	return html.El(`p class="before"`, html.At("title", p.changed(old)), html.Text(says))
}

// bayes states the log Bayes factor against the compared model and its interpretation; "" if no model is compared.
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
	says := p.w.T("bayes", name, factor)
	if report.IsNumber(c.Exact) {
		exact := format.Fixed(float64(c.Exact), max(format.Decimals(float64(c.SE)), 2))
		says = p.w.T("bayes.exact", name, factor, p.Num(exact))
	}
	for _, s := range c.Sentences(p.ModelName(), name) {
		says += " " + format.Superscript(p.w.Number(p.w.Sentence(s)))
	}
	return html.TagText(`p class="before" id="r-bayes"`, says)
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
