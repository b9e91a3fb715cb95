package view

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"logzlab/core/format"
	"logzlab/estimators/catalog"
	"logzlab/render/html"
	"logzlab/wasm/page/state"
)

// methodsField lists the selected methods and, on demand, the methods that can be added, and shows the cost.
func (p *page) methodsField() html.HTML {
	w := p.w
	var items, others []html.HTML
	var chosen []string
	addable := 0 // number of methods that could be added
	if p.Spec != nil {
		chosen = p.Spec.Methods
	}
	box := func(name, label string, isChecked, isDisabled bool) html.HTML {
		return html.El(`input type="checkbox" name="method"`,
			html.At("value", name, "checked", html.When(isChecked), "disabled", html.When(isDisabled), "aria-label", label))
	}

	// The chosen methods, then the others by groups.
	for i, m := range chosen {
		info, _ := catalog.Method(m)
		items = append(items, html.El("li", html.At("data-key", m), html.Mark(i),
			html.El(`button type="button" class="name" data-event="focus"`,
				html.At("data-value", m, "aria-pressed", html.Yes(i == p.Focus), "title",
					w.T("focus.title", state.Label(m))), html.Text(state.Label(m))),
			html.El(`span class="short"`, html.At("title", w.Phrase(info.About)), html.Text(w.Phrase(info.Short))),
			html.Tag(`label class="x"`, box(m, w.T("remove", state.Label(m)), true, false), html.Icon("i-close", "i"))))
	}
	for _, g := range catalog.Groups {
		var rows []html.HTML
		for _, m := range g.Methods {
			if !slices.Contains(chosen, m.Name) && p.Suits(m.Name) {
				addable++
				if !matches(p.Panels.Find, m.Name, m.Label, w.Phrase(m.About), w.T("family."+g.Name)) {
					continue
				}
				description := w.Phrase(m.Short)
				if p.Panels.Find != "" {
					description = w.Phrase(m.About)
				}
				rows = append(rows, html.El("li", html.At("data-key", m.Name), html.El("label",
					html.At("title", w.Phrase(m.About)),
					box(m.Name, w.T("add", m.Label), false, len(chosen) >= state.MaxMethods), html.Icon("i-plus", "i"),
					html.TagText("b", m.Label), html.TagText(`span class="why"`, description))))
			}
		}
		if rows != nil {
			others = append(others, html.El("h4", html.At("data-key", "of-"+g.Name, "id", "of-"+g.Name),
				html.Text(w.T("family."+g.Name))), html.El("ul", html.At("data-key", g.Name, "aria-labelledby", "of-"+g.Name),
				rows...))
		}
	}
	if others == nil {
		others = []html.HTML{html.TagText(`p class="why" data-key="none"`, w.T("find.none"))}
	}
	if addable > 0 && len(chosen) < state.MaxMethods {
		items = append(items, html.El(`li class="add"`, html.At("data-key", "+"),
			html.El(`button type="button" id="adding" data-event="adding" aria-controls="more"`,
				html.At("aria-expanded", html.Yes(p.Panels.Adding)),
				html.Icon("i-plus", "i"), html.Text(w.T("add.method")))))
	}

	// The cost.
	cost := ""
	if lo, hi := p.costRange(); len(p.Reports) > 1 && p.oneRun() {
		cost = w.T("cost.shared", p.Count(hi))
	} else if len(p.Reports) > 1 && hi <= 1.5*lo {
		cost = w.T("cost.equal", p.Num(format.SI(hi, 2)))
	} else if len(p.Reports) > 1 {
		cost = w.T("cost.range", p.Count(lo), p.Count(hi))
	} else if len(p.Reports) == 1 && p.Planned[p.Spec.Methods[0]] == 0 {
		cost = w.T("cost.draws", p.Count(hi))
	} else if len(p.Reports) == 1 {
		cost = w.T("cost.one", p.Count(hi))
	}
	return html.Tag(`fieldset class="field methods"`, html.TagText("legend", w.T("methods")),
		html.Tag(`ul id="methods"`, items...), html.El(`div id="more"`,
			html.At("hidden", html.When(!p.Panels.Adding || len(chosen) >= state.MaxMethods)),
			html.El(`input type="search" id="find-method" autocomplete="off" spellcheck="false"`,
				html.At("value", p.Panels.Find, "aria-label", w.T("find"), "placeholder", w.T("find"))),
			html.Tag(`div class="found"`, others...)),
		html.El(`p class="why"`, html.At("title", w.T("help.sweeps")), html.Text(cost)))
}

// matches reports whether every word of a search is the beginning of a word in the texts.
func matches(search string, texts ...string) bool {
	split := func(s string) []string {
		return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r)
		})
	}
	words := split(strings.Join(texts, " "))
	for _, wanted := range split(search) {
		if !slices.ContainsFunc(words, func(word string) bool { return strings.HasPrefix(word, wanted) }) {
			return false
		}
	}
	return true
}

// oneRun reports whether all methods use the same run.
func (p *page) oneRun() bool {
	return !slices.ContainsFunc(p.Spec.Methods, func(m string) bool { return !p.SameRun(m, p.Spec.Methods[0]) })
}

// costRange returns the smallest and the largest cost of the methods.
func (p *page) costRange() (lo, hi float64) {
	lo = math.Inf(1)
	for _, r := range p.Reports {
		c := state.Cost(r, p.Planned[r.Method])
		lo, hi = min(lo, c), max(hi, c)
	}
	return min(lo, hi), hi
}
