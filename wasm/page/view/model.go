package view

import (
	"slices"

	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/render/html"
)

// modelField is the menu of models, with a description of the selected one.
func (p *page) modelField() html.HTML {
	w := p.w
	var groups []html.HTML
	group := ""
	var options []html.HTML
	flush := func() {
		if len(options) > 0 {
			groups = append(groups, html.El("optgroup", html.At("label", group), options...))
		}
		options = nil
	}

	// Built-in models by their kind, then the own one.
	chosen := ""
	if p.Spec != nil {
		chosen = p.Spec.Model
	}
	add := func(name, label, kind string) {
		if kind != group {
			flush()
			group = kind
		}
		selected := html.When(name == chosen)
		options = append(options, html.El("option", html.At("value", name, "title", name, "selected", selected), html.Text(label)))
	}
	for _, e := range catalog.Kinds.Builtin() {
		add(e.Name, w.Plain(e.Name), w.Phrase(e.Kind.Title))
	}
	if p.Own.ID != "" {
		add(p.Own.ID, p.Own.Name, w.T("kind.own"))
	} else if spec.IsFile(chosen) {
		add(chosen, chosen, w.T("kind.own"))
	}
	flush()
	if chosen == "" { // no model is selected, so that selecting any model sends a change
		groups = append(groups, html.Tag(`option value="" disabled hidden selected`))
	}

	return html.Tag(`div class="field s-model"`, html.TagText(`label for="model"`, w.T("model")),
		html.Tag(`select id="model" aria-describedby="model-about"`, groups...),
		html.TagText(`p class="why" id="model-about"`, p.about()),
		html.Button("", "sheet", "program", html.Text(w.T("program.title"))),
		html.Button("", "sheet", "samples", html.Text(w.T("samples.title"))), p.againstField())
}

// about describes the model, and says whether its exact log Z is known.
func (p *page) about() string {
	if p.Spec == nil {
		return ""
	}
	for _, e := range catalog.Kinds.Builtin() {
		if e.Name == p.Spec.Model {
			known := p.w.T("exact.known")
			if e.Truth == "" {
				known = p.w.T("exact.none")
			}
			return p.w.T("model.named", e.Name, p.w.Phrase(e.About), known)
		}
	}
	if p.NeedsOwnFile() {
		return p.w.T("own.lacks", p.Spec.Model)
	}
	about := p.w.T("own.about", p.Own.Name)
	if p.Own.Summary != nil {
		about += ". " + p.w.Number(p.w.Sentence(p.Own.Summary))
		isDataParam := func(q spec.Param) bool { return q.Name == "data" }
		if p.Own.Rows.ID == "" && slices.ContainsFunc(p.ModelParams(), isDataParam) {
			about += " " + p.w.T("rows.drop")
		}
	}
	return about
}

// againstField is the menu of models to compare with, or "" if there are none.
func (p *page) againstField() html.HTML {
	if p.Spec == nil {
		return ""
	}
	names := p.Rivals()
	if len(names) == 0 {
		return ""
	}
	options := []html.HTML{html.El("option", html.At("value", "", "selected", html.When(p.Settings.Against == "")),
		html.Text(p.w.T("against.none")))}
	for _, name := range names {
		options = append(options, html.El("option", html.At("value", name, "title", name, "selected",
			html.When(name == p.Settings.Against)),
			html.Text(p.w.Plain(name))))
	}
	return html.Tag(`div class="param" data-key="against" data-type="choice"`,
		html.TagText(`label for="against"`, p.w.T("against")),
		html.Tag(`select id="against"`, options...))
}
