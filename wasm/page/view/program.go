package view

import (
	"fmt"
	"strings"

	"logzlab/render/html"
	"logzlab/wasm/page/state"
)

// programSheet is the editor of a Stan program and its data.
func (p *page) programSheet() []html.HTML {
	w, at := p.w, &p.Program
	var names []string
	for _, e := range state.Examples {
		names = append(names, e.Name)
	}
	data := p.editor("program-data", at.Data, 0)
	if len(at.Data) > state.MaxEditableData {
		data = html.Tag(`div class="field" data-key="large"`, html.TagText("p", w.T("program.large",
			p.Count(float64(len(at.Data)/1000)))), html.Button("", "program-drop", "", html.Text(w.T("program.drop"))))
	}
	return []html.HTML{html.TagText(`p class="why" data-key="about"`, w.T("program.about")),
		html.Tag(`div class="field" data-key="example"`, html.TagText(`label for="example"`, w.T("program.example")),
			html.Tag(`select id="example"`, p.examples("program.", "own", names, at.Example)...)),
		p.editor("program-source", at.Source, at.Line),
		html.Tag(`div role="status" class="trouble" data-key="trouble"`, p.programTrouble()...),
		data,
		html.Tag(`div class="row" data-key="go"`,
			html.El(`button type="button" id="compile" class="primary"`, html.At("disabled",
				html.When(at.Busy || strings.TrimSpace(at.Source) == "")), html.Icon("i-play", "i"), html.Text(w.T("run"))),
			html.Button("", "file", "", html.Text(w.T("choose.file")))),
		html.TagText(`p class="why" data-key="keys"`, w.T("program.keys")+" "+w.T("program.rival"))}
}

// examples returns the options of a menu: first none, then each name. keys is the common prefix of their words.
func (p *page) examples(keys, none string, names []string, chosen string) []html.HTML {
	options := []html.HTML{html.El(`option value=""`, html.At("selected", html.When(chosen == "")),
		html.Text(p.w.T(keys+none)))}
	for _, name := range names {
		options = append(options, html.El("option", html.At("value", name, "selected", html.When(name == chosen)),
			html.Text(p.w.T(keys+name))))
	}
	return options
}

// editor is a text field with line numbers; bad is the line with an error, 0 for none.
func (p *page) editor(id, text string, bad int) html.HTML {
	lines := strings.Count(text, "\n") + 1
	var gutter []html.HTML
	for i := 1; i <= lines; i++ {
		start := "span"
		if i == bad {
			start = `span class="bad"`
		}
		gutter = append(gutter, html.TagText(start, fmt.Sprint(i)))
	}
	invalid, said := html.Absent, html.Absent
	if bad > 0 {
		invalid, said = "true", "program-error"
	}
	return html.El(`div class="field"`, html.At("data-key", id),
		html.El("label", html.At("for", id), html.Text(p.w.T(id))),
		html.Tag(`div class="editor"`, html.Tag(`div class="gutter" aria-hidden="true"`, gutter...),
			html.El(`textarea wrap="off" spellcheck="false" autocomplete="off" autocapitalize="off"`,
				html.At("id", id, "rows", fmt.Sprint(max(lines, 4)), "aria-invalid", invalid, "aria-describedby", said),
				html.Text("\n"+text))))
}

// programTrouble shows the error of the program with the offending lines, else notes about it.
func (p *page) programTrouble() (out []html.HTML) {
	at := &p.Program
	switch {
	case at.Busy:
		return []html.HTML{html.TagText("p", p.w.T("program.busy"))}
	case at.Err != nil:
		out = append(out, html.Icon("v-warn", "i"), html.TagText(`p id="program-error"`, p.w.Sentence(at.Err)))
		if at.Excerpt != "" {
			out = append(out, html.TagText(`pre tabindex="0"`, at.Excerpt))
		}
		return out
	}
	for _, n := range at.Notes {
		out = append(out, html.TagText("p", p.w.Sentence(n)))
	}
	if len(at.Parameters) > 0 && !at.FitsLink {
		out = append(out, html.TagText("p", p.w.T("program.unpacked")))
	}
	return out
}
